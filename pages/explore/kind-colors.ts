import { el } from '../shared/dom.ts';
import type { Kind } from './changes.ts';

/** Colours of changed areas, which stand out from light and from dark land. */
export const COLOR_OF_KIND: Readonly<Record<Kind, string>> = {
  created: '#2f8f5b',
  abolished: '#6f6a72',
  merged: '#7a5bb0',
  split: '#d07a1f',
  moved: '#2b78c2',
  redrawn: '#96693f',
  reclassified: '#c24a8a',
  recoded: '#2ba3a8',
  renamed: '#b8a01e',
};

/** A patch of the colour that a kind of change has on the map. */
export function swatch(kind: Kind): HTMLElement {
  const patch = el('span', { class: 'swatch' });
  patch.style.backgroundColor = COLOR_OF_KIND[kind];
  return patch;
}
