import type { NameIndex } from './index.ts';
import { ambiguous, equallyGood, type Field, type Fields, isFiner, type Match, meant, NO_MATCH } from './result.ts';
import { COLUMNS, NAME_LEVELS, type NameLevel, rowAt, rowOfCode } from './source.ts';

/**
 * A cell that holds a code: ten or nine digits, as text, as a spreadsheet's number, which loses the first zero, or as a
 * humanitarian P-code, which has two letters before and may leave zeros out behind.
 */
const CODE = /^=?["']*(?:(\d{8,10})(?:\.0+)?|ph(\d{2}|\d{4,7}|\d{9,10}))["']*$/i;

/** The code in a cell; undefined where the cell is no code. */
export function codeIn(text: string | undefined): string | undefined {
  const [, digits, pcode] = (text !== undefined && CODE.exec(text.replace(/[\s-]/g, ''))) || [];
  if (pcode === undefined) return digits;
  // P-codes follow codes of ten digits, and older ones those of nine.
  return pcode.padEnd([4, 6, 9].includes(pcode.length) ? 9 : 10, '0');
}

/** Rows of today's areas that a code leads to. */
export function rowsOfCode(index: NameIndex, code: string): number[] {
  if (code === '') return [];
  const written = code.length === 10 ? [code] : code.length === 9 ? [code, `0${code}`] : [`0${code}`];
  // A city's nine-digit code without its leading zero looks like a province of a region that does not exist: 730600000.
  const likely = written.filter((form) => isOfRegion(index, form));
  const forms = likely.length > 0 ? likely : written;
  const found = new Set<number>();
  for (const form of forms) {
    for (const level of NAME_LEVELS) for (const row of rowsAt(index, level, form)) found.add(row);
    if (found.size > 0 && form.length === 10) break;
  }
  return [...found];
}

/** The digits of the ARMM, which only codes of nine digits have, and those of the BARMM, which followed it (RA 11054). */
export const ARMM = { nine: '15', ten: '19' } as const;

/** Whether a code begins with the digits of a region. */
function isOfRegion({ source }: NameIndex, code: string): boolean {
  const region = code.slice(0, 2);
  return rowAt(source, 'region', Number(region) * 100_000_000) !== -1 || (code.length === 9 && region === ARMM.nine);
}

function rowsAt({ source }: NameIndex, level: NameLevel, code: string): number[] {
  if (code.length === 10) {
    const row = rowOfCode(source, level, code);
    if (row !== -1) return [row];
  }
  const former = source.formerCodes?.(level, code) ?? [];
  if (former.length > 0 || code.length === 10) return former.map(({ row }) => row);
  // Nine-digit codes have two digits for the province, ten-digit codes three.
  const row = level === 'region' ? -1 : rowOfCode(source, level, `${code.slice(0, 2)}0${code.slice(2)}`);
  return row === -1 ? [] : [row];
}

/** Whether a code is a parent's, because a finer column or a text has a name. */
function isParentOfName(
  index: NameIndex,
  fields: Fields,
  { field, rows }: { field: Field; rows: readonly number[] },
): boolean {
  const level = index.levelOf(rows[0] as number);
  const finer = COLUMNS.filter((it) => it !== field && isFiner(it, level));
  return [...finer, ...(level === 'barangay' ? [] : (['text'] as const))].some(
    (it) => fields[it] !== undefined && codeIn(fields[it]) === undefined,
  );
}

/** The names of a code's area and of its parents; empty if it leads to none or to several. */
export function namesOfCode(index: NameIndex, code: string): Fields {
  const [row, ...others] = rowsOfCode(index, code);
  if (row === undefined || others.length > 0) return {};
  const nameAt = (level: NameLevel) => {
    const at = index.ancestorAt(row, level);
    return at === undefined ? [] : [index.source.nameOf(at)];
  };
  const names = COLUMNS.map((column) => [column, nameAt(column)] as const);
  const all = names.map(([column, name]) => [
    column,
    // There are towns of the same name as a sub-municipality.
    (column === 'municity' ? [...nameAt('submunicipality'), ...name] : name).join(', '),
  ]);
  return Object.fromEntries(all.filter(([, name]) => name !== ''));
}

/** The result of a code in a field of a row. */
export interface CodeMatch {
  readonly match: Match;
  readonly field: Field;
  /** The areas of the code, at any level. */
  readonly rows: readonly number[];
}

/** Fields in which a code is looked for, the finest first. A text may hold a code of any level. */
const CODE_FIELDS: readonly Field[] = [...COLUMNS.toReversed(), 'text', 'code'];

/** The result of a row with a code in one of its fields; undefined if no code leads to an area. */
export function matchCode(index: NameIndex, fields: Fields, level?: NameLevel): CodeMatch | undefined {
  for (const field of CODE_FIELDS) {
    const code = codeIn(fields[field]);
    if (code === undefined) continue;
    const rows = rowsOfCode(index, code);
    if (rows.length === 0) continue;
    if (isParentOfName(index, fields, { field, rows })) continue;
    const wanted = level ?? index.levelOf(rows[0] as number);
    if (isFiner(wanted, index.levelOf(rows[0] as number))) return undefined;
    const lifted = [...new Set(rows.map((row) => index.ancestorAt(row, wanted)).filter((row) => row !== undefined))];
    const all = equallyGood(lifted, 1);
    if (all.length === 0) return { match: NO_MATCH, rows, field };
    const result = all.length === 1 ? meant(index, 'exact', all) : ambiguous(index, all, { needs: wanted });
    const [first] = result.candidates;
    return { match: first ? { ...result, matched: { [field]: first } } : result, rows, field };
  }
  return undefined;
}
