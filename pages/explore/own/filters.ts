import { amountOf, numberOf, textOf } from '../../shared/values.ts';

/** What a value must be: a number between two others, which count, or one of some texts. */
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
 * The filters with another one chosen or, where it is chosen already, taken away. Values of a column are collected; a
 * range takes the place of another.
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

/** Whether a filter is a part of those that are chosen. */
export function isChosen(filters: Filters, name: string, filter: Filter): boolean {
  const present = filters.get(name);
  if (!present) return false;
  if ('values' in filter) return 'values' in present && filter.values.every((value) => present.values.includes(value));
  return !('values' in present) && present.from === filter.from && present.to === filter.to;
}

/** A filter in words, for people. */
export function wordsOf(filter: Filter): string {
  if ('values' in filter) return filter.values.map((value) => value || 'no value').join(' or ');
  const { from, to } = filter;
  if (from === undefined) return `at most ${amountOf(to ?? 0)}`;
  if (to === undefined) return `at least ${amountOf(from)}`;
  return from === to ? amountOf(from) : `${amountOf(from)} to ${amountOf(to)}`;
}

/** The filters in the text of an address. */
export function textOfFilters(filters: Filters): string | undefined {
  return filters.size > 0 ? JSON.stringify([...filters]) : undefined;
}

/** The filters of a text that an address has. What is no filter is left out: anybody can write an address. */
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

/** Filters of columns that there are: an address may name others. */
export function knownFilters(filters: Filters, columns: readonly { readonly name: string }[]): Filters {
  return new Map([...filters].filter(([name]) => columns.some((column) => column.name === name)));
}
