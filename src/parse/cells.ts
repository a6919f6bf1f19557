import { matchCells } from '../match/cells.ts';
import type { MatchedRow } from '../match/service.ts';
import type { Part } from './address.ts';
import { PARTS } from './markers.ts';

/** Headings of the columns appended to a table. Those of a matched table are among them. */
export const PARSE_COLUMNS: readonly string[] = PARTS.map((part) => `address_${part}`);

/** The cells of these columns. Several of one part have semicolons between them. */
function partCells(parts: readonly Part[]): string[] {
  return PARTS.map((name) =>
    parts
      .filter(({ part }) => part === name)
      .map(({ value }) => value)
      .join('; '),
  );
}

/** The cells of a parsed address. */
export function parsedCells(parts: readonly Part[], matched: Omit<MatchedRow, 'id'>): string[] {
  return [...partCells(parts), ...matchCells(matched)];
}
