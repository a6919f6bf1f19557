import type { NewFeature } from '../../features/feature.ts';
import { checkedGeometry } from '../../features/new-feature.ts';
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
  { srid }: ReadOptions,
): NewFeature {
  const fault = unstorable(properties);
  if (fault) throw new FileFault(`a property ${fault}`);
  return {
    ...checkedGeometry(geometry, [], { srid }),
    properties: JSON.stringify(properties),
    names: Object.keys(properties ?? {}),
    id: null,
  };
}

/**
 * Leaves out the heights of positions unless all of them have one: all positions of a geometry have as many numbers
 * (RFC 7946, 3.1.1 advises so).
 *
 * @param positions of one geometry; they are changed in place
 */
export function levelPositions(positions: readonly number[][]): void {
  if (positions.every(({ length }) => length > 2)) return;
  for (const position of positions) position.length = Math.min(position.length, 2);
}

/** The decimal number that a text is, without white space around it; undefined where it is none. */
export function decimalNumber(text: string): number | undefined {
  return text.length <= MAX_NUMBER_LENGTH && NUMBER.test(text) ? Number(text) : undefined;
}

/** Whether a coordinate is left out: programs write nothing or NaN where they have no position. */
export function isAbsent(text: string | undefined): boolean {
  return text === undefined || /^(nan)?$/i.test(text.trim());
}
