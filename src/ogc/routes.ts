import { z } from '@hono/zod-openapi';
import { holds } from '../auth/principal.ts';
import type { AppContext, ServiceContext } from '../context.ts';
import { readerOf } from '../datasets/owners.ts';
import { type ListedDataset, listReadable } from '../datasets/repo/reads.ts';
import { DomainError } from '../errors.ts';
import { logFailure } from '../log.ts';
import type { Router } from '../operation.ts';
import { apiDocument } from './api-document.ts';
import { AREA_COLLECTIONS, type AreaCollection } from './area-collections.ts';
import { areaItem, areaItems } from './area-items.ts';
import { areaCollectionBody, countryFacts, datasetCollectionBody } from './collections.ts';
import { CONFORMANCE } from './conformance.ts';
import { SYSTEMS } from './crs.ts';
import { collectionNotFound, datasetItem, datasetItems, datasetOf, readDataset } from './dataset-items.ts';
import { propertySchemas } from './dataset-properties.ts';
import { areasDescribed, SCHEMAS, schemaOf } from './feature-schemas.ts';
import { landingPage } from './landing-page.ts';
import { Links, MEDIA_TYPES } from './links.ts';
import { documentAnswer, ogcOperation, privateDocument } from './operations.ts';
import { createOgcRouter, itemParams } from './parameters.ts';
import { openedBySession, readerOfDataset } from './sessions.ts';
import { ogcTile, TILE_MATRIX_SET, tileMatrixSet, tileMatrixSets, tileset, tilesets } from './tiles.ts';

/** Max datasets in the list of collections, of which desktop tools show all. */
const MAX_DATASETS = 500;

/** The path of a collection, and of one that is a dataset. */
const COLLECTION = '/collections/{collectionId}';
const DATASET = '/collections/:collectionId{dataset-[^/]+}';
const TILESET = `${COLLECTION}/tiles/${TILE_MATRIX_SET}`;

const { crs, datetime } = itemParams;
const ofCollection = { collectionId: z.string() };
const ofFeature = { ...ofCollection, featureId: z.string() };
const tileNumber = z
  .string()
  .regex(/^(0|[1-9]\d{0,8})$/, 'must be a whole number')
  .transform(Number);
const ofTile = { ...ofCollection, tileMatrix: tileNumber, tileRow: tileNumber, tileCol: tileNumber };

/** What lists of features have in common. */
const LIST = { params: ofCollection, query: itemParams, takesProperties: true, isWeighed: true } as const;

/** OGC API – Features and Tiles. The definition of this part is a document of its own: see `api-document.ts`. */
export function ogcRoutes(): Router {
  const router = createOgcRouter();
  addFixed(router);
  addList(router);
  addDatasets(router);
  addAreas(router);
  return router;
}

function addFixed(router: Router): void {
  const add = (id: string, path: string, make: (links: Links) => object, type: string = MEDIA_TYPES.json) =>
    ogcOperation(router, {
      id,
      kind: 'fixed',
      path,
      handler: (c) => documentAnswer(c, make(new Links(c)), type),
    });

  add('get_ogc_landing_page', '/', landingPage);
  add('get_ogc_conformance', '/conformance', (links) => ({
    conformsTo: CONFORMANCE,
    links: links.self(MEDIA_TYPES.json),
  }));
  add('get_ogc_api', '/api', apiDocument, MEDIA_TYPES.api);
  add('list_ogc_tile_matrix_sets', '/tileMatrixSets', tileMatrixSets);
  add('get_ogc_tile_matrix_set', `/tileMatrixSets/${TILE_MATRIX_SET}`, tileMatrixSet);
}

function addList(router: Router): void {
  ogcOperation(router, {
    id: 'list_ogc_collections',
    kind: 'listed',
    path: '/collections',
    handler: async (c, { ctx }) => {
      const links = new Links(c);
      const [facts, datasets] = await Promise.all([countryFacts(ctx), listedDatasets(c, ctx)]);
      const collections = [
        ...[...AREA_COLLECTIONS.values()]
          .filter(({ isThroughTime }) => facts.hasAreasThroughTime || !isThroughTime)
          .map((collection) => areaCollectionBody(links, collection, facts)),
        ...datasets.map((dataset) => datasetCollectionBody(links, dataset)),
      ];
      const document = { links: links.self(MEDIA_TYPES.json), crs: SYSTEMS.map(({ uri }) => uri), collections };
      return privateDocument(c, document, MEDIA_TYPES.json);
    },
  });
}

/** The datasets in the list of a caller: without the database there are none, so that the areas stay there. */
async function listedDatasets(c: AppContext, ctx: ServiceContext): Promise<ListedDataset[]> {
  const { principal } = ctx;
  const opened = await openedBySession(c);
  const caller = holds(principal, 'read:datasets') ? readerOf(principal) : 'everyone';
  try {
    return await listReadable(ctx.db, { caller, opened, limit: MAX_DATASETS });
  } catch (error) {
    if (!(error instanceof DomainError) || !error.code.startsWith('database_')) throw error;
    logFailure('datasets_left_out', error, {});
    return [];
  }
}

function addDatasets(router: Router): void {
  const check = ({ collectionId }: { collectionId: string }) => void datasetOf(collectionId);
  const read = async (c: AppContext, ctx: ServiceContext, collectionId: string) => {
    const id = datasetOf(collectionId);
    return readDataset(ctx, { reader: await readerOfDataset(c, ctx, id), id });
  };
  const kind = 'dataset';

  ogcOperation(router, {
    id: 'get_ogc_dataset',
    kind,
    path: DATASET,
    params: ofCollection,
    check,
    handler: async (c, { ctx, params }) => {
      const { found } = await read(c, ctx, params.collectionId);
      return privateDocument(c, datasetCollectionBody(new Links(c), found.dataset), MEDIA_TYPES.json);
    },
  });
  for (const name of SCHEMAS) {
    ogcOperation(router, {
      id: `get_ogc_dataset_${name}`,
      kind,
      path: `${DATASET}/${name}`,
      params: ofCollection,
      check,
      handler: async (c, { ctx, params }) => {
        const { found, propertyNames } = await read(c, ctx, params.collectionId);
        const properties = await propertySchemas(ctx.db, found, propertyNames);
        const described = { title: found.dataset.name, properties, format: 'geometry-any' };
        return privateDocument(c, schemaOf(new Links(c), name, described), MEDIA_TYPES.schema);
      },
    });
  }
  ogcOperation(router, {
    id: 'list_ogc_dataset_items',
    kind,
    path: `${DATASET}/items`,
    check,
    ...LIST,
    handler: async (c, { ctx, query, params }) => {
      const id = datasetOf(params.collectionId);
      return datasetItems(c, ctx, { reader: await readerOfDataset(c, ctx, id), id, query });
    },
  });
  ogcOperation(router, {
    id: 'get_ogc_dataset_item',
    kind,
    path: `${DATASET}/items/{featureId}`,
    params: ofFeature,
    check,
    query: { crs, datetime },
    handler: async (c, { ctx, query, params: { collectionId, featureId } }) => {
      const id = datasetOf(collectionId);
      return datasetItem(c, ctx, { reader: await readerOfDataset(c, ctx, id), id, featureId, query });
    },
  });
}

function addAreas(router: Router): void {
  const check = ({ collectionId }: { collectionId: string }) => void areaCollection(collectionId);
  const add = (
    id: string,
    path: string,
    make: (links: Links, collection: AreaCollection, ctx: ServiceContext) => object | Promise<object>,
    { kind = 'fixed' as 'fixed' | 'described', type = MEDIA_TYPES.json as string } = {},
  ) =>
    ogcOperation(router, {
      id,
      kind,
      path: COLLECTION + path,
      params: ofCollection,
      check,
      handler: async (c, { ctx, params }) =>
        documentAnswer(c, await make(new Links(c), areaCollection(params.collectionId), ctx), type),
    });

  const describe = async (links: Links, collection: AreaCollection, ctx: ServiceContext) =>
    areaCollectionBody(links, collection, await countryFacts(ctx));
  add('get_ogc_collection', '', describe, { kind: 'described' });
  for (const name of SCHEMAS) {
    const make = (links: Links, collection: AreaCollection) => schemaOf(links, name, areasDescribed(collection, name));
    add(`get_ogc_${name}`, `/${name}`, make, { type: MEDIA_TYPES.schema });
  }
  add('list_ogc_tilesets', '/tiles', tilesets);
  add('get_ogc_tileset', `/tiles/${TILE_MATRIX_SET}`, tileset, { kind: 'described' });

  const kind = 'areas';
  ogcOperation(router, {
    id: 'list_ogc_items',
    kind,
    path: `${COLLECTION}/items`,
    check,
    ...LIST,
    handler: (c, { ctx, query, params }) => areaItems(c, ctx, areaCollection(params.collectionId), query),
  });
  ogcOperation(router, {
    id: 'get_ogc_item',
    kind,
    path: `${COLLECTION}/items/{featureId}`,
    params: ofFeature,
    check,
    query: { crs, datetime },
    handler: (c, { ctx, query, params: { collectionId, featureId } }) =>
      areaItem(c, ctx, areaCollection(collectionId), { id: featureId, query }),
  });
  ogcOperation(router, {
    id: 'get_ogc_tile',
    kind: 'tiles',
    path: `${TILESET}/{tileMatrix}/{tileRow}/{tileCol}`,
    params: ofTile,
    check,
    hasNoPage: true,
    handler: (c, { ctx, params: { collectionId, tileMatrix: z, tileRow: y, tileCol: x } }) =>
      ogcTile(c, ctx, areaCollection(collectionId), { z, x, y }),
  });
}

/** @throws DomainError `collection_not_found` */
function areaCollection(id: string): AreaCollection {
  const found = AREA_COLLECTIONS.get(id);
  if (!found) throw collectionNotFound(id);
  return found;
}
