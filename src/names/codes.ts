import type { NameIndex } from './index.ts';
import { type Fields, LEVEL_ORDER, type Match, meant, NO_MATCH, unsure } from './result.ts';
import { NAME_LEVELS, type NameLevel, type RowLevel, rowOfCode } from './source.ts';

/** A cell that holds a code: ten or nine digits, as text or as a spreadsheet's number, which loses the first zero. */
const CODE = /^'?(\d{8,10})(?:\.0+)?$/;

/** The code in a cell; undefined where the cell is no code. */
export function codeIn(text: string | undefined): string | undefined {
  return text === undefined ? undefined : CODE.exec(text.replace(/[\s-]/g, ''))?.[1];
}

/** The rows that a code leads to today. */
export function rowsOfCode(index: NameIndex, code: string): number[] {
  if (code === '') return [];
  const forms = code.length === 10 ? [code] : code.length === 9 ? [code, `0${code}`] : [`0${code}`];
  const found = new Set<number>();
  for (const form of forms) {
    for (const level of NAME_LEVELS) for (const row of rowsAt(index, level, form)) found.add(row);
    if (found.size > 0 && form.length === 10) break;
  }
  return [...found];
}

function rowsAt({ source }: NameIndex, level: RowLevel, code: string): number[] {
  if (code.length === 10) {
    const row = rowOfCode(source, level, code);
    if (row !== -1) return [row];
  }
  const former = source.formerCodes?.(level, code) ?? [];
  if (former.length > 0 || code.length === 10) return former.map(({ row }) => row);
  // Codes of nine digits had two for the province, which today has three.
  const row = level === 'region' ? -1 : rowOfCode(source, level, `${code.slice(0, 2)}0${code.slice(2)}`);
  return row === -1 ? [] : [row];
}

/** The result of a row with a code in one of its columns; undefined where there is none that leads anywhere. */
export function matchCode(index: NameIndex, fields: Fields, level?: NameLevel): Match | undefined {
  for (const field of [...LEVEL_ORDER].reverse()) {
    const code = codeIn(fields[field]);
    if (code === undefined) continue;
    const rows = rowsOfCode(index, code).filter(
      (row) => row < index.source.rowsOf('submunicipality').first || row >= index.source.rowsOf('barangay').first,
    );
    if (rows.length === 0) continue;
    const wanted = level ?? index.levelOf(rows[0] as number);
    if (LEVEL_ORDER.indexOf(wanted) > LEVEL_ORDER.indexOf(index.levelOf(rows[0] as number))) return undefined;
    const lifted = [...new Set(rows.map((row) => index.ancestorAt(row, wanted)).filter((row) => row !== undefined))];
    const all = lifted.map((row) => ({ row, score: 1 }));
    if (all.length === 0) return NO_MATCH;
    const result = all.length === 1 ? meant(index, 'exact', all) : unsure(index, all, { needs: wanted });
    const [first] = result.candidates;
    return first ? { ...result, matched: { [field]: first } } : result;
  }
  return undefined;
}
