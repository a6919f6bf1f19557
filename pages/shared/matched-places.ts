// The page /match hands its result to the map, which is opened in a tab of its own: a tab that a page opens begins with a
// copy of that page's session storage.

const NAME = 'matched-rows';

/** The id that stands for these places in URLs of the map. */
export const MATCHED = 'matched';

/** A column of a list: what it says in each row that has a place. */
export interface MatchedColumn {
  readonly name: string;
  readonly values: readonly (string | number | null)[];
}

/** The places of a list. */
export interface MatchedPlaces {
  /** The name of the file. */
  readonly name: string;
  /** Codes, each with how many rows have it. */
  readonly counts: readonly (readonly [code: string, rows: number])[];
  /** Whether what the rows say is left out, because the browser keeps no more. */
  readonly isShortened?: boolean;
  /** The place of each row, by its index in `counts`; none where the browser keeps no more. */
  readonly rows: readonly number[];
  /** Columns that say something else than the place; none where the browser keeps no more. */
  readonly columns: readonly MatchedColumn[];
}

export function storeMatched(places: MatchedPlaces): void {
  try {
    sessionStorage.setItem(NAME, JSON.stringify(places));
  } catch {
    // Browsers keep some five megabytes.
    sessionStorage.setItem(NAME, JSON.stringify({ ...places, rows: [], columns: [], isShortened: true }));
  }
}

/** The places that this tab was opened with; undefined in other tabs. */
export function readMatched(): MatchedPlaces | undefined {
  const text = sessionStorage.getItem(NAME);
  return text === null ? undefined : (JSON.parse(text) as MatchedPlaces);
}
