import type { NewFeature } from '../../features/feature.ts';
import { MAX_POSITIONS } from '../../geojson/geometry.ts';
import { decimalNumber, dropPartialHeights, featureOfValues, isAbsent } from './feature-values.ts';
import { FileFault, type Format, type ReadOptions } from './format.ts';
import { MAX_TEXT, TextProperties } from './text-properties.ts';
import { type XmlHandler, XmlReader } from './xml.ts';

export const gpx: Format = {
  name: 'GPX',
  kind: 'stream',
  extensions: ['.gpx'],
  storesFeatures: true,
  isWgs84: true,
  reader: (options) => new XmlReader(new Tracks(options)),
};

const MAX_NUMBER = 256;
/** Points counted for a segment, because it takes memory even without points. */
const SEGMENT = 4;

const FEATURES = new Set(['wpt', 'rte', 'trk']);
const POINTS = new Set(['wpt', 'rtept', 'trkpt']);
/** Elements of a feature that are no property of it. `link` is one by its address, and `extensions` by what is in it. */
const PARTS = new Set([...POINTS, 'ele', 'trkseg', 'link', 'extensions']);

/**
 * Makes a feature of each waypoint (Point), route (LineString) and track (LineString or MultiLineString) of GPX 1.1.
 * They have elevations if all of their points have one. Points without longitude and latitude are left out, and so is
 * what the file says of single points of routes and tracks.
 */
class Tracks implements XmlHandler {
  readonly #options: ReadOptions;
  #properties: TextProperties | undefined;
  #segments: number[][][] = [];
  #point: number[] = [];
  /** Points of the feature so far, including those counted for segments. */
  #pointCount = 0;

  constructor(options: ReadOptions) {
    this.#options = options;
  }

  open(name: string, attributes: Readonly<Record<string, string>>, path: readonly string[]): number {
    if (path.length === 1 && name !== 'gpx') throw new FileFault('is no GPX: its outermost element must be gpx');
    if (path.length === 2 && FEATURES.has(name)) {
      this.#properties = new TextProperties(name);
      this.#properties.set('element', name);
      this.#segments = name === 'trk' ? [] : [[]];
      this.#pointCount = 0;
    }
    if (this.#properties === undefined) return 0;
    if (name === 'trkseg') {
      this.#keep(SEGMENT);
      this.#segments.push([]);
    }
    if (POINTS.has(name)) this.#point = positionOf(attributes);
    const parent = path.at(-2) ?? '';
    if (name === 'ele' && POINTS.has(parent)) return MAX_NUMBER;
    if (name === 'link' && path.length === 3 && attributes.href) this.#properties.set(name, attributes.href);
    return isProperty(path) ? MAX_TEXT : 0;
  }

  close(name: string, text: string, path: readonly string[]): NewFeature | undefined {
    const properties = this.#properties;
    if (properties === undefined) return undefined;
    const parent = path.at(-2) ?? '';
    if (name === 'ele' && POINTS.has(parent)) this.#setElevation(text.trim());
    else if (isProperty(path)) {
      // An element of extensions may have nothing but others in it.
      if (path.length === 3 || text.trim() !== '') properties.set(name, text);
    } else if (POINTS.has(name)) {
      this.#keep(1);
      if (this.#point.length > 0) this.#segments.at(-1)?.push(this.#point);
    }
    if (path.length !== 2 || !FEATURES.has(name)) return undefined;
    const geometry = geometryOf(name, this.#segments);
    const feature = featureOfValues(geometry, properties.values, this.#options);
    this.#properties = undefined;
    return feature;
  }

  /** Sets the elevation. Devices without a barometer or a fix write an empty one, NaN or some other word. */
  #setElevation(text: string): void {
    const elevation = decimalNumber(text);
    if (elevation !== undefined && this.#point.length > 0) this.#point[2] = elevation;
  }

  /** Counts the points in memory of the current feature. */
  #keep(points: number): void {
    this.#pointCount += points;
    if (this.#pointCount > MAX_POSITIONS) {
      throw new FileFault(`a track must not have more than ${MAX_POSITIONS} points, segments counting for ${SEGMENT}`);
    }
  }
}

/** Whether the last element of a path is a property of a feature. */
function isProperty([, feature = '', child = '', ...inner]: readonly string[]): boolean {
  if (!FEATURES.has(feature) || child === '') return false;
  return child === 'extensions' ? inner.length > 0 : inner.length === 0 && !PARTS.has(child);
}

function geometryOf(name: string, segments: number[][][]): unknown {
  dropPartialHeights(segments.flat());
  // A segment with a single point is no line.
  const lines = segments.filter(({ length }) => length > (name === 'wpt' ? 0 : 1));
  const [first] = lines;
  if (!first) return null;
  if (name === 'wpt') return { type: 'Point', coordinates: first[0] };
  if (lines.length === 1) return { type: 'LineString', coordinates: first };
  return { type: 'MultiLineString', coordinates: lines };
}

/** The position of a point; empty if longitude or latitude is missing. */
function positionOf({ lon = '', lat = '' }: Readonly<Record<string, string>>): number[] {
  return isAbsent(lon) || isAbsent(lat) ? [] : [numberOf(lon, 'lon'), numberOf(lat, 'lat')];
}

function numberOf(text: string, name: string): number {
  const number = decimalNumber(text.trim());
  if (number !== undefined) return number;
  throw new FileFault(`${name} must be a number (got ${JSON.stringify(text.slice(0, 40))})`);
}
