import { byId } from '../shared/dom.ts';
import { visible } from './own/readable.ts';

const whose = { data: '', sources: '', borders: '' };

/**
 * Says below the map whose the data of a dataset are, where one is shown, whose the places are, and what is to be said of
 * borders. Code that is read later finds whose the places are in `data-places`: this module, shared with it, would be one
 * more request of the page.
 */
export function showCredit(parts: Partial<typeof whose>): void {
  Object.assign(whose, parts);
  const data = whose.data && `Data: ${visible(whose.data)} · Areas: `;
  const credit = byId('credit', HTMLElement);
  credit.textContent = data + whose.sources + (whose.borders && ` · ${whose.borders}`);
  credit.dataset.places = whose.sources;
}
