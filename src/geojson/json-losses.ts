import { endOfString } from './json.ts';

const COLON = 58;
const [OPEN, CLOSE] = [123, 125];

/**
 * The rule that a JSON text breaks if parsing lost something of it; undefined if not. Of two members with the same name
 * parsing keeps one, and a number too large for a double becomes infinite.
 *
 * @param json valid JSON
 * @param value the value that it was parsed to; parts without objects may be left out of it
 */
export function lossOf(json: string, value: unknown): string | undefined {
  const { members, isInfinite } = countMembers(value);
  if (isInfinite) return 'must not have numbers beyond 1.7976931348623157e308';
  return countNames(json) === members ? undefined : 'must not have two members of the same name';
}

/**
 * The first member whose object has an earlier member of the same name; undefined if none.
 *
 * @param json valid JSON
 * @param value the value that it was parsed to
 */
export function repeatedMember(json: string, value: unknown): { name: string; at: number } | undefined {
  if (countNames(json) === countMembers(value).members) return undefined;
  const objects: Set<string>[] = [];
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === OPEN) objects.push(new Set());
    else if (code === CLOSE) objects.pop();
    else if (json[at] === '"') {
      const end = endOfString(json, at);
      const names = objects.at(-1);
      if (names && json.charCodeAt(afterSpace(json, end)) === COLON) {
        const name = JSON.parse(json.slice(at, end)) as string;
        if (names.has(name)) return { name, at };
        names.add(name);
      }
      at = end - 1;
    }
  }
  return undefined;
}

/** Counts the member names of a JSON text: strings before a colon. */
function countNames(json: string): number {
  let count = 0;
  for (let at = json.indexOf('"'); at >= 0; at = json.indexOf('"', at)) {
    at = afterSpace(json, endOfString(json, at));
    if (json.charCodeAt(at) === COLON) count += 1;
  }
  return count;
}

function afterSpace(json: string, start: number): number {
  let at = start;
  for (let next = json.charCodeAt(at); next === 32 || next === 10 || next === 13 || next === 9; ) {
    at += 1;
    next = json.charCodeAt(at);
  }
  return at;
}

/** Counts the members of all objects in a value, at any depth, and says whether a number is not finite. */
function countMembers(value: unknown): { members: number; isInfinite: boolean } {
  let members = 0;
  let isInfinite = false;
  const waiting: unknown[] = [value];
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    if (one === null || typeof one !== 'object') continue;
    const items: unknown[] = Array.isArray(one) ? one : Object.values(one);
    if (items !== one) members += items.length;
    for (const item of items) {
      if (item !== null && typeof item === 'object') waiting.push(item);
      else if (item === Infinity || item === -Infinity) isInfinite = true;
    }
  }
  return { members, isInfinite };
}
