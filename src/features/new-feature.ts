import type { z } from '@hono/zod-openapi';
import { type CheckedGeometry, checkGeometry, type Path, withoutForeignMembers } from '../geojson/geometry.ts';
import { throwInvalidGeometry } from '../geojson/invalid-geometry.ts';
import { hasAtMost } from '../http/schemas.ts';
import { MAX_NAME_LENGTH, type NewFeature, type NewGeometry, type NewProperties } from './feature.ts';

const NO_GEOMETRY: CheckedGeometry = { type: 0, plain: true };

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
 * @param srid the reference system of its coordinates
 * @throws DomainError `invalid_geometry` with the location of the fault
 */
export function newFeature(fields: FeatureFields, path: Path, srid: number): NewFeature {
  return { ...newGeometry(fields, path, srid), ...newProperties(fields.properties), id: null };
}

/** @throws DomainError `invalid_geometry` with the location of the fault */
export function newGeometry(fields: FeatureFields, path: Path, srid: number): NewGeometry {
  const member = geometryMember(fields);
  const value = fields[member];
  try {
    return checkedGeometry(value, [...path, member], { srid, isStrict: true });
  } catch (error) {
    return throwInvalidGeometry(error);
  }
}

/**
 * The geometry to store for a parsed value: none for null and for a geometry without coordinates (RFC 7946, 3.1).
 *
 * @param path where the value stands in its document
 * @param isStrict a point or a line without coordinates is a fault
 * @param textOf gives its text where that has nothing that was not checked; otherwise it is written anew
 * @throws GeometryFault with the location of the fault
 */
export function checkedGeometry(
  value: unknown,
  path: Path,
  { textOf, ...rules }: { srid: number; isStrict?: boolean; textOf?: (checked: CheckedGeometry) => string | undefined },
): NewGeometry {
  const checked = value === null ? NO_GEOMETRY : checkGeometry(value, path, rules);
  if (checked.type === 0) return { type: 0, geometry: null };
  const text = textOf?.(checked);
  if (text !== undefined) return { type: checked.type, geometry: text };
  return { type: checked.type, geometry: JSON.stringify(checked.plain ? value : withoutForeignMembers(value)) };
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
