import type { Feature } from 'geojson';
import { isMissing, numberOf } from '../../shared/values.ts';

/** How files name the longitudes and the latitudes of their points, in small letters. */
const AXES = [
  ['lon', 'lng', 'long', 'longitude', 'x'],
  ['lat', 'latitude', 'y'],
] as const;

/** How far a property may be from the position, degrees. Files round the one or the other. */
const NEAR = 1e-5;

/** The properties in which every point repeats its own longitude or latitude. */
export function repeatedCoordinates(features: readonly Feature[]): string[] {
  /** For each name, whether all of its values so far are those of the points. */
  const repeated = new Map<string, boolean>();
  for (const { geometry, properties } of features) {
    if (geometry?.type !== 'Point') continue;
    for (const [name, value] of Object.entries(properties ?? {})) {
      if (repeated.get(name) === false || isMissing(value)) continue;
      const axis = AXES.findIndex((names) => (names as readonly string[]).includes(name.toLowerCase()));
      const [amount, coordinate] = [numberOf(value), geometry.coordinates[axis]];
      const isSame = amount !== undefined && coordinate !== undefined && Math.abs(amount - coordinate) <= NEAR;
      repeated.set(name, isSame);
    }
  }
  return [...repeated].filter(([, isSame]) => isSame).map(([name]) => name);
}
