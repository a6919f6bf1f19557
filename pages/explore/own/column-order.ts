import { textOf } from '../../shared/values.ts';
import { type Column, isAddedByMatch, type Row } from './rows.ts';

/** What a column of names is called, the surest first. */
const NAMES = ['name', 'pangalan', 'ngalan', 'ngaran', 'title', 'pamagat', 'label'] as const;

/** The column of a name in small letters. */
function columnCalled(name: string, columns: readonly Column[]): Column | undefined {
  return columns.find((column) => column.name.trim().toLowerCase() === name);
}

/** The column that is called as names are. */
function columnOfNames(columns: readonly Column[]): Column | undefined {
  return NAMES.map((name) => columnCalled(name, columns)).find((column) => column !== undefined);
}

/** The column that names areas on the map: the published names of matched places, or else the one that is called so. */
export function labellingColumn(columns: readonly Column[]): Column | undefined {
  return columnCalled('psgc_name', columns) ?? columnOfNames(columns);
}

/**
 * The column that a reader knows rows by: the one called so, or else the first text that each row has another of, or else the
 * first text.
 */
export function namingColumn(columns: readonly Column[], rows: readonly Row[]): Column | undefined {
  const texts = columns.filter((column) => !column.isNumeric && !isAddedByMatch(column));
  const differs = ({ name }: Column) =>
    new Set(rows.map(({ properties }) => textOf(properties[name]))).size === rows.length;
  return columnOfNames(columns) ?? texts.find(differs) ?? columnCalled('psgc_name', columns) ?? texts[0];
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
