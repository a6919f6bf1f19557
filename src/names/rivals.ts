import { typedName } from './compare.ts';
import { findNamedToday } from './find.ts';
import type { NameIndex } from './index.ts';
import { findPlaces, isInRegionToday } from './parents.ts';
import type { Fields } from './result.ts';
import type { Town } from './towns.ts';

// Other areas that a name in the column `municity` may mean, where little speaks for the town that was found.

/**
 * Whether a town is backed only by a region in which it once lay, and other areas have its name: `Quezon, Region VI`, which had
 * Palawan, and `Sultan Kudarat, Region XII`, which has a province of the name.
 */
export function isOnlyFormerly(index: NameIndex, town: Town, municity = ''): boolean {
  if (town.province !== 'empty' || town.region !== 'formerly') return false;
  const others = findNamedToday(index, municity, 'municity').some(({ row }) => row !== town.row);
  return others || findNamedToday(index, municity, 'province').length > 0;
}

/** The other towns, and the provinces in the row's region, that have the name of a town that was found. */
export function othersOfThatName(index: NameIndex, { row }: Town, { municity = '', region = '' }: Fields): number[] {
  const provinces = findNamedToday(index, municity, 'province').filter((it) => isInRegionToday(index, it.row, region));
  const all = [...provinces, ...findNamedToday(index, municity, 'municity')].map((it) => it.row);
  return [...new Set(all)].filter((it) => it !== row);
}

/**
 * The barangays of the row's province that have the name, where the town that was found lies in another province or its name is
 * only similar: `San Roque, Southern Leyte`, `Balabag, Iloilo`.
 */
export function barangaysOfThatName(index: NameIndex, town: Town, fields: Fields): number[] {
  const { municity = '', province, barangay } = fields;
  if (barangay !== undefined || province === undefined || (town.how === 'same' && town.province !== 'differs'))
    return [];
  if (typedName(index, municity, 'municity').placeType !== undefined) return [];
  const places = findPlaces(index, province, 'province');
  const isIn = (row: number) => places.some((place) => index.isIn(row, place.row));
  return findNamedToday(index, municity, 'barangay').flatMap(({ row }) => (isIn(row) ? [row] : []));
}
