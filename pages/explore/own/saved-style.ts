import { queryOf } from './fragment.ts';

// The style that an author stores with a dataset: `metadata.map_style`, the parameters of a fragment that style the map.

/** The parameters of a fragment that are the style of a map: those of search, filters and marks are not. */
const STYLE = [
  ...[
    'color',
    'areas',
    'counts',
    'rows',
    'size',
    'rate',
    'method',
    'classes',
    'breaks',
    'scheme',
    'reversed',
    'middle',
    'labels',
    'rest',
    'unchosen',
    'noun',
  ],
  ...['values', 'title', 'subtitle', 'source', 'notes'],
];

/** Max characters of a style that is read. */
const MAX_STYLE = 4000;

/** The style in the fragment of a dataset, as a query. */
export function styleIn(fragment: string): string {
  return styleOf(queryOf(fragment)).toString();
}

function styleOf(query: URLSearchParams): URLSearchParams {
  const style = new URLSearchParams();
  for (const name of STYLE) if (query.has(name)) style.set(name, query.get(name) ?? '');
  return style;
}

/** The style in metadata; undefined if there is none. Metadata may have any contents. */
export function styleInMetadata(metadata: unknown): string | undefined {
  const style = isRecord(metadata) ? metadata.map_style : undefined;
  return typeof style === 'string' && style.length <= MAX_STYLE ? style : undefined;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fragment with the saved style, unless it has `color`: such a fragment has a whole style. */
export function withSavedStyle(fragment: string, saved: string | undefined): string {
  const query = queryOf(fragment);
  if (saved === undefined || query.has('color')) return fragment;
  const style = styleOf(new URLSearchParams(saved));
  for (const [name, value] of query) style.set(name, value);
  return `${fragment.split('?', 1)[0]}?${style}`;
}

/** The fragment without its style, if that is the saved one: it shows the same map. */
export function withoutSavedStyle(fragment: string, saved: string | undefined): string {
  if (saved === undefined || styleIn(fragment) !== styleOf(new URLSearchParams(saved)).toString()) return fragment;
  const query = queryOf(fragment);
  for (const name of STYLE) query.delete(name);
  return `${fragment.split('?', 1)[0]}${query.size > 0 ? `?${query}` : ''}`;
}
