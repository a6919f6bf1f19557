import type { Feature } from 'geojson';
import { LATITUDE_COLUMNS, LONGITUDE_COLUMNS } from '../../../src/geojson/geometry-columns.ts';
import { isMissing, numberOf } from '../../shared/values.ts';

const AXES = [LONGITUDE_COLUMNS, LATITUDE_COLUMNS];

/** How far a property may differ from the position, degrees: files round either of them. */
const TOLERANCE = 1e-5;

/** The properties in which every point repeats its own longitude or latitude. */
export function repeatedCoordinates(features: readonly Feature[]): string[] {
  /** For each name, whether all of its values so far are those of the points. */
  const repeated = new Map<string, boolean>();
  for (const { geometry, properties } of features) {
    if (geometry?.type !== 'Point') continue;
    for (const [name, value] of Object.entries(properties ?? {})) {
      if (repeated.get(name) === false || isMissing(value)) continue;
      const axis = AXES.findIndex((names) => names.has(name.toLowerCase()));
      // Undefined for a name of neither axis, whose index is -1.
      const coordinate = geometry.coordinates[axis];
      const amount = numberOf(value);
      const isSame = amount !== undefined && coordinate !== undefined && Math.abs(amount - coordinate) <= TOLERANCE;
      repeated.set(name, isSame);
    }
  }
  return [...repeated].filter(([, isSame]) => isSame).map(([name]) => name);
}
