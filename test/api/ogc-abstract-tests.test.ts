import { beforeAll, describe, expect, it } from 'vitest';
import { api, type Body, MASTER, ORIGIN, workerWith } from '../support/api.ts';
import { apart, publish } from '../support/snapshot.ts';
import { archiveBytes, putArchive } from '../support/tiles.ts';

// The abstract tests of OGC API – Features Part 1 (17-069r4, annex A) and Part 2 (18-058r1, annex A), each by its name, and of
// OGC API – Tiles (20-057, annex A) those of the classes that are served.

const CRS84 = 'http://www.opengis.net/def/crs/OGC/1.3/CRS84';
const EPSG = (code: number) => `http://www.opengis.net/def/crs/EPSG/0/${code}`;
const JSON_TYPE = 'application/json';
const GEOJSON = 'application/geo+json';
const API_TYPE = 'application/vnd.oai.openapi+json;version=3.0';

const bucket = apart();
const ask = workerWith({ FILES: bucket });
const ogc = (path: string, init: RequestInit = {}) =>
  ask(`/ogc${path}`, { ...init, headers: { ...MASTER, ...init.headers }, undeclared: true } as never);
const follow = (href: string) => ogc(href.slice(`${ORIGIN}/ogc`.length));
const linkOf = ({ links }: Body, rel: string, type?: string): Body =>
  links.find((link: Body) => link.rel === rel && (type === undefined || link.type === type));

let definition: Body;
let landing: Body;
let collections: Body[];

beforeAll(async () => {
  await publish({ active: true, bucket });
  landing = (await ogc('')).body;
  definition = (await follow(linkOf(landing, 'service-desc', API_TYPE).href)).body;
  const { body } = await follow(linkOf(landing, 'data').href);
  // Datasets are those of other tests, which change.
  collections = body.collections.filter(({ id }: Body) => !id.startsWith('dataset-'));
});

/** A parameter of the lists of features, as the definition has it. */
function parameterOf(name: string): Body {
  const { parameters } = definition.paths['/collections/{collectionId}/items'].get;
  const found = parameters
    .map(({ $ref }: Body) => definition.components.parameters[$ref.split('/').at(-1)])
    .find((parameter: Body) => parameter.name === name);
  expect(found, name).toBeDefined();
  return found;
}

const items = (query = '', id = 'municities-simple') => ogc(`/collections/${id}/items${query && `?${query}`}`);

describe('core', () => {
  it('/conf/core/http', async () => {
    expect((await ogc('', { method: 'HEAD' })).status).toBe(200);
    expect((await ogc('', { method: 'PUT' })).status).toBe(405);
    expect((await ogc('/nothing')).status).toBe(404);
  });
  it('/conf/core/root-op, root-success', () => {
    expect(linkOf(landing, 'service-desc') ?? linkOf(landing, 'service-doc')).toBeDefined();
    expect(linkOf(landing, 'conformance')).toBeDefined();
    expect(linkOf(landing, 'data')).toBeDefined();
  });
  it('/conf/core/api-definition-op, api-definition-success', () => {
    expect(definition).toMatchObject({ openapi: expect.stringMatching(/^3\.0\./), info: {}, paths: {} });
    for (const reference of JSON.stringify(definition).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const target = (reference[1] as string).split('/').reduce((at: Body, name) => at?.[name], definition);
      expect(target, reference[1]).toBeDefined();
    }
  });
  it('/conf/core/conformance-op, conformance-success', async () => {
    const { body } = await follow(linkOf(landing, 'conformance').href);
    for (const name of ['core', 'geojson', 'html', 'oas30']) {
      expect(body.conformsTo).toContain(`http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/${name}`);
    }
  });
  it('/conf/core/fc-md-op, fc-md-success, fc-md-links, fc-md-items, fc-md-extent', async () => {
    const { body } = await ogc('/collections');
    expect(linkOf(body, 'self', JSON_TYPE)).toBeDefined();
    expect(linkOf(body, 'alternate', 'text/html')).toBeDefined();
    for (const collection of collections) {
      expect(collection.id).toMatch(/^[a-z0-9-]+$/);
      for (const { rel, type, href } of collection.links) {
        expect(type, `${collection.id} ${rel}`).toEqual(expect.any(String));
        expect(href.startsWith(`${ORIGIN}/`)).toBe(true);
      }
      expect(linkOf(collection, 'items', GEOJSON)).toBeDefined();
      const [[west, south, east, north]] = collection.extent.spatial.bbox;
      expect([west < east, south < north]).toEqual([true, true]);
    }
  });
  it('/conf/core/sfc-md-op, sfc-md-success', async () => {
    for (const collection of collections) {
      const { body } = await follow(linkOf(collection, 'self').href);
      expect(body).toEqual(collection);
    }
  });
  it('/conf/core/fc-op, fc-response, fc-links, fc-numberMatched, fc-numberReturned', async () => {
    for (const { id } of collections) {
      const { status, headers, body } = await items('', id);
      expect(status).toBe(200);
      expect(headers.get('Content-Type')).toBe(GEOJSON);
      expect(body.type).toBe('FeatureCollection');
      expect(linkOf(body, 'self', GEOJSON).href).toBe(`${ORIGIN}/ogc/collections/${id}/items`);
      expect(linkOf(body, 'alternate', 'text/html')).toBeDefined();
      expect(body.numberReturned).toBe(body.features.length);
      expect(body.numberMatched).toBeGreaterThanOrEqual(body.numberReturned);
      expect(Boolean(linkOf(body, 'next'))).toBe(body.numberMatched > body.numberReturned);
    }
  });
  it('/conf/core/fc-bbox-definition, fc-bbox-response', async () => {
    expect(parameterOf('bbox')).toMatchObject({
      ...{ in: 'query', required: false, style: 'form', explode: false },
      schema: { type: 'array', items: { type: 'number' } },
    });
    const { body: whole } = await items('limit=10000');
    const meets = ({ bbox: [west, south, east, north] }: Body) =>
      west <= 121 && east >= 120 && south <= 15 && north >= 14;
    const { body } = await items('bbox=120,14,121,15&limit=10000');
    expect(body.features).toEqual(whole.features.filter((feature: Body) => feature.bbox && meets(feature)));
  });
  it('/conf/core/fc-limit-definition, fc-limit-response', async () => {
    const { schema, ...parameter } = parameterOf('limit');
    expect(parameter).toMatchObject({ in: 'query', required: false, style: 'form', explode: false });
    expect(schema).toMatchObject({ type: 'integer', minimum: 1, default: 10 });
    expect((await items()).body.numberReturned).toBe(schema.default);
    expect((await items(`limit=${schema.maximum + 1}`)).status).toBe(200);
    expect((await items('limit=0')).status).toBe(400);
  });
  it('/conf/core/fc-time-definition, fc-time-response', async () => {
    expect(parameterOf('datetime')).toMatchObject({
      ...{ in: 'query', required: false, style: 'form', explode: false, schema: { type: 'string' } },
    });
    for (const datetime of [
      '2026-11-01T00:00:00Z',
      '2025-01-01/2026-01-01',
      '../2026-01-01T00:00:00Z',
      '/2026-01-01',
      // A leap second, and more digits than a millisecond has.
      '2016-12-31T23:59:60Z/2026-01-01T00:00:00.1234567891+08:00',
    ]) {
      expect((await items(`datetime=${encodeURIComponent(datetime)}`)).status, datetime).toBe(200);
    }
  });
  it('/conf/core/query-param-invalid, query-param-unknown', async () => {
    for (const query of ['bbox=a', 'limit=a', 'datetime=a', 'unknown=1']) expect((await items(query)).status).toBe(400);
    for (const path of ['', '/api', '/conformance', '/collections', '/collections/regions']) {
      expect((await ogc(`${path}?unknown=1`)).status, path).toBe(400);
    }
  });
  it('/conf/core/f-op, f-success, f-links', async () => {
    const { body } = await items();
    for (const feature of body.features.slice(0, 3)) {
      const answer = await ogc(`/collections/municities-simple/items/${feature.id}`);
      expect(answer.headers.get('Content-Type')).toBe(GEOJSON);
      const { links, ...one } = answer.body;
      expect(one).toEqual(feature);
      expect(links.map(({ rel }: Body) => rel)).toEqual(expect.arrayContaining(['self', 'alternate', 'collection']));
    }
  });
});

describe('geojson, html, oas30', () => {
  it('/conf/geojson/definition, content', async () => {
    const content = definition.paths['/collections/{collectionId}/items'].get.responses[200].content;
    expect(Object.keys(content)).toContain(GEOJSON);
    for (const { type, geometry } of (await items()).body.features) {
      expect([type, geometry.type]).toEqual(['Feature', expect.stringMatching(/^(Multi)?Polygon$/)]);
    }
  });
  it('/conf/html/definition, content', async () => {
    const { headers, text } = await ogc('/collections', { headers: { Accept: 'text/html' } });
    expect(headers.get('Content-Type')).toMatch(/^text\/html/);
    expect(text).toMatch(/<title>/);
    expect((await ogc('/collections?f=html')).text).toBe(text);
  });
  it('/conf/oas30/completeness, exceptions-codes, security', async () => {
    const { status, body } = await ask('/ogc/collections/regions/items', { undeclared: true } as never);
    expect(status).toBe(401);
    const { security, responses } = definition.paths['/collections/{collectionId}/items'].get;
    expect(responses[status]).toBeDefined();
    expect(body).toMatchObject({ code: 'authentication_required', message: expect.any(String) });
    expect(security.flatMap(Object.keys)).toEqual(['bearer', 'session']);
  });
});

describe('crs', () => {
  it('/conf/crs/crs-uri, fc-md-crs-list, fc-md-storageCrs-valid-value', () => {
    for (const { crs, storageCrs } of collections) {
      expect(crs).toEqual([CRS84, EPSG(4326), EPSG(3857)]);
      expect(crs).toContain(storageCrs);
    }
  });
  it('/conf/crs/fc-bbox-crs-definition, bbox-crs-parameter-invalid', async () => {
    expect(parameterOf('bbox-crs').schema).toMatchObject({ type: 'string', format: 'uri' });
    expect((await items(`bbox=1,1,2,2&bbox-crs=${EPSG(1)}`)).status).toBe(400);
  });
  it('/conf/crs/fc-bbox-crs-valid-value, fc-bbox-crs-action', async () => {
    const { body } = await items('bbox=120,14,121,15&limit=10000');
    const turned = await items(`bbox=14,120,15,121&bbox-crs=${EPSG(4326)}&limit=10000`);
    expect(turned.body.features).toEqual(body.features);
  });
  it('/conf/crs/crs-parameter, crs-parameter-invalid, crs-parameter-default, crs-action', async () => {
    expect(parameterOf('crs').schema).toMatchObject({ type: 'string', format: 'uri', default: CRS84 });
    expect((await items(`crs=${EPSG(1)}`)).status).toBe(400);
    const [first] = (await items('limit=1')).body.features;
    const [turned] = (await items(`limit=1&crs=${EPSG(4326)}`)).body.features;
    const firstOf = ({ geometry }: Body) => geometry.coordinates.flat(9).slice(0, 2);
    expect(firstOf(turned)).toEqual(firstOf(first).reverse());
  });
  it('/conf/crs/ogc-crs-header, ogc-crs-header-value', async () => {
    expect((await items()).headers.get('Content-Crs')).toBe(`<${CRS84}>`);
    expect((await items(`crs=${EPSG(3857)}`)).headers.get('Content-Crs')).toBe(`<${EPSG(3857)}>`);
  });
});

describe('tiles', () => {
  it('/conf/tilesets-list/tileset-list-op, tileset-list-success', async () => {
    const { body } = await ogc('/collections/provinces/tiles');
    expect(body.tilesets).toMatchObject([{ dataType: 'vector', crs: EPSG(3857) }]);
    const [tileset] = body.tilesets;
    expect(linkOf(tileset, 'item', 'application/vnd.mapbox-vector-tile')).toMatchObject({ templated: true });
    expect((await ogc('/collections/submunicipalities/tiles')).status).toBe(404);
  });
  it('/conf/mvt/content: each tile is that of /v1/tiles, with the row before the column', async () => {
    expect((await putArchive('provinces', archiveBytes('regions'))).status).toBe(200);
    const { body: tileset } = await ogc('/collections/provinces/tiles/WebMercatorQuad');
    const { href } = linkOf(tileset, 'item', 'application/vnd.mapbox-vector-tile');
    let drawn = 0;
    for (const { tileMatrix, minTileRow, maxTileRow, minTileCol, maxTileCol } of tileset.tileMatrixSetLimits.slice(
      0,
      7,
    )) {
      for (let row = minTileRow; row <= maxTileRow; row += 1) {
        for (let column = minTileCol; column <= maxTileCol; column += 1) {
          const address = href
            .replace('{tileMatrix}', tileMatrix)
            .replace('{tileRow}', String(row))
            .replace('{tileCol}', String(column));
          const [tile, same] = await Promise.all([
            api(address.slice(ORIGIN.length), { headers: MASTER, undeclared: true }),
            api(`/v1/tiles/provinces/${tileMatrix}/${column}/${row}.mvt`, { headers: MASTER }),
          ]);
          expect([tile.status, tile.bytes]).toEqual([same.status, same.bytes]);
          if (tile.status === 200) drawn += 1;
        }
      }
    }
    expect(drawn).toBeGreaterThan(10);
    expect((await ogc('/collections/provinces/tiles/WebMercatorQuad/25/0/0')).status).toBe(404);
  });
  it('/conf/core/tc-tilematrixset-definition, by TMS 2.0', async () => {
    const { body } = await ogc('/tileMatrixSets/WebMercatorQuad');
    expect(body.tileMatrices[0]).toMatchObject({
      ...{
        id: '0',
        scaleDenominator: expect.closeTo(559_082_264.028_717, 3),
        cellSize: expect.closeTo(156_543.033_928, 5),
      },
      ...{ pointOfOrigin: [-20_037_508.342_789_244, 20_037_508.342_789_244], matrixWidth: 1, tileWidth: 256 },
    });
    expect(body.tileMatrices[9]).toMatchObject({ id: '9', matrixWidth: 512, matrixHeight: 512 });
  });
});

it('replays the steps of QGIS: definition, collection, conformance, queryables, schema, pages with a filter and a box', async () => {
  expect(definition.components.parameters.limit.schema).toMatchObject({ default: 10, maximum: 10_000 });
  const list = definition.paths['/collections/municities-simple/items'].get.parameters.map(
    ({ $ref }: Body) => definition.components.parameters[$ref.split('/').at(-1)],
  );
  expect(list.find(({ name }: Body) => name === 'city_class')).toMatchObject({ style: 'form', explode: false });
  const { body: collection } = await ogc('/collections/municities-simple');
  const { body: conformance } = await follow(linkOf(landing, 'conformance').href);
  const needed = ['cql2/1.0/conf/basic-cql2', 'cql2/1.0/conf/cql2-text', 'ogcapi-features-5/1.0/conf/schemas'];
  for (const name of [...needed, 'ogcapi-features-3/1.0/conf/filter', 'ogcapi-features-3/1.0/conf/features-filter']) {
    expect(conformance.conformsTo).toContain(`http://www.opengis.net/spec/${name}`);
  }
  const { body: queryables } = await ogc('/collections/municities-simple/queryables', {
    headers: { Accept: 'application/schema+json' },
  });
  expect(queryables.properties.geometry.$ref).toMatch(/^https:\/\/geojson\.org\/schema\//);
  const schemaLink = linkOf(collection, 'http://www.opengis.net/def/rel/ogc/1.0/schema', 'application/schema+json');
  const { body: schema } = await follow(schemaLink.href);
  expect(schema.properties.geometry).toMatchObject({
    ...{ 'x-ogc-role': 'primary-geometry', format: 'geometry-polygon-or-multipolygon' },
  });
  expect(schema.properties.id['x-ogc-propertySeq']).toBe(1);
  expect((await items('limit=10')).body.features).toHaveLength(10);
  const filter = encodeURIComponent(`(("population" > 100000) AND ("name" LIKE 'C%'))`);
  const found: Body[] = [];
  for (
    let next: string | undefined =
      `/collections/municities-simple/items?limit=5&filter=${filter}&filter-lang=cql2-text&bbox=116,4,127,21`;
    next;
  ) {
    const { status, body, text } = await ogc(next);
    expect(status, text).toBe(200);
    found.push(...body.features);
    next = linkOf(body, 'next', GEOJSON)?.href.slice(`${ORIGIN}/ogc`.length);
  }
  expect(found.length).toBeGreaterThan(5);
  for (const { properties } of found) {
    expect(properties.population).toBeGreaterThan(100_000);
    expect(properties.name).toMatch(/^C/);
  }
});
