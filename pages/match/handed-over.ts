import type { MatchedColumn, MatchedPlaces } from '../shared/matched-places.ts';
import { numberOf, saysNoNumber } from '../shared/values.ts';
import { countsOf, type Group, headingOf, type PlaceColumns, placeOf } from './groups.ts';
import { type Cell, type Table, textOf } from './table.ts';

/** More columns, and longer texts, are left out: what a tab hands over has a limit of some megabytes. */
const MAX_COLUMNS = 20;
const MAX_TEXT = 200;

/** The places of a list, with what its other columns say of each. */
export function handedOver(
  name: string,
  table: Table,
  work: { groups: readonly Group[]; columns: PlaceColumns },
): MatchedPlaces {
  const { groups } = work;
  const places = new Set(Object.values(work.columns).flat());
  const others = table.headings
    .map((_, at) => at)
    .filter((at) => !places.has(at))
    .slice(0, MAX_COLUMNS);
  return { name, counts: countsOf(groups), columns: others.map((at) => columnOf(table, groups, at)) };
}

/** A column by places: the sum of its numbers in the rows of a place, or its text where these have the same. */
function columnOf({ headings, rows }: Table, groups: readonly Group[], at: number): MatchedColumn {
  const cells = new Map<string, Cell[]>();
  for (const group of groups) {
    const code = placeOf(group)?.code;
    if (code === undefined) continue;
    const filled = group.rows.map((row) => rows[row]?.[at] ?? null).filter((cell) => textOf(cell).trim() !== '');
    cells.set(code, [...(cells.get(code) ?? []), ...filled]);
  }
  const texts = [...cells.values()].flat().map(textOf);
  const isNumeric =
    texts.some((text) => numberOf(text) !== undefined) &&
    texts.every((text) => numberOf(text) !== undefined || saysNoNumber(text));
  const values = [...cells].flatMap(([code, all]): [string, string | number][] => {
    if (all.length === 0) return [];
    if (isNumeric) {
      const numbers = all.flatMap((cell) => numberOf(textOf(cell)) ?? []);
      return numbers.length === 0 ? [] : [[code, numbers.reduce((sum, number) => sum + number, 0)]];
    }
    const different = new Set(all.map((cell) => textOf(cell).trim().slice(0, MAX_TEXT)));
    return different.size === 1 ? [[code, [...different][0] ?? '']] : [];
  });
  return { name: headingOf(headings, at).slice(0, MAX_TEXT), values };
}
