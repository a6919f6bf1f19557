// The page /match hands its result to the map, which is opened in a tab of its own: a tab that a page opens begins with a
// copy of that page's session storage.

const NAME = 'matched-places';

/** The id that stands for these places in addresses of the map. */
export const MATCHED = 'matched';

/** The places of a list. Only their codes and counts are handed over. */
export interface MatchedPlaces {
  /** The name of the file. */
  readonly name: string;
  /** Codes, each with how many rows have it. */
  readonly counts: readonly (readonly [code: string, rows: number])[];
}

export function storeMatched(places: MatchedPlaces): void {
  sessionStorage.setItem(NAME, JSON.stringify(places));
}

/** The places that this tab was opened with; undefined in other tabs. */
export function readMatched(): MatchedPlaces | undefined {
  const text = sessionStorage.getItem(NAME);
  return text === null ? undefined : (JSON.parse(text) as MatchedPlaces);
}
