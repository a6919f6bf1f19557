import type { NewFeature } from '../../features/feature.ts';
import { checkGeometry, withoutForeignMembers } from '../../geojson/geometry.ts';
import { unstorable } from '../../geojson/json.ts';
import { FileFault, type ReadOptions } from './format.ts';

/**
 * A feature to be stored, of a geometry and properties that a reader has made.
 *
 * @param geometry a GeoJSON geometry that nobody has checked yet, or null
 * @throws FileFault, and GeometryFault with the path within the geometry; both without a place in the file
 */
export function madeFeature(
  geometry: unknown,
  properties: Readonly<Record<string, unknown>> | null,
  { degrees }: ReadOptions,
): NewFeature {
  const fault = unstorable(properties);
  if (fault) throw new FileFault(`a property ${fault}`);
  const shape =
    geometry === null
      ? { type: 0, geometry: null }
      : {
          type: checkGeometry(geometry, [], { degrees }).type,
          geometry: JSON.stringify(withoutForeignMembers(geometry)),
        };
  return { ...shape, properties: JSON.stringify(properties), names: Object.keys(properties ?? {}), id: null };
}
