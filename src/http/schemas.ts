import { z } from '@hono/zod-openapi';

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** Text of a body: well-formed, and no control characters but tabs and line ends. */
export function bodyText({ min = 0, max }: { min?: number; max: number }) {
  return z
    .string('must be text')
    .max(max, `must have at most ${max} characters`)
    .refine(
      (text) => text.trim().length >= min,
      min === 1 ? 'must not be empty' : `must have ${min} characters or more`,
    )
    .refine((text) => !CONTROL_CHARACTERS.test(text), 'must not contain control characters')
    .refine((text) => text.isWellFormed(), 'must be well-formed Unicode')
    .openapi(min > 0 ? { minLength: min } : {});
}
