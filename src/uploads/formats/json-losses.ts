import { endOfString } from '../../geojson/json.ts';

const COLON = 58;

/**
 * What parsing has lost of a JSON text, said as a rule for it; undefined where nothing is lost that matters: two members
 * of an object that have the same name, of which it keeps one, or a number that no double is as large as.
 *
 * @param json valid JSON
 * @param value what it was parsed to, at least its objects
 */
export function lossOf(json: string, value: unknown): string | undefined {
  const members = membersOf(value);
  if (Number.isNaN(members)) return 'must not have numbers beyond 1.7976931348623157e308';
  return namesIn(json) === members ? undefined : 'must not have two members of the same name';
}

/** How many names of members a JSON text has: strings before a colon. */
function namesIn(json: string): number {
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
function membersOf(value: unknown): number {
  if (value === null || typeof value !== 'object') return 0;
  const items: unknown[] = Array.isArray(value) ? value : Object.values(value);
  let count = items === value ? 0 : items.length;
  for (const item of items) {
    if (item !== null && typeof item === 'object') count += membersOf(item);
    else if (item === Infinity || item === -Infinity) return NaN;
  }
  return count;
}
