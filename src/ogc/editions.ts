import { lastDayOf } from '../areas/edition-id.ts';
import type { ServiceContext } from '../context.ts';
import { listEditions } from '../editions/service.ts';
import { DomainError } from '../errors.ts';
import { quoted } from './crs.ts';

interface DatedEdition {
  readonly id: string;
  /** The day that its list is of, `2023-12-31`. */
  readonly day: string;
  readonly isActive: boolean;
}

/** The editions that answer, the newest first. */
export async function datedEditions(ctx: ServiceContext): Promise<DatedEdition[]> {
  const { editions } = await listEditions(ctx);
  return editions.map(({ id, published, active }) => ({ id, day: published ?? lastDayOf(id), isActive: active }));
}

const MOMENT = /^\d{4}-\d{2}-\d{2}(T([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(Z|[+-]\d{2}:\d{2}))?$/i;

/**
 * The first and the last moment of the parameter `datetime`: a moment, or an interval of two, either of which may be open.
 *
 * @returns milliseconds since the epoch, infinite where an end is open
 * @throws DomainError `invalid_parameter`
 */
export function intervalOf(text: string): readonly [first: number, last: number] {
  const parts = text.split('/');
  const isOpen = (part: string) => part === '' || part === '..';
  const moments = parts.map((part) => (parts.length === 2 && isOpen(part) ? undefined : momentOf(part)));
  const [first, last] = parts.length === 1 ? [moments[0], moments[0]] : moments;
  const isReversed = first !== undefined && last !== undefined && first > last;
  const isTooMuch = parts.length > 2 || (parts.length === 2 && parts.every(isOpen) && text.length < 3);
  if (moments.some(Number.isNaN) || isReversed || isTooMuch) {
    const form =
      'a date, a date and time of RFC 3339, or two with a slash between them, the earlier first, or .. for none';
    throw new DomainError('invalid_parameter', `datetime: must be ${form} (got ${quoted(text)}).`);
  }
  return [first ?? Number.NEGATIVE_INFINITY, last ?? Number.POSITIVE_INFINITY];
}

function momentOf(text: string): number {
  if (!MOMENT.test(text)) return Number.NaN;
  // A date is all of its day, and Date takes 31 February for one of March.
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  if (Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== text.slice(0, 10)) return Number.NaN;
  if (text.length === 10) return day.getTime() + 86_399_999;
  // Date knows no leap second.
  return Date.parse(text.toUpperCase().replace(/:60(?=[.Z+-])/, ':59'));
}

/**
 * The edition that was in force at the end of the requested time.
 *
 * @returns undefined for the one that is served; null where no edition is that old
 */
export async function editionAt(ctx: ServiceContext, datetime: string | undefined): Promise<string | undefined | null> {
  if (datetime === undefined) return undefined;
  const [, moment] = intervalOf(datetime);
  if (moment >= Date.now()) return undefined;
  const found = (await datedEditions(ctx)).find(({ day }) => Date.parse(day) <= moment);
  if (!found) return null;
  return found.isActive ? undefined : found.id;
}
