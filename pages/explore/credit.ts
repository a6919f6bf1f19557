import { byId } from '../shared/dom.ts';
import { visible } from './own/readable.ts';

const whose = { data: '', sources: '' };

/**
 * Says below the map whose the data of a dataset are, where one is shown, and whose the places are. Code that is read
 * later finds the latter in `data-places`: this module, shared with it, would be one more request of the page.
 */
export function showCredit(parts: Partial<typeof whose>): void {
  Object.assign(whose, parts);
  const data = whose.data && `Data: ${visible(whose.data)} · Areas: `;
  const credit = byId('credit', HTMLElement);
  credit.textContent = data + whose.sources;
  credit.dataset.places = whose.sources;
}
