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

/** Of TC39's "JSON.parse source text access", which the type library does not know yet. */
const exact = JSON as unknown as {
  parse(text: string, reviver: (name: string, value: unknown, context: { source: string }) => unknown): unknown;
  rawJSON(text: string): object;
  isRawJSON(value: unknown): value is { rawJSON: string };
};

/** The value of JSON text, in which numbers stay the text that they are: also those that no double is equal to. */
export function exactJson(text: string): unknown {
  return exact.parse(text, (_, value, { source }) => (typeof value === 'number' ? exact.rawJSON(source) : value));
}

/** The text of a number of exact JSON; undefined for any other value. */
export function numberText(value: unknown): string | undefined {
  return exact.isRawJSON(value) ? value.rawJSON : undefined;
}
