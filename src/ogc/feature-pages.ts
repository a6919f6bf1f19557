import type { AppContext } from '../context.ts';
import { CRS84, type Crs } from './crs.ts';
import { type Link, type Links, MEDIA_TYPES } from './links.ts';

/** The links of a page of features. */
export function pageLinks(links: Links, collection: string, cursor: string | undefined): Link[] {
  const type = MEDIA_TYPES.geojson;
  return [
    ...links.self(type),
    ...(cursor === undefined ? [] : [{ rel: 'next', href: links.changed({ cursor }), type, title: 'The next page' }]),
    { rel: 'collection', href: links.href(`/collections/${collection}`), type: MEDIA_TYPES.json },
  ];
}

/** The links of a single feature. */
export function featureLinks(links: Links, collection: string): Link[] {
  return pageLinks(links, collection, undefined);
}

/** Says in which reference system the answer is (18-058r1, 7.6). */
export function nameCrs(c: AppContext, { uri }: Crs = CRS84): void {
  c.header('Content-Crs', `<${uri}>`);
}
