import type { NewFeature } from '../../features/feature.ts';
import { FileFault, type Format, type ReadOptions } from './format.ts';
import { madeFeature } from './made.ts';
import { numberOf } from './numbers.ts';
import { type XmlHandler, XmlReader } from './xml.ts';

export const gpx: Format = {
  name: 'GPX',
  kind: 'stream',
  extensions: ['.gpx'],
  storesFeatures: true,
  reader: (options) => {
    const tracks = new Tracks(options);
    const xml = new XmlReader(tracks);
    return {
      push: (chunk) => {
        xml.push(chunk);
        return tracks.take();
      },
      end: () => {
        xml.end();
        if (!tracks.isGpx) throw new FileFault('is no GPX: its outermost element must be gpx');
        return tracks.take();
      },
    };
  },
};

const FEATURES = new Set(['wpt', 'rte', 'trk']);
const POINTS = new Set(['wpt', 'rtept', 'trkpt']);
const TEXTS = new Set(['name', 'cmt', 'desc', 'src', 'number', 'type', 'sym', 'time']);

/**
 * Makes a feature of each waypoint, route and track (GPX 1.1): Point, LineString, and LineString or MultiLineString,
 * with elevations where all points have one. The times of single points of tracks are left out.
 */
class Tracks implements XmlHandler {
  readonly #options: ReadOptions;
  #done: NewFeature[] = [];
  #count = 0;
  #properties: Record<string, string> | undefined;
  #segments: number[][][] = [];
  #point: number[] = [];
  isGpx = false;

  constructor(options: ReadOptions) {
    this.#options = options;
  }

  /** The features that are complete. */
  take(): NewFeature[] {
    const done = this.#done;
    this.#done = [];
    return done;
  }

  open(name: string, attributes: Readonly<Record<string, string>>, path: readonly string[]): void {
    if (path.length === 1) this.isGpx = name === 'gpx';
    if (path.length === 2 && FEATURES.has(name)) {
      this.#properties = { element: name };
      this.#segments = name === 'trk' ? [] : [[]];
    }
    if (name === 'trkseg') this.#segments.push([]);
    if (POINTS.has(name)) this.#point = [numberIn(attributes.lon, 'lon'), numberIn(attributes.lat, 'lat')];
  }

  close(name: string, text: string, path: readonly string[]): void {
    const properties = this.#properties;
    if (properties === undefined) return;
    const parent = path.at(-2) ?? '';
    if (name === 'ele' && POINTS.has(parent)) this.#point[2] = numberIn(text, 'ele');
    else if (TEXTS.has(name) && FEATURES.has(parent)) properties[name] = text.trim();
    else if (POINTS.has(name)) this.#segments.at(-1)?.push(this.#point);
    if (path.length === 2 && FEATURES.has(name)) {
      const geometry = geometryOf(name, this.#segments);
      this.#done.push(madeFeature(geometry, properties, [name, this.#count], this.#options));
      this.#count += 1;
      this.#properties = undefined;
    }
  }
}

function geometryOf(name: string, segments: number[][][]): unknown {
  const flat = segments.some((points) => points.some(({ length }) => length < 3));
  // A segment of a single point is no line.
  const lines = segments
    .filter(({ length }) => length > (name === 'wpt' ? 0 : 1))
    .map((points) => (flat ? points.map((point) => point.slice(0, 2)) : points));
  const [first] = lines;
  if (!first) return null;
  if (name === 'wpt') return { type: 'Point', coordinates: first[0] };
  if (lines.length === 1) return { type: 'LineString', coordinates: first };
  return { type: 'MultiLineString', coordinates: lines };
}

function numberIn(text: string | undefined, name: string): number {
  const number = text === undefined ? undefined : numberOf(text.trim());
  if (number !== undefined) return number;
  throw new FileFault(`${name} must be a number (got ${JSON.stringify(text?.slice(0, 40) ?? null)})`);
}
