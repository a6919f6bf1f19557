import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { header } from './error-schemas.ts';

const CODES = [
  'area_not_found',
  'area_abolished',
  'area_recoded',
  'boundary_missing',
  'features_not_read',
  'features_without_geometry',
  'lines_in_windows_1252',
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
    'Sentences about the answer. They say why a list is empty (its parent is unknown or gone), which area an older code leads to, why areas lack the boundary that was asked for, which unknown parameters and members are ignored, that an account has a lower limit than its key, that an earlier answer listed the rows left out, that lines of a table were read in another encoding, that features of a file have no geometry, or that they were not read because the form does not ask for them',
});

/** The `meta` of an answer that has nothing else there. */
export const noticesMeta = z.object({ notices }).openapi('Notices').optional();

/** How many parameters are named, and how many characters of each. */
const NAMED = { parameters: 5, characters: 64 };

/** The header that names parameters and members that the operation does not have, also where an answer has no `meta`. */
const UNKNOWN_PARAMETERS = 'X-Unknown-Parameters';

/** When all that is deprecated was, in the form of RFC 9745. */
const DEPRECATED_SINCE = '@1767225600';

/** Marks that the request used something that is deprecated: `deprecation` declares it. */
export function noteDeprecated(c: Context): void {
  c.header('Deprecation', DEPRECATED_SINCE);
}

/** The header of answers to requests that used it. @param what what is deprecated, as `the parameter output` */
export function deprecation(what: string) {
  return { Deprecation: header(`Since when ${what}, which was used, is deprecated (RFC 9745)`) };
}

/** What an operation takes. */
export interface Taken {
  /** The parameters of its query; undefined where it looks at all of them by itself. */
  readonly query: Members;
  /** The members of its JSON body. */
  readonly body: Members;
}

/** The members of an object, each with its own; undefined for what is no object, or may have any members. */
export type Members = { readonly [name: string]: Members } | undefined;

/** Notes which parameters of the query its operation does not have, which change nothing, and names them in a header. */
export function noteUnknownParameters(c: Context, { query, body = {} }: Taken): void {
  const { url } = c.req;
  const start = url.indexOf('?');
  if (start < 0 || query === undefined) return;
  const names = new Set(new URLSearchParams(url.slice(start)).keys());
  const unknown = [...names].filter((name) => name !== '' && !Object.hasOwn(query, name));
  noteUnknown(
    c,
    unknown,
    (name) => Object.hasOwn(body, name) && 'is a member of the body, and no parameter of the query',
  );
}

/** Notes which members of a JSON body its operation does not have, as `noteUnknownParameters` does. */
export function noteUnknownMembers(c: Context, sent: unknown, { query, body }: Taken): void {
  const unknown = new Set<string>();
  addUnknown(unknown, sent, body, '');
  noteUnknown(
    c,
    [...unknown],
    (name) => Object.hasOwn(query ?? {}, name) && 'is a parameter of the query, and no member of the body',
  );
}

/**
 * Adds the paths of members that an object does not have, as many as are named: `edition`, and `points[].lng` of the items of
 * an array.
 */
function addUnknown(found: Set<string>, value: unknown, members: Members, path: string): void {
  if (members === undefined || value === null || typeof value !== 'object') return;
  if (Array.isArray(value)) {
    for (const item of value) addUnknown(found, item, members, `${path}[]`);
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    const inner = path === '' ? name : `${path}.${name}`;
    if (Object.hasOwn(members, name)) addUnknown(found, member, members[name], inner);
    else if (found.size < NAMED.parameters) found.add(inner);
  }
}

/**
 * Notes parameters, members of a body, or fields of a form, that an operation does not have.
 *
 * @param whereOf what else one of them is
 */
export function noteUnknown(
  c: Context,
  names: readonly string[],
  whereOf: (name: string) => string | false = () => false,
): void {
  const known: readonly Unknown[] = c.get('unknownParameters') ?? [];
  const added = names.map((given) => {
    const name = given.slice(0, NAMED.characters).toWellFormed();
    return { name, where: whereOf(given) || 'is no parameter of this operation' };
  });
  const unknown = [...known, ...added].slice(0, NAMED.parameters);
  if (unknown.length === 0) return;
  c.set('unknownParameters', unknown);
  c.header(UNKNOWN_PARAMETERS, unknown.map(({ name }) => encodeURIComponent(name)).join(', '));
}

interface Unknown {
  readonly name: string;
  /** What it is, or that it is nothing. */
  readonly where: string;
}

/** Whether a request has parameters or members that its operation does not have. */
export function hasUnknownParameters(c: Context): boolean {
  return c.get('unknownParameters') !== undefined;
}

/** What an answer says besides its data. */
export interface Meta {
  readonly notices?: readonly Notice[] | undefined;
  readonly [member: string]: unknown;
}

/** The `meta` of an answer with a notice for each parameter that the operation does not have. Undefined where it has nothing. */
export function withNotices(c: Context, meta?: Meta): Meta | undefined {
  const unknown: readonly Unknown[] | undefined = c.get('unknownParameters');
  if (unknown === undefined) return meta;
  const added = unknown.map(({ name, where }): Notice => {
    const message = `${name} ${where}, so it changes nothing: /docs has those it takes.`;
    return { code: 'parameter_unknown', parameter: name, message, successors: [] };
  });
  return { ...meta, notices: [...(meta?.notices ?? []), ...added] };
}
