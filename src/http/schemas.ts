import { z } from '@hono/zod-openapi';
import { BARRED, CONTROL_RULE, textWithout, visibleTextWithout } from '../control-characters.ts';

/** A moment of an answer: RFC 3339, in UTC. */
export const moment = z.iso.datetime({ offset: true });

/** A count of bytes. The format shows generators of clients that 32 bits don't hold it. */
export const byteCount = z.int().openapi({ format: 'int64' });

/**
 * The first moment after the year 9999, milliseconds since the epoch. RFC 3339 has four digits for a year, so later
 * moments can be neither stored nor answered.
 */
export const END_OF_TIME = Date.UTC(10_000, 0);

/** The id of a thing in a body or a path. The message of a refusal names the thing: `uuidOf('dataset')`. */
export function uuidOf(noun: string) {
  return z.guid(`must be the UUID of a ${noun}`).openapi({ format: 'uuid' });
}

/** The parameters of a path that has only `{id}`, the id of a thing: `idParams('dataset')`. */
export function idParams(noun: string, example?: string) {
  const described = { description: `Id of the ${noun}`, ...(example === undefined ? {} : { example }) };
  return z.object({ id: uuidOf(noun).openapi(described) });
}

/** An id of the query string or of a body. */
export function idParam(description: string) {
  return z.guid('must be a UUID').openapi({ format: 'uuid', description });
}

/**
 * The body of a change: any of some members, or none. Others are ignored, so that a record that was read can be sent back.
 * A body that has nothing but others is a mistake, and is refused.
 */
export function changesOf<const Shape extends z.ZodRawShape>(shape: Shape) {
  const known = Object.keys(shape);
  return z
    .looseObject(shape)
    .superRefine((given, context) => {
      const names = Object.keys(given);
      if (names.length === 0 || names.some((name) => known.includes(name))) return;
      const got = names.slice(0, 5).map((name) => JSON.stringify(name.slice(0, 60)));
      const message = `must have one of the members ${known.join(', ')}, and not only ${got.join(', ')}`;
      context.addIssue({ code: 'custom', message });
    })
    .openapi({ anyOf: [{ maxProperties: 0 }, ...known.map((name) => ({ required: [name] }))] });
}

/** Whether a text has at most so many characters. A character beyond U+FFFF counts as one, as it does in JSON Schema. */
export function hasAtMost(text: string, most: number): boolean {
  // No character has more than two units, so of a longer text none has to be counted.
  return text.length <= most || (text.length <= 2 * most && [...text].length <= most);
}

/** An email address as HTML has it, with a dot in its domain: https://html.spec.whatwg.org/multipage/input.html#email-state-(type=email) */
const EMAIL =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)+$/;

/** An email address, as browsers take it in a form. */
export const email = z
  .email({ pattern: EMAIL, error: 'must be an email address' })
  .max(320, 'must have at most 320 characters');

export interface TextRule {
  /** Whether it may be empty, or have nothing but white space. */
  optional?: true;
  /** The greatest length, characters. */
  max: number;
  /** The characters that it may not have. Default: control characters but tabs and line ends. */
  barred?: (typeof BARRED)[keyof typeof BARRED];
}

/** The rule in the words of JSON Schema. */
export function textSchema({ optional, max, barred = BARRED.inLines }: TextRule) {
  return optional
    ? { maxLength: max, pattern: textWithout(barred).source }
    : { minLength: 1, maxLength: max, pattern: visibleTextWithout(barred).source };
}

/** Text of a body: well-formed Unicode without control characters. */
export function bodyText(rule: TextRule) {
  const { optional, max, barred = BARRED.inLines } = rule;
  const plain = textWithout(barred);
  const visible = visibleTextWithout(barred);
  return z
    .string('must be text')
    .refine((text) => hasAtMost(text, max), { error: `must have at most ${max} characters`, abort: true })
    .refine((text) => plain.test(text), { error: CONTROL_RULE, abort: true })
    .refine((text) => optional || visible.test(text), 'must not be empty')
    .refine((text) => text.isWellFormed(), 'must be well-formed Unicode')
    .openapi(textSchema(rule));
}
