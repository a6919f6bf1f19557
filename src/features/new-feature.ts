import type { z } from '@hono/zod-openapi';
import { DomainError } from '../errors.ts';
import { checkGeometry, GeometryFault, type Path, pathText, withoutForeignMembers } from '../geojson/geometry.ts';
import { MAX_NAME_LENGTH, type NewFeature } from './feature.ts';

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
  const name = nameOf(given);
  const value = given[name];
  if (value === null) return { type: 0, geometry: null };
  try {
    const { type, plain } = checkGeometry(value, [...path, name], { degrees });
    return { type, geometry: JSON.stringify(plain ? value : withoutForeignMembers(value)) };
  } catch (error) {
    throw error instanceof GeometryFault ? invalidGeometry(error) : error;
  }
}

/** Which of the two names of the geometry is given; null counts where the other name is not there. */
export function nameOf({ geom, geometry }: Given): 'geom' | 'geometry' {
  return geom === undefined || (geom === null && geometry !== undefined) ? 'geometry' : 'geom';
}

export function propertiesOf(value: unknown): Pick<NewFeature, 'properties' | 'names'> {
  return { properties: JSON.stringify(value ?? null), names: namesOf(value) };
}

/** Names of the members of an object; of anything else none. */
export function namesOf(value: unknown): string[] {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? Object.keys(value) : [];
}

/** Refuses properties with a name that is too long to be remembered. */
export function shortNames(properties: unknown, context: z.RefinementCtx): void {
  const long = namesOf(properties).find(({ length }) => length > MAX_NAME_LENGTH);
  if (long === undefined) return;
  const message = `must have names of at most ${MAX_NAME_LENGTH} characters, not of ${long.length} as ${JSON.stringify(`${long.slice(0, 40)}…`)}`;
  context.addIssue({ code: 'custom', message });
}

function invalidGeometry({ path, message }: GeometryFault): DomainError {
  return new DomainError('invalid_geometry', `${pathText(path)}: ${message}.`, { path });
}
