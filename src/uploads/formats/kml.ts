import type { NewFeature } from '../../features/feature.ts';
import { FileFault, type Format, type ReadOptions } from './format.ts';
import { madeFeature } from './made.ts';
import { numberOf } from './numbers.ts';
import { type XmlHandler, XmlReader } from './xml.ts';

export const kml: Format = {
  name: 'KML',
  kind: 'stream',
  extensions: ['.kml'],
  storesFeatures: true,
  reader: (options) => {
    const placemarks = new Placemarks(options);
    const xml = new XmlReader(placemarks);
    return {
      push: (chunk) => {
        xml.push(chunk);
        return placemarks.take();
      },
      end: () => {
        xml.end();
        if (!placemarks.isKml) throw new FileFault('is no KML: its outermost element must be kml');
        return placemarks.take();
      },
    };
  },
};

/** Elements of a Placemark that are properties as they are. */
const TEXTS = new Set(['name', 'description', 'address', 'phoneNumber', 'styleUrl', 'when', 'begin', 'end']);

interface Shape {
  readonly type: string;
  coordinates?: unknown;
  geometries?: Shape[];
}

/** What a Polygon, MultiGeometry or track gathers until it ends. */
interface Container {
  readonly name: string;
  readonly shapes: Shape[];
  readonly rings: number[][][];
  readonly track: number[][];
}

/**
 * Makes a feature of each Placemark (OGC 12-007r2): its texts and extended data as properties. Styles, overlays, models
 * and what is elsewhere on the network are passed over.
 */
class Placemarks implements XmlHandler {
  readonly #options: ReadOptions;
  #done: NewFeature[] = [];
  #count = 0;
  #properties: Record<string, string> | undefined;
  #containers: Container[] = [];
  #positions: number[][] = [];
  #dataName = '';
  isKml = false;

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
    if (path.length === 1) this.isKml = name === 'kml';
    if (name === 'Placemark') {
      this.#properties = {};
      this.#containers = [container('Placemark')];
    } else if (this.#properties === undefined) return;
    else if (name === 'Data' || name === 'SimpleData') this.#dataName = attributes.name ?? '';
    else if (/^(Point|LineString|LinearRing)$/.test(name)) this.#positions = [];
    else if (/^(Polygon|MultiGeometry|MultiTrack|Track)$/.test(name)) this.#containers.push(container(name));
  }

  close(name: string, text: string, path: readonly string[]): void {
    const properties = this.#properties;
    if (properties === undefined) return;
    const parent = path.at(-2);
    if (name === 'Placemark') this.#finish(properties);
    else if (name === 'coordinates') this.#positions = positionsOf(text);
    else if (name === 'coord') this.#containers.at(-1)?.track.push(numbersOf(text.trim().split(/\s+/)));
    else if (name === 'Point') this.#add({ type: 'Point', coordinates: this.#positions[0] });
    else if (name === 'LineString') this.#add({ type: 'LineString', coordinates: this.#positions });
    else if (name === 'LinearRing') {
      if (parent === 'outerBoundaryIs' || parent === 'innerBoundaryIs')
        this.#containers.at(-1)?.rings.push(this.#positions);
      else this.#add({ type: 'LineString', coordinates: this.#positions });
    } else if (name === 'Polygon') this.#add({ type: 'Polygon', coordinates: this.#containers.pop()?.rings });
    else if (name === 'Track') this.#add({ type: 'LineString', coordinates: this.#containers.pop()?.track });
    else if (name === 'MultiGeometry' || name === 'MultiTrack') this.#add(joined(this.#containers.pop()?.shapes ?? []));
    else if (name === 'SimpleData' || (name === 'value' && parent === 'Data')) this.#set(this.#dataName, text);
    else if (TEXTS.has(name) && /^(Placemark|TimeStamp|TimeSpan)$/.test(parent ?? '')) this.#set(name, text);
  }

  #set(name: string, text: string): void {
    Object.defineProperty(this.#properties, name, { value: text.trim(), enumerable: true, configurable: true });
  }

  #add(shape: Shape): void {
    this.#containers.at(-1)?.shapes.push(shape);
  }

  #finish(properties: Record<string, string>): void {
    const shapes = this.#containers[0]?.shapes ?? [];
    const geometry = shapes.length === 0 ? null : joined(shapes);
    this.#done.push(madeFeature(geometry, properties, ['Placemark', this.#count], this.#options));
    this.#count += 1;
    this.#properties = undefined;
  }
}

function container(name: string): Container {
  return { name, shapes: [], rings: [], track: [] };
}

/** One geometry of several: a Multi of what is all of one type. */
function joined(shapes: Shape[]): Shape {
  const [first] = shapes;
  if (shapes.length === 1 && first) return first;
  const same = first && shapes.every(({ type }) => type === first.type);
  if (!same || !/^(Point|LineString|Polygon)$/.test(first.type))
    return { type: 'GeometryCollection', geometries: shapes };
  return { type: `Multi${first.type}`, coordinates: shapes.map(({ coordinates }) => coordinates) };
}

/** `lon,lat[,altitude]` tuples with white space between them. An altitude that not all have is left out. */
function positionsOf(text: string): number[][] {
  const trimmed = text.trim();
  if (trimmed === '') return [];
  const positions = trimmed.split(/\s+/).map((tuple) => numbersOf(tuple.split(',')));
  const flat = positions.some(({ length }) => length < 3);
  return flat ? positions.map((position) => position.slice(0, 2)) : positions;
}

function numbersOf(texts: readonly string[]): number[] {
  return texts.map((text) => {
    const number = numberOf(text);
    if (number !== undefined) return number;
    throw new FileFault(`coordinates must be numbers (got ${JSON.stringify(text.slice(0, 40))})`);
  });
}
