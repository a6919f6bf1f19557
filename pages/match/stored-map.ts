import { currentToken } from '../shared/credentials.ts';
import { el } from '../shared/dom.ts';

/** A tab that waits for a map. */
export interface WaitingTab {
  /** Opens an address there. Returns whether there is such a tab. */
  show(address: string): boolean;
  close(): void;
}

/**
 * Opens a tab for a map that is yet to be stored. Browsers open one while a button is pressed, and none later. The list stays
 * in the tab that it is in. Who has not signed in is asked to do that first, and no tab waits.
 */
export function waitingTab(): WaitingTab {
  const tab = currentToken() === undefined ? null : open('about:blank');
  if (tab) {
    tab.document.title = 'Storing the map…';
    tab.document.body.textContent = 'Storing the map…';
  }
  return {
    show(address) {
      // Whoever has closed it can still follow the link.
      if (!tab || tab.closed) return false;
      tab.location.href = address;
      return true;
    },
    close: () => tab?.close(),
  };
}

interface StoredMap {
  readonly id: string;
  /** What was stored. */
  readonly sentence: string;
  readonly tab: WaitingTab;
  /** The part of the map to show: west, south, east, north. Undefined: all of the dataset. */
  readonly part?: readonly number[] | undefined;
}

/** Opens the map of a stored dataset. Where the browser opens no tab, there is a link. */
export function showStoredMap(status: HTMLElement, { id, sentence, tab, part }: StoredMap): void {
  const whole = `/explore#/datasets/${id}`;
  const address = part ? `${whole}?bbox=${part.join(',')}` : whole;
  const linkTo = (href: string, label: string, kind: string) =>
    el('a', { class: `button ${kind}`, href, target: '_blank', rel: 'opener' }, label);
  const link = linkTo(address, 'Open the map', 'main');
  status.replaceChildren(sentence, link, ...(part ? [' ', linkTo(whole, 'Show all of them', '')] : []));
  if (!tab.show(address)) link.focus();
}
