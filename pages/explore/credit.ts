import { attributionOf } from '../shared/attribution.ts';
import { byId } from '../shared/dom.ts';

interface Whose {
  readonly sources: readonly string[];
  readonly isOnlyOfAreas: boolean;
  readonly borders: string;
  readonly isSaidBeside: boolean;
}

let whose: Whose = { sources: [], isOnlyOfAreas: false, borders: '', isSaidBeside: false };

/**
 * Says below the map whose the places are, and what is to be said of borders unless it is said beside the map. Of a dataset only
 * the areas are theirs: whose its data are, its author says in the legend. A picture, beside which nothing is said, finds its
 * credit in `data-on-paper`: this module, shared with its code, which is read later, would be one more request of the page.
 */
export function showCredit(parts: Partial<Whose>): void {
  whose = { ...whose, ...parts };
  const { sources, isOnlyOfAreas, borders, isSaidBeside } = whose;
  const areas = attributionOf(sources, isOnlyOfAreas);
  const whole = [areas, borders].filter((part) => part).join(' · ');
  const credit = byId('credit', HTMLElement);
  credit.textContent = isSaidBeside ? areas : whole;
  credit.dataset.onPaper = whole;
}
