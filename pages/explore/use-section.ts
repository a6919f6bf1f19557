import { sentenceFor } from '../shared/api.ts';
import { button, el } from '../shared/dom.ts';
import { viewNow, withBox } from './view-box.ts';

type Parts = readonly (Node | string)[];

interface UseOptions {
  /** Opens the sheet on which the map is printed; undefined where what the page shows has no boundary to draw. */
  readonly onPicture: (() => Promise<void>) | undefined;
  /** Opens the way to other sites; undefined where none can show the map. */
  readonly onEmbed: (() => Promise<void>) | undefined;
  /** Whether its URL shows the same to others, or in another tab. */
  readonly hasAddress: boolean;
  /** What is said of those who can not open its URL; nothing where everybody can. */
  readonly limits?: (() => Promise<Parts>) | undefined;
  /** What opens below the buttons for the data. */
  readonly data: () => Parts | Promise<Parts>;
}

/** The section at the head of a map: its URL, pictures, and what else one can do with it. */
export function useSection({ onPicture, onEmbed, hasAddress, limits, data }: UseOptions): HTMLElement {
  const status = el('p', { class: 'quiet', role: 'status' });
  const readers = el('div', { class: 'use-part' });
  const content = el('div', { class: 'use-part' });
  const copy = button('Copy link', async () => {
    const view = viewNow();
    const address = `${location.origin}${location.pathname}${view ? withBox(location.hash, view) : location.hash}`;
    try {
      await navigator.clipboard.writeText(address);
      status.textContent = 'Copied: the address of the map as it is now.';
    } catch {
      // It can be copied from there.
      history.replaceState(null, '', address);
      status.textContent = 'Copying is not allowed here. The address of this page is that of the map as it is now.';
    }
    readers.replaceChildren(...((await limits?.()) ?? []));
  });
  const opener = (name: string, open: () => Promise<void>) => {
    return button(
      name,
      async () => {
        status.textContent = 'Opening…';
        try {
          await open();
          status.textContent = '';
        } catch (error) {
          status.textContent = sentenceFor(error, 'It could not be opened. Load the page again.');
        }
      },
      { 'aria-haspopup': 'dialog' },
    );
  };
  const toggle = button('Data', async () => {
    const isOpen = toggle.getAttribute('aria-expanded') === 'true';
    toggle.setAttribute('aria-expanded', String(!isOpen));
    content.replaceChildren();
    if (isOpen) return;
    const made = await data();
    // It may have been closed since.
    if (toggle.getAttribute('aria-expanded') === 'true') content.replaceChildren(...made);
  });
  toggle.setAttribute('aria-expanded', 'false');
  const row = el(
    'p',
    { class: 'use-buttons' },
    hasAddress ? copy : undefined,
    onPicture && opener('Picture', onPicture),
    onEmbed && opener('Embed', onEmbed),
    toggle,
    onPicture && button('Print', () => print()),
  );
  const heading = el('h2', {}, onPicture ? 'Use this map' : 'Link and data');
  return el('section', { class: 'use-map' }, heading, row, status, readers, content);
}
