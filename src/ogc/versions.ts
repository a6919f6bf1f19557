import type { Area } from '../areas/store.ts';
import type { Expression } from '../cql2/expression.ts';
import { intervalOf } from './editions.ts';

// Collections through time: a feature is a version of an area, which is in consecutive editions.

/** The id of a version among all versions of areas: `0604500000-2023-1q`, with the first edition that has it. */
export function versionId({ code, validity }: Pick<Area, 'code' | 'validity'>): string {
  return `${code}-${validity?.firstEdition}`;
}

const VERSION_ID = /^(\d{10})-(\d{4}-\w\w)$/;

/** The condition that is true of the version with an id, and of none where no version can have it. */
export function whereVersion(id: string): Expression {
  const [, code = '', edition = ''] = VERSION_ID.exec(id) ?? [];
  return { op: 'and', args: [comparison('=', 'code', code), comparison('=', 'first_edition', edition)] };
}

/** The condition that is true of the versions that were on the lists at some time of the parameter `datetime`. */
export function whileValid(datetime: string | undefined): Expression | undefined {
  if (datetime === undefined) return undefined;
  const [first, last] = intervalOf(datetime);
  const parts: Expression[] = [];
  if (Number.isFinite(last)) parts.push(comparison('<=', 'valid_from', dayOf(last)));
  if (Number.isFinite(first)) {
    const isNewest: Expression = { op: 'isNull', property: 'valid_to' };
    parts.push({ op: 'or', args: [isNewest, comparison('>=', 'valid_to', dayOf(first))] });
  }
  return parts.length > 1 ? { op: 'and', args: parts } : parts[0];
}

function comparison(op: '=' | '<=' | '>=', property: string, value: string): Expression {
  return { op, args: [{ property, type: 'string' }, value] };
}

/** A day of four digits of years: offsets lead out of these at both ends. */
function dayOf(moment: number): string {
  const day = new Date(moment).toISOString().slice(0, 10);
  return /^\d{4}-/.test(day) ? day : moment > 0 ? '9999-12-31' : '0000-01-01';
}
