import type { Context } from 'hono';
import { DomainError } from '../errors.ts';

/** The validators of a stored representation (RFC 9110, 8.8). They are known before it is read. */
interface Validators {
  /** A strong entity tag, in its quotes. */
  readonly etag: string;
  /** To the second. */
  readonly modified: Date;
}

/** What the preconditions of a request lead to: the full answer, 304, or 412. */
type Outcome = 'proceed' | 'not-modified' | 'failed';

/**
 * Evaluates the preconditions of a GET or HEAD, and sets the validators and other headers of the answer.
 *
 * @param headers that caches need besides the validators
 * @returns 304 if the caller has this representation, undefined if it must be sent
 * @throws DomainError `precondition_failed`; none of the headers are set then
 */
export function unchangedAnswer(
  c: Context,
  validators: Validators,
  headers: Readonly<Record<string, string>>,
): Response | undefined {
  const { etag, modified } = validators;
  const outcome = preconditionsOf(c, validators);
  if (outcome === 'failed') {
    throw new DomainError('precondition_failed', `It is another version by now: ${etag}.`);
  }
  c.header('ETag', etag);
  c.header('Last-Modified', modified.toUTCString());
  for (const [name, value] of Object.entries(headers)) c.header(name, value);
  return outcome === 'not-modified' ? c.body(null, 304) : undefined;
}

/** Evaluates the preconditions in the order of RFC 9110, 13.2.2. */
function preconditionsOf(c: Context, { etag, modified }: Validators): Outcome {
  const match = c.req.header('If-Match');
  if (match !== undefined) {
    if (match.trim() !== '*' && !tagsIn(match).includes(etag)) return 'failed';
  } else if (isBefore(dateIn(c.req.header('If-Unmodified-Since')), modified)) {
    return 'failed';
  }
  const noneMatch = c.req.header('If-None-Match');
  if (noneMatch !== undefined) {
    // If-None-Match is compared weakly, so the prefix W/ does not count (RFC 9110, 13.1.2).
    const known = tagsIn(noneMatch).map((tag) => tag.replace(/^W\//, ''));
    return noneMatch.trim() === '*' || known.includes(etag) ? 'not-modified' : 'proceed';
  }
  const since = dateIn(c.req.header('If-Modified-Since'));
  return since !== undefined && !isBefore(since, modified) ? 'not-modified' : 'proceed';
}

/**
 * The range of bytes that a GET asks for.
 *
 * @returns undefined if all bytes are to be sent. That is so without a Range, if the Range is malformed or names several
 * ranges (RFC 9110, 14.2 lets a server ignore it), and if If-Range names another representation. Dates are not strong
 * validators here, so only an entity tag satisfies If-Range.
 */
export function rangeOf(
  c: Context,
  { etag, size }: { etag: string; size: number },
): { offset: number; length: number } | 'unsatisfiable' | undefined {
  const ifRange = c.req.header('If-Range');
  if (ifRange !== undefined && ifRange.trim() !== etag) return undefined;
  const [, from = '', to = ''] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(c.req.header('Range') ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  if (from === '') {
    const length = Math.min(Number(to), size);
    return length === 0 ? 'unsatisfiable' : { offset: size - length, length };
  }
  const first = Number(from);
  const last = to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (to !== '' && Number(to) < first) return undefined;
  return first >= size ? 'unsatisfiable' : { offset: first, length: last - first + 1 };
}

function tagsIn(header: string): string[] {
  return header.match(/(W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g) ?? [];
}

const TIME = String.raw`(?<time>\d{2}:\d{2}:\d{2})`;

/**
 * The three forms of a date that every recipient must accept (RFC 9110, 5.6.7): the preferred form, that of RFC 850, and
 * that of C's asctime.
 */
const DATES = [
  String.raw`\w{3}, (?<day>\d{2}) (?<month>\w{3}) (?<year>\d{4}) ${TIME} GMT`,
  String.raw`\w{6,9}, (?<day>\d{2})-(?<month>\w{3})-(?<year>\d{2}) ${TIME} GMT`,
  String.raw`\w{3} (?<month>\w{3}) (?<day>[ \d]\d) ${TIME} (?<year>\d{4})`,
].map((form) => new RegExp(`^${form}$`));

/** A date in one of the three forms. A header with anything else is ignored. */
function dateIn(header = ''): Date | undefined {
  for (const form of DATES) {
    const { day, month, year = '', time } = form.exec(header)?.groups ?? {};
    const date = new Date(`${day} ${month} ${yearOf(year)} ${time} GMT`);
    if (!Number.isNaN(+date)) return date;
  }
  return undefined;
}

/** A year of two digits is at most fifty years in the future (RFC 9110, 5.6.7). */
function yearOf(digits: string): number {
  if (digits.length !== 2) return Number(digits);
  const now = new Date().getUTCFullYear();
  const year = now - (now % 100) + Number(digits);
  return year > now + 50 ? year - 100 : year;
}

function isBefore(date: Date | undefined, other: Date): boolean {
  return date !== undefined && date < other;
}
