import { endOfString } from '../../geojson/json.ts';

const COLON = 58;

/**
 * What was lost when a JSON text was parsed, as the rule that the text breaks; undefined where nothing was lost. Of two
 * members of the same name parsing keeps one, and a number that is too large for a double becomes infinite.
 *
 * @param json valid JSON
 * @param value the value that it was parsed to; parts without objects may be left out of it
 */
export function lossOf(json: string, value: unknown): string | undefined {
  const members = countMembers(value);
  if (Number.isNaN(members)) return 'must not have numbers beyond 1.7976931348623157e308';
  return countNames(json) === members ? undefined : 'must not have two members of the same name';
}

/** How many names of members a JSON text has: strings before a colon. */
function countNames(json: string): number {
  let count = 0;
  for (let at = json.indexOf('"'); at >= 0; at = json.indexOf('"', at)) {
    at = endOfString(json, at);
    let next = json.charCodeAt(at);
    while (next === 32 || next === 10 || next === 13 || next === 9) {
      at += 1;
      next = json.charCodeAt(at);
    }
    if (next === COLON) count += 1;
  }
  return count;
}

/** How many members all objects of a value have; NaN where a number is not finite. */
function countMembers(value: unknown): number {
  if (value === null || typeof value !== 'object') return 0;
  const items: unknown[] = Array.isArray(value) ? value : Object.values(value);
  let count = items === value ? 0 : items.length;
  for (const item of items) {
    if (item !== null && typeof item === 'object') count += countMembers(item);
    else if (item === Infinity || item === -Infinity) return NaN;
  }
  return count;
}
