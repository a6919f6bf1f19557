import { z } from '@hono/zod-openapi';
import { featurePages } from '../features/listing.ts';
import { geojsonFeatureSchema } from '../geojson/schemas.ts';
import { privateStream } from '../http/answers.ts';
import { validatorOf } from '../http/conditional.ts';
import { errors, header } from '../http/error-schemas.ts';
import { surround } from '../http/stream.ts';
import { operation, Router } from '../operation.ts';
import { findEmbedded } from './repo/reads.ts';
import { datasetParams, datasetSchema } from './schemas.ts';
import { datasetNotFound, FREE_SIZE, requireFreeSize } from './service.ts';

/** A browser may keep it, and asks each time whether it may still show it: a dataset can become private at any time. */
const CACHING = { 'Cache-Control': 'private, no-cache' };

const { name, description, feature_count, bbox } = datasetSchema.shape;

/** Max characters of a style that the map reads. */
const MAX_STYLE = 4000;

const embeddedSchema = z
  .object({
    type: z.literal('FeatureCollection'),
    name,
    description,
    feature_count,
    map_style: z.string().max(MAX_STYLE).optional().openapi({
      description:
        'Style of its map: `map_style` of its metadata, the query of a URL of the map. Absent if there is none or it is too long',
      example: 'color=cases&method=natural',
    }),
    bbox: bbox.unwrap().optional(),
    features: z.array(geojsonFeatureSchema),
  })
  .openapi('EmbeddedDataset');

const validators = { ETag: header('Strong validator'), 'Cache-Control': header(CACHING['Cache-Control']) };

/** The style in a text of JSON. Metadata has any JSON value there. */
function styleOf(json: string | null): string | undefined {
  const style: unknown = json === null ? undefined : JSON.parse(json);
  return typeof style === 'string' && style.length <= MAX_STYLE ? style : undefined;
}

/** Datasets for everyone: what maps on other people's pages show. */
export function embedRoutes(): Router {
  const router = new Router(['datasets']);

  operation(router, {
    operationId: 'get_embedded_dataset',
    method: 'get',
    path: '/{id}',
    access: 'free-tier',
    scope: 'read:datasets',
    summary: 'Get a dataset for everyone with its features',
    description: `What the page \`/embed\` shows, without credentials: all features of a dataset as GeoJSON, with its name, its description and the style of its map as foreign members (RFC 7946, 6.1). The answer is 404, to the owner too, where the dataset is not for everyone, or its file is being read or could not be read. A dataset without features yet is an empty collection. One with more than ${FREE_SIZE} of features, as the quota counts them, needs credentials.`,
    request: { params: datasetParams },
    responses: {
      200: {
        description: 'The dataset',
        content: { 'application/geo+json': { schema: embeddedSchema } },
        headers: validators,
      },
      304: { description: "The caller's copy is current", headers: validators },
      ...errors(404, 422),
    },
    handler: async (c, { ctx, params: { id } }) => {
      const found = await findEmbedded(ctx.db, { caller: 'everyone', id });
      if (!found) throw datasetNotFound(id);
      const { contents, bytes, version, bbox, style, ...dataset } = found;
      requireFreeSize(ctx, { bytes, count: dataset.feature_count });
      const validator = validatorOf(c, ctx.config);
      const headers = { ...CACHING, ETag: validator.etag(version) };
      if (validator.matches(version)) return c.body(null, 304, headers);
      const whole = { ...headers, 'Content-Type': 'application/geo+json' };
      if (c.req.method === 'HEAD') return c.body(null, 200, whole);
      const map_style = styleOf(style);
      const members = {
        type: 'FeatureCollection',
        ...dataset,
        ...(map_style !== undefined && { map_style }),
        ...(bbox && { bbox }),
      };
      const pages = featurePages(ctx.db, { contents: [contents], form: 'geojson' });
      const texts = surround(`${JSON.stringify(members).slice(0, -1)},"features":[`, pages, ']}');
      return privateStream(c, texts, whole);
    },
  });

  return router;
}
