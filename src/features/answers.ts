import { z } from '@hono/zod-openapi';
import { featureCollectionSchema } from '../geojson/schemas.ts';
import { enveloped, privateText, streamed } from '../http/answers.ts';
import type { AppContext } from '../http/context.ts';
import { metaSchema, pageMeta } from '../http/pagination.ts';
import type { Contents } from './feature.ts';
import { featurePages } from './listing.ts';
import { readNumberedPage } from './repo/pages.ts';
import { featureSchema, type ListWish } from './schemas.ts';

/** How many features a page has where a page is asked for without a limit. */
const DEFAULT_LIMIT = 100;

/** The 200 of an operation that lists features. */
export function featureList(description: string) {
  const { 200: json } = enveloped(description, z.array(featureSchema), metaSchema.optional());
  const geo = { 'application/geo+json': { schema: featureCollectionSchema } };
  return { 200: { ...json, content: { ...json.content, ...geo } } };
}

/** Features of several contents: all of them as a stream, or a numbered page. */
export async function listFeatures(
  c: AppContext,
  contents: readonly Contents[],
  { page, limit, bbox, format = 'json' }: ListWish,
): Promise<Response> {
  const geojson = format === 'geojson';
  const type = geojson ? 'application/geo+json' : 'application/json';
  const head = geojson ? '{"type":"FeatureCollection","features":[' : '{"data":[';
  if (page === undefined && limit === undefined) {
    const tail = geojson ? ']}' : '],"error":null}';
    return streamed(c, around(head, featurePages(c.var.db, { contents, form: format, bbox, leaveOut: true }), tail), {
      'Content-Type': type,
    });
  }
  const numbered = { page: page ?? 1, limit: limit ?? DEFAULT_LIMIT };
  const { text, total } = await readNumberedPage(c.var.db, { contents, form: format, bbox }, numbered);
  const meta = JSON.stringify(pageMeta(c.req.url, { total, ...numbered }));
  return privateText(c, head + text + (geojson ? ']}' : `],"meta":${meta},"error":null}`), type);
}

/** A document: what stands before the texts, they, and what stands behind. Begins when there is a first text. */
export async function* around(head: string, texts: AsyncGenerator<string>, tail: string): AsyncGenerator<string> {
  try {
    const { value = '', done } = await texts.next();
    yield head + value;
    if (!done) yield* texts;
    yield tail;
  } finally {
    await texts.return(undefined);
  }
}
