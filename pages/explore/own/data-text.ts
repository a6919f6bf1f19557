import { el } from '../../shared/dom.ts';
import { shortened, visible } from './readable.ts';

/**
 * A name or a value of a dataset among other words, whose order it does not change, whatever is written in it. Where it
 * is cut, the whole of it is its title.
 */
export function dataText(text: string, most?: number): HTMLElement {
  const [short, whole] = [shortened(text, most), visible(text)];
  return el('bdi', { title: short !== whole && whole }, short);
}

/** A name or a value of a dataset as it is, however long. */
export function wholeText(text: string): HTMLElement {
  return dataText(text, Infinity);
}
