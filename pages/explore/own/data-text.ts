import { el } from '../../shared/dom.ts';

/** How many characters of a text are shown beside others. */
const MOST = 32;

/** A text that is cut behind so many characters, with a sign that more of it follows. */
export function shortened(text: string, most = MOST): string {
  // Some characters are two units of a string, which are never parted.
  const characters = [...text.slice(0, 2 * most + 1)];
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : text;
}

/** A name or a value of a dataset among other words. Where it is cut, the whole of it is its title. */
export function dataText(text: string, most?: number): HTMLElement {
  const short = shortened(text, most);
  return el('span', { title: short !== text && text }, short);
}
