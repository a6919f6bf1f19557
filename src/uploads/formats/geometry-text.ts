import { FileFault } from './format.ts';

/** How long the text of a geometry may be, characters: as long as a feature of GeoJSON. */
const MAX_TEXT = 8 * 1024 * 1024;
/** How long a number is at most: `-1.2345678901234567e-300`. */
const MAX_NUMBER = 24;

/**
 * Refuses a geometry whose text would be longer than it may be. Binary formats have a number of twenty digits in eight
 * bytes, and topologies use a line again and again, so that a small file could become a text that fills the memory. The
 * text is not made: its length is counted up to where it is too much.
 *
 * @param geometry a GeoJSON geometry that has not been checked yet, or null
 * @throws FileFault
 */
export function requireShortText(geometry: unknown): void {
  // Nearly all geometries are so small that this is known without the digits of their numbers.
  if (lengthOf(geometry, () => MAX_NUMBER) <= MAX_TEXT) return;
  if (lengthOf(geometry, (number) => String(number).length) <= MAX_TEXT) return;
  throw new FileFault(`a geometry must not be longer than ${MAX_TEXT} characters as GeoJSON`);
}

/** How long a value is as JSON, with the comma behind each item and member; where that is too much, as far as it was counted. */
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
