import { z } from '@hono/zod-openapi';
import { holds } from '../auth/principal.ts';
import type { AppContext, ServiceContext } from '../context.ts';
import { readerOf } from '../datasets/owners.ts';
import { listReadable } from '../datasets/repo/reads.ts';
import { DomainError } from '../errors.ts';
import { enveloped, PRIVATE, privateAnswer } from '../http/answers.ts';
import { errors } from '../http/error-schemas.ts';
import { pageResponse, wantsPage } from '../http/pages.ts';
import { logFailure } from '../log.ts';
import { createRouter, operation, type Router } from '../operation.ts';
import { apiDocument } from './api-document.ts';
import { AREA_COLLECTIONS, type AreaCollection, attributeSchemas } from './area-collections.ts';
import { areaItem, areaItems } from './area-items.ts';
import { areaCollectionBody, countryFacts, datasetCollectionBody } from './collections.ts';
import { CONFORMANCE } from './conformance.ts';
import { SYSTEMS } from './crs.ts';
import { collectionNotFound, datasetItem, datasetItems, datasetOf, readDataset } from './dataset-items.ts';
import { propertySchemas } from './dataset-properties.ts';
import { Links, MEDIA_TYPES, RELATIONS } from './links.ts';
import { commonParams, createOgcRouter, itemParams, propertyParams } from './parameters.ts';
import { newSessionSchema, sessionSchema } from './schemas.ts';
import { createOgcSession, ogcSession, openedBySession, readerOfDataset, sessionIn } from './sessions.ts';
import { ogcTile, TILE_MATRIX_SET, tileMatrixSet, tileMatrixSets, tileset, tilesets } from './tiles.ts';

/** Max datasets in the list of collections, of which desktop tools show all. */
const MAX_DATASETS = 500;

/** What everybody may ask: it has no boundary and nothing of anybody. */
const METADATA = { method: 'get', access: 'public', hide: true, responses: {} } as const;

/** The same where something is read for it. */
const COUNTED = {
  method: 'get',
  access: 'free-tier',
  identity: 'credential',
  queryCredential: ogcSession('any'),
  hide: true,
  responses: {},
} as const;

const AREAS = {
  method: 'get',
  access: 'free-tier',
  identity: 'credential',
  scope: 'read:boundaries',
  queryCredential: ogcSession('areas'),
  hide: true,
  responses: {},
} as const;

const DATASET = {
  method: 'get',
  access: 'free-tier',
  scope: 'read:datasets',
  queryCredential: ogcSession('any'),
  hide: true,
  responses: {},
} as const;

/** The segment of a collection that is a dataset. */
const DATASET_PATH = '/collections/:collectionId{dataset-[^/]+}';

const common = z.looseObject(commonParams);
const items = z.looseObject(itemParams);
const { crs, datetime } = itemParams;
const itemQuery = z.looseObject({ ...commonParams, crs, datetime });
const collectionParams = z.object({ collectionId: z.string() });
const featureParams = z.object({ collectionId: z.string(), featureId: z.string() });
const tileNumber = z
  .string()
  .regex(/^(0|[1-9]\d{0,8})$/, 'must be a whole number')
  .transform(Number);
const tileParams = z.object({
  collectionId: z.string(),
  tileMatrix: tileNumber,
  tileRow: tileNumber,
  tileCol: tileNumber,
});

/** Sessions for tools that send no headers. They are a part of the API like others. */
export function ogcSessionRoutes(): Router {
  const router = createRouter();
  operation(
    router,
    {
      operationId: 'create_ogc_session',
      method: 'post',
      path: '/sessions',
      access: 'authenticated',
      tags: ['ogc'],
      summary: 'Open collections to desktop tools',
      description:
        'QGIS, ArcGIS and GDAL take an address: put the session into it, as `href` of the answer has it. It opens the areas and the datasets that it was asked for to whoever has it, until it expires, also after the key that it was asked for with is revoked; with that key it expires.',
      request: { body: { required: false, content: { 'application/json': { schema: newSessionSchema } } } },
      responses: { ...enveloped('The session', sessionSchema), ...errors(400, 403, 404, 413, 415, 422) },
    },
    async (c, { ctx, body }) => {
      const { session, expiresAt } = await createOgcSession(ctx, body ?? {});
      const href = new URL(`/ogc?session=${session}`, c.req.url).href;
      return privateAnswer(c, { session, expires_at: expiresAt.toISOString(), href });
    },
  );
  return router;
}

/** OGC API – Features and Tiles. The definition of this part is a document of its own: see `api-document.ts`. */
export function ogcRoutes(): Router {
  const router = createOgcRouter();
  addMetadata(router);
  addCollections(router);
  addItems(router);
  addTiles(router);
  return router;
}

function addMetadata(router: Router): void {
  operation(
    router,
    { ...METADATA, operationId: 'get_ogc_landing_page', path: '/', request: { query: common } },
    (c, { query }) => document(c, query, (links) => landingPage(links)),
  );
  operation(
    router,
    { ...METADATA, operationId: 'get_ogc_conformance', path: '/conformance', request: { query: common } },
    (c, { query }) => document(c, query, (links) => ({ conformsTo: CONFORMANCE, links: links.self(MEDIA_TYPES.json) })),
  );
  operation(
    router,
    { ...METADATA, operationId: 'get_ogc_api', path: '/api', request: { query: common } },
    (c, { query }) => document(c, query, (links) => apiDocument(links), MEDIA_TYPES.api),
  );
}

function landingPage(links: Links): object {
  const json = MEDIA_TYPES.json;
  return {
    title: 'Philippine Geographic Data Service',
    description: 'The administrative areas of the Philippines in every edition of the PSGC, and datasets of people.',
    links: [
      ...links.self(json),
      { rel: 'service-desc', href: links.href('/api'), type: MEDIA_TYPES.api, title: 'The definition of this API' },
      {
        rel: 'service-doc',
        href: links.href('/api', { f: 'html' }),
        type: MEDIA_TYPES.html,
        title: 'The same as a page',
      },
      { rel: 'conformance', href: links.href('/conformance'), type: json, title: 'What it conforms to' },
      { rel: RELATIONS.conformance, href: links.href('/conformance'), type: json, title: 'What it conforms to' },
      { rel: 'data', href: links.href('/collections'), type: json, title: 'The collections' },
      { rel: RELATIONS.tilingSchemes, href: links.href('/tileMatrixSets'), type: json, title: 'The tile matrix sets' },
    ],
  };
}

function addCollections(router: Router): void {
  operation(
    router,
    {
      method: 'get',
      access: 'free-tier',
      queryCredential: ogcSession('any'),
      hide: true,
      responses: {},
      operationId: 'list_ogc_collections',
      path: '/collections',
      request: { query: common },
    },
    async (c, { ctx, query }) => {
      propertyParams(c, commonParams, []);
      const page = await pageOf(c, query);
      if (page) return page;
      const links = new Links(c);
      const [facts, datasets] = await Promise.all([countryFacts(ctx), listedDatasets(c, ctx)]);
      const collections = [
        ...[...AREA_COLLECTIONS.values()].map((collection) => areaCollectionBody(links, collection, facts)),
        ...datasets.map((dataset) => datasetCollectionBody(links, dataset)),
      ];
      return c.json(
        { links: links.self(MEDIA_TYPES.json), crs: SYSTEMS.map(({ uri }) => uri), collections },
        200,
        PRIVATE,
      );
    },
  );

  operation(
    router,
    {
      ...DATASET,
      operationId: 'get_ogc_dataset',
      path: DATASET_PATH,
      request: { params: collectionParams, query: common },
    },
    async (c, { ctx, query, params: { collectionId } }) => {
      propertyParams(c, commonParams, []);
      const page = await pageOf(c, query);
      if (page) return page;
      const { found } = await datasetIn(c, ctx, collectionId);
      return c.json(datasetCollectionBody(new Links(c), found.dataset), 200, PRIVATE);
    },
  );
  for (const name of ['queryables', 'schema'] as const) {
    operation(
      router,
      {
        ...DATASET,
        operationId: `get_ogc_dataset_${name}`,
        path: `${DATASET_PATH}/${name}`,
        request: { params: collectionParams, query: common },
      },
      async (c, { ctx, query, params: { collectionId } }) => {
        propertyParams(c, commonParams, []);
        const page = await pageOf(c, query);
        if (page) return page;
        const { found, propertyNames } = await datasetIn(c, ctx, collectionId);
        const properties = await propertySchemas(ctx.db, found, propertyNames);
        const title = found.dataset.name;
        return c.body(
          JSON.stringify(schemaOf(new Links(c), { title, properties, name, format: 'geometry-any' })),
          200,
          {
            ...PRIVATE,
            'Content-Type': MEDIA_TYPES.schema,
          },
        );
      },
    );
  }

  const addOne = (
    path: string,
    operationId: string,
    make: (links: Links, collection: AreaCollection, ctx: ServiceContext) => object | Promise<object>,
    { type = MEDIA_TYPES.json as string, kind = METADATA as typeof METADATA | typeof COUNTED } = {},
  ) =>
    operation(
      router,
      {
        ...kind,
        operationId,
        path: `/collections/{collectionId}${path}`,
        request: { params: collectionParams, query: common },
      },
      (c, { ctx, query, params: { collectionId } }) => {
        const collection = areaCollection(collectionId);
        return document(c, query, (links) => make(links, collection, ctx), type);
      },
    );
  const describe = async (links: Links, collection: AreaCollection, ctx: ServiceContext) =>
    areaCollectionBody(links, collection, await countryFacts(ctx));
  addOne('', 'get_ogc_collection', describe, { kind: COUNTED });
  for (const name of ['queryables', 'schema'] as const) {
    const make = (links: Links, { title, level }: AreaCollection) =>
      schemaOf(links, {
        title,
        properties: { ...(name === 'schema' && SERIAL), ...attributeSchemas(level) },
        name,
        format: 'geometry-polygon-or-multipolygon',
      });
    addOne(`/${name}`, `get_ogc_${name}`, make, { type: MEDIA_TYPES.schema });
  }
  addOne('/tiles', 'list_ogc_tilesets', (links, collection) => tilesets(links, collection));
  const describeTiles = (links: Links, collection: AreaCollection, ctx: ServiceContext) =>
    tileset(ctx, links, collection);
  addOne(`/tiles/${TILE_MATRIX_SET}`, 'get_ogc_tileset', describeTiles, { kind: COUNTED });
}

/** What records have and filters can't name. */
const SERIAL = { id: { type: 'integer', title: 'Serial id of the record, which changes with every release' } };

/** The schema of the features of a collection, or of what filters can name of them. */
function schemaOf(
  links: Links,
  {
    title,
    properties,
    name,
    format,
  }: { title: string; properties: object; name: 'queryables' | 'schema'; format: string },
): object {
  const geometry = {
    title: 'Geometry',
    'x-ogc-role': 'primary-geometry',
    format,
    ...(name === 'queryables' && { $ref: 'https://geojson.org/schema/Geometry.json' }),
  };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: links.changed({ session: null, f: null }),
    type: 'object',
    title,
    properties: { ...inSequence(properties), geometry },
    additionalProperties: name === 'schema',
  };
}

/** Says in which order tools show properties: that of a JSON object is none to them (23-058r2, 9.4). */
function inSequence(properties: object): object {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema], i) => [name, { ...schema, 'x-ogc-propertySeq': i + 1 }]),
  );
}

function addItems(router: Router): void {
  operation(
    router,
    {
      ...DATASET,
      operationId: 'list_ogc_dataset_items',
      path: `${DATASET_PATH}/items`,
      request: { params: collectionParams, query: items },
    },
    async (c, { ctx, query, params: { collectionId } }) => {
      const id = datasetOf(collectionId);
      const page = await pageOf(c, query);
      return page ?? datasetItems(c, ctx, { reader: await readerOfDataset(c, ctx, id), id, query });
    },
  );
  operation(
    router,
    {
      ...DATASET,
      operationId: 'get_ogc_dataset_item',
      path: `${DATASET_PATH}/items/{featureId}`,
      request: { params: featureParams, query: itemQuery },
    },
    async (c, { ctx, query, params: { collectionId, featureId } }) => {
      propertyParams(c, { ...commonParams, crs, datetime }, []);
      const id = datasetOf(collectionId);
      const page = await pageOf(c, query);
      return page ?? datasetItem(c, ctx, { reader: await readerOfDataset(c, ctx, id), id, featureId, query });
    },
  );
  operation(
    router,
    {
      ...AREAS,
      operationId: 'list_ogc_items',
      path: '/collections/{collectionId}/items',
      request: { params: collectionParams, query: items },
    },
    async (c, { ctx, query, params: { collectionId } }) => {
      const collection = areaCollection(collectionId);
      return (await pageOf(c, query)) ?? areaItems(c, ctx, collection, query);
    },
  );
  operation(
    router,
    {
      ...AREAS,
      operationId: 'get_ogc_item',
      path: '/collections/{collectionId}/items/{featureId}',
      request: { params: featureParams, query: itemQuery },
    },
    async (c, { ctx, query, params: { collectionId, featureId } }) => {
      const collection = areaCollection(collectionId);
      propertyParams(c, { ...commonParams, crs, datetime }, []);
      return (await pageOf(c, query)) ?? areaItem(c, ctx, collection, { id: featureId, query });
    },
  );
}

function addTiles(router: Router): void {
  operation(
    router,
    { ...METADATA, operationId: 'list_ogc_tile_matrix_sets', path: '/tileMatrixSets', request: { query: common } },
    (c, { query }) => document(c, query, tileMatrixSets),
  );
  operation(
    router,
    {
      ...METADATA,
      operationId: 'get_ogc_tile_matrix_set',
      path: `/tileMatrixSets/${TILE_MATRIX_SET}`,
      request: { query: common },
    },
    (c, { query }) => document(c, query, tileMatrixSet),
  );
  operation(
    router,
    {
      ...AREAS,
      access: 'authenticated',
      operationId: 'get_ogc_tile',
      path: `/collections/{collectionId}/tiles/${TILE_MATRIX_SET}/{tileMatrix}/{tileRow}/{tileCol}`,
      request: { params: tileParams, query: common },
    },
    (c, { ctx, params: { collectionId, tileMatrix: z, tileRow: y, tileCol: x } }) => {
      propertyParams(c, commonParams, []);
      return ogcTile(c, ctx, areaCollection(collectionId), { z, x, y });
    },
  );
}

/** @throws DomainError `collection_not_found` */
function areaCollection(id: string): AreaCollection {
  const found = AREA_COLLECTIONS.get(id);
  if (!found) throw collectionNotFound(id);
  return found;
}

async function datasetIn(c: AppContext, ctx: ServiceContext, collectionId: string) {
  const id = datasetOf(collectionId);
  return readDataset(ctx, { reader: await readerOfDataset(c, ctx, id), id });
}

/** The datasets in the list of a caller: without the database there are none, so that the areas stay there. */
async function listedDatasets(c: AppContext, ctx: ServiceContext) {
  const { principal } = ctx;
  const opened = await openedBySession(c);
  const mayRead = holds(principal, 'read:datasets');
  const reader = mayRead ? readerOf(principal) : 'everyone';
  try {
    return await listReadable(ctx.db, { caller: reader, opened, limit: MAX_DATASETS });
  } catch (error) {
    if (!(error instanceof DomainError) || !error.code.startsWith('database_')) throw error;
    logFailure('datasets_left_out', error, {});
    return [];
  }
}

type CommonQuery = z.output<typeof common>;

/** The page of an address, for people. */
async function pageOf(c: AppContext, { f }: Pick<CommonQuery, 'f'>): Promise<Response | undefined> {
  c.header('Vary', 'Accept', { append: true });
  const wants = f === 'html' || (f === undefined && wantsPage(c));
  if (!wants) return undefined;
  const page = await pageResponse(c, c.env.ASSETS, 'ogc');
  if (c.req.query('session') !== undefined) page.headers.set('Cache-Control', PRIVATE['Cache-Control']);
  return page;
}

/** A document about collections, which the release and this build decide. */
async function document(
  c: AppContext,
  query: CommonQuery,
  make: (links: Links) => object | Promise<object>,
  type: string = MEDIA_TYPES.json,
): Promise<Response> {
  propertyParams(c, commonParams, []);
  // A tool learns here that its session has expired, and not first from the features.
  await sessionIn(c);
  const page = await pageOf(c, query);
  if (page) return page;
  const text = JSON.stringify(await make(new Links(c)));
  // The links have the session that is in the address.
  const audience = query.session === undefined ? 'public' : 'private';
  return c.body(text, 200, { 'Content-Type': type, 'Cache-Control': `${audience}, max-age=300` });
}
