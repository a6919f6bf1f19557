import { finestOf, locationOf, searchedLevel } from '../location.ts';
import type { Area, Level, Location, Point, Resolution } from '../store.ts';
import { type Cell, containingRow } from './cells.ts';
import { decodeCell } from './decode-cell.ts';
import { decompress } from './decompress.ts';
import { type FoundRows, inEdition } from './edition-places.ts';
import { cellOf } from './grid.ts';
import { NO_ROW, POINTS } from './layout.ts';
import { cellsNear, nearestRow } from './nearest.ts';
import { byteCache, MAX_CONCURRENT_READS, type SnapshotObjects, SnapshotUnreadable } from './objects.ts';
import type { OpenedAreas } from './opened.ts';

/** The levels that points are looked up in, coarse to fine. */
const LEVELS = ['region', 'province', 'municity', 'barangay'] as const satisfies readonly Level[];

interface Options {
  readonly level: Area['level'];
  readonly within: number;
  readonly resolution?: Resolution | undefined;
}

/** Max bytes of a decompressed cell. Those of the whole country have 420 kB at most. */
const MAX_CELL = 4 * 1024 * 1024;

const ascii = new TextDecoder('latin1');

/** What lies at each of some points, in their order. Cells that several points need are read once. */
export async function locateIn(
  opened: OpenedAreas,
  objects: SnapshotObjects,
  points: readonly Point[],
  options: Options,
): Promise<Location[]> {
  const numbers = new Set(points.flatMap((point) => cellNumbers(point, options.within)));
  const cells = new Map<number, Cell>();
  const needed = [...numbers];
  for (let i = 0; i < needed.length; i += MAX_CONCURRENT_READS) {
    await Promise.all(
      needed.slice(i, i + MAX_CONCURRENT_READS).map(async (number) => {
        const cell = await readCell(opened, objects, number);
        if (cell) cells.set(number, cell);
      }),
    );
  }
  const made = new Map<number, Area>();
  const areaOf = (row: number): Area => {
    const area = made.get(row) ?? opened.area(row, undefined);
    made.set(row, area);
    return area;
  };
  const locations: Location[] = [];
  const country = { opened, cells, areaOf };
  for (const point of points) {
    const found = findIn(country, point, options);
    const at = opened.base ? await inEdition(opened, objects, { point, ...found }) : found;
    locations.push(locationAt(country, at, options));
  }
  const { resolution } = options;
  if (resolution) for (const location of locations) await bringBoundary(opened, objects, location, resolution);
  return locations;
}

function cellNumbers(point: Point, within: number): number[] {
  const number = cellOf(point);
  const near = within > 0 ? cellsNear(point, within) : [];
  return number === undefined ? [...near] : [number, ...near];
}

/** A cell, from the cache where it was read before. Undefined where nothing of the country lies in it. */
export async function readCell(
  opened: OpenedAreas,
  objects: SnapshotObjects,
  number: number,
): Promise<Cell | undefined> {
  const range = opened.cellAt(number);
  if (!range) return undefined;
  const key = `${objects.key(POINTS)}/${number}`;
  const cached = byteCache.get(key) as Cell | undefined;
  if (cached) return cached;
  const compressed = await objects.uncached(POINTS, range.offset, range.length);
  let cell: Cell;
  try {
    cell = decodeCell(await decompress(compressed, 'deflate-raw', MAX_CELL));
    if (cell.number !== number || !hasRowsOf(opened.base ?? opened, cell)) throw new RangeError('It is of other areas');
  } catch (error) {
    throw new SnapshotUnreadable(`The cell ${number} of ${objects.version} is no cell`, { cause: error });
  }
  byteCache.set(key, cell);
  return cell;
}

/** Whether every area of a cell is one of its level. */
function hasRowsOf(opened: OpenedAreas, { levels }: Cell): boolean {
  return LEVELS.every((level) => {
    const { edges, from, to } = levels[level];
    const { first, end } = opened.rowsOf(level);
    return edges.rows.subarray(from, to).every((row) => row >= first && row < end);
  });
}

interface Country {
  readonly opened: OpenedAreas;
  /** The cells around the points. */
  readonly cells: ReadonlyMap<number, Cell>;
  /** The area of a row: one object, however many of the points lie in it. */
  readonly areaOf: (row: number) => Area;
}

/**
 * Looks a point up in the cells. Rows are those of the release, even when an older edition was asked for; `inEdition`
 * translates them.
 */
function findIn({ opened, cells }: Country, point: Point, { level: requested, within }: Options): FoundRows {
  const searched = searchedLevel(requested);
  const release = opened.base ?? opened;
  // Whether a province is the parent or the host of a place is known from its city or municipality. What a place was part
  // of in another edition is known from its barangay.
  const decidingLevel: Level = searched === 'province' ? 'municity' : searched;
  const depth: Level = opened.base ? 'barangay' : decidingLevel;
  const inside: Partial<Record<Level, number>> = {};
  const number = cellOf(point);
  const cell = number === undefined ? undefined : cells.get(number);
  for (const at of LEVELS.slice(0, LEVELS.indexOf(depth) + 1)) {
    const row = cell ? containingRow(cell, at, { point }) : -1;
    if (row !== -1) inside[at] = row;
  }
  let near: { row: number; metres: number } | undefined;
  if (within > 0 && inside[decidingLevel] === undefined) {
    const deepest = LEVELS.slice(0, LEVELS.indexOf(searched) + 1).findLast((at) => inside[at] !== undefined);
    const parent = deepest && inside[deepest];
    const nearby = cellsNear(point, within).flatMap((it) => cells.get(it) ?? []);
    const isAllowed = (row: number) => parent === undefined || isParent(release, parent, row);
    // Where an area that contains the point has parts without a boundary, the point may lie in one of these.
    if (parent === undefined || !release.boundaries.undrawn(depth).some(isAllowed)) {
      near = nearestRow(nearby, depth, { point, within, isAllowed });
    }
  }
  return { inside, near };
}

function locationAt({ opened, areaOf }: Country, { inside, near }: FoundRows, { level }: Options): Location {
  const family = new Set<number>();
  for (const row of [...Object.values(inside), ...(near ? [near.row] : [])]) {
    for (const member of [row, ...parentsOf(opened, row)]) if (member !== NO_ROW) family.add(member);
  }
  const byCode = new Map([...family].map((row) => [opened.codeOf(row), row]));
  const codes = Object.entries(inside).map(([at, row]) => [at, opened.codeOf(row)]);
  return locationOf(level, {
    inside: Object.fromEntries(codes),
    near: near ? opened.codeOf(near.row) : null,
    distance: near?.metres ?? 0,
    areaWith: (code) => {
      const row = byCode.get(code);
      return row === undefined ? null : areaOf(row);
    },
  });
}

function parentsOf({ submunicipalities, municities, provinces, hosts, regions }: OpenedAreas, row: number): number[] {
  return [submunicipalities, municities, provinces, hosts, regions].map((column) => column[row] as number);
}

function isParent(opened: OpenedAreas, parent: number, row: number): boolean {
  return parentsOf(opened, row).includes(parent);
}

/** Reads the boundary of the finest area at a point, which the answer shows. */
async function bringBoundary(
  opened: OpenedAreas,
  objects: SnapshotObjects,
  location: Location,
  resolution: Resolution,
): Promise<void> {
  const finest = finestOf(location);
  if (!finest) return;
  const row = opened.rowOf(finest.level, finest.code);
  const length = opened.boundaries.bytesOf(row, resolution);
  finest.boundaryBytes = length;
  if (length === 0) return;
  const { object, offset } = opened.boundaries.placeOf(row, resolution);
  finest.boundary = ascii.decode(await objects.part(object, offset, length));
}
