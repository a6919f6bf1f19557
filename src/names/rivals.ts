import { type Candidate, typedName } from './compare.ts';
import { findSame } from './find.ts';
import { KIND } from './forms.ts';
import type { NameIndex } from './index.ts';
import { findPlaces, isInRegionToday, type Town } from './parents.ts';
import type { Fields } from './result.ts';
import type { Column } from './source.ts';

// What else a name in the column of towns may be, where little speaks for the town that was found.

/** The areas of a level that have a text as their name today, spelled right. */
function named(index: NameIndex, text: string, level: Column): Candidate[] {
  const all = findSame(index, typedName(index, text, level)).sorted();
  return all.filter(({ kind, score }) => kind < KIND.alias && score === 1);
}

/**
 * Whether only a region in which a town once lay speaks for it, and its name is that of others too: `Quezon, Region VI`, which
 * had Palawan, and `Sultan Kudarat, Region XII`, which has a province of the name.
 */
export function isOnlyFormerly(index: NameIndex, town: Town, municity = ''): boolean {
  if (town.province !== 'empty' || town.region !== 'formerly') return false;
  const others = named(index, municity, 'municity').some(({ row }) => row !== town.row);
  return others || named(index, municity, 'province').length > 0;
}

/** The towns and provinces of that name. */
export function ofThatName(index: NameIndex, { row }: Town, { municity = '', region = '' }: Fields): number[] {
  const provinces = named(index, municity, 'province').filter((it) => isInRegionToday(index, it.row, region));
  const all = [...provinces, ...named(index, municity, 'municity')].map((it) => it.row);
  return [...new Set(all)].filter((it) => it !== row);
}

/**
 * The barangays that have the name, in the province of the row, where the town that was found lies in another one or is only
 * like it: `San Roque, Southern Leyte`, `Balabag, Iloilo`.
 */
export function barangaysOfThatName(index: NameIndex, town: Town, fields: Fields): number[] {
  const { municity = '', province, barangay } = fields;
  if (barangay !== undefined || province === undefined || (town.how === 'same' && town.province !== 'differs'))
    return [];
  if (typedName(index, municity, 'municity').says !== undefined) return [];
  const places = findPlaces(index, province, 'province');
  const isIn = (row: number) => places.some((place) => index.isIn(row, place.row));
  return named(index, municity, 'barangay').flatMap(({ row }) => (isIn(row) ? [row] : []));
}
