import { amountOf, numberOf, textOf } from '../../shared/values.ts';

/** A range with both ends included, or a list of texts of which the value must be one. */
export type Filter =
  | { readonly from?: number | undefined; readonly to?: number | undefined }
  | { readonly values: readonly string[] };

/** Filters by the name of their column. A row must pass all of them. */
export type Filters = ReadonlyMap<string, Filter>;

export function passes({ properties }: { properties: Readonly<Record<string, unknown>> }, filters: Filters): boolean {
  for (const [name, filter] of filters) {
    const value = properties[name];
    if ('values' in filter) {
      if (!filter.values.includes(textOf(value))) return false;
      continue;
    }
    const amount = numberOf(value);
    if (amount === undefined || amount < (filter.from ?? -Infinity) || amount > (filter.to ?? Infinity)) return false;
  }
  return true;
}

/**
 * Returns the filters after `filter` is clicked: removed if it is chosen, else added. Values of a column accumulate; a range
 * replaces the column's filter.
 */
export function toggled(filters: Filters, name: string, filter: Filter): Filters {
  const next = new Map(filters);
  const present = filters.get(name);
  if (!('values' in filter)) {
    if (isChosen(filters, name, filter)) next.delete(name);
    else next.set(name, filter);
    return next;
  }
  const values = new Set(present && 'values' in present ? present.values : []);
  for (const value of filter.values) if (!values.delete(value)) values.add(value);
  if (values.size === 0) next.delete(name);
  else next.set(name, { values: [...values] });
  return next;
}

/** Whether the column's filter includes `filter`: all its values, or exactly this range. */
export function isChosen(filters: Filters, name: string, filter: Filter): boolean {
  const present = filters.get(name);
  if (!present) return false;
  if ('values' in filter) return 'values' in present && filter.values.every((value) => present.values.includes(value));
  return !('values' in present) && present.from === filter.from && present.to === filter.to;
}

/** A filter in words, for people. @param isAmount whether its numbers are amounts, and neither years nor codes */
export function wordsOf(filter: Filter, isAmount: boolean): string {
  if ('values' in filter) return filter.values.map((value) => value || 'no value').join(' or ');
  const { from, to } = filter;
  const words = (value: number) => amountOf(value, isAmount);
  if (from === undefined) return `at most ${words(to ?? 0)}`;
  if (to === undefined) return `at least ${words(from)}`;
  return from === to ? words(from) : `${words(from)} to ${words(to)}`;
}

/** The filters in the text of a URL. */
export function textOfFilters(filters: Filters): string | undefined {
  return filters.size > 0 ? JSON.stringify([...filters]) : undefined;
}

/** The filters of a text that a URL has. What is no filter is left out: anybody can write a URL. */
export function filtersIn(text: string | null): Filters {
  const filters = new Map<string, Filter>();
  let entries: unknown;
  try {
    entries = JSON.parse(text ?? '[]');
  } catch {
    return filters;
  }
  if (!Array.isArray(entries)) return filters;
  for (const entry of entries) {
    const [name, given] = Array.isArray(entry) ? entry : [];
    const filter = filterIn(given);
    if (typeof name === 'string' && filter) filters.set(name, filter);
  }
  return filters;
}

function filterIn(given: unknown): Filter | undefined {
  if (typeof given !== 'object' || given === null) return undefined;
  const { values, from, to } = given as Record<string, unknown>;
  if (Array.isArray(values)) {
    const texts = values.filter((value) => typeof value === 'string');
    return texts.length > 0 ? { values: texts } : undefined;
  }
  const bound = (value: unknown) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined);
  const range = { from: bound(from), to: bound(to) };
  return range.from === undefined && range.to === undefined ? undefined : range;
}

/** The filters whose column exists; a URL may name others. */
export function knownFilters(filters: Filters, columns: readonly { readonly name: string }[]): Filters {
  return new Map([...filters].filter(([name]) => columns.some((column) => column.name === name)));
}
