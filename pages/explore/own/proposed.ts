import { numberOf } from '../../shared/values.ts';
import { codeOf } from './populations.ts';
import type { Column, Row } from './rows.ts';

/** A column of years is called so, or has nothing but these numbers. */
const YEAR = /^(year|taon|yr|date)$/i;
/** Columns that number rows or name places by numbers, and the place of a point. */
const CODE = /(^|[_ .-])(id|code|psgc|fid|gid|objectid|no|num|number|zip|lat|lon|lng|latitude|longitude)([_ .-]|$)/i;
const YEARS = { first: 1900, last: 2100 } as const;

/** Whether a column was added to a table when its places were found. */
export function isAddedByMatch({ name }: Pick<Column, 'name'>): boolean {
  return name === 'psgc' || name.startsWith('psgc_');
}

/** The first column of amounts, which a map of areas shows until another one is chosen; undefined where there is none. */
export function proposedColor(columns: readonly Column[], rows: readonly Row[]): string | undefined {
  return columns.find((column) => {
    const { name, isNumeric } = column;
    if (!isNumeric || isAddedByMatch(column) || YEAR.test(name) || CODE.test(name)) return false;
    const values = rows.map(({ properties }) => properties[name]);
    const isYear = (value: number) => Number.isInteger(value) && value >= YEARS.first && value <= YEARS.last;
    const numbers = values.map(numberOf).filter((value) => value !== undefined);
    const isOfCodes = values.every((value) => numberOf(value) === undefined || codeOf(value) !== undefined);
    return !isOfCodes && !numbers.every(isYear) && new Set(numbers).size > 1;
  })?.name;
}
