import { z } from '@hono/zod-openapi';
import type { AppContext, ServiceContext } from '../context.ts';
import type { Contents } from '../features/feature.ts';
import { featurePages } from '../features/listing.ts';
import { readNumberedPage } from '../features/repo/pages.ts';
import { type FeatureListInput, featureSchema, listedCollectionSchema } from '../features/schemas.ts';
import { enveloped, privateStream, privateText } from '../http/answers.ts';
import { metaSchema, pageMeta } from '../http/pagination.ts';
import { surround } from '../http/stream.ts';

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
  ctx: ServiceContext,
  contents: readonly Contents[],
  { page, limit, bbox, format = 'json' }: FeatureListInput,
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
    const pages = featurePages(ctx.db, { contents, form: format, bbox, skipDeleted: true });
    return privateStream(c, surround(head, pages, tail), { 'Content-Type': type });
  }
  const numbered = { page: page ?? 1, limit: limit ?? DEFAULT_LIMIT };
  const { text, total } = await readNumberedPage(ctx.db, { contents, form: format, bbox }, numbered);
  return privateText(c, head + text + end({ total, ...numbered }), type);
}
