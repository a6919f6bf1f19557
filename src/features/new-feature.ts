import { DomainError } from '../errors.ts';
import { checkGeometry, GeometryFault, type Path, pathText } from '../geojson/geometry.ts';
import type { NewFeature } from './feature.ts';

/** What a client gives of a feature, with exactly one of the two names of the geometry. */
interface Given {
  readonly geom?: unknown;
  readonly geometry?: unknown;
  readonly properties?: unknown;
}

/**
 * A feature to be stored, of what a client gave.
 *
 * @param path where it stands in the body
 * @param degrees false where coordinates are in a reference system of their own
 * @throws DomainError `invalid_geometry` with the place of the fault
 */
export function newFeature(given: Given, path: Path, degrees: boolean): NewFeature {
  return { ...geometryOf(given, path, degrees), ...propertiesOf(given.properties), id: null };
}

export function geometryOf(given: Given, path: Path, degrees: boolean): Pick<NewFeature, 'type' | 'geometry'> {
  const name = given.geom === undefined || given.geom === null ? 'geometry' : 'geom';
  const value = given[name];
  try {
    const { type, plain } = checkGeometry(value, [...path, name], { degrees });
    return { type, geometry: JSON.stringify(plain ? value : bare(value)) };
  } catch (error) {
    throw error instanceof GeometryFault ? invalidGeometry(error) : error;
  }
}

export function propertiesOf(value: unknown): Pick<NewFeature, 'properties' | 'names'> {
  return { properties: JSON.stringify(value ?? null), names: namesOf(value) };
}

/** Names of the members of an object; of anything else none. */
export function namesOf(value: unknown): string[] {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? Object.keys(value) : [];
}

/** A checked geometry without foreign members. */
export function bare(geometry: unknown): unknown {
  const { type, coordinates, geometries } = geometry as {
    type: string;
    coordinates?: unknown;
    geometries?: unknown[];
  };
  return type === 'GeometryCollection' ? { type, geometries: geometries?.map(bare) } : { type, coordinates };
}

function invalidGeometry({ path, message }: GeometryFault): DomainError {
  return new DomainError('invalid_geometry', `${pathText(path)}: ${message}.`, { path });
}
