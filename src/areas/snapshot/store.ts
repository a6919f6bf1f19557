import { buildIndex } from '../../names/build.ts';
import { Turns, turn } from '../../turn.ts';
import { nameKey, spelledOut } from '../names.ts';
import { nearRows } from '../near-names.ts';
import {
  type Area,
  type AreaNames,
  type AreaStore,
  type CompressedCollection,
  type Level,
  type Lookup,
  listedLevel,
  namedLevels,
  type Page,
  type Read,
  type Relation,
  type Resolution,
} from '../store.ts';
import { bringBoundaries, readPlaces, unlessUnreadable } from './boundaries.ts';
import { checksumOf } from './collections.ts';
import { currentRow, lostCode } from './current-codes.ts';
import { allOf, matchingRows, parentRows, predicatesOf, rowsInProvinces, sortRows } from './filters.ts';
import { type CollectionLevel, collectionName, hasCollection, NO_ROW } from './layout.ts';
import type { Hit } from './name-keys.ts';
import type { SnapshotObjects } from './objects.ts';
import type { OpenedAreas } from './opened.ts';
import { locateIn } from './places.ts';
import { PlainCollection } from './plain-collection.ts';
import { areasWithin } from './within.ts';

/** One index is made at a time: each takes a quarter of a second, and a caller may ask for all editions at once. */
const INDEXING = new Turns({ max: 1, maxMs: 3000 });

/**
 * The areas of one version of a release, answered from its immutable objects without a statement.
 *
 * @returns the areas as they are read through objects of the version
 */
export function snapshotAreas(opened: OpenedAreas): (objects: SnapshotObjects) => AreaStore {
  const { release, version, edition, publishedOn = null, boundarySet, sources } = opened.facts;
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

  let names: AreaNames | undefined;

  /** The names with their index, which is made when it is first needed. */
  async function indexed(): Promise<AreaNames> {
    names ??= await INDEXING.take(async () => {
      if (names) return names;
      const made = { source: opened, index: buildIndex(opened), typeOf: (row: number) => opened.typeOf(row) };
      await turn();
      return made;
    });
    return names;
  }

  const collectionIsOurs = new Map<string, boolean>();

  /** Whether the compressed collection of a level is what this build would answer. */
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
    cachedIn: 'instance',

    activeVersion: async () => version,

    names: async () => readOf(await indexed()),

    plainCollection: (level, resolution) => {
      if (!hasCollection(level)) return undefined;
      let plain: PlainCollection | undefined;
      const made = () => (plain ??= new PlainCollection(opened, level, resolution));
      return {
        release,
        version,
        get size() {
          return made().size;
        },
        read: (range) => unlessUnreadable(() => made().body(objects, range)),
      };
    },

    compressedCollection: (level, resolution, encoding) => {
      if (!hasCollection(level)) return undefined;
      const name = collectionName(level, resolution, encoding);
      if (!objects.has(name) || !isOurs(level)) return undefined;
      const size = objects.bytesOf(name);
      const read: CompressedCollection['read'] = (range) =>
        unlessUnreadable(() => (range ? objects.range(name, range) : objects.body(name)));
      return { release, version, encoding, size, read };
    },

    listSources: async ({ knownVersions }) => readOf({ edition, publishedOn, boundarySet, sources }, knownVersions),

    list: async (level, filter, { page, resolution, order, knownVersions }) => {
      if (isKnown(knownVersions)) return readOf({ total: 0, areas: [], candidates: [], boundarySet }, knownVersions);
      const rows = sortRows(opened, listedLevel(level, filter), matchingRows(opened, level, filter), order);
      const shown = page ? rows.slice(...windowOf(opened, rows, page)) : rows;
      const named = filter.municity && 'name' in filter.municity ? parentRows(opened, 'municity', filter.municity) : [];
      const isWithin = allOf(predicatesOf(opened, 'municity', { regions: filter.regions, province: filter.province }));
      const candidates = named.filter(isWithin).map((row) => ({ code: opened.codeOf(row), name: opened.nameOf(row) }));
      const total = page ? rows.length : 0;
      return readOf({ total, areas: await areasAt(objects, shown, resolution), candidates, boundarySet });
    },

    search: async (level, text, { filter, limit, knownVersions }) => {
      if (isKnown(knownVersions)) return readOf([], knownVersions);
      const hits = opened.keysOf(level).search(spelledOut(nameKey(text)));
      const matches = allOf(predicatesOf(opened, level, filter));
      const found = hits.filter(({ row }) => matches(row)).sort((a, b) => bestFirst(opened, a, b));
      const rows = new Set(found.map(({ row }) => row));
      if (rows.size < limit) {
        for (const row of nearRows(await indexed(), { level, text, filter, limit })) if (matches(row)) rows.add(row);
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
        successors: null,
        otherLevel: null,
      };
      if (row === -1) Object.assign(lookup, lostCode(opened, level, code));
      return readOf(lookup, knownVersions);
    },

    findMany: async (level, codes, { resolution, knownVersions }) => {
      const nothing = { areas: [], requested: [], missing: [], abolished: [] };
      if (isKnown(knownVersions)) return readOf(nothing, knownVersions);
      const rows = new Map<number, Set<string>>();
      const missing = new Set<string>();
      for (const code of codes) {
        const row = currentRow(opened, level, code);
        if (row === -1) missing.add(code);
        else rows.set(row, (rows.get(row) ?? new Set()).add(code));
      }
      const areas = await areasAt(objects, [...rows.keys()], resolution);
      const abolished = [...missing].flatMap((code) => {
        const { successors } = lostCode(opened, level, code);
        return successors ? [{ code, successors }] : [];
      });
      return readOf({
        areas,
        requested: [...rows.values()].map((asked) => [...asked]),
        missing: [...missing],
        abolished,
      });
    },

    reverseGeocode: async (points, options) => {
      const { knownVersions } = options;
      const locations = isKnown(knownVersions) ? [] : await locateIn(opened, objects, points, options);
      return readOf({ boundarySet, locations }, knownVersions);
    },

    within: async (point, options) => {
      const { knownVersions } = options;
      const near = isKnown(knownVersions)
        ? { total: 0, found: [] }
        : await areasWithin(opened, objects, point, options);
      return readOf({ boundarySet, ...near }, knownVersions);
    },

    boundaries: async ({ level, resolution }, slices) => {
      const places = slices.map(({ code, id, start, length }) => {
        const row = opened.isThroughTime
          ? id - 1
          : Math.max(...namedLevels(level).map((named) => opened.rowOf(named, code)));
        const { object, offset } = opened.boundaries.placeOf(row, resolution);
        return { object, offset: offset + start, length };
      });
      return readPlaces(objects, places);
    },
  });
}

/** The indexes of the first row of a page, and of the one after its last. */
function windowOf(opened: OpenedAreas, rows: ArrayLike<number>, page: Page): [number, number] {
  if ('page' in page) return [(page.page - 1) * page.limit, page.page * page.limit];
  const after = Number(page.after);
  const keyOf = (row: number) => {
    const code = opened.codes[row] as number;
    return opened.isThroughTime ? code * 1000 + (opened.versions.firsts[row] as number) : code;
  };
  let [start, end] = [0, rows.length];
  while (start < end) {
    const middle = (start + end) >>> 1;
    if (keyOf(rows[middle] as number) <= after) start = middle + 1;
    else end = middle;
  }
  return [start, start + page.limit];
}

function relatedRows(opened: OpenedAreas, level: Level, row: number, relation: Relation | undefined): number[] {
  if (relation === 'neighbors') return [...opened.neighborsOf(row)];
  if (relation === 'ancestors') {
    const { submunicipalities, municities, provinces, hosts, regions } = opened;
    const parents = [submunicipalities, municities, provinces, hosts, regions].map((column) => column[row] as number);
    return [...new Set(parents)].filter((parent) => parent !== NO_ROW && parent !== row);
  }
  if (relation !== 'children') return [];
  return level === 'province' ? rowsInProvinces(opened, 'municity', [row], 'geographic') : [...opened.barangaysOf(row)];
}

/** By how well the name fits, population (the unknown last), present names before former ones, type and code. */
function bestFirst(opened: OpenedAreas, a: Hit, b: Hit): number {
  const { words } = opened.facts;
  const typeOf = ({ row }: Hit) => words[opened.types[row] as number] ?? '\uffff';
  return (
    a.rank - b.rank ||
    (opened.populations[b.row] as number) - (opened.populations[a.row] as number) ||
    (typeOf(a) < typeOf(b) ? -1 : typeOf(a) > typeOf(b) ? 1 : 0) ||
    (opened.codes[a.row] as number) - (opened.codes[b.row] as number)
  );
}
