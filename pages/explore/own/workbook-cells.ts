import { areNumbers, isMissing, numberOf, textOf } from '../../shared/values.ts';
import { POINTS_PROPERTY } from './count-levels.ts';
import type { Column, Row } from './rows.ts';
import type { RateColumn } from './styling.ts';

/** The headings of the columns. Those of points that were counted by coarse boundaries say so. */
export function headingsOf(
  columns: readonly Pick<Column, 'name'>[],
  rate: Pick<RateColumn, 'title'> | undefined,
  isCoarse: boolean,
): string[] {
  const how = isCoarse ? ', by coarse boundaries' : '';
  return [
    ...columns.map(({ name }) => (name === POINTS_PROPERTY ? name + how : name)),
    ...(rate ? [rate.title + how] : []),
  ];
}

/** The cells of each row: a number where the value is one, or where all of the column are, and else a text. */
export function cellsOf(
  columns: readonly Pick<Column, 'name'>[],
  rows: readonly Row[],
  rate?: Pick<RateColumn, 'numberFor'>,
): (string | number | null)[][] {
  const ofNumbers = columns.map(({ name }) => areNumbers(rows.map(({ properties }) => textOf(properties[name]))));
  return rows.map((row) => [
    ...columns.map(({ name }, at) => {
      const value = row.properties[name];
      if (isMissing(value)) return null;
      return (ofNumbers[at] || typeof value === 'number' ? numberOf(value) : undefined) ?? textOf(value);
    }),
    ...(rate ? [rate.numberFor(row) ?? null] : []),
  ]);
}
