import { byId, el } from '../shared/dom.ts';
import { number } from '../shared/format.ts';
import { COLOR_OF_KIND, KIND_WORDS, KINDS, type Kind } from './kinds.ts';
import { GREY } from './map-colors.ts';
import { dataText, wholeText } from './own/data-text.ts';
import type { Drawing, Legend } from './own/layers.ts';
import { patchOf } from './own/patch.ts';
import { MAX_OPTION_LENGTH } from './own/readable.ts';

/** Shows the colours on the map, with what the map leaves out. Without kinds and sentence the legend is hidden. */
export function showLegend(kinds: ReadonlySet<Kind>, sentence = ''): void {
  const legend = byId('legend', HTMLElement);
  legend.hidden = kinds.size === 0 && sentence === '';
  const items = KINDS.filter((kind) => kinds.has(kind)).map((kind) =>
    el('li', {}, swatch(kind), KIND_WORDS[kind].title),
  );
  legend.replaceChildren(el('ul', {}, ...items), ...(sentence ? [el('p', {}, sentence)] : []));
}

/** Shows what the colours and sizes of a dataset stand for. Without them the legend is hidden. */
export function showOwnLegend(own: Pick<Drawing, 'legend' | 'sizes'> | undefined, name: string): void {
  const legend = byId('legend', HTMLElement);
  legend.hidden = !own?.legend && !own?.sizes;
  const focused = [...legend.querySelectorAll('button')].indexOf(document.activeElement as HTMLButtonElement);
  legend.replaceChildren(...(own ? partsOf(own, name) : []));
  // What is longer than the map is scrolled, with the keyboard too.
  legend.toggleAttribute('tabindex', false);
  if (legend.scrollHeight > legend.clientHeight + 1) legend.tabIndex = 0;
  if (focused >= 0) legend.querySelectorAll('button')[focused]?.focus();
}

/** @param name of the dataset, which is its title unless the author has written one */
function partsOf({ legend: own, sizes }: Pick<Drawing, 'legend' | 'sizes'>, name: string): HTMLElement[] {
  const title = own?.words.title;
  const heading = el('h2', title ? {} : { class: 'of-dataset' }, wholeText(title || name));
  if (!own) return sizes ? [heading, ...sizesOf(sizes)] : [];
  const what = wholeText(whatOf(own, title || name));
  const head = el('p', { class: 'legend-head' }, el('span', {}, what), ' ', countedOf(own));
  return [heading, ...subtitleOf(own), head, listOf(own), ...restOf(own), ...sizesOf(sizes), ...wordsOf(own)];
}

/** What the colours show. What is the title of the map already is not said twice. */
export function whatOf({ title }: Pick<Legend, 'title'>, ofMap: string): string {
  return title === ofMap ? '' : title;
}

/** What the author has written below the title. */
export function subtitleOf({ words: { subtitle } }: Legend): HTMLElement[] {
  return subtitle ? [el('p', { class: 'words subtitle' }, wholeText(subtitle))] : [];
}

/** What is counted in the classes, which stands over the numbers. */
export function countedOf({ noun }: Legend): HTMLElement {
  return el('span', { class: 'quiet' }, dataText(noun));
}

/** Says what the grey land is. */
export function restOf({ rest }: Legend): HTMLElement[] {
  return rest ? [el('p', { class: 'no-data' }, patchOf(GREY, 'swatch grey'), wholeText(rest))] : [];
}

/** Says what the sizes of points stand for. */
export function sizesOf(sizes: Drawing['sizes']): HTMLElement[] {
  if (!sizes) return [];
  const circles = sizes.circles.map(({ label, radius }) => {
    const circle = el('span', { class: 'circle' });
    circle.style.width = `${2 * radius}px`;
    return el('span', { class: 'size' }, circle, label);
  });
  return [el('p', { class: 'sizes' }, el('span', { class: 'sized' }, wholeText(sizes.title)), ...circles)];
}

/** What is to be known of the numbers, the author's notes, and where the author has the data from. */
export function wordsOf({ remark, words: { notes, source } }: Legend): HTMLElement[] {
  return [
    ...(remark ? [el('p', { class: 'words' }, remark)] : []),
    ...(notes ? [el('p', { class: 'words' }, wholeText(notes))] : []),
    ...(source ? [el('p', { class: 'words' }, 'Source: ', wholeText(source))] : []),
  ];
}

/** How many classes stand side by side where there is little height, and how long their words may be. */
const MAX_IN_ROW = { classes: 7, letters: 20 } as const;

/** What the colours of a dataset stand for, each with how many features have it. */
export function listOf({ classes }: Legend): HTMLElement {
  const hasRoom =
    classes.length <= MAX_IN_ROW.classes && classes.every(({ label }) => label.length <= MAX_IN_ROW.letters);
  const items = classes.map(({ label, color, dark, count, isChosen, isMissing, choose }) => {
    // The map hatches areas without a value.
    const patch = patchOf({ color, dark }, isMissing ? 'swatch hatched' : 'swatch');
    const parts = [patch, dataText(label, MAX_OPTION_LENGTH), ' ', el('span', { class: 'quiet' }, number(count))];
    if (!choose) return el('li', {}, ...parts);
    const toggle = el(
      'button',
      { type: 'button', 'aria-pressed': String(isChosen), title: 'Show only this' },
      ...parts,
    );
    toggle.addEventListener('click', choose);
    return el('li', {}, toggle);
  });
  return el('ul', { class: hasRoom ? 'of-own in-row' : 'of-own' }, ...items);
}

/** A patch of the colour that a kind of change has on the map. */
export function swatch(kind: Kind): HTMLElement {
  const patch = el('span', { class: 'swatch' });
  patch.style.backgroundColor = COLOR_OF_KIND[kind];
  return patch;
}
