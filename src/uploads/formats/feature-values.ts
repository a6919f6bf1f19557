import type { NewFeature } from '../../features/feature.ts';
import { checkGeometry, withoutForeignMembers } from '../../geojson/geometry.ts';
import { unstorable } from '../../geojson/json.ts';
import { FileFault, type ReadOptions } from './format.ts';

/** Longer texts are not read as numbers, characters. */
const MAX_NUMBER_LENGTH = 64;

/**
 * A decimal number. A text can match this in one way only: if the same digits could match two parts of the expression,
 * all combinations would be tried for a text that does not match.
 */
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/**
 * The feature to store for a geometry and properties that a reader has made of a file that is not GeoJSON.
 *
 * @param geometry a GeoJSON geometry that has not been checked yet, or null
 * @throws FileFault, and GeometryFault with the path within the geometry; both without a place in the file
 */
export function featureOfValues(
  geometry: unknown,
  properties: Readonly<Record<string, unknown>> | null,
  { degrees }: ReadOptions,
): NewFeature {
  const fault = unstorable(properties);
  if (fault) throw new FileFault(`a property ${fault}`);
  const stored =
    geometry === null
      ? { type: 0, geometry: null }
      : {
          type: checkGeometry(geometry, [], { degrees }).type,
          geometry: JSON.stringify(withoutForeignMembers(geometry)),
        };
  return { ...stored, properties: JSON.stringify(properties), names: Object.keys(properties ?? {}), id: null };
}

/** The decimal number that a text is, without white space around it; undefined where it is none. */
export function decimalNumber(text: string): number | undefined {
  return text.length <= MAX_NUMBER_LENGTH && NUMBER.test(text) ? Number(text) : undefined;
}
