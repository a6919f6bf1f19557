import { z } from '@hono/zod-openapi';
import { BARRED, CONTROL_RULE, textWithout } from '../control-characters.ts';
import { END_OF_TIME, hasAtMost } from './schemas.ts';

const MAX_TEXT_LENGTH = 256;
const MAX_NUMBER_LENGTH = 64;

/** The first moment of the year 1, milliseconds since the epoch. The database has no year 0. */
const BEGINNING_OF_TIME = -62_135_596_800_000;

const PLAIN = textWithout(BARRED.inText);

/** An integer of the query string, in decimal digits. */
export function integerParam({
  min,
  max,
  description,
  example,
}: {
  min: number;
  max: number;
  description: string;
  example?: number;
}) {
  const rule = `must be an integer from ${min} to ${max}`;
  return z
    .string(rule)
    .regex(/^\d{1,10}$/, rule)
    .transform(Number)
    .refine((value) => value >= min && value <= max, rule)
    .openapi({ type: 'integer', minimum: min, maximum: max, description, ...exampleOf(example) });
}

/** A decimal number, as programs write it. */
export const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/** A decimal number of the query string, as programs write it: no hexadecimal, no infinity. */
export function numberParam({
  min,
  max,
  rule,
  description,
  example,
}: {
  min: number;
  max: number;
  rule: string;
  description: string;
  example: number;
}) {
  const form = `must be given once, as a decimal number such as ${example}`;
  return z
    .string(form)
    .max(MAX_NUMBER_LENGTH, form)
    .regex(DECIMAL, form)
    .transform(Number)
    .refine(Number.isFinite, { error: 'must be a finite number', abort: true })
    .refine((value) => value >= min && value <= max, rule)
    .openapi({ type: 'number', minimum: min, maximum: max, description, example });
}

/** Text of the query string, without control characters, which no name has and the database refuses. */
export function textParam({ min = 0, description, example }: { min?: number; description: string; example?: string }) {
  return z
    .string('must be given once, as text')
    .min(min, `must have at least ${min} character${min === 1 ? '' : 's'}`)
    .refine((text) => hasAtMost(text, MAX_TEXT_LENGTH), {
      error: `must have at most ${MAX_TEXT_LENGTH} characters`,
      abort: true,
    })
    .refine((text) => PLAIN.test(text), CONTROL_RULE)
    .openapi({ maxLength: MAX_TEXT_LENGTH, pattern: PLAIN.source, description, ...exampleOf(example) });
}

/** `true` or `false`; gives the boolean. */
export function flagParam(description: string) {
  return choiceParam(['true', 'false'], description).transform((text) => text === 'true');
}

/** The words for on, and then those for off, of parameters and fields that take more than `true` and `false`. */
export const SWITCHES = ['true', '1', 'yes', 'false', '0', 'no'] as const;

/** Whether one of `SWITCHES` is on. */
export function isOn(text: (typeof SWITCHES)[number]): boolean {
  return SWITCHES.indexOf(text) < 3;
}

/** One of several words. */
export function choiceParam<const Values extends readonly [string, ...string[]]>(values: Values, description: string) {
  return z.enum(values, `must be one of ${values.join(', ')}`).openapi({ description });
}

/** One of several words that are written with capitals; gives it so, in whatever case it was sent. */
export function wordParam<const Values extends readonly [string, ...string[]]>(values: Values, description: string) {
  const written = new Map(values.map((word) => [word.toLowerCase(), word]));
  const spelled = (given: unknown) => (typeof given === 'string' ? (written.get(given.toLowerCase()) ?? given) : given);
  return z
    .preprocess(spelled, choiceParam(values, description))
    .openapi({ type: 'string', enum: [...values], description });
}

function exampleOf<T>(example: T | undefined): { example?: T } {
  return example === undefined ? {} : { example };
}

/**
 * A date and time of the query string (RFC 3339); gives it in UTC. Moments outside of the years 1 to 9999 become the first
 * or the last one of those. Nothing here is as old or as new, so comparisons end the same.
 */
export function momentParam(description: string) {
  const rule = 'must be a date and time such as 2026-01-31T08:00:00Z';
  return z
    .string(rule)
    .transform((text) => text.toUpperCase().replace(/:60(?=[.Z+-])/, ':59'))
    .pipe(z.iso.datetime({ offset: true, error: rule }))
    .transform((text) => {
      const moment = Math.min(Math.max(Date.parse(text), BEGINNING_OF_TIME), END_OF_TIME - 1);
      return new Date(moment).toISOString();
    })
    .openapi({ type: 'string', format: 'date-time', description });
}
