import type { NewFeature } from '../../features/feature.ts';
import { unstorable } from '../../geojson/json.ts';
import { FileFault, type ReadOptions } from './format.ts';
import { requireShortText } from './geometry-text.ts';
import { type FileGeometry, geometryInFile } from './origin.ts';

/** Longer texts are not read as numbers, characters. */
const MAX_NUMBER_LENGTH = 64;

/**
 * A decimal number. A text can match this in one way only: if the same digits could match two parts of the expression,
 * all combinations would be tried for a text that does not match.
 */
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/**
 * The feature to store for a geometry and properties read from another format than GeoJSON.
 *
 * @param geometry a GeoJSON geometry that has not been checked yet, or null
 * @throws FileFault, and GeometryFault with the path within the geometry; both without a location in the file
 */
export function featureOfValues(
  geometry: unknown,
  properties: Readonly<Record<string, unknown>> | null,
  options: ReadOptions,
): NewFeature {
  if (unstorable(properties)) throw propertyFault(properties ?? {});
  return {
    ...geometryOfValues(geometry, options),
    properties: JSON.stringify(properties),
    names: Object.keys(properties ?? {}),
    id: null,
  };
}

/** The fault of the first property that can't be stored. */
function propertyFault(properties: Readonly<Record<string, unknown>>): FileFault {
  const faults = Object.entries(properties).flatMap(([name, value]) => {
    const fault = unstorable({ [name]: value });
    return fault ? [`the property ${JSON.stringify(name.slice(0, 40))} ${fault}`] : [];
  });
  return new FileFault(faults[0] ?? 'has properties that can not be stored');
}

/**
 * The geometry to store for one read from another format than GeoJSON.
 *
 * @throws FileFault if its text would be too long; GeometryFault with the path within the geometry
 */
export function geometryOfValues(geometry: unknown, { srid }: ReadOptions): FileGeometry {
  requireShortText(geometry);
  return geometryInFile(geometry, [], { srid });
}

/**
 * Removes the heights unless all positions have one, so that all have the same number of dimensions (advised by RFC
 * 7946, 3.1.1).
 *
 * @param positions of one geometry; they are changed in place
 */
export function dropPartialHeights(positions: readonly number[][]): void {
  if (positions.every(({ length }) => length > 2)) return;
  for (const position of positions) position.length = Math.min(position.length, 2);
}

/** An integer as a number, or as text if not all programs can hold it (RFC 7493, 2.2). */
export function exactInteger(integer: bigint): number | string {
  const number = Number(integer);
  return Number.isSafeInteger(number) ? number : String(integer);
}

/** A single-precision number as its shortest decimal; null if not finite. */
export function singleNumber(value: number): number | null {
  if (!Number.isFinite(value)) return null;
  for (let digits = 6; digits < 9; digits += 1) {
    const number = Number(value.toPrecision(digits));
    if (Math.fround(number) === value) return number;
  }
  return Number(value.toPrecision(9));
}

/** Bytes in base64 (RFC 4648, 4). */
export function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}

/** Parses a decimal number; undefined if it is none. */
export function decimalNumber(text: string): number | undefined {
  return text.length <= MAX_NUMBER_LENGTH && NUMBER.test(text) ? Number(text) : undefined;
}

/** Whether a coordinate is missing: programs write nothing or NaN then. */
export function isAbsent(text: string | undefined): boolean {
  return text === undefined || /^(nan)?$/i.test(text.trim());
}

/** The text of a column in UTF-8. @throws FileFault if it is not */
export function textOf(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new FileFault(`column ${JSON.stringify(name.slice(0, 40))} is not UTF-8`);
  }
}
