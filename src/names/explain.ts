import { codeIn, rowsOfCode } from './codes.ts';
import { typedName } from './compare.ts';
import { findAmong, findNamed, findSpelled, isNameOf } from './find.ts';
import { movedFrom } from './former-parents.ts';
import { KIND } from './forms.ts';
import type { NameIndex } from './index.ts';
import { findPlaces, isInRegion } from './parents.ts';
import { passedColumnNote } from './passed-over.ts';
import { isRecorded, unrecorded } from './recorded.ts';
import { candidateOf, type Fields, isFiner, type Match } from './result.ts';
import { COLUMNS, type Column } from './source.ts';

/**
 * Adds the area that each column was taken for, and what contradicts the result. Codes in columns are compared as
 * codes.
 *
 * @param isStrict whether the name of another area is no slip of the result's: `Pasig` beside a code of Pasay
 */
export function explain(
  index: NameIndex,
  fields: Fields,
  row: number,
  { isStrict = false } = {},
): { matched: Match['matched']; notes: string[] } {
  const matched: { [column in Column]?: Match['candidates'][number] } = {};
  const notes: string[] = [];
  const nameOf = (it: number) => index.source.nameOf(it);
  for (const level of COLUMNS) {
    const text = fields[level];
    if (text === undefined || isFiner(level, index.levelOf(row))) continue;
    // Cities of the capital lie in no province.
    const own = index.ancestorAt(row, level) ?? (index.ancestorAt(row, 'region') as number);
    const submunicipality = level === 'municity' ? index.ancestorAt(row, 'submunicipality') : undefined;
    const other = level === 'municity' ? otherSubMunicipalityIn(index, text, row) : undefined;
    if (other) notes.push(`municity "${other}" was passed over: ${nameOf(row)} does not lie in it.`);
    const isSubMunicipality =
      submunicipality !== undefined && isMeant(index, text, { level, it: submunicipality, row, isStrict });
    const it = isSubMunicipality ? submunicipality : own;
    const code = codeIn(text);
    if (isSubMunicipality || isMeant(index, text, { level, it, row, isStrict })) {
      matched[level] = candidateOf(index, it, 1);
      if (code !== undefined && !isRecorded(index, code, it))
        notes.push(unrecorded(index, { field: level, code, area: it }));
    } else {
      const where = it === row ? `the row means ${nameOf(row)}` : `${nameOf(row)} lies in ${nameOf(it)}`;
      notes.push(passedColumnNote(level, text, where));
    }
  }
  return { matched, notes };
}

/** How many parts of a cell are looked up. */
const MAX_PARTS = 8;

/** The part of a text that names a sub-municipality in which a barangay of its city does not lie. */
function otherSubMunicipalityIn(index: NameIndex, text: string, row: number): string | undefined {
  if (index.levelOf(row) !== 'barangay' || index.ancestorAt(row, 'submunicipality') === undefined) return undefined;
  if (!text.includes(',')) return undefined;
  return text
    .split(',', MAX_PARTS)
    .find((part) => {
      const places = findNamed(index, part, 'municity');
      const isSubMunicipality = places.some(
        (it) => index.levelOf(it.row) === 'submunicipality' && it.kind < KIND.alias,
      );
      return isSubMunicipality && !places.some((it) => index.isIn(row, it.row));
    })
    ?.trim();
}

/** Whether a column names the result or its ancestor at the column's level. */
function isMeant(
  index: NameIndex,
  text: string,
  { level, it, row, isStrict }: { level: Column; it: number; row: number; isStrict: boolean },
): boolean {
  const code = codeIn(text);
  if (code !== undefined) return rowsOfCode(index, code).some((each) => index.isIn(it, each) || index.isIn(row, each));
  if (level === 'region') return isInRegion(index, row, text);
  if (level === 'province' && it !== row) {
    // Lists put cities and regions among provinces, and then sub-municipalities or barangays among cities.
    const isAround = (place: number) =>
      ['municity', 'region'].includes(index.levelOf(place)) && place !== row && index.isIn(row, place);
    return findPlaces(index, text, level).some((place) => place.row === it || isAround(place.row));
  }
  const name = typedName(index, text, level);
  const found =
    isStrict && isNameOf(index, text, level) ? findSpelled(index, name, [it]) : findAmong(index, name, [it]);
  if (found.length > 0) return true;
  return level === 'province' && findPlaces(index, text, level).some((place) => place.row === it);
}

/** Whether a barangay was part of a city or municipality with this name. */
export function hasLeft(index: NameIndex, text: string, barangay: number): boolean {
  const towns = findNamed(index, text, 'municity');
  return towns.some(({ row }) => movedFrom(index, row).includes(barangay));
}

/** Whether a text names a city, province or region in which an area does not lie. */
export function namesElsewhere(index: NameIndex, text: string, row: number): boolean {
  const places = (['region', 'province', 'municity'] as const).flatMap((level) => findNamed(index, text, level));
  return places.length > 0 && !places.some((it) => index.isIn(row, it.row)) && !hasLeft(index, text, row);
}

/** Whether leftover words are a further name of an area or of what it lies in: `176-A Bagong Silang`. */
export function namesIt(index: NameIndex, text: string, row: number): boolean {
  return COLUMNS.some((level) => findNamed(index, text, level).some((it) => index.isIn(row, it.row)));
}
