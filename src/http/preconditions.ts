import type { Context } from 'hono';
import { DomainError } from '../errors.ts';

/** What is known of a stored representation before it is read. */
interface Validators {
  /** A strong entity tag, in its quotes. */
  readonly etag: string;
  /** To the second. */
  readonly modified: Date;
}

/** What the preconditions of a request ask for: to go on, to answer 304, or to answer 412. */
type Verdict = 'proceed' | 'not-modified' | 'failed';

/**
 * Evaluates the preconditions of a GET or HEAD, and sets the validators and the other headers that caches need.
 *
 * @returns 304 where the caller has this representation, undefined where it has to be sent
 * @throws DomainError `precondition_failed`, with none of these headers set
 */
export function unchangedAnswer(
  c: Context,
  validators: Validators,
  headers: Readonly<Record<string, string>>,
): Response | undefined {
  const { etag, modified } = validators;
  const verdict = preconditionsOf(c, validators);
  if (verdict === 'failed') {
    throw new DomainError('precondition_failed', `It is another version by now: ${etag}.`);
  }
  c.header('ETag', etag);
  c.header('Last-Modified', modified.toUTCString());
  for (const [name, value] of Object.entries(headers)) c.header(name, value);
  return verdict === 'not-modified' ? c.body(null, 304) : undefined;
}

/** Evaluates the preconditions of a GET or HEAD in the order that RFC 9110, 13.2.2 gives. */
function preconditionsOf(c: Context, { etag, modified }: Validators): Verdict {
  const match = c.req.header('If-Match');
  if (match !== undefined) {
    if (match.trim() !== '*' && !tagsIn(match).includes(etag)) return 'failed';
  } else if (isBefore(dateIn(c.req.header('If-Unmodified-Since')), modified)) {
    return 'failed';
  }
  const noneMatch = c.req.header('If-None-Match');
  if (noneMatch !== undefined) {
    // The comparison is weak: the prefix W/ does not count.
    const known = tagsIn(noneMatch).map((tag) => tag.replace(/^W\//, ''));
    return noneMatch.trim() === '*' || known.includes(etag) ? 'not-modified' : 'proceed';
  }
  const since = dateIn(c.req.header('If-Modified-Since'));
  return since !== undefined && !isBefore(since, modified) ? 'not-modified' : 'proceed';
}

/**
 * The bytes that a GET asks for, or undefined where it is to have them all: without a Range, with one that can not be
 * understood or has several parts (RFC 9110, 14.2 lets a server ignore it), and where If-Range means another
 * representation. Dates are no strong validators here: If-Range is held only by an entity tag.
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

/** The forms of a date that RFC 9110, 5.6.7 has every recipient accept: today's, that of RFC 850 and that of C's asctime. */
const DATES = [
  String.raw`\w{3}, (?<day>\d{2}) (?<month>\w{3}) (?<year>\d{4}) ${TIME} GMT`,
  String.raw`\w{6,9}, (?<day>\d{2})-(?<month>\w{3})-(?<year>\d{2}) ${TIME} GMT`,
  String.raw`\w{3} (?<month>\w{3}) (?<day>[ \d]\d) ${TIME} (?<year>\d{4})`,
].map((form) => new RegExp(`^${form}$`));

/** A date in one of the forms that there are; others are as if they had not been sent. */
function dateIn(header = ''): Date | undefined {
  for (const form of DATES) {
    const { day, month, year = '', time } = form.exec(header)?.groups ?? {};
    const date = new Date(`${day} ${month} ${yearOf(year)} ${time} GMT`);
    if (!Number.isNaN(date.getTime())) return date;
  }
  return undefined;
}

/** Two digits are of a year at most fifty years from now. */
function yearOf(digits: string): number {
  if (digits.length !== 2) return Number(digits);
  const now = new Date().getUTCFullYear();
  const year = now - (now % 100) + Number(digits);
  return year > now + 50 ? year - 100 : year;
}

function isBefore(date: Date | undefined, other: Date): boolean {
  return date !== undefined && date.getTime() < other.getTime();
}
