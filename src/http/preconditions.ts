import type { AppContext } from './context.ts';

/** What is known of a stored representation before it is read. */
export interface Validators {
  /** A strong entity tag, in its quotes. */
  readonly etag: string;
  /** To the second. */
  readonly modified: Date;
}

/** What the preconditions of a request say: go on, the caller has it already, or the caller means another one. */
export type Verdict = 'proceed' | 'not-modified' | 'failed';

/** Evaluates the preconditions of a GET or HEAD in the order that RFC 9110, 13.2.2 gives. */
export function preconditionsOf(c: AppContext, { etag, modified }: Validators): Verdict {
  const match = c.req.header('If-Match');
  if (match !== undefined) {
    if (match.trim() !== '*' && !tagsIn(match).includes(etag)) return 'failed';
  } else if (isBefore(dateIn(c.req.header('If-Unmodified-Since')), modified)) {
    return 'failed';
  }
  const noneMatch = c.req.header('If-None-Match');
  if (noneMatch !== undefined) {
    // Weak comparison: the prefix W/ is passed over.
    const held = tagsIn(noneMatch).map((tag) => tag.replace(/^W\//, ''));
    return noneMatch.trim() === '*' || held.includes(etag) ? 'not-modified' : 'proceed';
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
  c: AppContext,
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

/** A date in the form that RFC 9110, 5.6.7 asks for; others are as if they had not been sent. */
function dateIn(header: string | undefined): Date | undefined {
  const isDate = header !== undefined && /^\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(header);
  const date = new Date(isDate ? header : Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

function isBefore(date: Date | undefined, other: Date): boolean {
  return date !== undefined && date.getTime() < other.getTime();
}
