import type { MatchedColumn, MatchedPlaces } from '../shared/matched-places.ts';
import { countsOf, type Group, headingOf, type PlaceColumns, placeOf } from './groups.ts';
import { type Cell, type Table, textOf } from './table.ts';

/** More columns, and longer texts, are left out: what a tab hands over has a limit of some megabytes. */
const MAX_COLUMNS = 20;
const MAX_TEXT = 200;

/** The rows of a list that have a place, with what its other columns say in each. The map gathers them as those of an upload. */
export function handedOver(
  name: string,
  table: Table,
  { groups, columns }: { groups: readonly Group[]; columns: PlaceColumns },
): MatchedPlaces {
  const counts = countsOf(groups);
  const indexes = new Map(counts.map(([code], index) => [code, index]));
  const placed = groups
    .flatMap((group) => {
      const place = indexes.get(placeOf(group)?.code ?? '');
      return place === undefined ? [] : group.rows.map((row) => ({ row, place }));
    })
    .sort((a, b) => a.row - b.row);
  const places = new Set(Object.values(columns).flat());
  const others = table.headings
    .map((_, at) => at)
    .filter((at) => !places.has(at))
    .slice(0, MAX_COLUMNS);
  const columnAt = (at: number): MatchedColumn => ({
    name: headingOf(table.headings, at).slice(0, MAX_TEXT),
    values: placed.map(({ row }) => said(table.rows[row]?.[at] ?? null)),
  });
  return { name, counts, rows: placed.map(({ place }) => place), columns: others.map(columnAt) };
}

function said(cell: Cell): string | number | null {
  return typeof cell === 'number' ? cell : textOf(cell).trim().slice(0, MAX_TEXT) || null;
}
