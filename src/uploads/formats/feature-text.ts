import { MAX_NAME_LENGTH, type NewFeature } from '../../features/feature.ts';
import { memberNames } from '../../features/new-feature.ts';
import {
  checkGeometry,
  GEOMETRY_TYPES,
  GeometryFault,
  type Path,
  withoutForeignMembers,
} from '../../geojson/geometry.ts';
import { mayHaveUnstorableText, unstorable } from '../../geojson/json.ts';
import { requireWgs84 } from './crs.ts';
import { FileFault, type ReadOptions } from './format.ts';
import { lossOf } from './json-losses.ts';
import type { Member, ObjectCollector } from './json-objects.ts';

/** The members of a GeoJSON object that matter. */
export const MEMBERS = ['type', 'id', 'geometry', 'properties', 'coordinates', 'geometries', 'crs'];

const MAX_ID_LENGTH = 1024;

/**
 * The value of a JSON text in UTF-8.
 *
 * @throws FileFault
 */
export function jsonOf(bytes: Uint8Array): { text: string; value: unknown } {
  const text = textOf(bytes);
  try {
    return { text, value: JSON.parse(text) };
  } catch {
    throw new FileFault('is no valid JSON');
  }
}

/**
 * A feature to be stored, of a collected object that is to be a GeoJSON Feature or a geometry. Geometry and properties
 * stay the text that they are in the file, so that nothing of them is lost; that text is what was checked.
 *
 * @param path where the object stands in its file
 * @param only whether a geometry will not do: the items of a collection are Features (RFC 7946, 3.3)
 * @throws GeometryFault where the geometry is none of RFC 7946; FileFault for anything else
 */
export function featureOf(object: ObjectCollector, path: Path, { degrees }: ReadOptions, only = false): NewFeature {
  const { text, value } = jsonOf(object.bytes);
  const { type, id, geometry, properties, crs } = value as Record<string, unknown>;
  if (type !== 'Feature') {
    if (only || !(GEOMETRY_TYPES as readonly unknown[]).includes(type) || type === 'none')
      throw notAFeature(type, only);
    const checked = checkGeometry(value, path, { degrees });
    return { ...stored(value, text, checked), properties: 'null', names: [], id: null };
  }
  const raw = rawOf(object, text);
  if (degrees) requireWgs84(crs);
  if (geometry === undefined) {
    throw new GeometryFault([...path, 'geometry'], 'must be there, if only as null (RFC 7946, 3.2)');
  }
  if (
    properties === undefined ||
    (properties !== null && (typeof properties !== 'object' || Array.isArray(properties)))
  ) {
    throw new FileFault('properties must be an object or null (RFC 7946, 3.2)');
  }
  if (mayHaveUnstorableText(text)) {
    const fault = unstorable([properties, id]);
    if (fault) throw new FileFault(`properties and id ${fault}`);
  }
  const written = raw('properties') as string;
  const loss = lossOf(written, properties);
  if (loss) throw new FileFault(`properties ${loss}`);
  const names = memberNames(properties);
  if (names.some(({ length }) => length > MAX_NAME_LENGTH)) {
    throw new FileFault(`properties must have names of at most ${MAX_NAME_LENGTH} characters`);
  }
  const shape =
    geometry === null
      ? { type: 0, geometry: null }
      : stored(geometry, raw('geometry') as string, checkGeometry(geometry, [...path, 'geometry'], { degrees }));
  return {
    ...shape,
    properties: oneLine(written),
    names,
    id: idOf(id, raw('id')),
  };
}

/** A checked geometry as it is stored: its own text where that says nothing more than was checked. */
function stored(
  value: unknown,
  raw: string,
  { type, plain }: { type: number; plain: boolean },
): Pick<NewFeature, 'type' | 'geometry'> {
  const collection = GEOMETRY_TYPES[type] === 'GeometryCollection';
  // Parsers take the first of two members of a name, or the last. What is in coordinates are arrays and numbers.
  const loss = lossOf(raw, collection ? value : { ...(value as object), coordinates: null });
  if (loss) throw new FileFault(`a geometry ${loss}`);
  if (!plain || collection || raw.includes('\\'))
    return { type, geometry: JSON.stringify(withoutForeignMembers(value)) };
  // No string of a plain geometry has white space in it.
  return { type, geometry: /\s/.test(raw) ? raw.replace(/\s+/g, '') : raw };
}

/** Gives the texts of members. */
function rawOf(object: ObjectCollector, text: string): (name: string) => string | undefined {
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
    return (ascii ? text.slice(start, end) : textOf(bytes.subarray(start, end))).trim();
  };
}

function idOf(id: unknown, raw: string | undefined): string | null {
  if (id === undefined || id === null) return null;
  if (id === Infinity || id === -Infinity) throw new FileFault('id must not be beyond 1.7976931348623157e308');
  if (typeof id !== 'string' && typeof id !== 'number') {
    throw new FileFault('id must be a string or a number (RFC 7946, 3.2)');
  }
  const text = raw ?? JSON.stringify(id);
  if (text.length <= MAX_ID_LENGTH) return text;
  throw new FileFault(`id must have at most ${MAX_ID_LENGTH} characters`);
}

/** Line ends in JSON text are white space: a string can't hold one. */
function oneLine(json: string): string {
  return /[\r\n]/.test(json) ? json.replace(/[\r\n]\s*/g, ' ') : json;
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new FileFault('is not UTF-8');
  }
}

function notAFeature(type: unknown, only: boolean): FileFault {
  const got = typeof type === 'string' ? JSON.stringify(type.slice(0, 40)) : 'none';
  return new FileFault(`must be a GeoJSON Feature${only ? '' : ' or geometry'} (its type is ${got})`);
}
