import { numberOf } from '../../shared/values.ts';
import type { Column, Row } from './rows.ts';

/** The first column of amounts, which a map of areas shows until another one is chosen; undefined where there is none. */
export function proposedColor(columns: readonly Column[], rows: readonly Row[]): string | undefined {
  return columns.find(
    ({ name, isAmount }) =>
      isAmount && new Set(rows.flatMap(({ properties }) => numberOf(properties[name]) ?? [])).size > 1,
  )?.name;
}
