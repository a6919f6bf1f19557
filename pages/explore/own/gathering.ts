import { codeOf, numberOf } from '../../shared/values.ts';
import { type Column, isAddedByMatch, kindOf, type Row } from './rows.ts';
import { isOfShares } from './shares.ts';

/** What the number of a place is, where several rows are of it. */
const GATHERINGS = ['sum', 'mean'] as const;
export type Gathering = (typeof GATHERINGS)[number];

/** The gathering that a text names; undefined for any other text. */
export function gatheringIn(text: string | null): Gathering | undefined {
  return GATHERINGS.find((gathering) => gathering === text);
}

/** The code of the place that a row of an uploaded table is of. */
function placeOf({ properties }: Row): string | undefined {
  return codeOf(properties.psgc_code);
}

/** How many places have several rows. Each is drawn, and the map shows only the last. */
export function repeatedPlaces(rows: readonly Row[]): number {
  return [...byPlace(rows).values()].filter(({ length }) => length > 1).length;
}

/** What the features are called where they are counted: an area may have several rows. */
export function nounOf(rows: readonly Row[]): ReturnType<typeof kindOf> | 'rows' {
  const kind = kindOf(rows);
  return kind === 'areas' && repeatedPlaces(rows) > 0 ? 'rows' : kind;
}

/**
 * The places of rows, each with its rows. A row without a place stays alone.
 *
 * @returns the rows by the code of the place, or by the id of the row
 */
export function byPlace(rows: readonly Row[]): Map<string, Row[]> {
  return Map.groupBy(rows, (row) => placeOf(row) ?? row.id);
}

/** The columns whose amounts are shares: one place can't have more than all of something, so these are never added up. */
export function sharesAmong(rows: readonly Row[], columns: readonly Column[]): Column[] {
  return columns.filter(
    (column) =>
      column.isAmount &&
      !isAddedByMatch(column) &&
      isOfShares(
        column.name,
        rows.map(({ properties }) => properties[column.name]),
      ),
  );
}

/**
 * The properties of a place that has several rows: the sum or the mean of their amounts, how many they are, and what else is the
 * same in all of them.
 *
 * @param shares columns of which there is no sum
 */
export function propertiesOfPlace(
  rows: readonly Row[],
  columns: readonly Column[],
  { gathering, shares }: { gathering: Gathering; shares: readonly Column[] },
): Record<string, unknown> {
  const properties = columns.flatMap((column): [string, unknown][] => {
    const { name, isAmount } = column;
    const values = rows.map(({ properties }) => properties[name]);
    if (gathering === 'sum' && shares.includes(column))
      return [[name, values.every((value) => value === values[0]) ? values[0] : null]];
    if (isAmount && !isAddedByMatch({ name })) {
      const numbers = values.flatMap((value) => numberOf(value) ?? []);
      const sum = numbers.reduce((all, number) => all + number, 0);
      // Digits that are none of the numbers' come from adding in binary.
      const result = Number((gathering === 'sum' ? sum : sum / numbers.length).toPrecision(12));
      return [[name, numbers.length > 0 ? result : null]];
    }
    return values.every((value) => value === values[0]) ? [[name, values[0]]] : [];
  });
  return { ...Object.fromEntries(properties), rows: rows.length };
}
