import { z } from '@hono/zod-openapi';
import type { AppContext } from '../context.ts';
import { DomainError } from '../errors.ts';
import { issuesOf } from '../http/validation.ts';
import { Router } from '../operation.ts';
import { crsOf, quoted } from './crs.ts';

/** Max features of one answer. */
export const MAX_LIMIT = 10_000;
export const DEFAULT_LIMIT = 10;

/** GDAL sends a filter only to a service that names the text as it was called in a draft, `cql-text`. */
export const FILTER_LANGUAGES = ['cql2-text', 'cql2-json', 'cql-text'] as const;

/** Max characters of a filter. */
const MAX_FILTER = 8192;

const once = (rule: string) => z.string(`must be given once, as ${rule}`);

/** The parameters of every URL. */
export const commonParams = {
  f: z.enum(['json', 'html'], 'must be json or html').optional(),
  session: z.string('must be given once').optional(),
};

/** The parameters of lists of features. Others are the names of properties. */
export const itemParams = {
  ...commonParams,
  limit: once('a whole number')
    .regex(/^0{0,9}[1-9]\d{0,30}$/, 'must be a whole number from 1')
    .transform((limit) => Math.min(Number(limit), MAX_LIMIT))
    .optional(),
  cursor: once('a link has it').max(256, 'must have at most 256 characters').optional(),
  bbox: once('numbers with commas between them').max(200, 'must have at most 200 characters').optional(),
  'bbox-crs': once('the URI of a reference system').optional(),
  crs: once('the URI of a reference system').optional(),
  datetime: once('a moment or an interval').max(80, 'must have at most 80 characters').optional(),
  filter: once('CQL2').max(MAX_FILTER, `must have at most ${MAX_FILTER} characters`).optional(),
  'filter-lang': z.enum(FILTER_LANGUAGES, 'must be cql2-text or cql2-json').optional(),
  'filter-crs': once('the URI of a reference system').optional(),
};

export type ItemQuery = z.output<z.ZodObject<typeof itemParams>> & { readonly [property: string]: unknown };

/** A router whose refusals have the status 400, as the standard has it. */
export function createOgcRouter(): Router {
  return new Router([], (result) => {
    if (result.success) return;
    const [issue] = issuesOf(result.error, (result as { data?: unknown }).data, 'query');
    throw new DomainError('invalid_parameter', `${issue?.message}.`);
  });
}

/**
 * The parameters that are no part of a schema: conditions on properties.
 *
 * @param names the properties that there are
 * @throws DomainError `invalid_parameter` for any other, and for one that is given twice
 */
export function propertyParams(
  c: AppContext,
  known: object,
  names: readonly string[],
): [name: string, value: string][] {
  const given = new URL(c.req.url).searchParams;
  const found = new Map<string, string>();
  for (const [name, value] of given) {
    if (Object.hasOwn(known, name)) continue;
    if (!names.includes(name)) {
      const taken = [...Object.keys(known), ...names].slice(0, 40).join(', ');
      throw new DomainError('invalid_parameter', `${quoted(name)} is no parameter here. There are: ${taken}.`);
    }
    if (value.includes('\0')) {
      throw new DomainError(
        'invalid_parameter',
        `${name}: must be without the character U+0000 (got ${quoted(value)}).`,
      );
    }
    if (found.has(name)) throw new DomainError('invalid_parameter', `${name}: must be given once.`);
    found.set(name, value);
  }
  return [...found];
}

/** West, south, east, north in degrees; west is greater than east where the box crosses the antimeridian. */
export type Box = readonly [number, number, number, number];

const NUMBER = /^\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?\s*$/i;

/** The box of the parameter `bbox`. Heights are not looked at, because no boundary has one. */
export function boxOf(text: string | undefined, system: string | undefined): Box | undefined {
  const crs = crsOf('bbox-crs', system);
  if (text === undefined) return undefined;
  const parts = text.split(',');
  const bad = (rule: string) => new DomainError('invalid_parameter', `bbox: ${rule} (got ${quoted(text)}).`);
  if ((parts.length !== 4 && parts.length !== 6) || !parts.every((part) => NUMBER.test(part))) {
    throw bad('must be four numbers, or six with heights, with commas between them');
  }
  const numbers = parts.map(Number);
  const half = numbers.length / 2;
  const [first = 0, second = 0] = numbers;
  const [third = 0, fourth = 0] = numbers.slice(half);
  const [west, south] = crs.toLonLat(first, second);
  const [east, north] = crs.toLonLat(third, fourth);
  const box: Box = [west, south, east, north];
  if (!box.every(Number.isFinite)) throw bad('must be finite numbers');
  if (south > north) throw bad('must have the smaller latitude first');
  // A map in a projection shows a little more than the world at its edges.
  if (crs.isProjected) return [clamp(west, 180), clamp(south, 90), clamp(east, 180), clamp(north, 90)];
  if (Math.abs(west) <= 180 && Math.abs(east) <= 180 && south >= -90 && north <= 90) return box;
  throw bad('must be on Earth: longitudes from -180 to 180 and latitudes from -90 to 90, in the order of its system');
}

function clamp(value: number, limit: number): number {
  return Math.min(Math.max(value, -limit), limit);
}
