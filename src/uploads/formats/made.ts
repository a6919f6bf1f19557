import type { NewFeature } from '../../features/feature.ts';
import { bare } from '../../features/new-feature.ts';
import { checkGeometry, type Path } from '../../geojson/geometry.ts';
import { unstorable } from '../../geojson/json.ts';
import { FileFault, type ReadOptions } from './format.ts';

/**
 * A feature to be stored, of a geometry and properties that a reader has made.
 *
 * @param geometry a GeoJSON geometry that nobody has checked yet, or null
 * @param path where the feature stands in its file
 * @throws FileFault, GeometryFault
 */
export function madeFeature(
  geometry: unknown,
  properties: Readonly<Record<string, unknown>> | null,
  path: Path,
  { degrees }: ReadOptions,
): NewFeature {
  const fault = unstorable(properties);
  if (fault) throw new FileFault(`${path.join(' ')}: a property ${fault}`);
  const shape =
    geometry === null
      ? { type: 0, geometry: null }
      : { type: checkGeometry(geometry, path, { degrees }).type, geometry: JSON.stringify(bare(geometry)) };
  return { ...shape, properties: JSON.stringify(properties), names: Object.keys(properties ?? {}), id: null };
}
