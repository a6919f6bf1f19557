import type { z } from '@hono/zod-openapi';
import { DomainError } from '../errors.ts';
import { checkGeometry, GeometryFault, type Path, pathText, withoutForeignMembers } from '../geojson/geometry.ts';
import { hasAtMost } from '../http/schemas.ts';
import { MAX_NAME_LENGTH, type NewFeature, type NewGeometry, type NewProperties } from './feature.ts';

/** What a client says of a feature. Exactly one of the two names of the geometry is given. */
export interface FeatureFields {
  readonly geom?: unknown;
  readonly geometry?: unknown;
  readonly properties?: unknown;
}

/**
 * The feature to store for the fields that a client gave.
 *
 * @param path where the feature stands in the body
 * @param degrees false where coordinates are in another reference system than WGS 84
 * @throws DomainError `invalid_geometry` with the place of the fault
 */
export function newFeature(fields: FeatureFields, path: Path, degrees: boolean): NewFeature {
  return { ...newGeometry(fields, path, degrees), ...newProperties(fields.properties), id: null };
}

/** @throws DomainError `invalid_geometry` with the place of the fault */
export function newGeometry(fields: FeatureFields, path: Path, degrees: boolean): NewGeometry {
  const member = geometryMember(fields);
  const value = fields[member];
  if (value === null) return { type: 0, geometry: null };
  try {
    const { type, plain } = checkGeometry(value, [...path, member], { degrees });
    return { type, geometry: JSON.stringify(plain ? value : withoutForeignMembers(value)) };
  } catch (error) {
    throw error instanceof GeometryFault ? invalidGeometry(error) : error;
  }
}

/** Which of the two names the geometry is given by. Null counts only where the other name is not given. */
export function geometryMember({ geom, geometry }: FeatureFields): 'geom' | 'geometry' {
  return geom === undefined || (geom === null && geometry !== undefined) ? 'geometry' : 'geom';
}

export function newProperties(value: unknown): NewProperties {
  return { properties: JSON.stringify(value ?? null), names: memberNames(value) };
}

/** The names of an object's members; none for any other value. */
export function memberNames(value: unknown): string[] {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? Object.keys(value) : [];
}

/** Refuses properties that have a name of more than `MAX_NAME_LENGTH` characters. */
export function refuseLongNames(properties: unknown, context: z.RefinementCtx): void {
  const long = memberNames(properties).find((name) => !hasAtMost(name, MAX_NAME_LENGTH));
  if (long === undefined) return;
  const message = `must have names of at most ${MAX_NAME_LENGTH} characters, not of ${long.length} as ${JSON.stringify(`${long.slice(0, 40)}…`)}`;
  context.addIssue({ code: 'custom', message });
}

function invalidGeometry({ path, message }: GeometryFault): DomainError {
  return new DomainError('invalid_geometry', `${pathText(path)}: ${message}.`, { path });
}
