import { MAX_NAME_LENGTH, type NewFeature } from '../../features/feature.ts';
import { type Geometry, MAX_POSITIONS } from '../../geojson/geometry.ts';
import { idOf } from './feature-text.ts';
import { decimalNumber, dropPartialHeights, featureOfValues, isAbsent } from './feature-values.ts';
import { FileFault, type Format, layerIn, type ReadOptions } from './format.ts';
import { MAX_TEXT, TextProperties } from './text-properties.ts';
import { type XmlHandler, XmlReader } from './xml.ts';

export const kml: Format = {
  name: 'KML',
  kind: 'stream',
  extensions: ['.kml'],
  storesFeatures: true,
  isWgs84: true,
  hasLayers: true,
  reader: (options) => new XmlReader(new Placemarks(options)),
};

/** Max length of a list of coordinates, characters. */
const MAX_COORDINATES = 8 * 1024 * 1024;
/** Max length of a position, characters. */
const MAX_TUPLE = 256;
/** Max length of a linked file's address, characters, and max number of them. */
const MAX_LINK = 2048;
const MAX_LINKS = 1000;
/** Max names of layers that are kept, for messages and for the check of the requested layer. */
const MAX_LAYERS = 1000;
/** Max elements and fields named by schemas. */
const MAX_SCHEMA_NAMES = 2000;
/** Positions counted for a geometry or ring, because it takes memory even without positions. */
const SHAPE = 4;

/** Elements of a Placemark whose text becomes a property. */
const TEXTS = new Set(['name', 'description', 'address', 'phoneNumber', 'styleUrl', 'when', 'begin', 'end']);

/** State of an open Placemark, Polygon, MultiGeometry or track. */
interface Container {
  readonly geometries: Geometry[];
  /** The ring around the others of a Polygon. */
  shell?: number[][];
  readonly holes: number[][][];
  readonly track: number[][];
}

/** What documents have, for messages. */
export interface Found {
  featureCount: number;
  /** The addresses of linked files (NetworkLink), in order. */
  readonly links: string[];
  /** The names of folders and documents, if a layer is requested. */
  readonly layers: Set<string>;
}

/**
 * Makes a feature of each Placemark (OGC 12-007r2), with its texts and its extended data as properties. A schema of KML
 * 2.0 may rename Placemarks and define elements for fields in them. Shapes without coordinates are left out, and so are
 * styles, overlays, models, linked files and changes to other files (Update).
 */
export class Placemarks implements XmlHandler {
  readonly #options: ReadOptions;
  #properties: TextProperties | undefined;
  /** The id of the Placemark as JSON. */
  #id: string | null = null;
  /** Positions of the Placemark so far, including those counted for geometries and rings. */
  #positionCount = 0;
  #containers: Container[] = [];
  #positions: number[][] = [];
  /** All positions of the Placemark. */
  #allPositions: number[][] = [];
  #dataName = '';
  /** Names that schemas give to Placemarks and to their fields. */
  readonly #namesOfPlacemarks = new Set<string>();
  readonly #fields = new Set<string>();

  readonly #found: Found;
  /** Whether the document is part of an archive. The caller then reads linked files and checks layers. */
  readonly #isPart: boolean;
  /** The names of the open folders and documents, which are layers. */
  readonly #folders: (string | undefined)[] = [];

  /** @param found collects the findings in a document of an archive; undefined for a file of its own */
  constructor(options: ReadOptions, found?: Found) {
    this.#options = options;
    this.#found = found ?? { featureCount: 0, links: [], layers: new Set() };
    this.#isPart = found !== undefined;
  }

  open(name: string, attributes: Readonly<Record<string, string>>, path: readonly string[]): number {
    if (path.length === 1 && name !== 'kml') throw new FileFault('is no KML: its outermost element must be kml');
    if (isLink(path)) return MAX_LINK;
    if (name === 'Schema' && attributes.parent === 'Placemark') addName(this.#namesOfPlacemarks, attributes);
    else if (name === 'SimpleField') addName(this.#fields, attributes);
    if (this.#options.layer !== undefined) {
      if (isFolder(name)) this.#folders.push(undefined);
      if (isLayerName(path)) return MAX_TEXT;
    }
    if (this.#isPlacemark(name)) {
      if (!this.#isWanted()) return 0;
      // Placemarks of an Update refer to those of another file.
      if (path.includes('Update') || path.includes('NetworkLinkControl')) return 0;
      this.#properties = new TextProperties('Placemark');
      this.#id = idOf(attributes.id || undefined);
      this.#positionCount = 0;
      this.#allPositions = [];
      this.#containers = [container()];
    } else if (this.#properties === undefined) return 0;
    else if (name === 'Data' || name === 'SimpleData') this.#dataName = dataNameOf(attributes);
    else if (/^(Point|LineString|LinearRing)$/.test(name)) this.#positions = [];
    else if (/^(Polygon|MultiGeometry|MultiTrack|Track)$/.test(name)) this.#containers.push(container());
    if (this.#isText(name, path)) return MAX_TEXT;
    return textLimit(name, path.at(-2) ?? '');
  }

  /** Whether a Placemark is in the requested layer or in a folder of it. */
  #isWanted(): boolean {
    const { layer } = this.#options;
    return layer === undefined || this.#folders.includes(layer);
  }

  #isPlacemark(name: string | undefined): boolean {
    return name === 'Placemark' || (name !== undefined && this.#namesOfPlacemarks.has(name));
  }

  /** Whether the text of an element is a property by itself. */
  #isText(name: string, path: readonly string[]): boolean {
    const parent = path.at(-2) ?? '';
    if (TEXTS.has(name)) return this.#isPlacemark(parent) || /^(TimeStamp|TimeSpan)$/.test(parent);
    return this.#fields.has(name) && this.#namesOfPlacemarks.has(parent);
  }

  close(name: string, text: string, path: readonly string[]): NewFeature | undefined {
    const { links, layers } = this.#found;
    if (isLink(path) && links.length < MAX_LINKS) links.push(text.trim());
    if (this.#options.layer !== undefined) {
      if (isFolder(name)) this.#folders.pop();
      else if (isLayerName(path)) {
        this.#folders[this.#folders.length - 1] = text.trim();
        if (layers.size < MAX_LAYERS) layers.add(text.trim());
      }
    }
    if (path.length === 1 && !this.#isPart) requirePlacemarks(this.#found, this.#options);
    const properties = this.#properties;
    if (properties === undefined) return undefined;
    const parent = path.at(-2) ?? '';
    if (this.#isPlacemark(name)) return this.#finish(properties);
    if (name === 'coordinates') this.#positions = this.#positionsOf(tuplesOf(text));
    else if (name === 'coord') {
      // A track has an empty position for each moment without a fix.
      this.#containers.at(-1)?.track.push(...this.#positionsOf([text.trim().split(/\s+/)]));
    } else if (name === 'Point') {
      if (this.#positions.length > 1)
        throw new FileFault(`a Point must have one position (got ${this.#positions.length})`);
      this.#add('Point', this.#positions);
    } else if (name === 'LineString') this.#add('LineString', this.#positions);
    else if (name === 'LinearRing') {
      if (parent === 'outerBoundaryIs' || parent === 'innerBoundaryIs') {
        this.#count(SHAPE);
        const polygon = this.#containers.at(-1);
        if (polygon && parent === 'outerBoundaryIs') {
          if (polygon.shell !== undefined)
            throw new FileFault('a Polygon must have one outerBoundaryIs (got another one)');
          polygon.shell = this.#positions;
        } else if (this.#positions.length > 0) polygon?.holes.push(this.#positions);
      } else this.#add('LineString', this.#positions);
    } else if (name === 'Polygon') this.#add('Polygon', ringsOf(this.#containers.pop()));
    else if (name === 'Track') {
      const track = this.#containers.pop()?.track ?? [];
      // A track with a single position is no line.
      this.#add('LineString', track.length > 1 ? track : []);
    } else if (name === 'MultiGeometry' || name === 'MultiTrack') {
      const parts = this.#containers.pop()?.geometries ?? [];
      this.#count(SHAPE);
      if (parts.length > 0) this.#containers.at(-1)?.geometries.push(joined(parts));
    } else if (isData(name, parent)) properties.set(this.#dataName, text);
    else if (this.#isText(name, path)) properties.set(name, text);
    return undefined;
  }

  /** @param list the positions or rings; a shape without any is left out */
  #add(type: 'Point' | 'LineString' | 'Polygon', list: readonly unknown[]): void {
    this.#count(SHAPE);
    if (list.length === 0) return;
    this.#containers.at(-1)?.geometries.push({ type, coordinates: type === 'Point' ? list[0] : list });
  }

  /** Adds to the positions of the current Placemark. @throws FileFault if they are too many */
  #count(positions: number): void {
    this.#positionCount += positions;
    if (this.#positionCount > MAX_POSITIONS) {
      throw new FileFault(
        `a Placemark must not have more than ${MAX_POSITIONS} positions, shapes counting for ${SHAPE}`,
      );
    }
  }

  #positionsOf(tuples: Iterable<readonly string[]>): number[][] {
    const positions: number[][] = [];
    for (const tuple of tuples) {
      this.#count(1);
      if (isWithoutPosition(tuple)) continue;
      const position = numbersOf(tuple);
      positions.push(position);
      this.#allPositions.push(position);
    }
    return positions;
  }

  #finish({ values }: TextProperties): NewFeature {
    const geometries = this.#containers[0]?.geometries ?? [];
    dropPartialHeights(this.#allPositions);
    const geometry = geometries.length === 0 ? null : joined(geometries);
    const feature = featureOfValues(geometry, values, this.#options);
    this.#properties = undefined;
    this.#found.featureCount += 1;
    return { ...feature, id: this.#id };
  }
}

/**
 * Refuses a document without Placemarks: it has none, none in the requested layer, or only in linked files.
 *
 * @param found with the addresses of unread linked files
 * @throws FileFault
 */
export function requirePlacemarks({ featureCount, links, layers }: Found, { layer }: Pick<ReadOptions, 'layer'>): void {
  if (featureCount > 0) return;
  if (layer !== undefined && !layers.has(layer)) layerIn([...layers], layer);
  const [first, ...others] = links;
  if (first === undefined) {
    throw new FileFault('has no Placemark, so that there is nothing in it to make a feature of');
  }
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  throw new FileFault(
    `has no Placemark, but links to ${JSON.stringify(first.slice(0, 80))}${more}, which is not in it: upload what it links to`,
  );
}

/** The tuples of `lon,lat[,altitude]` of a text. */
function* tuplesOf(text: string): Generator<readonly string[]> {
  for (const [tuple] of text.matchAll(/\S+/g)) {
    const texts = tuple.length > MAX_TUPLE ? [tuple] : tuple.split(',');
    // The altitude may be left out after its comma.
    if (texts.length > 2 && isAbsent(texts.at(-1))) texts.pop();
    yield texts;
  }
}

/** Whether a tuple lacks its longitude or latitude, and what it has of them is a number. */
function isWithoutPosition(tuple: readonly string[]): boolean {
  const position = tuple.slice(0, 2);
  return position.some(isAbsent) && position.every((text) => isAbsent(text) || decimalNumber(text) !== undefined);
}

function dataNameOf({ name = '' }: Readonly<Record<string, string>>): string {
  if (name.length <= MAX_NAME_LENGTH) return name;
  throw new FileFault(`data must have a name of at most ${MAX_NAME_LENGTH} characters`);
}

/** Max length of an element's text, characters; 0 if the text is not needed. */
function textLimit(name: string, parent: string): number {
  if (name === 'coordinates') return MAX_COORDINATES;
  if (name === 'coord') return MAX_TUPLE;
  return isData(name, parent) ? MAX_TEXT : 0;
}

/** Whether an element is a layer, which may have others in it. */
function isFolder(name: string | undefined): boolean {
  return name === 'Folder' || name === 'Document';
}

function isLayerName(path: readonly string[]): boolean {
  return path.at(-1) === 'name' && isFolder(path.at(-2));
}

/** Whether an element is the address of a linked file. Before KML 2.1 it was in `Url`. */
function isLink(path: readonly string[]): boolean {
  return path.at(-1) === 'href' && /^(?:Link|Url)$/.test(path.at(-2) ?? '') && path.at(-3) === 'NetworkLink';
}

function isData(name: string, parent: string): boolean {
  return name === 'SimpleData' || (name === 'value' && parent === 'Data');
}

/** Records a name given by a schema. */
function addName(names: Set<string>, { name = '' }: Readonly<Record<string, string>>): void {
  if (names.size < MAX_SCHEMA_NAMES && name.length <= MAX_NAME_LENGTH) names.add(name);
}

function container(): Container {
  return { geometries: [], holes: [], track: [] };
}

/** The rings of a polygon. One without a shell is empty. */
function ringsOf({ shell = [], holes = [] }: Partial<Container> = {}): number[][][] {
  return shell.length > 0 ? [shell, ...holes] : [];
}

/** Joins geometries into one: a Multi geometry where all are of one simple type, otherwise a collection. */
function joined(geometries: Geometry[]): Geometry {
  const [first] = geometries;
  if (geometries.length === 1 && first) return first;
  const same = first && geometries.every(({ type }) => type === first.type);
  if (!same || !/^(Point|LineString|Polygon)$/.test(first.type)) return { type: 'GeometryCollection', geometries };
  return { type: `Multi${first.type}`, coordinates: geometries.map(({ coordinates }) => coordinates) };
}

function numbersOf(texts: readonly string[]): number[] {
  return texts.map((text) => {
    const number = decimalNumber(text);
    if (number !== undefined) return number;
    throw new FileFault(`coordinates must be numbers (got ${JSON.stringify(text.slice(0, 40))})`);
  });
}
