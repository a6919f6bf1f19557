import { countsRows, numberOf } from '../../shared/values.ts';
import type { Column, Row } from './rows.ts';

/**
 * The first column of amounts, which a map of areas shows until another one is chosen; undefined where there is none. Numbers of the
 * rows are no amounts, whatever their column is called.
 */
export function proposedColor(columns: readonly Column[], rows: readonly Row[]): string | undefined {
  return columns.find(({ name, isAmount }) => {
    const values = isAmount ? rows.map(({ properties }) => properties[name]) : [];
    return new Set(values.flatMap((value) => numberOf(value) ?? [])).size > 1 && !countsRows(values);
  })?.name;
}
