import type { Hook } from '@hono/zod-openapi';

const PREVIEW_LENGTH = 60;
/** How many issues are answered. More help nobody, and a large body can have a hundred thousand. */
const MAX_ISSUES = 20;

/**
 * Answers 422 in the validation shape where a parameter or body does not fit its schema. Each message has the parameter,
 * the rule and the value that was sent.
 */
// biome-ignore lint/suspicious/noExplicitAny: the library's type of hooks has parameters for the input and the answer
export const refuseInvalid: Hook<any, any, any, any> = (result, c) => {
  if (result.success) return;
  // The validator passes the input as `data`, which is missing in the library's type of a failure.
  const issues = issuesOf(result.error, (result as { data?: unknown }).data);
  c.header('Cache-Control', 'no-store');
  return c.json({ success: false, error: { name: 'ZodError', issues } }, 422);
};

/**
 * What does not fit a schema, in words.
 *
 * @param whole what the input is called as a whole
 */
export function issuesOf({ issues }: { readonly issues: readonly FoundIssue[] }, input: unknown, whole = 'body') {
  return issues
    .flatMap(ofBranch)
    .slice(0, MAX_ISSUES)
    .map((issue) => {
      const path = issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key));
      const name = path.length === 0 ? whole : path.join('.');
      return { code: issue.code ?? 'custom', path, message: `${name}: ${ruleOf(issue)}${got(input, path)}` };
    });
}

/** The issues inside a value that has the type of one branch of a union; else that of the union. */
function ofBranch(issue: FoundIssue): FoundIssue[] {
  const branch = issue.errors?.find((issues) => issues.every(({ path }) => path.length > 0));
  return branch?.flatMap((it) => ofBranch({ ...it, path: [...issue.path, ...it.path] })) ?? [issue];
}

const TYPES: Readonly<Record<string, string>> = {
  array: 'an array',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'a JSON object',
  string: 'text',
};

/** What is counted where the size of a value has a limit. */
const UNITS: Readonly<Record<string, string>> = { array: 'items', string: 'characters', object: 'members' };

interface Issue {
  readonly code?: string;
  readonly message: string;
  readonly expected?: unknown;
  readonly origin?: string;
  readonly minimum?: unknown;
  readonly maximum?: unknown;
  readonly keys?: readonly string[];
}

interface FoundIssue extends Issue {
  readonly path: readonly PropertyKey[];
  /** Of a union: the issues of each of its branches. */
  readonly errors?: readonly (readonly FoundIssue[])[];
}

/** How messages begin that the library has made because the schema has none. */
const MADE_BY_LIBRARY = /^(Invalid|Too (big|small)|Unrecognized)/;

/** The rule that was broken: the message of the schema or, where it has none, what the issue says in our words. */
function ruleOf({ code, message, expected, origin, minimum, maximum, keys }: Issue): string {
  if (code === 'unrecognized_keys') {
    const names = (keys ?? []).slice(0, 5).map((key) => JSON.stringify(textOf(key)));
    const rule = `must not have the member ${names.join(', ')}`;
    return MADE_BY_LIBRARY.test(message) ? rule : `${rule}; it ${message}`;
  }
  if (!MADE_BY_LIBRARY.test(message)) return message;
  // What may be of any type can only be missing.
  if (expected === 'nonoptional') return 'must be given';
  if (code === 'invalid_type') return `must be ${TYPES[String(expected)] ?? `of the type ${expected}`}`;
  const unit = UNITS[String(origin)];
  const limit = code === 'too_big' ? `at most ${maximum}` : code === 'too_small' ? `at least ${minimum}` : undefined;
  if (limit === undefined) return 'must be what the document says';
  return unit === undefined ? `must be ${limit}` : `must have ${limit} ${unit}`;
}

function got(input: unknown, path: readonly (string | number)[]): string {
  let value = input;
  for (const key of path) value = value !== null && typeof value === 'object' ? Reflect.get(value, key) : undefined;
  if (value === undefined) return '';
  return ` (got ${textOf(preview(value))})`;
}

function textOf(text: string): string {
  return text.length > PREVIEW_LENGTH ? `${beginningOf(text)}…` : text;
}

/** The part of a value that a message shows, which does not end in half a character. */
function beginningOf(text: string): string {
  return text.slice(0, PREVIEW_LENGTH).replace(/[\ud800-\udbff]$/, '');
}

/** A value as a message shows it. Arrays and objects are not written out: they may be large, or nested too deep. */
function preview(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `an array of ${value.length}`;
  if (value !== null && typeof value === 'object') return Object.keys(value).length === 0 ? '{}' : 'an object';
  // A double beyond these may be another number than was sent, or infinite.
  if (typeof value === 'number' && value > Number.MAX_SAFE_INTEGER) return `a number above ${Number.MAX_SAFE_INTEGER}`;
  if (typeof value === 'number' && value < Number.MIN_SAFE_INTEGER) return `a number below ${Number.MIN_SAFE_INTEGER}`;
  return JSON.stringify(value) ?? String(value);
}
