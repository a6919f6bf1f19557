import { el } from './dom.ts';
import type { Field, Setting } from './field.ts';
import type { AddressPlace } from './places.ts';

/** How long typing must pause before the service is asked, milliseconds. */
const PAUSE = 150;

/** The most characters that the service reads. */
const LONGEST = 100;

/** The most places in the list. */
const MAX_SHOWN = '8';

type Suggested = AddressPlace & { readonly highlights: readonly (readonly number[])[] };

/**
 * One field that suggests places while a name is typed: an editable combobox with a list.
 * https://www.w3.org/WAI/ARIA/apg/patterns/combobox/
 */
export function searchField({
  ask,
  level,
  within,
  placeholder,
  name,
  wish,
  choose,
  submit,
  say,
  fail,
}: Setting): Field {
  const input = el('input', {
    role: 'combobox',
    placeholder,
    autocomplete: 'off',
    'aria-label': name,
    'aria-autocomplete': 'list',
    'aria-controls': 'list',
  });
  const list = el('ul', { id: 'list', role: 'listbox', 'aria-label': name });
  let found: readonly Suggested[] = [];
  let active = -1;
  /** Whether the text is one that needs no remark: that of a chosen place, or one that could not be looked up. */
  let isSettled = true;
  /** The text that the list belongs to. */
  let searched = '';
  let pause: ReturnType<typeof setTimeout>;
  let running: AbortController | undefined;

  const stop = () => {
    clearTimeout(pause);
    running?.abort();
  };
  const activate = (index: number) => {
    active = index;
    const current = list.children[index];
    for (const option of list.children) option.ariaSelected = `${option === current}`;
    current?.scrollIntoView({ block: 'nearest' });
    input.setAttribute('aria-activedescendant', current?.id ?? '');
  };
  const open = (isOpen: boolean) => {
    list.hidden = !isOpen || !found.length;
    input.ariaExpanded = `${!list.hidden}`;
    if (list.hidden) activate(-1);
  };
  const offer = (places: readonly Suggested[]) => {
    found = places;
    const options = places.map((place, i) => {
      const option = el('li', { id: `o${i}`, role: 'option' }, ...highlighted(place));
      option.onclick = () => pick(place);
      return option;
    });
    list.replaceChildren(...options);
    activate(-1);
    open(true);
  };
  const show = (place: AddressPlace | undefined) => {
    stop();
    isSettled = true;
    input.value = searched = place?.label ?? '';
    offer([]);
    say('');
  };
  const pick = (place?: AddressPlace) => {
    show(place);
    choose(place);
  };
  const run = async () => {
    stop();
    const { value } = input;
    const text = value.trim();
    running = new AbortController();
    const { signal } = running;
    try {
      const query = { q: text.slice(0, LONGEST), level, limit: MAX_SHOWN, ...(within && { within }) };
      const places = text ? await ask<Suggested>('suggest', query, signal) : [];
      if (signal.aborted) return;
      searched = value;
      offer(places);
      if (found.length) say(`${found.length} found.`, 'quiet');
      else say(text && 'Nothing found.');
    } catch (error) {
      if (signal.aborted) return;
      isSettled = true;
      offer([]);
      fail(error, run);
    }
  };

  input.oninput = (event) => {
    const { isComposing } = event as InputEvent;
    stop();
    isSettled = !input.value.trim();
    choose(undefined, !isSettled);
    // A word that is still composed is no name yet.
    if (!isComposing) pause = setTimeout(run, PAUSE);
  };
  input.addEventListener('compositionend', run);
  input.onkeydown = (event) => {
    const { key, isComposing } = event;
    if (isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1, Enter: 0 }[key];
    const place = found[active];
    if (step) event.preventDefault();
    if (place && /Enter|Tab/.test(key)) pick(place);
    else if (key === 'Escape') {
      if (list.hidden && input.value) pick();
      stop();
      open(false);
    } else if (step === undefined) activate(-1);
    else if (input.value !== searched) run();
    else if (!step && list.hidden) submit();
    else {
      open(true);
      // The field itself stands between the last place and the first. Enter goes to the first.
      const stops = found.length + 1;
      activate(((active + 1 + (step || 1) + stops) % stops) - 1);
    }
  };
  // The field keeps the focus while a place is clicked.
  list.onmousedown = (event) => event.preventDefault();
  input.onblur = () => {
    stop();
    open(false);
    if (!isSettled) say(wish);
  };
  return { element: el('fieldset', { role: 'presentation' }, input, list), controls: [input], show, stop };
}

/** A label whose typed parts are marked. */
function highlighted({ label, highlights }: Suggested): (Node | string)[] {
  let end = 0;
  const parts = highlights.flatMap(([from = 0, to = 0]) => {
    const before = label.slice(end, from);
    end = to;
    return [before, el('mark', {}, label.slice(from, to))];
  });
  return [...parts, label.slice(end)];
}
