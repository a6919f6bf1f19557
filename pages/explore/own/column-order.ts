import { textOf } from '../../shared/values.ts';
import { type Column, isAddedByMatch, type Row } from './rows.ts';

/** The column that a reader knows rows by: the one called so, or else the first text that each row has another of. */
export function namingColumn(columns: readonly Column[], rows: readonly Row[]): Column | undefined {
  const called = (name: string) => columns.find((column) => column.name.toLowerCase() === name);
  const texts = columns.filter((column) => !column.isNumeric && !isAddedByMatch(column));
  const differs = ({ name }: Column) =>
    new Set(rows.map(({ properties }) => textOf(properties[name]))).size === rows.length;
  return called('name') ?? texts.find(differs) ?? called('psgc_name') ?? texts[0];
}

/** Columns in the order of a table beside the map: what names the rows, what colours them, and then all others as they were. */
export function inTableOrder(
  columns: readonly Column[],
  { naming, color }: { naming: Column | undefined; color: string | undefined },
): Column[] {
  const colored = columns.find(({ name }) => name === color);
  if (!colored) return [...columns];
  return [...new Set([naming, colored, ...columns])].filter((column) => column !== undefined);
}
