import { logFailure } from '../../log.ts';
import { buildIndex } from '../../names/build.ts';
import type { NameIndex } from '../../names/index.ts';
import { ISLAND_GROUPS } from '../identifiers.ts';
import { nameKey, spelledOut } from '../names.ts';
import { nearRows } from '../near-names.ts';
import { localCode } from '../psgc.ts';
import {
  type Area,
  type AreaFilter,
  type AreaNames,
  type AreaStore,
  BOUNDARY_BUDGET,
  type Level,
  type Lookup,
  type Order,
  type Parent,
  type ProvinceScope,
  plainIncomeClass,
  type Read,
  type Relation,
  type Resolution,
} from '../store.ts';
import { checksumOf } from './collections.ts';
import { boundariesName, type CollectionLevel, collectionName, NO_ROW } from './layout.ts';
import type { Hit } from './name-keys.ts';
import { AT_ONCE, type SnapshotObjects, SnapshotUnreadable } from './objects.ts';
import { NO_AREA, type OpenedAreas } from './opened.ts';
import { locateIn } from './places.ts';

/**
 * The areas of one version of a release, answered from its immutable objects without a statement.
 *
 * @returns the areas as they are read through objects of the version
 */
export function snapshotAreas(opened: OpenedAreas): (objects: SnapshotObjects) => AreaStore {
  const { release, version, edition, boundarySet, sources } = opened.facts;
  const readOf = <T>(value: T, knownVersions: readonly string[] = []): Read<T> => ({
    release,
    version,
    unchanged: knownVersions.includes(version),
    value,
  });
  const isKnown = (knownVersions: readonly string[] = []) => knownVersions.includes(version);

  /** The records of rows, with the boundaries of the first ones as far as the budget goes. */
  async function areasAt(
    objects: SnapshotObjects,
    rows: ArrayLike<number>,
    resolution: Resolution | undefined,
  ): Promise<Area[]> {
    const areas: Area[] = [];
    // Array.from takes longer for some rows than their records do.
    for (let i = 0; i < rows.length; i += 1) areas.push(opened.area(rows[i] as number, resolution));
    if (resolution !== undefined) await bringBoundaries(opened, objects, rows, areas, resolution);
    return areas;
  }

  let index: NameIndex | undefined;
  const names: AreaNames = {
    get index() {
      index ??= buildIndex(opened);
      return index;
    },
    typeOf: (row) => opened.typeOf(row),
  };

  const collectionIsOurs = new Map<string, boolean>();

  /** Whether the packed collection of a level is what this build would answer. */
  function isOurs(level: CollectionLevel): boolean {
    let isSame = collectionIsOurs.get(level);
    if (isSame === undefined) {
      const { first, end } = opened.rowsOf(level);
      const areas = Array.from({ length: end - first }, (_, i) => opened.area(first + i, undefined));
      isSame = opened.facts.collections?.[level] === checksumOf(level, areas);
      collectionIsOurs.set(level, isSame);
    }
    return isSame;
  }

  return (objects) => ({
    copiesIn: 'instance',

    activeVersion: async () => version,

    names: async () => readOf(names),

    packedCollection: (level, resolution, encodings) => {
      if (level !== 'region' && level !== 'province') return undefined;
      const encoding = encodings.find((candidate) => objects.has(collectionName(level, resolution, candidate)));
      if (encoding === undefined || !isOurs(level)) return undefined;
      const read = () => readPacked(objects, collectionName(level, resolution, encoding));
      return { release, version, encoding, read };
    },

    listSources: async ({ knownVersions }) => readOf({ edition, boundarySet, sources }, knownVersions),

    list: async (level, filter, { page, resolution, order, knownVersions }) => {
      if (isKnown(knownVersions)) return readOf({ total: 0, areas: [], candidates: [] }, knownVersions);
      const rows = inOrder(opened, level, matchingRows(opened, level, filter), order);
      const shown = page ? rows.slice((page.page - 1) * page.limit, page.page * page.limit) : rows;
      const named = filter.municity && 'name' in filter.municity ? parentRows(opened, 'municity', filter.municity) : [];
      const isWithin = allOf(testsOf(opened, 'municity', { regions: filter.regions, province: filter.province }));
      const candidates = named.filter(isWithin).map((row) => ({ code: opened.codeOf(row), name: opened.nameOf(row) }));
      return readOf({ total: page ? rows.length : 0, areas: await areasAt(objects, shown, resolution), candidates });
    },

    search: async (level, text, { filter, limit, knownVersions }) => {
      if (isKnown(knownVersions)) return readOf([], knownVersions);
      const hits = opened.keysOf(level).search(spelledOut(nameKey(text)));
      const matches = allOf(testsOf(opened, level, filter));
      const found = hits.filter(({ row }) => matches(row)).sort((a, b) => bestFirst(opened, a, b));
      const rows = new Set(found.map(({ row }) => row));
      if (rows.size < limit) {
        for (const row of nearRows(names, { level, text, filter, limit })) if (matches(row)) rows.add(row);
      }
      return readOf(await areasAt(objects, [...rows].slice(0, limit), undefined));
    },

    find: async (level, code, { relation, resolution, knownVersions }) => {
      const row = currentRow(opened, level, code);
      const unchanged = isKnown(knownVersions);
      const rows = row === -1 || unchanged ? [] : [row, ...relatedRows(opened, level, row, relation)];
      // In the order of their codes, so that the budget for boundaries is spent as for any list.
      const inOrder = [...rows].sort((a, b) => (opened.codes[a] as number) - (opened.codes[b] as number));
      const areas = await areasAt(objects, inOrder, resolution);
      const self = row === -1 ? undefined : opened.codeOf(row);
      const lookup: Lookup = {
        code: self ?? null,
        area: areas.find((area) => area.code === self) ?? null,
        related: areas.filter((area) => area.code !== self),
        boundarySet,
        formerNames: row === -1 ? [] : opened.formerNames(row),
        populationHistory: row === -1 ? [] : opened.populationHistory(row),
        notes: row === -1 ? [] : opened.notes(row),
        successors: [],
        otherLevel: null,
      };
      if (row === -1) Object.assign(lookup, lostCode(opened, level, code));
      return readOf(lookup, knownVersions);
    },

    findMany: async (level, codes, { resolution, knownVersions }) => {
      const nothing = { areas: [], requested: [], missing: [], abolished: [] };
      if (isKnown(knownVersions)) return readOf(nothing, knownVersions);
      const rows = new Map<number, string>();
      const missing = new Set<string>();
      for (const code of codes) {
        const row = currentRow(opened, level, code);
        if (row === -1) missing.add(code);
        else if (!rows.has(row)) rows.set(row, code);
      }
      const areas = await areasAt(objects, [...rows.keys()], resolution);
      const abolished = [...missing].flatMap((code) => {
        const { successors } = lostCode(opened, level, code);
        return successors.length > 0 ? [{ code, successors }] : [];
      });
      return readOf({ areas, requested: [...rows.values()], missing: [...missing], abolished });
    },

    reverseGeocode: async (points, options) => {
      const { knownVersions } = options;
      const locations = isKnown(knownVersions) ? [] : await locateIn(opened, objects, points, options);
      return readOf({ boundarySet, locations }, knownVersions);
    },

    boundaries: async ({ level, resolution }, slices) => {
      const rows = slices.map(({ code }) => opened.rowOf(level, code));
      const places = slices.map(({ start, length }, i) => ({
        offset: opened.boundaryOffset(rows[i] as number, resolution) + start,
        length,
      }));
      return readTexts(objects, boundariesName(level, resolution), places);
    },
  });
}

async function readPacked(objects: SnapshotObjects, name: string) {
  try {
    return await objects.body(name);
  } catch (error) {
    if (!(error instanceof SnapshotUnreadable)) throw error;
    logFailure('snapshot_unreadable', error, {});
    return undefined;
  }
}

/** A part of an object with texts. */
interface Place {
  readonly offset: number;
  readonly length: number;
}

const ascii = new TextDecoder('latin1');

/** Bytes between two texts that are read along, so that one read serves both. */
const MAX_GAP = 16 * 1024;

/** The longest read of several texts, bytes: with what lies between them it could be many times the texts themselves. */
const MAX_READ = 1024 * 1024;

/** Texts of an object in the order asked. Texts that lie side by side are one read. */
async function readTexts(objects: SnapshotObjects, name: string, places: readonly Place[]): Promise<string[]> {
  const order = places.map((_, i) => i).sort((a, b) => (places[a] as Place).offset - (places[b] as Place).offset);
  const reads: { start: number; end: number; group: number[] }[] = [];
  for (const at of order) {
    const { offset, length } = places[at] as Place;
    const last = reads.at(-1);
    if (last && offset <= last.end + MAX_GAP && offset + length <= last.start + MAX_READ) {
      last.end = Math.max(last.end, offset + length);
      last.group.push(at);
    } else reads.push({ start: offset, end: offset + length, group: [at] });
  }
  const texts = Array<string>(places.length).fill('');
  for (let i = 0; i < reads.length; i += AT_ONCE) {
    await Promise.all(
      reads.slice(i, i + AT_ONCE).map(async ({ start, end, group }) => {
        const bytes = await objects.part(name, start, end - start);
        for (const at of group) {
          const { offset, length } = places[at] as Place;
          texts[at] = ascii.decode(bytes.subarray(offset - start, offset - start + length));
        }
      }),
    );
  }
  return texts;
}

/** Reads the boundaries of the first areas, as many as the budget allows together. */
async function bringBoundaries(
  opened: OpenedAreas,
  objects: SnapshotObjects,
  rows: ArrayLike<number>,
  areas: readonly Area[],
  resolution: Resolution,
): Promise<void> {
  let bytes = 0;
  const brought: number[] = [];
  for (const [i, { boundaryBytes }] of areas.entries()) {
    bytes += boundaryBytes;
    if (bytes > BOUNDARY_BUDGET) break;
    if (boundaryBytes > 0) brought.push(i);
  }
  const byLevel = Map.groupBy(brought, (i) => (areas[i] as Area).level);
  for (const [level, members] of byLevel) {
    const places = members.map((i) => ({
      offset: opened.boundaryOffset(rows[i] as number, resolution),
      length: (areas[i] as Area).boundaryBytes,
    }));
    const texts = await readTexts(objects, boundariesName(level, resolution), places);
    for (const [at, i] of members.entries()) (areas[i] as Area).boundary = texts[at] as string;
  }
}

/** The row of the area that a current or former code of a level leads to; -1 where it leads nowhere. */
function currentRow(opened: OpenedAreas, level: Level, code: string): number {
  const row = opened.rowOf(level, code);
  if (row !== -1) return row;
  const renumbered = opened.formerCodes(level, code).find(({ change }) => change === 'renumbered');
  if (renumbered) return renumbered.row;
  const local = localCode(level, code);
  if (local === null) return -1;
  // The last eight digits are unique below regions, so at most one region has them.
  for (const prefix of regionDigits(opened)) {
    const found = opened.rowOf(level, prefix + local);
    if (found !== -1) return found;
  }
  return -1;
}

const digitsOf = new WeakMap<OpenedAreas, string[]>();

/** The first two digits of every region, which the codes of all areas begin with. */
function regionDigits(opened: OpenedAreas): string[] {
  const known = digitsOf.get(opened);
  if (known) return known;
  const { first, end } = opened.rowsOf('region');
  const digits = Array.from({ length: end - first }, (_, i) => opened.codeOf(first + i).slice(0, 2));
  digitsOf.set(opened, digits);
  return digits;
}

/** What is known of a code that no area of a level has or had under another number. */
function lostCode(opened: OpenedAreas, level: Level, code: string): Pick<Lookup, 'successors' | 'otherLevel'> {
  const successors = opened
    .formerCodes(level, code)
    .filter(({ change }) => change === 'abolished')
    .map(({ row }) => opened.codeOf(row));
  for (const other of ['region', 'province', 'municity', 'submunicipality', 'barangay'] as const) {
    const row = opened.rowOf(other, code);
    if (row === -1) continue;
    const parent = opened.municities[row] as number;
    const otherLevel = {
      level: other,
      name: opened.nameOf(row),
      parent: parent === NO_ROW ? null : opened.codeOf(parent),
    };
    return { successors, otherLevel };
  }
  return { successors, otherLevel: null };
}

function relatedRows(opened: OpenedAreas, level: Level, row: number, relation: Relation | undefined): number[] {
  if (relation === 'neighbors') return [...opened.neighborsOf(row)];
  if (relation === 'ancestors') {
    const { submunicipalities, municities, provinces, hosts, regions } = opened;
    const parents = [submunicipalities, municities, provinces, hosts, regions].map((column) => column[row] as number);
    return [...new Set(parents)].filter((parent) => parent !== NO_ROW && parent !== row);
  }
  if (relation !== 'children') return [];
  return level === 'province'
    ? rowsInProvinces(opened, 'municity', [row], 'geographic')
    : [...opened.rowsIn('barangay', 'municities', row)];
}

/** The rows of a level in provinces, with those that they host where the scope is geographic; sorted. */
function rowsInProvinces(
  opened: OpenedAreas,
  level: 'municity' | 'barangay',
  provinces: readonly number[],
  scope: ProvinceScope,
): number[] {
  const parents = scope === 'geographic' ? (['provinces', 'hosts'] as const) : (['provinces'] as const);
  const rows = provinces.flatMap((row) => parents.flatMap((parent) => [...opened.rowsIn(level, parent, row)]));
  return [...new Set(rows)].sort((a, b) => a - b);
}

/** The rows of a filter's parent: one for a code, several for a name that repeats; sorted. */
function parentRows(opened: OpenedAreas, level: Level, parent: Parent): number[] {
  if ('code' in parent) {
    const row = currentRow(opened, level, parent.code);
    return row === -1 ? [] : [row];
  }
  return [...opened.keysOf(level).rowsNamed(nameKey(parent.name))];
}

/** The rows of a level that a filter lets through, sorted. */
function matchingRows(opened: OpenedAreas, level: Level, filter: AreaFilter): number[] | Uint16Array {
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
function candidateRows(opened: OpenedAreas, level: Level, filter: AreaFilter): number[] | Uint16Array {
  if (level === 'barangay' && filter.municity) {
    const rows = parentRows(opened, 'municity', filter.municity).map((parent) =>
      opened.rowsIn('barangay', 'municities', parent),
    );
    return rows.length === 1 ? (rows[0] as Uint16Array) : rows.flatMap((group) => [...group]).sort((a, b) => a - b);
  }
  if ((level === 'municity' || level === 'barangay') && filter.province) {
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

function allOf(tests: readonly Test[]): Test {
  return (row) => tests.every((test) => test(row));
}

/** What a row of a level has to be for a filter to let it through. */
function testsOf(opened: OpenedAreas, level: Level, filter: AreaFilter): Test[] {
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
    tests.push((row) => rows.includes(opened.municities[row] as number));
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
  const { type, cityClass, incomeClass, islandGroup, populationMin, populationMax } = filter;
  if (type !== undefined) wordTest(opened.types, (word) => word === type);
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
  return tests;
}

/** Rows in an order. They come in that of their codes. */
function inOrder(
  opened: OpenedAreas,
  level: Level,
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

/** By how well the name fits, population (the unknown last), present names before former ones, type and code. */
function bestFirst(opened: OpenedAreas, a: Hit, b: Hit): number {
  const { words } = opened.facts;
  const typeOf = ({ row }: Hit) => words[opened.types[row] as number] ?? '\uffff';
  return (
    (a.rank >> 1) - (b.rank >> 1) ||
    (opened.populations[b.row] as number) - (opened.populations[a.row] as number) ||
    a.rank - b.rank ||
    (typeOf(a) < typeOf(b) ? -1 : typeOf(a) > typeOf(b) ? 1 : 0) ||
    (opened.codes[a.row] as number) - (opened.codes[b.row] as number)
  );
}
