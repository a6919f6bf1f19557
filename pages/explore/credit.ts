import { byId } from '../shared/dom.ts';

const whose = { sources: '', isOnlyOfAreas: false, borders: '' };

/**
 * Says below the map whose the places are, and what is to be said of borders. Of a dataset only the areas are theirs: whose its
 * data are, its author says in the legend.
 */
export function showCredit(parts: Partial<typeof whose>): void {
  Object.assign(whose, parts);
  const { sources, isOnlyOfAreas, borders } = whose;
  const areas = isOnlyOfAreas && sources ? 'Areas: ' : '';
  byId('credit', HTMLElement).textContent = areas + sources + (borders && ` · ${borders}`);
}
