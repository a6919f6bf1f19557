/** How deep arrays and objects may stand in one another in anything that is stored. */
export const MAX_DEPTH = 64;

/** Escapes of characters that may not be stored, as JSON writes them; some are good in pairs. */
const SUSPECT = /\\u(?:0000|[dD][89a-fA-F])/;

/**
 * What keeps a JSON value from being stored, or undefined: too deep, a character that Postgres has no place for (NUL),
 * or half of one (a lone surrogate).
 */
export function unstorable(value: unknown): string | undefined {
  // With a stack of its own: the depth is what is in question.
  const waiting: { value: unknown; depth: number }[] = [{ value, depth: 0 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (typeof next.value === 'string') {
      const fault = unstorableText(next.value);
      if (fault) return fault;
    } else if (next.value !== null && typeof next.value === 'object') {
      const depth = next.depth + 1;
      if (depth > MAX_DEPTH) return `must not be nested deeper than ${MAX_DEPTH} levels`;
      if (Array.isArray(next.value)) for (const item of next.value) waiting.push({ value: item, depth });
      else {
        for (const [name, member] of Object.entries(next.value)) {
          waiting.push({ value: name, depth }, { value: member, depth });
        }
      }
    }
  }
  return undefined;
}

/** The same for a text. */
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
