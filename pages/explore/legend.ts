import { byId, el } from '../shared/dom.ts';
import { number } from '../shared/format.ts';
import { KIND_WORDS } from './change-words.ts';
import { KINDS, type Kind } from './changes.ts';
import { dataText } from './own/data-text.ts';
import type { Legend } from './own/layers.ts';
import { COLOR_OF_KIND } from './palette.ts';

/** A patch of the colour that a kind of change has on the map. */
export function swatch(kind: Kind): HTMLElement {
  return patchOf(COLOR_OF_KIND[kind]);
}

function patchOf(color: string): HTMLElement {
  const patch = el('span', { class: 'swatch' });
  patch.style.backgroundColor = color;
  return patch;
}

/** Shows the colours on the map, with what the map leaves out. Without kinds and sentence the legend is hidden. */
export function showLegend(kinds: ReadonlySet<Kind>, sentence = ''): void {
  const legend = byId('legend', HTMLElement);
  legend.hidden = kinds.size === 0 && sentence === '';
  const items = KINDS.filter((kind) => kinds.has(kind)).map((kind) =>
    el('li', {}, swatch(kind), KIND_WORDS[kind].title),
  );
  legend.replaceChildren(el('ul', {}, ...items), ...(sentence ? [el('p', {}, sentence)] : []));
}

/** Shows what the colours of a dataset stand for. Without them the legend is hidden. */
export function showOwnLegend(own: Legend | undefined): void {
  const legend = byId('legend', HTMLElement);
  legend.hidden = !own;
  const focused = [...legend.querySelectorAll('button')].indexOf(document.activeElement as HTMLButtonElement);
  const content = own ? [el('h2', {}, dataText(own.title)), el('ul', { class: 'of-own' }, ...itemsOf(own))] : [];
  legend.replaceChildren(...content);
  if (focused >= 0) legend.querySelectorAll('button')[focused]?.focus();
}

/** What the colours of a dataset stand for, each with how many features have it. */
export function itemsOf({ classes }: Legend): HTMLElement[] {
  return classes.map(({ label, color, count, isChosen, choose }) => {
    const parts = [patchOf(color), dataText(label), ' ', el('span', { class: 'quiet' }, number(count))];
    if (!choose) return el('li', {}, ...parts);
    const toggle = el(
      'button',
      { type: 'button', 'aria-pressed': String(isChosen), title: 'Show only this' },
      ...parts,
    );
    toggle.addEventListener('click', choose);
    return el('li', {}, toggle);
  });
}
