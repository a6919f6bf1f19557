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
import { NO_AREA, type OpenedAreas } from './opened.ts';

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
  // A town is meant rather than a sub-municipality of its name.
  return rows.length === 0 && level === 'municity' ? rowsAt('submunicipality') : rows;
}

/** The rows of a list that a filter lets through, sorted. */
export function matchingRows(opened: OpenedAreas, listed: Level, filter: AreaFilter): number[] | Uint16Array {
  const level = listedLevel(listed, filter);
  const candidates = candidateRows(opened, level, filter);
  const tests = testsOf(opened, level, filter);
  if (tests.length === 0) return candidates;
  const matches = allOf(tests);
  const rows: number[] = [];
  for (let i = 0; i < candidates.length; i += 1)
    if (matches(candidates[i] as number)) rows.push(candidates[i] as number);
  return rows;
}

/** Rows that a filter may let through, sorted: those of a parent where it names one, else the whole level. */
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

type Test = (row: number) => boolean;

export function allOf(tests: readonly Test[]): Test {
  return (row) => tests.every((test) => test(row));
}

/** What a row of a level has to be for a filter to let it through. */
export function testsOf(opened: OpenedAreas, level: Area['level'], filter: AreaFilter): Test[] {
  const tests: Test[] = [];
  const { codes, nameContains, nameStartsWith, regions = [], province, municity } = filter;
  if (codes) {
    const rows = new Set(codes.map((code) => currentRow(opened, level, code)));
    tests.push((row) => rows.has(row));
  }
  const keys = () => opened.keysOf(level);
  if (nameContains !== undefined) {
    const wanted = nameKey(nameContains);
    tests.push((row) => wanted !== '' && keys().nameKeyOf(row).includes(wanted));
  }
  if (nameStartsWith !== undefined) {
    const wanted = nameKey(nameStartsWith);
    tests.push((row) => wanted !== '' && keys().nameKeyOf(row).startsWith(wanted));
  }
  for (const region of regions) {
    const rows = parentRows(opened, 'region', region);
    tests.push((row) => rows.includes(opened.regions[row] as number));
  }
  if (province) {
    const rows = parentRows(opened, 'province', province.parent);
    tests.push((row) => {
      if (rows.includes(opened.provinces[row] as number)) return true;
      return province.scope === 'geographic' && rows.includes(opened.hosts[row] as number);
    });
  }
  tests.push(...attributeTests(opened, filter));
  if (municity) {
    const rows = parentRows(opened, 'municity', municity);
    const { municities, submunicipalities } = opened;
    tests.push((row) => [municities, submunicipalities].some((parents) => rows.includes(parents[row] as number)));
  }
  return tests;
}

function attributeTests(opened: OpenedAreas, filter: AreaFilter): Test[] {
  const { words } = opened.facts;
  const tests: Test[] = [];
  /** Rows whose word in a column is one of those that a condition takes. */
  const wordTest = (column: Uint8Array, takes: (word: string) => boolean) => {
    const taken = words.map((word) => word !== null && takes(word));
    tests.push((row) => taken[column[row] as number] as boolean);
  };
  const { type, cityClass, incomeClass, islandGroup, populationMin, populationMax, meets, where } = filter;
  if (type !== undefined && type !== SUB_MUNICIPALITY) wordTest(opened.types, (word) => word === type);
  if (cityClass !== undefined) wordTest(opened.cityClasses, (word) => word === cityClass);
  if (incomeClass !== undefined) {
    const wanted = plainIncomeClass(incomeClass);
    wordTest(opened.incomeClasses, (word) => plainIncomeClass(word) === wanted);
  }
  if (islandGroup !== undefined) {
    const regions: readonly string[] = ISLAND_GROUPS[islandGroup];
    tests.push((row) => regions.includes(opened.codeOf(row).slice(0, 2)));
  }
  const populationOf = (row: number) => opened.populations[row] as number;
  if (populationMin !== undefined) tests.push((row) => populationOf(row) >= Math.max(0, populationMin));
  if (populationMax !== undefined) tests.push((row) => populationOf(row) !== -1 && populationOf(row) <= populationMax);
  if (meets !== undefined) tests.push((row) => opened.meets(row, meets));
  if (where !== undefined) tests.push(whereTest(opened, where));
  return tests;
}

function whereTest(opened: OpenedAreas, { expression, meeting }: Where): Test {
  const codesMeeting = (geometry: Geometry) => {
    const codes = meeting.get(geometry);
    if (!codes) throw new Error('Which areas meet a geometry is found out before they are listed');
    return (row: number) => (opened.isDrawn(row) ? codes.has(opened.codeOf(row)) : null);
  };
  return predicateOf(expression, { valueOf: (name) => attributeOf(opened, name), intersects: codesMeeting });
}

/** Rows in an order. They come in that of their codes. */
export function inOrder(
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
  const [values, none] = by === 'population' ? [opened.populations, -1] : [opened.sizes, NO_AREA];
  const sizeOf = (row: number) => values[row] as number;
  return Array.from(rows).sort((a, b) => {
    const [one, other] = [sizeOf(a), sizeOf(b)];
    const unknown = Number(one === none) - Number(other === none);
    return unknown || (one === other ? a - b : sign * (one - other));
  });
}
