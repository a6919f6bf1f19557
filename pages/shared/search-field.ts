import { sentenceFor } from './api.ts';
import { el } from './dom.ts';

/** How much of a text that finds nothing is shown, characters. */
const MAX_SHOWN = 60;

/** How long typing must pause before a search that asks the service, milliseconds. */
const DEBOUNCE_MS = 250;

/** What a search has found, as it stands in the list. */
export interface Finding {
  readonly name: string;
  /** What it is and where it lies: `Component city · Cebu`. */
  readonly about: string;
  /** Where it is, if it has a URL of its own. */
  readonly href?: string;
}

/** The elements of a search field. */
interface Parts {
  readonly input: HTMLInputElement;
  /** The listbox, with an id that no other has. */
  readonly list: HTMLElement;
  readonly status: HTMLElement;
}

interface Search<F extends Finding> {
  /** @throws the reason of the signal if it is aborted */
  find(text: string, signal: AbortSignal): Promise<readonly F[]>;
  choose(finding: F): void;
  /** What stands in the list for a finding; its name and what it is unless given. */
  contentOf?(finding: F): readonly Node[];
  /** Says what was found, where it is more than that nothing has the name. */
  say?(text: string, found: readonly F[]): readonly (Node | string)[];
  /** How long typing must pause before the search starts, milliseconds. */
  readonly debounce?: number;
}

/**
 * A search field: a combobox with a list of matches.
 * https://www.w3.org/WAI/ARIA/apg/patterns/combobox/
 */
export function startSearchField<F extends Finding>({ input, list, status }: Parts, search: Search<F>): void {
  const { contentOf = namedContent, say = sayNothingFound, debounce = DEBOUNCE_MS } = search;
  let matches: readonly F[] = [];
  let active = -1;
  let pause: number | undefined;
  let running: AbortController | undefined;
  /** The text that the matches belong to. */
  let searched = '';

  /** Ends the search that waits or runs, so that it can't open the list or leave the page later. */
  const stop = () => {
    clearTimeout(pause);
    running?.abort();
  };
  const close = () => {
    list.hidden = true;
    input.setAttribute('aria-expanded', 'false');
    activate(-1);
  };
  const activate = (index: number) => {
    active = index;
    for (const [i, option] of [...list.children].entries()) option.setAttribute('aria-selected', String(i === index));
    const option = list.children[index];
    if (option) {
      input.setAttribute('aria-activedescendant', option.id);
      option.scrollIntoView({ block: 'nearest' });
    } else {
      input.removeAttribute('aria-activedescendant');
    }
  };
  const open = () => {
    if (matches.length === 0) return;
    list.hidden = false;
    input.setAttribute('aria-expanded', 'true');
    // Nobody chooses what stands below the window. The field is the last, because it must stay where both have no room.
    for (const shown of [list, input]) shown.scrollIntoView({ block: 'nearest' });
  };
  const choose = (match: F) => {
    stop();
    input.value = match.name;
    // What is typed next takes its place.
    input.select();
    close();
    search.choose(match);
  };
  const show = (found: readonly F[]) => {
    matches = found;
    list.replaceChildren(
      ...found.map((match, i) => optionOf(match, `${list.id}-${i}`, contentOf(match), () => choose(match))),
    );
    close();
    open();
  };
  /** @param thenChoose whether to go to the first match */
  const run = async (thenChoose = false) => {
    stop();
    running = new AbortController();
    const { signal } = running;
    const text = input.value;
    try {
      const found = await search.find(text, signal);
      if (signal.aborted) return;
      searched = text;
      show(found);
      status.replaceChildren(...say(text, found));
      status.dataset.count = String(found.length);
      const [first] = found;
      if (thenChoose && first) choose(first);
    } catch (error) {
      if (signal.aborted) return;
      show([]);
      status.textContent = sentenceFor(error, 'The search failed.');
    }
  };

  input.addEventListener('input', () => {
    stop();
    pause = window.setTimeout(() => void run(), debounce);
  });
  input.addEventListener('focus', () => input.select());
  input.addEventListener('keydown', (event) => {
    const { key } = event;
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault();
      if (input.value !== searched) return void run();
      if (list.hidden) open();
      if (list.hidden) return;
      const last = matches.length - 1;
      if (key === 'ArrowDown') activate(active >= last ? 0 : active + 1);
      else activate(active <= 0 ? last : active - 1);
    } else if (key === 'Enter') {
      event.preventDefault();
      const chosen = list.hidden ? undefined : matches[Math.max(active, 0)];
      // The matches of an earlier text must not be chosen.
      if (input.value !== searched) void run(true);
      else if (chosen) choose(chosen);
    } else if (key === 'Escape') {
      stop();
      if (list.hidden) input.value = status.textContent = '';
      close();
    }
  });
  input.addEventListener('blur', () => {
    stop();
    close();
  });
}

/** A text as messages repeat it. */
export function shortened(text: string): string {
  return text.trim().slice(0, MAX_SHOWN);
}

export function sayNothingFound(text: string, found: readonly Finding[]): string[] {
  return text.trim().length < 2 || found.length > 0 ? [] : [`Nothing is called “${shortened(text)}”.`];
}

function namedContent({ name, about }: Finding): Node[] {
  return [el('span', { class: 'name' }, name), el('span', { class: 'about' }, about)];
}

function optionOf({ href }: Finding, id: string, content: readonly Node[], onChoose: () => void): HTMLElement {
  const attributes = { role: 'option', id };
  const option: HTMLElement = el(
    href === undefined ? 'div' : 'a',
    { ...attributes, ...(href && { href, tabindex: '-1' }) },
    ...content,
  );
  // The field must keep the focus. If it lost it, the list would close before the click.
  option.addEventListener('mousedown', (event) => event.preventDefault());
  option.addEventListener('click', (event) => {
    // The browser opens the URL elsewhere.
    if (href !== undefined && (event.ctrlKey || event.metaKey || event.shiftKey)) return;
    event.preventDefault();
    onChoose();
  });
  return option;
}
