import { z } from '@hono/zod-openapi';
import { CONTROL_CHARACTER_IN_LINES, CONTROL_RULE } from '../control-characters.ts';

/** A moment of an answer: RFC 3339, in UTC. */
export const moment = z.iso.datetime({ offset: true });

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

interface TextRule {
  /** The least length, in UTF-16 units, without the white space at both ends. */
  min?: number;
  /** The greatest length, in UTF-16 units. */
  max: number;
  /** What the text must match, for the document to say so. Without it only tabs and line ends are allowed as control characters. */
  pattern?: RegExp;
}

/** Text of a body: well-formed Unicode without control characters. */
export function bodyText({ min = 0, max, pattern }: TextRule) {
  const text = z.string('must be text').max(max, `must have at most ${max} characters`);
  const plain =
    pattern === undefined
      ? text.refine((value) => !CONTROL_CHARACTER_IN_LINES.test(value), CONTROL_RULE)
      : // Without the source the library would write the flags of the expression into the document's pattern.
        text.regex(pattern, CONTROL_RULE).openapi({ pattern: pattern.source });
  return plain
    .refine(
      (value) => value.trim().length >= min,
      min === 1 ? 'must not be empty' : `must have ${min} characters or more`,
    )
    .refine((value) => value.isWellFormed(), 'must be well-formed Unicode')
    .openapi(min > 0 ? { minLength: min } : {});
}
