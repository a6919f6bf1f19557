import { FileFault } from './format.ts';

/** Max length of a geometry's text, characters: that of a GeoJSON feature. */
const MAX_TEXT = 8 * 1024 * 1024;
/** Max length of a number: `-1.2345678901234567e-300`. */
const MAX_NUMBER = 24;

/**
 * Refuses a geometry whose text would be too long. Binary formats store a number of twenty digits in eight bytes, and
 * topologies reuse lines, so that a small file could become a text that fills the memory. The text is not made: its
 * length is counted up to the limit.
 *
 * @param geometry a GeoJSON geometry that has not been checked yet, or null
 * @throws FileFault
 */
export function requireShortText(geometry: unknown): void {
  // Fast path: nearly all geometries are small enough even with numbers of the max length.
  if (lengthOf(geometry, () => MAX_NUMBER) <= MAX_TEXT) return;
  if (lengthOf(geometry, (number) => String(number).length) <= MAX_TEXT) return;
  throw new FileFault(`a geometry must not be longer than ${MAX_TEXT} characters as GeoJSON`);
}

/** Length of a value as JSON, with a comma after each item and member. Stops counting above the limit. */
function lengthOf(geometry: unknown, lengthOfNumber: (number: number) => number): number {
  let length = 0;
  const add = (value: unknown): void => {
    if (typeof value === 'number') length += lengthOfNumber(value);
    else if (typeof value === 'string') length += value.length + 2;
    else if (Array.isArray(value)) {
      length += 2;
      for (const item of value) {
        if (length > MAX_TEXT) return;
        length += 1;
        add(item);
      }
    } else if (value !== null && typeof value === 'object') {
      length += 2;
      for (const [name, member] of Object.entries(value)) {
        length += name.length + 4;
        add(member);
      }
    }
  };
  add(geometry);
  return length;
}
