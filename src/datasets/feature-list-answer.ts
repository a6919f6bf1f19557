import { z } from '@hono/zod-openapi';
import type { AppContext, ServiceContext } from '../context.ts';
import type { Contents } from '../features/feature.ts';
import { featurePages, type ListEnd } from '../features/listing.ts';
import { readNumberedPage } from '../features/repo/pages.ts';
import { type FeatureListInput, featureSchema, listedCollectionSchema } from '../features/schemas.ts';
import { envelopeAround, enveloped, privateStream, privateText } from '../http/answers.ts';
import { hasUnknownParameters, withNotices } from '../http/notices.ts';
import { metaSchema, pageMeta } from '../http/pagination.ts';
import { surround } from '../http/stream.ts';

/** How many features a page has where the caller names a page and no limit. */
const DEFAULT_LIMIT = 100;

/** The declared 200 of an operation that lists features. */
export function featureListResponses(description: string) {
  const { 200: json } = enveloped(description, z.array(featureSchema), metaSchema.optional());
  const geo = { 'application/geo+json': { schema: listedCollectionSchema } };
  return { 200: { ...json, content: { ...json.content, ...geo } } };
}

/**
 * Answers with the features of several contents: all of them as a stream, or one numbered page. A list that is paged,
 * filtered, GeoJSON or has notices has `meta` behind its features; in a FeatureCollection that is a foreign member (RFC 7946, 6.1). A
 * stream is a single page, and its total is counted while it is written.
 */
export async function featureListAnswer(
  c: AppContext,
  ctx: ServiceContext,
  { contents, page, limit, bbox, format = 'json' }: FeatureListInput & { contents: readonly Contents[] },
): Promise<Response> {
  const isGeojson = format === 'geojson';
  const type = isGeojson ? 'application/geo+json' : 'application/json';
  const head = isGeojson ? '{"type":"FeatureCollection","features":[' : `${envelopeAround(c).head}[`;
  const tailWithMeta = (position: { total: number; page: number; limit: number }) => {
    const meta = pageMeta(c.req.url, position);
    return isGeojson ? `],"meta":${JSON.stringify(withNotices(c, meta))}}` : `]${envelopeAround(c, meta).tail}`;
  };

  if (page !== undefined || limit !== undefined) {
    const numbered = { page: page ?? 1, limit: limit ?? DEFAULT_LIMIT };
    const listed = { contents, form: format, bbox };
    const { text, total, start } = await readNumberedPage(ctx.db, listed, numbered);
    const end = tailWithMeta({ total, ...numbered });
    if (text !== null) return privateText(c, head + text + end, type);
    const pages = featurePages(ctx.db, { ...listed, start, most: numbered.limit, skipDeleted: true });
    return privateStream(c, surround(head, pages, end), { 'Content-Type': type });
  }

  const hasMeta = isGeojson || bbox !== undefined || hasUnknownParameters(c);
  const tail = ({ count: total }: ListEnd) =>
    hasMeta ? tailWithMeta({ total, page: 1, limit: Math.max(total, 1) }) : `]${envelopeAround(c).tail}`;
  const pages = featurePages(ctx.db, { contents, form: format, bbox, skipDeleted: true });
  return privateStream(c, surround(head, pages, tail), { 'Content-Type': type });
}
