import { MAX_POSITIONS } from '../../geojson/geometry.ts';
import { FileFault } from './format.ts';

/** How many holes times how many outlines are compared at most to find which hole is in which. */
const MAX_PAIRS = 4_000_000;

type Position = number[];

/** Shape types without their dimension: Z types are ten more, M types twenty. */
const POINT = 1;
const LINE = 3;
const POLYGON = 5;
const MULTIPOINT = 8;

/**
 * The GeoJSON geometry of a record of a shapefile (ESRI, July 1998), or null. Elevations are kept, measures are not.
 * Rings are turned the way of RFC 7946: outlines counter-clockwise.
 */
export function geometryOfShape(bytes: Uint8Array): unknown {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const need = (length: number) => {
    if (length > bytes.length) throw new FileFault('a shape is cut off or damaged');
  };
  need(4);
  const type = view.getInt32(0, true);
  if (type === 0) return null;
  const [base, high] = [type % 10, type >= 10 && type < 20];
  if (type === 31 || type > 28 || ![POINT, LINE, POLYGON, MULTIPOINT].includes(base)) {
    throw new FileFault(`shapes of type ${type} can not be read`);
  }
  if (base === POINT) {
    need(high ? 28 : 20);
    const coordinates = [view.getFloat64(4, true), view.getFloat64(12, true)];
    return { type: 'Point', coordinates: high ? [...coordinates, view.getFloat64(20, true)] : coordinates };
  }
  const parted = base !== MULTIPOINT;
  need(parted ? 44 : 40);
  const partCount = parted ? view.getInt32(36, true) : 0;
  const count = view.getInt32(parted ? 40 : 36, true);
  if (partCount < 0 || count < 0) throw new FileFault('a shape is damaged');
  if (count > MAX_POSITIONS) throw new FileFault(`a shape has more than ${MAX_POSITIONS} positions`);
  const pointsAt = parted ? 44 + 4 * partCount : 40;
  const heightsAt = pointsAt + 16 * count + 16;
  need(high ? heightsAt + 8 * count : pointsAt + 16 * count);
  const position = (i: number): Position => {
    const at = pointsAt + 16 * i;
    const flat = [view.getFloat64(at, true), view.getFloat64(at + 8, true)];
    return high ? [...flat, view.getFloat64(heightsAt + 8 * i, true)] : flat;
  };
  const positions = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => position(from + i));
  if (!parted) return { type: 'MultiPoint', coordinates: positions(0, count) };
  const starts = Array.from({ length: partCount }, (_, i) => view.getInt32(44 + 4 * i, true));
  const parts = starts.map((start, i) => {
    const end = starts[i + 1] ?? count;
    if (start < 0 || end < start || end > count) throw new FileFault('a shape is damaged');
    return positions(start, end);
  });
  if (parts.length === 0) return null;
  if (base === POLYGON) return polygonsOf(parts);
  const [first] = parts;
  return parts.length === 1
    ? { type: 'LineString', coordinates: first }
    : { type: 'MultiLineString', coordinates: parts };
}

interface Outline {
  readonly rings: Position[][];
  readonly area: number;
  readonly box: readonly [number, number, number, number];
}

/** Outlines are clockwise in a shapefile, holes are not, and nothing says which hole is in which outline. */
function polygonsOf(parts: readonly Position[][]): unknown {
  const outlines: Outline[] = [];
  const holes: Position[][] = [];
  for (const ring of parts) {
    const area = signedArea(ring);
    if (area > 0) holes.push(ring);
    else outlines.push({ rings: [ring.toReversed()], area: -area, box: boxOf(ring) });
  }
  if (outlines.length * holes.length > MAX_PAIRS) throw new FileFault('a shape has too many holes');
  for (const hole of holes) {
    const [position = []] = hole;
    const around = outlines
      .filter(({ rings: [outline = []], box }) => isInBox(position, box) && isInside(position, outline))
      .sort((a, b) => a.area - b.area)[0];
    // What is in no outline was only turned the wrong way.
    if (around) around.rings.push(hole.toReversed());
    else outlines.push({ rings: [hole], area: signedArea(hole), box: boxOf(hole) });
  }
  const [first] = outlines;
  return outlines.length === 1
    ? { type: 'Polygon', coordinates: first?.rings }
    : { type: 'MultiPolygon', coordinates: outlines.map(({ rings }) => rings) };
}

/** Positive where a ring is counter-clockwise. */
function signedArea(ring: readonly Position[]): number {
  let sum = 0;
  const [ox = 0, oy = 0] = ring[0] ?? [];
  for (let i = 0; i + 1 < ring.length; i += 1) {
    const [[x1 = 0, y1 = 0] = [], [x2 = 0, y2 = 0] = []] = [ring[i], ring[i + 1]];
    sum += (x1 - ox) * (y2 - oy) - (x2 - ox) * (y1 - oy);
  }
  return sum / 2;
}

function boxOf(ring: readonly Position[]): [number, number, number, number] {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x = 0, y = 0] of ring) {
    west = Math.min(west, x);
    south = Math.min(south, y);
    east = Math.max(east, x);
    north = Math.max(north, y);
  }
  return [west, south, east, north];
}

function isInBox([x = 0, y = 0]: Position, [west, south, east, north]: Outline['box']): boolean {
  return x >= west && x <= east && y >= south && y <= north;
}

function isInside([x = 0, y = 0]: Position, ring: readonly Position[]): boolean {
  let inside = false;
  for (let i = 0; i + 1 < ring.length; i += 1) {
    const [[x1 = 0, y1 = 0] = [], [x2 = 0, y2 = 0] = []] = [ring[i], ring[i + 1]];
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) inside = !inside;
  }
  return inside;
}
