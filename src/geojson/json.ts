/** How deep arrays and objects may be nested in anything that is stored. */
export const MAX_DEPTH = 64;

/** JSON escapes of NUL and of surrogates. A pair of surrogates is valid, a single one is not. */
const SUSPECT_ESCAPE = /\\u(?:0000|[dD][89a-fA-F])/;

/**
 * The rule that a JSON value breaks and therefore can't be stored; undefined if it can. A value can't be stored where
 * it is nested too deep, has the character NUL, which Postgres refuses, or has a lone surrogate, which UTF-8 has no
 * bytes for.
 */
export function unstorable(value: unknown): string | undefined {
  return faultOf(value, 0, false);
}

/**
 * The same for a value that was parsed from JSON text, where a number too large for a double became infinite: it would
 * be written as null. One walk finds both, because a body may have hundreds of thousands of members.
 */
export function unstorableParsed(value: unknown): string | undefined {
  return faultOf(value, 0, true);
}

/** Recursion ends where the value is nested too deep, so it can't exhaust the stack. */
function faultOf(value: unknown, depth: number, isParsed: boolean): string | undefined {
  if (typeof value === 'string') return unstorableText(value);
  if (typeof value === 'number') {
    return isParsed && !Number.isFinite(value) ? 'must not have numbers beyond 1.7976931348623157e308' : undefined;
  }
  if (value === null || typeof value !== 'object') return undefined;
  if (depth === MAX_DEPTH) return `must not be nested deeper than ${MAX_DEPTH} levels`;
  if (Array.isArray(value)) {
    for (const item of value) {
      const fault = faultOf(item, depth + 1, isParsed);
      if (fault) return fault;
    }
    return undefined;
  }
  for (const [name, member] of Object.entries(value)) {
    const fault = unstorableText(name) ?? faultOf(member, depth + 1, isParsed);
    if (fault) return fault;
  }
  return undefined;
}

function unstorableText(text: string): string | undefined {
  if (text.includes('\0')) return 'must not contain the character U+0000';
  return text.isWellFormed() ? undefined : 'must be well-formed Unicode, without lone surrogates';
}

/**
 * Whether JSON text that was decoded from UTF-8 may have a character that can't be stored. A quick test: also true for
 * surrogate pairs, which are valid.
 */
export function mayHaveUnstorableText(json: string): boolean {
  return json.includes('\\u') && SUSPECT_ESCAPE.test(json);
}

const QUOTE = 34;
const COMMA = 44;
const OPEN_ARRAY = 91;
const BACKSLASH = 92;
const CLOSE_ARRAY = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/**
 * The members of a JSON object by their names, each value as its JSON text. Only names are parsed: values may have
 * millions of numbers, and a double is not always equal to the number that was written.
 *
 * @param json a valid object as JSON text, without white space before it
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

/**
 * The items of a JSON array, each as its JSON text.
 *
 * @param json a valid array as JSON text, without white space before it
 */
export function itemTexts(json: string): string[] {
  const items: string[] = [];
  for (let start = 1; start < json.length; ) {
    const end = endOfValue(json, start);
    const item = json.slice(start, end).trim();
    if (item !== '') items.push(item);
    start = end + 1;
  }
  return items;
}

/** The index of the comma or bracket behind the value that begins at an index. */
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

/** Index after the string that begins at an index of JSON text. */
export function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (isEscaped(json, end)) end = json.indexOf('"', end + 1);
  // Invalid text may lack the closing quote. Its end is returned then, so that callers' loops end.
  return end < 0 ? json.length : end + 1;
}

function isEscaped(json: string, quote: number): boolean {
  let at = quote;
  while (json.charCodeAt(at - 1) === BACKSLASH) at -= 1;
  return (quote - at) % 2 === 1;
}
