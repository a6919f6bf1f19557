import { z } from '@hono/zod-openapi';
import type { AppContext } from '../context.ts';
import type { Contents } from '../features/feature.ts';
import { featurePages } from '../features/listing.ts';
import { readNumberedPage } from '../features/repo/pages.ts';
import { featureSchema, type ListWish, listedCollectionSchema } from '../features/schemas.ts';
import { enveloped, privateText, streamed } from '../http/answers.ts';
import { metaSchema, pageMeta } from '../http/pagination.ts';

/** How many features a page has where a page is asked for without a limit. */
const DEFAULT_LIMIT = 100;

/** The 200 of an operation that lists features. */
export function featureList(description: string) {
  const { 200: json } = enveloped(description, z.array(featureSchema), metaSchema.optional());
  const geo = { 'application/geo+json': { schema: listedCollectionSchema } };
  return { 200: { ...json, content: { ...json.content, ...geo } } };
}

/**
 * Features of several contents: all of them as a stream, or a numbered page. What is more than a plain list has `meta`
 * behind its features, in a FeatureCollection as a foreign member (RFC 7946, 6.1). All of them are one page, whose total
 * is counted on the way.
 */
export async function listFeatures(
  c: AppContext,
  contents: readonly Contents[],
  { page, limit, bbox, format = 'json' }: ListWish,
): Promise<Response> {
  const geojson = format === 'geojson';
  const type = geojson ? 'application/geo+json' : 'application/json';
  const end = (place: { total: number; page: number; limit: number }) => {
    const meta = JSON.stringify(pageMeta(c.req.url, place));
    return geojson ? `],"meta":${meta}}` : `],"meta":${meta},"error":null}`;
  };
  const head = geojson ? '{"type":"FeatureCollection","features":[' : '{"data":[';
  if (page === undefined && limit === undefined) {
    const isPlain = !geojson && bbox === undefined;
    const tail = (total: number) => (isPlain ? '],"error":null}' : end({ total, page: 1, limit: Math.max(total, 1) }));
    const pages = featurePages(c.var.db, { contents, form: format, bbox, leaveOut: true });
    return streamed(c, around(head, pages, tail), { 'Content-Type': type });
  }
  const numbered = { page: page ?? 1, limit: limit ?? DEFAULT_LIMIT };
  const { text, total } = await readNumberedPage(c.var.db, { contents, form: format, bbox }, numbered);
  return privateText(c, head + text + end({ total, ...numbered }), type);
}

/**
 * A document: what stands before the texts, they, and what stands behind, which may depend on what they return. Begins
 * when there is a first text.
 */
export async function* around<T>(
  head: string,
  texts: AsyncGenerator<string, T>,
  tail: string | ((returned: T) => string),
): AsyncGenerator<string> {
  try {
    const first = await texts.next();
    yield first.done ? head : head + first.value;
    const returned = first.done ? first.value : yield* texts;
    yield typeof tail === 'string' ? tail : tail(returned);
  } finally {
    // Nobody is told any more what it returns.
    await texts.return(undefined as T);
  }
}
