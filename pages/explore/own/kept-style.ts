import { queryOf } from './fragment.ts';

// The style that an author stores with a dataset: `metadata.map_style`, the parameters of a fragment that style the map.

/** The parameters of a fragment that are the style of a map: those of search, filters and marks are not. */
const STYLE = [
  ...['color', 'areas', 'size', 'rate', 'method', 'classes', 'breaks', 'scheme', 'reversed', 'middle', 'labels'],
  ...['values', 'title', 'subtitle', 'source', 'notes'],
];

/** Max characters of a style that is read. */
const MAX_STYLE = 4000;

/** The style in the fragment of a dataset, as a query. */
export function styleIn(hash: string): string {
  return styleOf(queryOf(hash)).toString();
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

/** The fragment with the kept style, unless it has `color`: such a fragment has a whole style. */
export function withKept(hash: string, kept: string | undefined): string {
  const query = queryOf(hash);
  if (kept === undefined || query.has('color')) return hash;
  const style = styleOf(new URLSearchParams(kept));
  for (const [name, value] of query) style.set(name, value);
  return `${hash.split('?', 1)[0]}?${style}`;
}

/** The fragment without its style, if that is the kept one: it shows the same map. */
export function withoutKept(hash: string, kept: string | undefined): string {
  if (kept === undefined || styleIn(hash) !== styleOf(new URLSearchParams(kept)).toString()) return hash;
  const query = queryOf(hash);
  for (const name of STYLE) query.delete(name);
  return `${hash.split('?', 1)[0]}${query.size > 0 ? `?${query}` : ''}`;
}
