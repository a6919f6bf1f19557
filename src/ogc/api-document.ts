import { ATTRIBUTES, VERSION_ATTRIBUTES } from '../areas/attributes.ts';
import { VERSION } from '../version.ts';
import { AREA_COLLECTIONS } from './area-collections.ts';
import { CRS84, SYSTEMS } from './crs.ts';
import { type Links, MEDIA_TYPES } from './links.ts';
import { DEFAULT_LIMIT, FILTER_LANGUAGES, MAX_LIMIT } from './parameters.ts';
import { TILE_MATRIX_SET } from './tiles.ts';

// The definition of this part of the API in OpenAPI 3.0, because clients and the conformance suite read no 3.1.

const ref = (kind: 'parameters' | 'responses' | 'schemas', name: string) => ({ $ref: `#/components/${kind}/${name}` });

const parameter = (name: string, description: string, schema: object) => ({
  name,
  in: 'query',
  required: false,
  description,
  schema,
  style: 'form',
  explode: false,
});

const system = { type: 'string', format: 'uri', enum: SYSTEMS.map(({ uri }) => uri), default: CRS84.uri };

const pathParameter = (name: string, description: string, schema: object = { type: 'string' }) => ({
  name,
  in: 'path',
  required: true,
  description,
  schema,
});

const PARAMETERS = {
  f: parameter('f', 'json, or html for a page. Without it the header Accept decides.', {
    type: 'string',
    enum: ['json', 'html'],
  }),
  limit: parameter('limit', `Features of a page; more than ${MAX_LIMIT} is ${MAX_LIMIT}`, {
    type: 'integer',
    minimum: 1,
    maximum: MAX_LIMIT,
    default: DEFAULT_LIMIT,
  }),
  bbox: parameter('bbox', 'Only features whose own box meets this one: four numbers, or six with heights', {
    type: 'array',
    items: { type: 'number' },
    oneOf: [4, 6].map((count) => ({ minItems: count, maxItems: count })),
  }),
  'bbox-crs': parameter('bbox-crs', 'The reference system of bbox', system),
  crs: parameter('crs', 'The reference system of the answer', system),
  datetime: parameter(
    'datetime',
    'Of areas: the edition that was in force at this moment, or at the end of this interval (RFC 3339; .. is open). Of areas through time: the versions of this time. Datasets have no time.',
    { type: 'string' },
  ),
  filter: parameter('filter', 'A condition in CQL2 on the queryables of the collection', { type: 'string' }),
  'filter-lang': parameter('filter-lang', 'The language of filter', {
    type: 'string',
    enum: [...FILTER_LANGUAGES],
    default: 'cql2-text',
  }),
  'filter-crs': parameter('filter-crs', 'The reference system of the geometries in filter', system),
  cursor: parameter('cursor', 'Where a page begins, as the link "next" of the page before has it', { type: 'string' }),
  collectionId: pathParameter(
    'collectionId',
    `One of ${[...AREA_COLLECTIONS.keys()].join(', ')}, or dataset- and the id of a dataset`,
  ),
  featureId: pathParameter(
    'featureId',
    'The code of an area, through time with its first edition (0604500000-2023-1q), or the id of a feature of a dataset',
  ),
  tileMatrix: pathParameter('tileMatrix', 'Zoom', { type: 'integer', minimum: 0 }),
  tileRow: pathParameter('tileRow', 'Row, from the north', { type: 'integer', minimum: 0 }),
  tileCol: pathParameter('tileCol', 'Column, from the west', { type: 'integer', minimum: 0 }),
};

type ParameterName = keyof typeof PARAMETERS;

const ITEMS: ParameterName[] = [
  ...(['f', 'limit', 'cursor', 'bbox', 'bbox-crs', 'crs', 'datetime', 'filter', 'filter-lang', 'filter-crs'] as const),
];

const object = (required: readonly string[], properties: object) => ({ type: 'object', required, properties });

const link = object(['href', 'rel'], {
  href: { type: 'string' },
  rel: { type: 'string' },
  type: { type: 'string' },
  title: { type: 'string' },
  templated: { type: 'boolean' },
});

const links = { type: 'array', items: ref('schemas', 'link') };

const SCHEMAS = {
  link,
  error: object(['message', 'code'], { message: { type: 'string' }, code: { type: 'string' } }),
  landingPage: object(['links'], { title: { type: 'string' }, description: { type: 'string' }, links }),
  confClasses: object(['conformsTo'], { conformsTo: { type: 'array', items: { type: 'string' } } }),
  collections: object(['links', 'collections'], {
    links,
    collections: { type: 'array', items: ref('schemas', 'collection') },
  }),
  collection: object(['id', 'links'], {
    id: { type: 'string' },
    title: { type: 'string' },
    description: { type: 'string' },
    attribution: { type: 'string' },
    itemType: { type: 'string' },
    extent: { type: 'object' },
    crs: { type: 'array', items: { type: 'string' } },
    storageCrs: { type: 'string' },
    links,
  }),
  featureCollectionGeoJSON: object(['type', 'features'], {
    type: { type: 'string', enum: ['FeatureCollection'] },
    features: { type: 'array', items: ref('schemas', 'featureGeoJSON') },
    links,
    numberMatched: { type: 'integer', minimum: 0 },
    numberReturned: { type: 'integer', minimum: 0 },
  }),
  featureGeoJSON: object(['type', 'geometry', 'properties'], {
    type: { type: 'string', enum: ['Feature'] },
    id: { type: 'string' },
    geometry: { type: 'object', nullable: true },
    properties: { type: 'object', nullable: true },
    links,
  }),
  object: { type: 'object' },
};

/** The parameters of what filters can name, of all levels. */
const PROPERTIES = Object.fromEntries(
  Object.entries({ ...ATTRIBUTES, ...VERSION_ATTRIBUTES }).map(([name, { type, title }]) => [
    `property-${name}`,
    parameter(name, `Only areas with this value. ${title}`, { type }),
  ]),
);

interface Operation {
  readonly id: string;
  readonly summary: string;
  readonly tag: string;
  readonly parameters?: readonly (ParameterName | `property-${string}`)[];
  readonly schema: keyof typeof SCHEMAS | 'binary';
  readonly type?: string;
  readonly access?: 'free' | 'bearer';
  /** Whether its answers have entity tags. */
  readonly isValidated?: true;
}

function operationOf({
  id,
  summary,
  tag,
  parameters = ['f'],
  schema,
  type = MEDIA_TYPES.json,
  access,
  isValidated,
}: Operation): object {
  const isBinary = schema === 'binary';
  const content = isBinary
    ? { [type]: { schema: { type: 'string', format: 'binary' } } }
    : { [type]: { schema: ref('schemas', schema) }, [MEDIA_TYPES.html]: { schema: { type: 'string' } } };
  // A session in the URL is checked where it is not needed too.
  const refusals = [400, 401, ...(access === undefined ? [404, 414, 500] : [403, 404, 414, 422, 429, 500, 503])];
  return {
    get: {
      operationId: id,
      summary,
      tags: [tag],
      parameters: parameters.map((name) => ref('parameters', name)),
      ...(access !== undefined && { security: [...(access === 'free' ? [{}] : []), { bearer: [] }, { session: [] }] }),
      responses: {
        200: { description: summary, content },
        ...(isBinary && { 204: { description: 'The tile is empty' } }),
        ...(isValidated && { 304: { description: 'What If-None-Match names is still so' } }),
        ...Object.fromEntries(refusals.map((status) => [status, ref('responses', 'error')])),
      },
    },
  };
}

const COLLECTION = '/collections/{collectionId}';
const TILESET = `${COLLECTION}/tiles/${TILE_MATRIX_SET}`;

const CAPABILITIES = { tag: 'Capabilities' };
const DATA = { tag: 'Data', access: 'free' } as const;
const TILES = { tag: 'Tiles', schema: 'object' } as const;
const OF_COLLECTION = { access: 'free', parameters: ['collectionId', 'f'] } as const;
const DESCRIBED = { ...DATA, ...OF_COLLECTION, schema: 'object', type: MEDIA_TYPES.schema } as const;
const FEATURES = { ...DATA, type: MEDIA_TYPES.geojson, isValidated: true } as const;

/** The paths from `/ogc` on. */
const PATHS: Readonly<Record<string, Operation>> = {
  '/': { id: 'getLandingPage', summary: 'The landing page', ...CAPABILITIES, schema: 'landingPage' },
  '/conformance': { id: 'getConformance', summary: 'What it conforms to', ...CAPABILITIES, schema: 'confClasses' },
  '/api': { id: 'getApi', summary: 'This document', ...CAPABILITIES, schema: 'object', type: MEDIA_TYPES.api },
  '/collections': {
    id: 'getCollections',
    summary: 'The collections',
    ...CAPABILITIES,
    schema: 'collections',
    access: 'free',
  },
  [COLLECTION]: {
    id: 'describeCollection',
    summary: 'A collection',
    ...CAPABILITIES,
    schema: 'collection',
    ...OF_COLLECTION,
  },
  [`${COLLECTION}/queryables`]: { id: 'getQueryables', summary: 'What filters can name', ...DESCRIBED },
  [`${COLLECTION}/schema`]: { id: 'getSchema', summary: 'The schema of a feature', ...DESCRIBED },
  [`${COLLECTION}/items`]: {
    ...FEATURES,
    id: 'getFeatures',
    summary: 'A page of features',
    schema: 'featureCollectionGeoJSON',
    parameters: ['collectionId', ...ITEMS],
  },
  [`${COLLECTION}/items/{featureId}`]: {
    ...FEATURES,
    id: 'getFeature',
    summary: 'A feature',
    schema: 'featureGeoJSON',
    parameters: ['collectionId', 'featureId', 'f', 'crs', 'datetime'],
  },
  [`${COLLECTION}/tiles`]: {
    id: 'getTileSetsList',
    summary: 'The tilesets of a collection',
    ...TILES,
    ...OF_COLLECTION,
  },
  [TILESET]: { id: 'getTileSet', summary: 'A tileset', ...TILES, ...OF_COLLECTION },
  [`${TILESET}/{tileMatrix}/{tileRow}/{tileCol}`]: {
    id: 'getTile',
    summary: 'A vector tile',
    tag: 'Tiles',
    schema: 'binary',
    type: MEDIA_TYPES.tile,
    access: 'bearer',
    isValidated: true,
    parameters: ['collectionId', 'tileMatrix', 'tileRow', 'tileCol'],
  },
  '/tileMatrixSets': { id: 'getTileMatrixSets', summary: 'The tile matrix sets', ...TILES },
  [`/tileMatrixSets/${TILE_MATRIX_SET}`]: { id: 'getTileMatrixSet', summary: 'Web Mercator in square tiles', ...TILES },
};

/** Each list of areas by its own path: GDAL looks there for the parameters of a layer, and not behind a template. */
const AREA_PATHS: Readonly<Record<string, Operation>> = Object.fromEntries(
  [...AREA_COLLECTIONS.values()].map(({ id, title, attributes }) => [
    `/collections/${id}/items`,
    {
      id: `getFeatures-${id}`,
      summary: `A page of features: ${title}`,
      tag: 'Data',
      type: MEDIA_TYPES.geojson,
      schema: 'featureCollectionGeoJSON',
      access: 'bearer',
      parameters: [...ITEMS, ...Object.keys(attributes).map((name) => `property-${name}` as const)],
    },
  ]),
);

/** The document, with its requested URL as the server. */
export function apiDocument(at: Links): object {
  return {
    openapi: '3.0.3',
    info: {
      title: 'Philippine Geographic Data Service: OGC API',
      description:
        'Areas of the Philippines and datasets of people, by OGC API – Features and OGC API – Tiles. Parameters that a path does not have are refused.',
      version: VERSION,
      license: { name: 'See the sources', url: at.other('/v1/sources') },
    },
    servers: [{ url: at.other('/ogc') }],
    tags: ['Capabilities', 'Data', 'Tiles'].map((name) => ({ name })),
    paths: Object.fromEntries(
      Object.entries({ ...PATHS, ...AREA_PATHS }).map(([path, operation]) => [path, operationOf(operation)]),
    ),
    components: {
      parameters: { ...PARAMETERS, ...PROPERTIES },
      schemas: SCHEMAS,
      responses: {
        error: {
          description: 'What was wrong, and what would be right',
          content: { [MEDIA_TYPES.json]: { schema: ref('schemas', 'error') } },
        },
      },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key or a session of the identity provider' },
        session: {
          type: 'apiKey',
          in: 'query',
          name: 'session',
          description: 'For tools that send no headers: POST /v1/ogc/sessions. It stays in all links.',
        },
      },
    },
  };
}
