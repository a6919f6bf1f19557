import { MATCHED } from '../../shared/matched-places.ts';
import { filtersIn, textOfFilters } from './filters.ts';
import type { Order } from './rows.ts';

/** What a person has chosen to see of a dataset. */
export interface Choices extends Order {
  /** The property that colours the features. */
  readonly color: string | undefined;
  /** The property that gives points their sizes. */
  readonly size: string | undefined;
  /** The id of the feature that is marked. */
  readonly feature: string | undefined;
}

const PATTERN = new RegExp(`^#/datasets/([0-9a-f-]{36}|${MATCHED})(?:\\?(.*))?$`, 'i');

/** The id in a fragment `#/datasets/<uuid>`, or that of the places which /match hands over. */
export function datasetAt(hash: string): string | undefined {
  return PATTERN.exec(hash)?.[1];
}

/** The choices in the fragment of a dataset. */
export function choicesAt(hash: string): Choices {
  const query = new URLSearchParams(PATTERN.exec(hash)?.[2]);
  const named = (name: string) => query.get(name) ?? undefined;
  return {
    color: named('color'),
    size: named('size'),
    find: query.get('find') ?? '',
    filters: filtersIn(query.get('filters')),
    sort: named('sort'),
    isDescending: query.get('order') === 'desc',
    feature: named('feature'),
  };
}

/** The fragment of a dataset with choices. Everything that is not chosen is left out. */
export function hashOfDataset(
  id: string,
  { color, size, find, filters, sort, isDescending, feature }: Choices,
): string {
  const query = new URLSearchParams();
  const order = sort !== undefined && isDescending ? 'desc' : undefined;
  const parts = { color, size, find: find || undefined, filters: textOfFilters(filters), sort, order, feature };
  for (const [name, value] of Object.entries(parts)) {
    if (value !== undefined) query.set(name, value);
  }
  return `#/datasets/${id}${query.size > 0 ? `?${query}` : ''}`;
}
