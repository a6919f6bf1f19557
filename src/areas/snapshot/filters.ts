import { predicateOf } from '../../cql2/predicate.ts';
import type { Geometry } from '../../geojson/geometry.ts';
import { ISLAND_GROUPS } from '../identifiers.ts';
import { nameKey } from '../names.ts';
import {
  type Area,
  type AreaFilter,
  type Level,
  listedLevel,
  type Order,
  type Parent,
  type ProvinceScope,
  plainIncomeClass,
  SUB_MUNICIPALITY,
  type Where,
} from '../store.ts';
import { attributeOf } from './attributes.ts';
import { currentRow } from './current-codes.ts';
import { type OpenedAreas, UNKNOWN_KM2 } from './opened.ts';

/** The rows of a level in provinces, with those that they host where the scope is geographic; sorted. */
export function rowsInProvinces(
  opened: OpenedAreas,
  level: 'municity' | 'submunicipality' | 'barangay',
  provinces: readonly number[],
  scope: ProvinceScope,
): number[] {
  const parents = scope === 'geographic' ? (['provinces', 'hosts'] as const) : (['provinces'] as const);
  const rows = provinces.flatMap((row) => parents.flatMap((parent) => [...opened.rowsIn(level, parent, row)]));
  return [...new Set(rows)].sort((a, b) => a - b);
}

/** The rows of a filter's parent: one for a code, several for a name that repeats; sorted. */
export function parentRows(opened: OpenedAreas, level: Level, parent: Parent): number[] {
  if ('code' in parent) {
    const row = currentRow(opened, level, parent.code);
    return row === -1 ? [] : [row];
  }
  const key = nameKey(parent.name);
  const rowsAt = (named: Area['level']) => [...opened.keysOf(named).rowsNamed(key)];
  const rows = rowsAt(level);
  // A sub-municipality is meant only where no city or municipality has its name.
  return rows.length === 0 && level === 'municity' ? rowsAt('submunicipality') : rows;
}

/** The rows of a list that a filter lets through, sorted. */
export function matchingRows(opened: OpenedAreas, listed: Level, filter: AreaFilter): number[] | Uint16Array {
  const level = listedLevel(listed, filter);
  const candidates = candidateRows(opened, level, filter);
  const predicates = predicatesOf(opened, level, filter);
  if (predicates.length === 0) return candidates;
  const matches = allOf(predicates);
  const rows: number[] = [];
  for (let i = 0; i < candidates.length; i += 1)
    if (matches(candidates[i] as number)) rows.push(candidates[i] as number);
  return rows;
}

/** The rows that a filter is applied to, sorted: those of a parent where it names one, else the whole level. */
function candidateRows(opened: OpenedAreas, level: Area['level'], filter: AreaFilter): number[] | Uint16Array {
  if (level === 'barangay' && filter.municity) {
    const rows = parentRows(opened, 'municity', filter.municity).map((parent) => opened.barangaysOf(parent));
    return rows.length === 1 ? (rows[0] as Uint16Array) : rows.flatMap((group) => [...group]).sort((a, b) => a - b);
  }
  if (level !== 'region' && level !== 'province' && filter.province) {
    const { parent, scope } = filter.province;
    return rowsInProvinces(opened, level, parentRows(opened, 'province', parent), scope);
  }
  const [region] = filter.regions ?? [];
  if (level !== 'region' && level !== 'province' && region) {
    return parentRows(opened, 'region', region).flatMap((row) => [...opened.rowsIn(level, 'regions', row)]);
  }
  const { first, end } = opened.rowsOf(level);
  const rows = new Uint16Array(end - first);
  for (let i = 0; i < rows.length; i += 1) rows[i] = first + i;
  return rows;
}

type Predicate = (row: number) => boolean;

/** Whether all of some predicates hold. */
export function allOf(predicates: readonly Predicate[]): Predicate {
  return (row) => predicates.every((holds) => holds(row));
}

/** The conditions of a filter on rows of a level. */
export function predicatesOf(opened: OpenedAreas, level: Area['level'], filter: AreaFilter): Predicate[] {
  const predicates: Predicate[] = [];
  const { codes, nameContains, nameStartsWith, regions = [], province, municity } = filter;
  if (codes) {
    const rows = new Set(codes.map((code) => currentRow(opened, level, code)));
    predicates.push((row) => rows.has(row));
  }
  const keys = () => opened.keysOf(level);
  if (nameContains !== undefined) {
    const wanted = nameKey(nameContains);
    predicates.push((row) => wanted !== '' && keys().nameKeyOf(row).includes(wanted));
  }
  if (nameStartsWith !== undefined) {
    const wanted = nameKey(nameStartsWith);
    predicates.push((row) => wanted !== '' && keys().nameKeyOf(row).startsWith(wanted));
  }
  for (const region of regions) {
    const rows = parentRows(opened, 'region', region);
    predicates.push((row) => rows.includes(opened.regions[row] as number));
  }
  if (province) {
    const rows = parentRows(opened, 'province', province.parent);
    predicates.push((row) => {
      if (rows.includes(opened.provinces[row] as number)) return true;
      return province.scope === 'geographic' && rows.includes(opened.hosts[row] as number);
    });
  }
  predicates.push(...attributePredicates(opened, filter));
  if (municity) {
    const rows = parentRows(opened, 'municity', municity);
    const { municities, submunicipalities } = opened;
    predicates.push((row) => [municities, submunicipalities].some((parents) => rows.includes(parents[row] as number)));
  }
  return predicates;
}

function attributePredicates(opened: OpenedAreas, filter: AreaFilter): Predicate[] {
  const { words } = opened.facts;
  const predicates: Predicate[] = [];
  /** Adds a condition on the word that a column has for a row, by its index in `words`. */
  const addWordPredicate = (column: Uint8Array, isTaken: (word: string) => boolean) => {
    const taken = words.map((word) => word !== null && isTaken(word));
    predicates.push((row) => taken[column[row] as number] as boolean);
  };
  const { type, cityClass, incomeClass, islandGroup, populationMin, populationMax, meets, where } = filter;
  if (type !== undefined && type !== SUB_MUNICIPALITY) addWordPredicate(opened.types, (word) => word === type);
  if (cityClass !== undefined) addWordPredicate(opened.cityClasses, (word) => word === cityClass);
  if (incomeClass !== undefined) {
    const wanted = plainIncomeClass(incomeClass);
    addWordPredicate(opened.incomeClasses, (word) => plainIncomeClass(word) === wanted);
  }
  if (islandGroup !== undefined) {
    const regions: readonly string[] = ISLAND_GROUPS[islandGroup];
    predicates.push((row) => regions.includes(opened.codeOf(row).slice(0, 2)));
  }
  const populationOf = (row: number) => opened.populations[row] as number;
  if (populationMin !== undefined) predicates.push((row) => populationOf(row) >= Math.max(0, populationMin));
  if (populationMax !== undefined)
    predicates.push((row) => populationOf(row) !== -1 && populationOf(row) <= populationMax);
  if (meets !== undefined) predicates.push((row) => opened.meets(row, meets));
  if (where !== undefined) predicates.push(wherePredicate(opened, where));
  return predicates;
}

function wherePredicate(opened: OpenedAreas, { expression, meeting }: Where): Predicate {
  const codesMeeting = (geometry: Geometry) => {
    const codes = meeting.get(geometry);
    if (!codes) throw new Error('The areas that meet a geometry must be looked up before any are listed');
    return (row: number) => (opened.isDrawn(row) ? codes.has(opened.codeOf(row)) : null);
  };
  return predicateOf(expression, { valueOf: (name) => attributeOf(opened, name), intersects: codesMeeting });
}

/** Sorts rows that come in the order of their codes. */
export function sortRows(
  opened: OpenedAreas,
  level: Area['level'],
  rows: number[] | Uint16Array,
  { by, descending }: Order = { by: 'code', descending: false },
): number[] | Uint16Array {
  if (by === 'code') return descending ? rows.toReversed() : rows;
  const sign = descending ? -1 : 1;
  if (by === 'name') {
    const keys = opened.keysOf(level);
    const named = Array.from(rows, (row) => ({ row, key: keys.nameKeyOf(row) }));
    named.sort((a, b) => (a.key === b.key ? a.row - b.row : a.key < b.key ? -sign : sign));
    return named.map(({ row }) => row);
  }
  const [values, unknown] = by === 'population' ? [opened.populations, -1] : [opened.areasKm2, UNKNOWN_KM2];
  const sizeOf = (row: number) => values[row] as number;
  return Array.from(rows).sort((a, b) => {
    const [one, other] = [sizeOf(a), sizeOf(b)];
    const unknownLast = Number(one === unknown) - Number(other === unknown);
    return unknownLast || (one === other ? a - b : sign * (one - other));
  });
}
