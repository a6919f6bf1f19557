import { MAX_POSITIONS } from '../../geojson/geometry.ts';
import { FileFault } from './format.ts';
import { COMPARISONS_PER_POSITION, type Comparisons, type Position, polygonsOf } from './rings.ts';

/** Shape types without their dimension: Z types are ten more, M types twenty. */
const POINT = 1;
const LINE = 3;
const POLYGON = 5;
const MULTIPOINT = 8;

/** Numbers below this mean no data. */
const NO_DATA = -1e38;

function isHeight(number: number): boolean {
  return Number.isFinite(number) && number > NO_DATA;
}

/**
 * The GeoJSON geometry of a record of a shapefile (ESRI, July 1998), or null. Measures are left out, and elevations
 * unless all are numbers. Rings have the direction of RFC 7946, 3.1.6: outlines are counter-clockwise.
 *
 * @throws FileFault if the record is damaged, or has more than a shape may have
 */
export function geometryOfShape(bytes: Uint8Array, comparisons: Comparisons): unknown {
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
    if (coordinates.every(Number.isNaN)) return null;
    const height = high ? view.getFloat64(20, true) : Number.NaN;
    return { type: 'Point', coordinates: isHeight(height) ? [...coordinates, height] : coordinates };
  }
  const parted = base !== MULTIPOINT;
  need(parted ? 44 : 40);
  const partCount = parted ? view.getInt32(36, true) : 0;
  const count = view.getInt32(parted ? 40 : 36, true);
  if (partCount < 0 || count < 0) throw new FileFault('a shape is damaged');
  if (count > MAX_POSITIONS) throw new FileFault(`a shape has more than ${MAX_POSITIONS} positions`);
  const least = base === POLYGON ? 4 : 2;
  if (partCount > count / least) throw new FileFault('a shape has more parts than its positions are enough for');
  const pointsAt = parted ? 44 + 4 * partCount : 40;
  const heightsAt = pointsAt + 16 * count + 16;
  need(high ? heightsAt + 8 * count : pointsAt + 16 * count);
  const heightOf = (i: number) => view.getFloat64(heightsAt + 8 * i, true);
  let hasHeights = high;
  for (let i = 0; i < count && hasHeights; i += 1) hasHeights = isHeight(heightOf(i));
  const position = (i: number): Position => {
    const at = pointsAt + 16 * i;
    const flat = [view.getFloat64(at, true), view.getFloat64(at + 8, true)];
    return hasHeights ? [...flat, heightOf(i)] : flat;
  };
  const positions = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => position(from + i));
  if (!parted) return { type: 'MultiPoint', coordinates: positions(0, count) };
  const starts = Array.from({ length: partCount }, (_, i) => view.getInt32(44 + 4 * i, true));
  const parts = starts.map((start, i) => {
    const end = starts[i + 1] ?? count;
    if (start < 0 || end > count) throw new FileFault('a shape is damaged');
    if (end - start < least) throw new FileFault(`a part of a shape has fewer than ${least} positions`);
    return positions(start, end);
  });
  if (parts.length === 0) return null;
  comparisons.left += count * COMPARISONS_PER_POSITION;
  if (base === POLYGON) return polygonsOf(parts, comparisons);
  const [first] = parts;
  return parts.length === 1
    ? { type: 'LineString', coordinates: first }
    : { type: 'MultiLineString', coordinates: parts };
}
