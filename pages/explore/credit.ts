import { byId } from '../shared/dom.ts';
import { visible } from './own/readable.ts';

const whose = { data: '', sources: '' };

/** Whose the places are. */
export function creditOfPlaces(): string {
  return whose.sources;
}

/** Says below the map whose the data of a dataset are, where one is shown, and whose the places are. */
export function showCredit(parts: Partial<typeof whose>): void {
  Object.assign(whose, parts);
  const data = whose.data && `Data: ${visible(whose.data)} · Areas: `;
  byId('credit', HTMLElement).textContent = data + whose.sources;
}
