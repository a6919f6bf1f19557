import { z } from '@hono/zod-openapi';
import { NAME_LEVELS } from '../names/source.ts';
import type { Service } from './ask.ts';

/** A tool: its input, its output, and the operations it calls. */
interface Definition<Input extends z.ZodObject, Output extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  /** For the model that chooses a tool. */
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
  /** @throws Refusal */
  call(service: Service, given: z.output<Input>): Promise<z.input<Output>>;
}

export interface Tool extends Definition<z.ZodObject, z.ZodObject> {}

export function tool<Input extends z.ZodObject, Output extends z.ZodObject>(
  definition: Definition<Input, Output>,
): Tool {
  return definition as unknown as Tool;
}

export const LEVELS = ['region', 'province', 'municity', 'barangay'] as const;

export const LEVELS_ABOUT = 'municity is a city or municipality';

export const NAME_LEVELS_ABOUT = `${LEVELS_ABOUT}, submunicipality one of the districts of Manila`;

const CODE_RULE = 'must be a PSGC code as text, such as "0702200000"';

/** A PSGC code, as text, because a number would lose its leading zero. */
export const code = z.string(CODE_RULE).regex(/^\d{1,15}$/, CODE_RULE);

export const text = (maxLength = 256) =>
  z.string('must be text').max(maxLength, `must have at most ${maxLength} characters`);

/** One of some words. */
export function choice<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.enum(values, `must be one of ${values.join(', ')}`);
}

/** The levels that a search is limited to. */
export const levels = z
  .array(choice(NAME_LEVELS), 'must be an array of levels')
  .min(1, 'must have at least one level')
  .max(5, 'must have at most 5 levels')
  .optional()
  .describe(`Only these levels; ${NAME_LEVELS_ABOUT}`);

/** A whole number within bounds. */
export function int(min: number, max: number) {
  const rule = `must be a whole number from ${min} to ${max}`;
  return z.int(rule).min(min, rule).max(max, rule);
}

export const edition = text(20)
  .optional()
  .describe('Edition of the PSGC to answer from, such as "2023-4q"; the newest that is served without it');

/** A place within the result of another, such as an ancestor or a candidate. */
export const placeRef = z.object({ code: z.string(), level: z.string(), name: z.string() });

export type PlaceRef = z.output<typeof placeRef>;

/** The names of a place's ancestors as in an address, nearest first. */
export function withinOf(ancestors: readonly { readonly name: string }[]): string {
  return ancestors
    .toReversed()
    .map(({ name }) => name)
    .join(', ');
}

export const within = z.string().describe('What it lies in, the nearest first');
