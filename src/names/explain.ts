import { codeIn, rowsOfCode } from './codes.ts';
import { typedName } from './compare.ts';
import { findAmong, findSame } from './find.ts';
import { movedFrom } from './former-parents.ts';
import type { NameIndex } from './index.ts';
import { findPlaces, isInRegion } from './parents.ts';
import { isRecorded, unrecorded } from './recorded.ts';
import { candidateOf, type Fields, LEVEL_ORDER, type Match } from './result.ts';
import type { NameLevel } from './source.ts';

/**
 * Which area each column was taken to mean, and what contradicts the result. Columns that hold codes are compared by them.
 */
export function explained(
  index: NameIndex,
  fields: Fields,
  row: number,
): { matched: Match['matched']; notes: string[] } {
  const matched: { [level in NameLevel]?: Match['candidates'][number] } = {};
  const notes: string[] = [];
  const nameOf = (it: number) => index.source.nameOf(it);
  for (const level of LEVEL_ORDER.slice(0, LEVEL_ORDER.indexOf(index.levelOf(row)) + 1)) {
    const text = fields[level];
    if (text === undefined) continue;
    // Cities of the capital lie in no province.
    const it = index.ancestorAt(row, level) ?? (index.ancestorAt(row, 'region') as number);
    const code = codeIn(text);
    if (isMeant(index, text, { level, it, row })) {
      matched[level] = candidateOf(index, it, 1);
      if (code !== undefined && !isRecorded(index, code, it))
        notes.push(unrecorded(index, { field: level, code, row: it }));
    } else {
      const where = it === row ? `the row means ${nameOf(row)}` : `${nameOf(row)} lies in ${nameOf(it)}`;
      notes.push(`${level} "${text.slice(0, 80)}" was passed over: ${where}.`);
    }
  }
  return { matched, notes };
}

/** Whether a column means the area of its level that a result is, or lies in. */
function isMeant(
  index: NameIndex,
  text: string,
  { level, it, row }: { level: NameLevel; it: number; row: number },
): boolean {
  const code = codeIn(text);
  if (code !== undefined) return rowsOfCode(index, code).some((each) => index.isIn(it, each) || index.isIn(row, each));
  if (level === 'region') return isInRegion(index, row, text);
  if (level === 'province' && it !== row) return findPlaces(index, text, level).some((place) => place.row === it);
  if (findAmong(index, typedName(index, text, level), [it]).length > 0) return true;
  return level === 'province' && findPlaces(index, text, level).some((place) => place.row === it);
}

/** Whether a barangay was part of a city or municipality of a name. */
export function hasLeft(index: NameIndex, text: string, barangay: number): boolean {
  const towns = findSame(index, typedName(index, text, 'municity')).sorted();
  return towns.some(({ row }) => movedFrom(index, row).includes(barangay));
}
