import { codeIn, rowsOfCode } from './codes.ts';
import { typedName } from './compare.ts';
import { findAmong, findSame } from './find.ts';
import { movedFrom } from './former-parents.ts';
import type { NameIndex } from './index.ts';
import { findPlaces, isInRegion } from './parents.ts';
import { isRecorded, unrecorded } from './recorded.ts';
import { candidateOf, type Fields, isFiner, type Match } from './result.ts';
import { COLUMNS, type Column } from './source.ts';

/**
 * Adds the area that each column was taken for, and what contradicts the result. Codes in columns are compared as
 * codes.
 */
export function explained(
  index: NameIndex,
  fields: Fields,
  row: number,
): { matched: Match['matched']; notes: string[] } {
  const matched: { [column in Column]?: Match['candidates'][number] } = {};
  const notes: string[] = [];
  const nameOf = (it: number) => index.source.nameOf(it);
  for (const level of COLUMNS) {
    const text = fields[level];
    if (text === undefined || isFiner(level, index.levelOf(row))) continue;
    // Cities of the capital lie in no province.
    const own = index.ancestorAt(row, level) ?? (index.ancestorAt(row, 'region') as number);
    const district = level === 'municity' ? index.ancestorAt(row, 'submunicipality') : undefined;
    const isDistrict = district !== undefined && isMeant(index, text, { level, it: district, row });
    const it = isDistrict ? district : own;
    const code = codeIn(text);
    if (isDistrict || isMeant(index, text, { level, it, row })) {
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

/** Whether a column names the result or its ancestor at the column's level. */
function isMeant(
  index: NameIndex,
  text: string,
  { level, it, row }: { level: Column; it: number; row: number },
): boolean {
  const code = codeIn(text);
  if (code !== undefined) return rowsOfCode(index, code).some((each) => index.isIn(it, each) || index.isIn(row, each));
  if (level === 'region') return isInRegion(index, row, text);
  if (level === 'province' && it !== row) {
    // Lists put cities among provinces, and then sub-municipalities or barangays among cities.
    const isCity = (place: number) => index.levelOf(place) === 'municity' && place !== row && index.isIn(row, place);
    return findPlaces(index, text, level).some((place) => place.row === it || isCity(place.row));
  }
  if (findAmong(index, typedName(index, text, level), [it]).length > 0) return true;
  return level === 'province' && findPlaces(index, text, level).some((place) => place.row === it);
}

/** Whether a barangay was part of a city or municipality with this name. */
export function hasLeft(index: NameIndex, text: string, barangay: number): boolean {
  const towns = findSame(index, typedName(index, text, 'municity')).sorted();
  return towns.some(({ row }) => movedFrom(index, row).includes(barangay));
}
