import type { Level, Point } from '../store.ts';
import { currentRow } from './current-codes.ts';
import { NO_ROW } from './layout.ts';
import type { SnapshotObjects } from './objects.ts';
import type { OpenedAreas } from './opened.ts';

/** From the finest level up. */
const LEVELS = ['barangay', 'municity', 'province', 'region'] as const satisfies readonly Level[];

/** Rows of what a point lies in by level, and of the nearest area where one was looked for. */
export interface FoundRows {
  readonly inside: Partial<Record<Level, number>>;
  readonly near: { row: number; metres: number } | undefined;
}

/**
 * What of an edition lies where areas of the release that includes it were found: the area with the same land, else a barangay
 * that the edition alone draws, else the area with the same code; above that its own parents, which were others then.
 */
export async function inEdition(
  edition: OpenedAreas,
  objects: SnapshotObjects,
  { point, inside, near }: FoundRows & { readonly point: Point },
): Promise<FoundRows> {
  const then: Partial<Record<Level, number>> = {};
  for (const level of LEVELS) {
    const finer = LEVELS.slice(0, LEVELS.indexOf(level)).find((it) => then[it] !== undefined);
    const parent = finer === undefined ? NO_ROW : parentAt(edition, then[finer] as number, level);
    const now = inside[level];
    const isDrawnThen = now !== undefined && edition.boundaries.rowWithLandOf(now) !== NO_ROW;
    const own =
      level === 'barangay' && !isDrawnThen && 'municity' in inside
        ? await ownBarangayAt(edition, objects, point)
        : undefined;
    const row = own ?? (parent !== NO_ROW || now === undefined ? parent : rowThen(edition, level, now));
    if (row !== NO_ROW) then[level] = row;
  }
  const nearRow = near === undefined ? NO_ROW : nearThen(edition, near.row);
  return { inside: then, near: near && nearRow !== NO_ROW ? { ...near, row: nearRow } : undefined };
}

/** The area of an edition where the nearest one is: that area, else the first that it lies in of which there was one. */
function nearThen(edition: OpenedAreas, row: number): number {
  const base = edition.base as OpenedAreas;
  for (const now of [row, base.municities[row], base.provinces[row], base.regions[row]] as number[]) {
    const then = now === NO_ROW ? NO_ROW : rowThen(edition, base.levelOf(now), now);
    if (then !== NO_ROW) return then;
  }
  return NO_ROW;
}

function rowThen(edition: OpenedAreas, level: ReturnType<OpenedAreas['levelOf']>, row: number): number {
  const sameLand = edition.boundaries.rowWithLandOf(row);
  if (sameLand !== NO_ROW) return sameLand;
  const sameCode = currentRow(edition, level, (edition.base as OpenedAreas).codeOf(row));
  return sameCode === -1 ? NO_ROW : sameCode;
}

/** The row of the area of a level in whose boundary an area lies; `NO_ROW` where it lies in none. */
function parentAt({ municities, provinces, hosts, regions }: OpenedAreas, row: number, level: Level): number {
  if (level === 'municity') return municities[row] as number;
  if (level === 'region') return regions[row] as number;
  const province = provinces[row] as number;
  if (province !== NO_ROW) return province;
  // A province is drawn with the cities that it hosts in its region.
  const host = hosts[row] as number;
  return host !== NO_ROW && regions[host] === regions[row] ? host : NO_ROW;
}

const ascii = new TextDecoder('latin1');

/** The barangay that contains a point, of the few that the edition alone has. */
async function ownBarangayAt(
  edition: OpenedAreas,
  objects: SnapshotObjects,
  { lat, lon }: Point,
): Promise<number | undefined> {
  for (const row of edition.boundaries.ownDrawn('barangay')) {
    const [west, south, east, north] = edition.area(row, undefined).bbox ?? [0, 0, 0, 0];
    if (lon < west || lon > east || lat < south || lat > north) continue;
    const { object, offset } = edition.boundaries.placeOf(row, 'detailed');
    const text = ascii.decode(await objects.part(object, offset, edition.boundaries.bytesOf(row, 'detailed')));
    if (contains(JSON.parse(text), lon, lat)) return row;
  }
  return undefined;
}

export type Boundary =
  | { type: 'Polygon'; coordinates: [number, number][][] }
  | { type: 'MultiPolygon'; coordinates: [number, number][][][] };

export function ringsOf({ type, coordinates }: Boundary): [number, number][][] {
  return type === 'Polygon' ? coordinates : coordinates.flat();
}

/** Whether a line from a point to the west crosses the rings of a boundary an odd number of times. */
export function contains(boundary: Boundary, x: number, y: number): boolean {
  let isInside = false;
  for (const ring of ringsOf(boundary)) {
    for (let i = 1; i < ring.length; i += 1) {
      const [[ax, ay], [bx, by]] = [ring[i - 1] as [number, number], ring[i] as [number, number]];
      if (ay > y !== by > y && ax + ((bx - ax) * (y - ay)) / (by - ay) < x) isInside = !isInside;
    }
  }
  return isInside;
}
