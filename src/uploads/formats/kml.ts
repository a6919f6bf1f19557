import { MAX_NAME_LENGTH, type NewFeature } from '../../features/feature.ts';
import { MAX_POSITIONS } from '../../geojson/geometry.ts';
import { FileFault, type Format, type ReadOptions } from './format.ts';
import { madeFeature } from './made.ts';
import { numberOf } from './numbers.ts';
import { type XmlHandler, XmlReader } from './xml.ts';

export const kml: Format = {
  name: 'KML',
  kind: 'stream',
  extensions: ['.kml'],
  storesFeatures: true,
  reader: (options) => new XmlReader(new Placemarks(options)),
};

/** How long one list of coordinates may be, characters. */
const MAX_COORDINATES = 8 * 1024 * 1024;
/** How long one position may be, characters. */
const MAX_TUPLE = 256;
/** How much all properties of a Placemark may have, characters; and what each counts for besides its name and text. */
const MAX_TEXT = 1024 * 1024;
const PROPERTY = 32;
/** How many positions a shape or a ring counts for, which takes memory even where it has none. */
const SHAPE = 4;

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
  #properties: Record<string, string> | undefined;
  #propertyText = 0;
  /** Positions of the Placemark, with its shapes and rings. */
  #positionCount = 0;
  #containers: Container[] = [];
  #positions: number[][] = [];
  #dataName = '';

  constructor(options: ReadOptions) {
    this.#options = options;
  }

  open(name: string, attributes: Readonly<Record<string, string>>, path: readonly string[]): number {
    if (path.length === 1 && name !== 'kml') throw new FileFault('is no KML: its outermost element must be kml');
    if (name === 'Placemark') {
      this.#properties = {};
      this.#propertyText = 0;
      this.#positionCount = 0;
      this.#containers = [container('Placemark')];
    } else if (this.#properties === undefined) return 0;
    else if (name === 'Data' || name === 'SimpleData') this.#dataName = nameOf(attributes);
    else if (/^(Point|LineString|LinearRing)$/.test(name)) this.#positions = [];
    else if (/^(Polygon|MultiGeometry|MultiTrack|Track)$/.test(name)) this.#containers.push(container(name));
    return textLimit(name, path.at(-2) ?? '');
  }

  close(name: string, text: string, path: readonly string[]): NewFeature | undefined {
    const properties = this.#properties;
    if (properties === undefined) return undefined;
    const parent = path.at(-2) ?? '';
    if (name === 'Placemark') return this.#finish(properties);
    if (name === 'coordinates') this.#positions = this.#positionsOf(text);
    else if (name === 'coord') {
      this.#keep(1);
      this.#containers.at(-1)?.track.push(numbersOf(text.trim().split(/\s+/)));
    } else if (name === 'Point') this.#add({ type: 'Point', coordinates: this.#positions[0] });
    else if (name === 'LineString') this.#add({ type: 'LineString', coordinates: this.#positions });
    else if (name === 'LinearRing') {
      if (parent === 'outerBoundaryIs' || parent === 'innerBoundaryIs') {
        this.#keep(SHAPE);
        this.#containers.at(-1)?.rings.push(this.#positions);
      } else this.#add({ type: 'LineString', coordinates: this.#positions });
    } else if (name === 'Polygon') this.#add({ type: 'Polygon', coordinates: this.#containers.pop()?.rings });
    else if (name === 'Track') this.#add({ type: 'LineString', coordinates: this.#containers.pop()?.track });
    else if (name === 'MultiGeometry' || name === 'MultiTrack') this.#add(joined(this.#containers.pop()?.shapes ?? []));
    else if (isData(name, parent)) this.#set(this.#dataName, text);
    else if (isText(name, parent)) this.#set(name, text);
    return undefined;
  }

  #set(name: string, text: string): void {
    this.#propertyText += name.length + text.length + PROPERTY;
    if (this.#propertyText > MAX_TEXT) {
      throw new FileFault(`a Placemark must not have more than ${MAX_TEXT} characters of properties`);
    }
    Object.defineProperty(this.#properties, name, { value: text.trim(), enumerable: true, configurable: true });
  }

  #add(shape: Shape): void {
    this.#keep(SHAPE);
    this.#containers.at(-1)?.shapes.push(shape);
  }

  /** Counts what is kept of a Placemark until it ends. */
  #keep(positions: number): void {
    this.#positionCount += positions;
    if (this.#positionCount > MAX_POSITIONS) {
      throw new FileFault(
        `a Placemark must not have more than ${MAX_POSITIONS} positions, shapes counting for ${SHAPE}`,
      );
    }
  }

  /** `lon,lat[,altitude]` tuples with white space between them. An altitude that not all have is left out. */
  #positionsOf(text: string): number[][] {
    const positions: number[][] = [];
    let flat = false;
    for (const [tuple] of text.matchAll(/\S+/g)) {
      this.#keep(1);
      const position = tuple.length > MAX_TUPLE ? numbersOf([tuple]) : numbersOf(tuple.split(','));
      flat ||= position.length < 3;
      positions.push(position);
    }
    if (flat) for (const position of positions) position.length = Math.min(position.length, 2);
    return positions;
  }

  #finish(properties: Record<string, string>): NewFeature {
    const shapes = this.#containers[0]?.shapes ?? [];
    const geometry = shapes.length === 0 ? null : joined(shapes);
    const feature = madeFeature(geometry, properties, this.#options);
    this.#properties = undefined;
    return feature;
  }
}

function nameOf({ name = '' }: Readonly<Record<string, string>>): string {
  if (name.length <= MAX_NAME_LENGTH) return name;
  throw new FileFault(`data must have a name of at most ${MAX_NAME_LENGTH} characters`);
}

/** How long the text of an element may be; 0 where it is not wanted. */
function textLimit(name: string, parent: string): number {
  if (name === 'coordinates') return MAX_COORDINATES;
  if (name === 'coord') return MAX_TUPLE;
  return isData(name, parent) || isText(name, parent) ? MAX_TEXT : 0;
}

function isData(name: string, parent: string): boolean {
  return name === 'SimpleData' || (name === 'value' && parent === 'Data');
}

function isText(name: string, parent: string): boolean {
  return TEXTS.has(name) && /^(Placemark|TimeStamp|TimeSpan)$/.test(parent);
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

function numbersOf(texts: readonly string[]): number[] {
  return texts.map((text) => {
    const number = numberOf(text);
    if (number !== undefined) return number;
    throw new FileFault(`coordinates must be numbers (got ${JSON.stringify(text.slice(0, 40))})`);
  });
}
