/** How deep arrays and objects may stand in one another in anything that is stored. */
export const MAX_DEPTH = 64;

/** Escapes of characters that may not be stored, as JSON writes them; some are good in pairs. */
const SUSPECT = /\\u(?:0000|[dD][89a-fA-F])/;

/**
 * What keeps a JSON value from being stored, or undefined: too deep, a character that Postgres has no place for (NUL),
 * or half of one (a lone surrogate).
 */
export function unstorable(value: unknown): string | undefined {
  return faultOf(value, 0);
}

/** The depth of this is that of the value, and ends where that is too deep. */
function faultOf(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return unstorableText(value);
  if (value === null || typeof value !== 'object') return undefined;
  if (depth === MAX_DEPTH) return `must not be nested deeper than ${MAX_DEPTH} levels`;
  if (Array.isArray(value)) {
    for (const item of value) {
      const fault = faultOf(item, depth + 1);
      if (fault) return fault;
    }
    return undefined;
  }
  for (const name of Object.keys(value)) {
    const fault = unstorableText(name) ?? faultOf((value as Record<string, unknown>)[name], depth + 1);
    if (fault) return fault;
  }
  return undefined;
}

/** Whether a JSON value has a number too large for a double, which would be written as null. It must not be too deep. */
export function isBent(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  return value !== null && typeof value === 'object' && Object.values(value).some(isBent);
}

/** What keeps a text from being stored, or undefined. */
function unstorableText(text: string): string | undefined {
  if (text.includes('\0')) return 'must not contain the character U+0000';
  return text.isWellFormed() ? undefined : 'must be well-formed Unicode, without lone surrogates';
}

/** Whether JSON text that was decoded from UTF-8 may hold a character that can't be stored. */
export function isSuspect(json: string): boolean {
  return json.includes('\\u') && SUSPECT.test(json);
}

const QUOTE = 34;
const COMMA = 44;
const OPEN_ARRAY = 91;
const BACKSLASH = 92;
const CLOSE_ARRAY = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/**
 * The values of an object's members by their names, each the JSON text that it is. Only names are parsed: values may
 * have millions of numbers, some of which no double is equal to.
 *
 * @param json a valid object as JSON text, with nothing before it
 */
export function memberTexts(json: string): Map<string, string> {
  const members = new Map<string, string>();
  for (let name = json.indexOf('"'); name >= 0; ) {
    const nameEnd = endOfString(json, name);
    const start = json.indexOf(':', nameEnd) + 1;
    const end = endOfValue(json, start);
    members.set(JSON.parse(json.slice(name, nameEnd)) as string, json.slice(start, end).trim());
    name = json.indexOf('"', end);
  }
  return members;
}

/** The place of the comma or bracket behind the value that begins at a place. */
function endOfValue(json: string, start: number): number {
  let depth = 0;
  let at = start;
  while (at < json.length) {
    switch (json.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(json, at);
        continue;
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        depth += 1;
        break;
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        if (depth === 0) return at;
        depth -= 1;
        break;
      case COMMA:
        if (depth === 0) return at;
        break;
      default:
    }
    at += 1;
  }
  return at;
}

/** The place behind the string that begins at a place of valid JSON. */
export function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (isEscaped(json, end)) end = json.indexOf('"', end + 1);
  // Of what is not valid nothing is read for ever.
  return end < 0 ? json.length : end + 1;
}

function isEscaped(json: string, quote: number): boolean {
  let at = quote;
  while (json.charCodeAt(at - 1) === BACKSLASH) at -= 1;
  return (quote - at) % 2 === 1;
}
