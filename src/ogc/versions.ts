import type { Area } from '../areas/store.ts';
import type { Expression } from '../cql2/expression.ts';
import { intervalOf } from './editions.ts';

const DAY_MS = 86_400_000;

// Collections through time: a feature is a version of an area, which is in consecutive editions.

/** The id of a version among all versions of areas: `0604500000-2023-1q`, with the first edition that has it. */
export function versionId({ code, validity }: Pick<Area, 'code' | 'validity'>): string {
  return `${code}-${validity?.firstEdition}`;
}

const VERSION_ID = /^(\d{10})-(\d{4}-\w\w)$/;

/** The condition that is true of the version with an id, and of none where no version can have it. */
export function whereVersion(id: string): Expression {
  const [, code = '', edition = ''] = VERSION_ID.exec(id) ?? [];
  return { op: 'and', args: [is('code', code), is('first_edition', edition)] };
}

/** The condition that is true of the versions that were on the lists at some time of the parameter `datetime`. */
export function whileValid(datetime: string | undefined): Expression | undefined {
  if (datetime === undefined) return undefined;
  const [first, last] = intervalOf(datetime);
  const parts: Expression[] = [];
  if (Number.isFinite(last)) {
    parts.push({ op: '<=', args: [{ property: 'valid_from', type: 'instant' }, last] });
  }
  if (Number.isFinite(first)) {
    const isNewest: Expression = { op: 'isNull', property: 'valid_to' };
    // The last day is the whole of it.
    const day = Math.floor(first / DAY_MS) * DAY_MS;
    parts.push({ op: 'or', args: [isNewest, { op: '>=', args: [{ property: 'valid_to', type: 'instant' }, day] }] });
  }
  return parts.length > 1 ? { op: 'and', args: parts } : parts[0];
}

function is(property: string, value: string): Expression {
  return { op: '=', args: [{ property, type: 'string' }, value] };
}
