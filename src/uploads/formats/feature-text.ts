import { MAX_NAME_LENGTH, type NewFeature, type NewProperties } from '../../features/feature.ts';
import { memberNames } from '../../features/new-feature.ts';
import { WGS84 } from '../../geojson/domains.ts';
import { type CheckedGeometry, checkBbox, GEOMETRY_TYPES, GeometryFault, type Path } from '../../geojson/geometry.ts';
import { mayHaveUnstorableText, unstorable } from '../../geojson/json.ts';
import { jsonFaultAt } from '../../geojson/json-fault.ts';
import { lossOf } from '../../geojson/json-losses.ts';
import { FileFault, type ReadOptions } from './format.ts';
import type { Member, ObjectCollector } from './json-objects.ts';
import { type FileGeometry, geometryInFile } from './origin.ts';

/** The members of a GeoJSON object that are read. */
export const MEMBERS = ['type', 'id', 'geometry', 'properties', 'coordinates', 'geometries', 'crs'];

const MAX_ID_LENGTH = 1024;

/** Names of WGS 84 with longitude first in GeoJSON of 2008. */
const WGS84_NAME = /^(urn:ogc:def:crs:(OGC:[\d.]{0,16}:CRS84|EPSG:[\d.]{0,16}:4326)|EPSG:4326|OGC:CRS84)$/i;

/**
 * Refuses a member `crs` that names another reference system than WGS 84, unless the client has named one. GeoJSON of
 * 2008 allowed that; its features would be stored in the wrong place.
 *
 * @throws FileFault
 */
export function requireWgs84(crs: unknown, { srid: given }: ReadOptions): void {
  if (given !== WGS84 || crs === undefined || crs === null) return;
  const name = (crs as { properties?: { name?: unknown } }).properties?.name;
  if (typeof name === 'string' && WGS84_NAME.test(name)) return;
  const srid = typeof name === 'string' ? /EPSG:(?:[\d.]{0,16}:)?(\d{4,6})$/i.exec(name.slice(-64))?.[1] : undefined;
  const hint = srid ? `send srid=${srid} with the file` : 'send the number of its reference system as srid';
  throw new FileFault(`crs: is not WGS 84, which GeoJSON is in (RFC 7946, 4); ${hint}`);
}

/**
 * Parses JSON in UTF-8. Returns its text and its value.
 *
 * @throws FileFault if it is not UTF-8 or not JSON, with the byte of the fault
 */
export function parseJson(bytes: Uint8Array): { text: string; value: unknown } {
  const text = decodeUtf8(bytes);
  try {
    return { text, value: JSON.parse(text) };
  } catch {
    const before = text.slice(0, jsonFaultAt(text));
    throw new FileFault('is no valid JSON', undefined, { offset: new TextEncoder().encode(before).length });
  }
}

export interface FeatureTextOptions extends ReadOptions {
  /** Whether a bare geometry is refused, because the items of a collection must be Features (RFC 7946, 3.3). */
  readonly featuresOnly?: boolean;
}

/**
 * The feature to store for a collected object, which must be a GeoJSON Feature or a geometry. Its geometry and
 * properties keep their text of the file, so that nothing is lost by parsing and writing.
 *
 * @param path where the object stands in its file
 * @throws GeometryFault if the geometry does not follow RFC 7946; FileFault for anything else
 */
export function featureOfText(
  object: ObjectCollector,
  path: Path,
  { srid, featuresOnly = false }: FeatureTextOptions,
): NewFeature {
  const { text, value } = parseJson(object.bytes);
  const { type, id, geometry, properties, crs, bbox } = value as Record<string, unknown>;
  if (type !== 'Feature') {
    if (featuresOnly || !(GEOMETRY_TYPES as readonly unknown[]).includes(type) || type === 'none') {
      throw notAFeature(type, featuresOnly);
    }
    return { ...storedGeometry(value, path, { srid, raw: text }), properties: 'null', names: [], id: null };
  }
  const raw = memberTextsOf(object, text);
  requireWgs84(crs, { srid });
  checkBbox(bbox, path, srid);
  if (geometry === undefined) {
    throw new GeometryFault([...path, 'geometry'], 'must be there, if only as null (RFC 7946, 3.2)');
  }
  const members = writtenMembers({ id, properties }, raw);
  const stored = storedGeometry(geometry, [...path, 'geometry'], { srid, raw: raw('geometry') as string });
  return { ...stored, ...members };
}

/**
 * The properties and the id to store, with their text of the file. Omitted properties, which RFC 7946 (3.2) does not
 * allow but programs write, are null.
 *
 * @param raw returns the text of a member by its name; undefined if missing
 * @throws FileFault if they can't be stored
 */
export function writtenMembers(
  { id, properties = null }: { readonly id: unknown; readonly properties: unknown },
  raw: (name: string) => string | undefined,
): NewProperties & Pick<NewFeature, 'id'> {
  if (properties !== null && (typeof properties !== 'object' || Array.isArray(properties))) {
    throw new FileFault('properties must be an object or null (RFC 7946, 3.2)');
  }
  const written = raw('properties') ?? 'null';
  if (mayHaveUnstorableText(written) || mayHaveUnstorableText(raw('id') ?? '')) {
    const fault = unstorable([properties, id]);
    if (fault) throw new FileFault(`properties and id ${fault}`);
  }
  const loss = lossOf(written, properties);
  if (loss) throw new FileFault(`properties ${loss}`);
  const names = memberNames(properties);
  if (names.some(({ length }) => length > MAX_NAME_LENGTH)) {
    throw new FileFault(`properties must have names of at most ${MAX_NAME_LENGTH} characters`);
  }
  return { properties: oneLine(written), names, id: idOf(id, raw('id')) };
}

/** The geometry to store; with its text of the file if all of the text has been checked. */
function storedGeometry(value: unknown, path: Path, { srid, raw }: { srid: number; raw: string }): FileGeometry {
  const textOf = ({ type, plain }: CheckedGeometry): string | undefined => {
    const isCollection = GEOMETRY_TYPES[type] === 'GeometryCollection';
    // Parsers differ in which of two members of the same name they take. Coordinates have no members, so they are skipped.
    const loss = lossOf(raw, isCollection ? value : { ...(value as object), coordinates: null });
    if (loss) throw new FileFault(`a geometry ${loss}`);
    if (!plain || isCollection || raw.includes('\\')) return undefined;
    // No string of a plain geometry has white space, so all of it can be removed.
    return /\s/.test(raw) ? raw.replace(/\s+/g, '') : raw;
  };
  return geometryInFile(value, path, { srid, textOf });
}

/**
 * Returns a function that returns the text of a member by its name; undefined if missing.
 *
 * @throws FileFault if the object has two members of the same name
 */
function memberTextsOf(object: ObjectCollector, text: string): (name: string) => string | undefined {
  const { bytes, members } = object;
  const ascii = text.length === bytes.length;
  const found = new Map<string, Member>();
  for (const member of members) {
    if (found.has(member.name)) throw new FileFault(`has the member "${member.name}" more than once`);
    found.set(member.name, member);
  }
  return (name) => {
    const member = found.get(name);
    if (!member) return undefined;
    const { start, end } = member;
    return (ascii ? text.slice(start, end) : decodeUtf8(bytes.subarray(start, end))).trim();
  };
}

/**
 * The id of a feature as JSON; null where it has none.
 *
 * @param raw how the file writes it, where that is JSON
 * @throws FileFault
 */
export function idOf(id: unknown, raw?: string): string | null {
  if (id === undefined || id === null) return null;
  if (id === Infinity || id === -Infinity) throw new FileFault('id must not be beyond 1.7976931348623157e308');
  if (typeof id !== 'string' && typeof id !== 'number') {
    throw new FileFault('id must be a string or a number (RFC 7946, 3.2)');
  }
  const text = raw ?? JSON.stringify(id);
  if (text.length <= MAX_ID_LENGTH) return text;
  throw new FileFault(`id must have at most ${MAX_ID_LENGTH} characters`);
}

/** JSON text without line ends. They are white space, because a string can't have a line end in it. */
function oneLine(json: string): string {
  return /[\r\n]/.test(json) ? json.replace(/[\r\n]\s*/g, ' ') : json;
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new FileFault('is not UTF-8');
  }
}

/** The error for TopoJSON in a file named as GeoJSON. */
export function topologyFault(): FileFault {
  return new FileFault('is TopoJSON (its type is "Topology"): give it a name that ends with .topojson');
}

function notAFeature(type: unknown, featuresOnly: boolean): FileFault {
  if (type === 'Topology') return topologyFault();
  const got = typeof type === 'string' ? JSON.stringify(type.slice(0, 40)) : 'none';
  return new FileFault(`must be a GeoJSON Feature${featuresOnly ? '' : ' or geometry'} (its type is ${got})`);
}
