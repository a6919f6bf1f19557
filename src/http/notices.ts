import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';

const CODES = [
  'area_not_found',
  'area_abolished',
  'area_recoded',
  'boundary_missing',
  'parameter_unknown',
  'rate_limit_above_account',
  'rows_maybe_skipped',
] as const;

const noticeSchema = z
  .object({
    code: z.enum(CODES),
    parameter: z.string(),
    message: z.string(),
    successors: z.array(z.object({ code: z.string(), href: z.string() })),
    got: z.int().optional(),
    allowed: z.int().optional(),
  })
  .openapi('Notice');

/** What a caller should know of an answer that is no error. The parameter is of the query or a member of the body. */
export type Notice = Readonly<z.output<typeof noticeSchema>>;

/** The member of every `meta`. */
export const notices = z.array(noticeSchema).optional().openapi({
  description:
    'Why the list is empty, where a parent does not exist or no longer does; whose the older code is that was asked for; why areas have no boundary, which was asked for; which parameters of the query the operation does not have, so that they change nothing; that an account has a lower limit than its key; that an earlier answer told the rows that were left out',
});

/** The `meta` of an answer that has nothing else there. */
export const noticesMeta = z.object({ notices }).openapi('Notices').optional();

/** How many parameters are named, and how many characters of each. */
const NAMED = { parameters: 5, characters: 64 };

/** The header that names parameters of the query that the operation does not have, also where an answer has no `meta`. */
const UNKNOWN_PARAMETERS = 'X-Unknown-Parameters';

/** Notes which parameters of a request its operation does not have, which change nothing, and names them in a header. */
export function noteUnknownParameters(c: Context, declared: object): void {
  const { url } = c.req;
  const start = url.indexOf('?');
  if (start < 0) return;
  const names = new Set(new URLSearchParams(url.slice(start)).keys());
  noteUnknown(
    c,
    [...names].filter((name) => name !== '' && !Object.hasOwn(declared, name)),
  );
}

/** Notes parameters, or fields of a form, that an operation does not have. */
export function noteUnknown(c: Context, names: readonly string[]): void {
  const known: readonly string[] = c.get('unknownParameters') ?? [];
  const added = names.map((name) => name.slice(0, NAMED.characters).toWellFormed());
  const unknown = [...known, ...added].slice(0, NAMED.parameters);
  if (unknown.length === 0) return;
  c.set('unknownParameters', unknown);
  c.header(UNKNOWN_PARAMETERS, unknown.map(encodeURIComponent).join(', '));
}

/** Whether a request has parameters that its operation does not have. */
export function hasUnknownParameters(c: Context): boolean {
  return c.get('unknownParameters') !== undefined;
}

/** What an answer says beside its data. */
export interface Meta {
  readonly notices?: readonly Notice[] | undefined;
  readonly [member: string]: unknown;
}

/** The `meta` of an answer with a notice for each parameter that the operation does not have. Undefined where it has nothing. */
export function withNotices(c: Context, meta?: Meta): Meta | undefined {
  const unknown: readonly string[] | undefined = c.get('unknownParameters');
  if (unknown === undefined) return meta;
  const added = unknown.map((parameter): Notice => {
    const message = `${parameter} is no parameter of this operation, so it changes nothing: /docs has those it takes.`;
    return { code: 'parameter_unknown', parameter, message, successors: [] };
  });
  return { ...meta, notices: [...(meta?.notices ?? []), ...added] };
}
