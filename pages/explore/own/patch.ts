import { el } from '../../shared/dom.ts';
import type { Tone } from '../map-colors.ts';

/** A patch of the colour that something has on the map, which is light or dark. */
export function patchOf({ color, dark }: Tone, name: string): HTMLElement {
  const patch = el('span', { class: `toned ${name}` });
  patch.style.setProperty('--color', color);
  patch.style.setProperty('--dark', dark);
  return patch;
}
