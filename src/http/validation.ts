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
  const input = (result as { data?: unknown }).data;
  const issues = result.error.issues.slice(0, MAX_ISSUES).map((issue) => {
    const path = issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key));
    const name = path.length === 0 ? 'body' : path.join('.');
    return { code: issue.code ?? 'custom', path, message: `${name}: ${ruleOf(issue)}${got(input, path)}` };
  });
  c.header('Cache-Control', 'no-store');
  return c.json({ success: false, error: { name: 'ZodError', issues } }, 422);
};

const TYPES: Readonly<Record<string, string>> = {
  array: 'an array',
  boolean: 'true or false',
  number: 'a number',
  object: 'a JSON object',
  string: 'text',
};

/** The rule that was broken: the message of the schema or, where it has none, the type that it expects. */
function ruleOf({ code, message, expected }: { code?: string; message: string; expected?: unknown }): string {
  const type = code === 'invalid_type' && message.startsWith('Invalid input') ? TYPES[String(expected)] : undefined;
  return type === undefined ? message : `must be ${type}`;
}

function got(input: unknown, path: (string | number)[]): string {
  let value = input;
  for (const key of path) value = value !== null && typeof value === 'object' ? Reflect.get(value, key) : undefined;
  if (value === undefined) return '';
  const text = preview(value);
  return ` (got ${text.length > PREVIEW_LENGTH ? `${beginningOf(text)}…` : text})`;
}

/** The part of a value that a message shows, which does not end in half a character. */
function beginningOf(text: string): string {
  return text.slice(0, PREVIEW_LENGTH).replace(/[\ud800-\udbff]$/, '');
}

/** A value as a message shows it. Arrays and objects are not written out: they may be large, or nested too deep. */
function preview(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? '[]' : 'an array';
  if (value !== null && typeof value === 'object') return Object.keys(value).length === 0 ? '{}' : 'an object';
  return JSON.stringify(value) ?? String(value);
}
