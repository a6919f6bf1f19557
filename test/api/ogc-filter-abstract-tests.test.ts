import { beforeAll, describe, expect, it } from 'vitest';
import { type Body, MASTER, ORIGIN, workerWith } from '../support/api.ts';
import { newDataset, point } from '../support/datasets.ts';
import { apart, publish } from '../support/snapshot.ts';

// The abstract tests of OGC API – Features Part 3 (19-079r2, annex A), Part 5 (23-058r2, annex A) and CQL2 (21-065r2, annex A) of
// the classes that are served, each by its name. Those that need the countries, rivers and cities of the test data are not here:
// other parsers and PostGIS judge which features pass (test/clients/filters.test.ts, test/api/ogc-filters.test.ts).

const FEATURES_3 = 'http://www.opengis.net/spec/ogcapi-features-3/1.0/conf';
const FEATURES_5 = 'http://www.opengis.net/spec/ogcapi-features-5/1.0/conf';
const CQL2 = 'http://www.opengis.net/spec/cql2/1.0/conf';
const RELATION = 'http://www.opengis.net/def/rel/ogc/1.0';
const EPSG = (code: number) => `http://www.opengis.net/def/crs/EPSG/0/${code}`;

const bucket = apart();
const ask = workerWith({ FILES: bucket });
const ogc = (path: string) => ask(`/ogc${path}`, { headers: MASTER, undeclared: true });

/** Collections of areas, of their versions, and of a dataset, each with what filters can name of it. */
const queryables: Record<string, Record<string, Body>> = {};
const conformsTo: string[] = [];

beforeAll(async () => {
  await publish({ active: true, bucket });
  const features = ['foo', 'FOO', 'bar', 'Kiel'].map((name, i) => ({
    geom: point(121 + i / 10, 14),
    properties: { name, size: i, big: i > 2, ...(i === 1 ? { note: 'x' } : {}) },
  }));
  const { id } = await newDataset(MASTER, { features });
  for (const one of ['regions', 'provinces-simple', 'provinces-history', `dataset-${id}`]) {
    queryables[one] = (await ogc(`/collections/${one}/queryables`)).body.properties;
  }
  conformsTo.push(...(await ogc('/conformance')).body.conformsTo);
});

const collections = () => Object.keys(queryables);

const items = (id: string, parameters: Record<string, string> = {}) =>
  ogc(`/collections/${id}/items?${new URLSearchParams({ limit: '10000', ...parameters })}`);

/** The ids of the features that pass a filter. */
async function passing(id: string, filter?: string, parameters: Record<string, string> = {}): Promise<string[]> {
  const { status, headers, body, text } = await items(id, { ...parameters, ...(filter && { filter }) });
  expect(status, `${id} ${filter} ${text}`).toBe(200);
  expect(headers.get('Content-Type')).toBe('application/geo+json');
  return body.features.map((feature: Body) => feature.id);
}

async function expectNoneInCommon(id: string, one: string, other: string): Promise<void> {
  const found = new Set(await passing(id, one));
  expect((await passing(id, other)).filter((it) => found.has(it))).toEqual([]);
}

const ofType = (id: string, ...types: string[]) =>
  Object.entries(queryables[id] ?? {}).flatMap(([name, { type }]) => (types.includes(type) ? [name] : []));

/** West, south, east, north of a collection that has a geometry to filter by. */
async function boxOf(id: string): Promise<[number, number, number, number]> {
  return (await ogc(`/collections/${id}`)).body.extent.spatial.bbox[0];
}

const spatial = () => collections().filter((id) => queryables[id]?.geometry);
const within = (...box: number[]) => `S_INTERSECTS(geometry,BBOX(${box.join()}))`;

describe('filter, features-filter', () => {
  it('/conf/filter/get-conformance, /conf/features-filter/get-conformance', () => {
    for (const name of ['filter', 'features-filter', 'queryables', 'queryables-query-parameters']) {
      expect(conformsTo).toContain(`${FEATURES_3}/${name}`);
    }
  });

  it('/conf/filter/get-collections, get-queryables, get-collection', async () => {
    const { body } = await ogc('/collections');
    for (const { id } of body.collections) {
      const { body: collection } = await ogc(`/collections/${id}`);
      const { href } = collection.links.find(({ rel }: Body) => rel === `${RELATION}/queryables`);
      expect(href).toBe(`${ORIGIN}/ogc/collections/${id}/queryables`);
      const { status, headers, body: schema } = await ogc(href.slice(`${ORIGIN}/ogc`.length));
      expect(status).toBe(200);
      expect(headers.get('Content-Type')).toBe('application/schema+json');
      expect(schema).toMatchObject({
        ...{ $schema: 'https://json-schema.org/draft/2020-12/schema', $id: href, type: 'object' },
      });
      expect(Object.keys(schema.properties).length, id).toBeGreaterThan(0);
    }
  });

  it('/conf/filter/filter-param, filter-lang-default, on /conf/features-filter/filter-on-items', async () => {
    for (const id of collections()) {
      const all = await passing(id);
      for (const name of Object.keys(queryables[id] ?? {})) {
        for (const language of [{}, { 'filter-lang': 'cql2-text' }]) {
          const empty = await passing(id, `${name} IS NULL`, language);
          const filled = await passing(id, `${name} IS NOT NULL`, language);
          expect([...empty, ...filled].sort()).toEqual([...all].sort());
        }
      }
      for (const language of [{}, { 'filter-lang': 'cql2-text' }, { 'filter-lang': 'cql2-json' }]) {
        expect((await items(id, { filter: 'THIS IS NOT A FILTER', ...language })).status).toBe(400);
      }
    }
  });

  it('/conf/filter/expression-construction', async () => {
    for (const id of collections()) {
      const { status, body } = await items(id, { filter: 'this_is_not_a_queryable IS NULL' });
      expect([status, body.code]).toEqual([400, 'invalid_parameter']);
    }
  });

  it('/conf/filter/filter-crs-wgs84, filter-crs-param', async () => {
    for (const id of spatial()) {
      const [west, south, east, north] = await boxOf(id);
      const all = await passing(id);
      expect(await passing(id, within(west, south, east, north))).toEqual(all);
      expect((await items(id, { filter: within(1e6, 1e6, 2e6, 2e6) })).status).toBe(400);
      const { body } = await ogc(`/collections/${id}`);
      expect(body.crs).toContain(EPSG(4326));
      const turned = within(south, west, north, east);
      expect(await passing(id, turned, { 'filter-crs': EPSG(4326) })).toEqual(all);
      const unknown = { filter: turned, 'filter-crs': 'http://www.opengis.net/def/crs/OGC/0/does_not_exist' };
      expect((await items(id, unknown)).status).toBe(400);
    }
  });

  it('/conf/filter/mixing-expression', async () => {
    for (const id of spatial()) {
      const box = await boxOf(id);
      expect(await passing(id, within(...box), { bbox: box.join() })).toEqual(await passing(id));
      expect(await passing(id, within(...box), { bbox: '-10,-10,-9,-9' })).toEqual([]);
    }
  });

  it('/conf/queryables-query-parameters/parameters', async () => {
    for (const id of collections()) {
      const { body } = await items(id);
      for (const name of ofType(id, 'string', 'number', 'integer', 'boolean')) {
        const value = body.features.find(({ properties }: Body) => properties[name] != null)?.properties[name];
        if (value === undefined) continue;
        const expected = body.features.filter(({ properties }: Body) => properties[name] === value);
        const found = await passing(id, undefined, { [name]: String(value) });
        expect(found, `${id} ${name}=${value}`).toEqual(expected.map((feature: Body) => feature.id));
      }
    }
  });
});

describe('schemas, core-roles-features', () => {
  const schemasOf = async (id: string) =>
    Promise.all(['schema', 'queryables'].map(async (name) => (await ogc(`/collections/${id}/${name}`)).body));
  const propertiesOf = (schema: Body) => Object.values<Body>(schema.properties);
  const withRole = (schema: Body, role: string) => propertiesOf(schema).filter((one) => one['x-ogc-role'] === role);

  it('/conf/schemas/basic-schema-inspection, role, property-seq', async () => {
    for (const name of ['schemas', 'core-roles-features']) expect(conformsTo).toContain(`${FEATURES_5}/${name}`);
    for (const id of collections()) {
      for (const schema of await schemasOf(id)) {
        expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
        expect(new URL(schema.$id).search).toBe('');
        expect((await ogc(schema.$id.slice(`${ORIGIN}/ogc`.length))).body).toEqual(schema);
        expect(schema.type).toBe('object');
        for (const property of propertiesOf(schema)) {
          const isSpatial = property.format?.startsWith('geometry-');
          expect(isSpatial ? !('type' in property) : typeof property.type === 'string', JSON.stringify(property)).toBe(
            true,
          );
          for (const keyword of Object.keys(property)) {
            expect(keyword).toMatch(/^(type|title|format|\$ref|x-ogc-[a-zA-Z]+)$/);
          }
          const { 'x-ogc-role': role = '', 'x-ogc-propertySeq': sequence = 0 } = property;
          expect([typeof role, Number.isInteger(sequence)]).toEqual(['string', true]);
        }
      }
    }
  });

  it('/conf/core-roles-features/role-primary-geometry, role-primary-temporal', async () => {
    for (const id of collections()) {
      for (const schema of await schemasOf(id)) {
        const geometries = withRole(schema, 'primary-geometry');
        expect(geometries.length).toBeLessThanOrEqual(1);
        for (const { format } of geometries) expect(format).toMatch(/^geometry-/);
        const times = [...withRole(schema, 'primary-interval-start'), ...withRole(schema, 'primary-interval-end')];
        expect(times.map(({ type, format }) => [type, format])).toEqual(
          id.endsWith('-history') ? Array(2).fill(['string', 'date']) : [],
        );
      }
      // What the schema says is what the features have.
      const [schema] = await schemasOf(id);
      const { body } = await items(id, { limit: '20' });
      for (const { properties } of body.features) {
        for (const [name, value] of Object.entries(properties)) {
          const { type } = schema.properties[name];
          const isOf = type === 'integer' ? Number.isInteger(value) : typeof value === type;
          expect(value === null || isOf, `${id} ${name} ${value}`).toBe(true);
        }
      }
    }
  });
});

describe('CQL2', () => {
  it('/conf/basic-cql2/basic-test', () => {
    for (const name of ['basic-cql2', 'cql2-text', 'cql2-json']) expect(conformsTo).toContain(`${CQL2}/${name}`);
    for (const id of collections()) {
      expect(ofType(id, 'string', 'boolean', 'number', 'integer').length, id).toBeGreaterThan(0);
    }
  });

  it('/conf/basic-cql2/comparison, is-null', async () => {
    const values = { string: "'foo'", boolean: 'true', number: '3.14', integer: '1' };
    for (const id of collections()) {
      for (const [type, value] of Object.entries(values)) {
        for (const name of ofType(id, type)) {
          await expectNoneInCommon(id, `${name} = ${value}`, `${name} <> ${value}`);
          await expectNoneInCommon(id, `${name} > ${value}`, `${name} <= ${value}`);
          await expectNoneInCommon(id, `${name} < ${value}`, `${name} >= ${value}`);
          await expectNoneInCommon(id, `${name} IS NULL`, `${name} is not null`);
        }
      }
    }
  });

  it('/conf/basic-cql2/boolean, logical', async () => {
    for (const id of collections()) {
      const all = await passing(id);
      expect(await passing(id, 'true')).toEqual(all);
      expect(await passing(id, 'false')).toEqual([]);
      const [p1, p2, p3, p4] = ["name > 'M'", 'name IS NULL', "name < 'C'", "name <> 'foo'"];
      const both = `(NOT (${p2}) AND ${p1}) OR (${p3} and ${p4}) or not (${p1} OR ${p4})`;
      const passes = ({ properties: { name } }: Body) =>
        name > 'M' || (name < 'C' && name !== 'foo') || !(name > 'M' || name !== 'foo');
      const { body } = await items(id);
      expect(await passing(id, both)).toEqual(body.features.filter(passes).map((feature: Body) => feature.id));
    }
  });

  it('/conf/advanced-comparison-operators/like, between, in', async () => {
    expect(conformsTo).toContain(`${CQL2}/advanced-comparison-operators`);
    for (const id of collections()) {
      for (const name of ofType(id, 'string')) {
        await expectNoneInCommon(id, `${name} like '_%'`, `${name} like ''`);
        expect(await passing(id, `${name} LIKE '%'`)).toEqual(await passing(id, `${name} like '%%'`));
        await passing(id, `${name} like '\\%\\_'`);
        await passing(id, `${name} in ('foo', 'bar')`);
      }
      for (const name of ofType(id, 'number', 'integer')) {
        await passing(id, `${name} BETWEEN 0 AND 100`);
        expect(await passing(id, `${name} between 100.0 and 1.0`)).toEqual([]);
        await passing(id, `${name} IN (1, 2, 3)`);
      }
      for (const name of ofType(id, 'boolean')) await passing(id, `${name} in (true)`);
    }
  });

  it('/conf/case-insensitive-comparison/casei, casei-like, /conf/accent-insensitive-comparison/accenti', async () => {
    for (const name of ['case-insensitive-comparison', 'accent-insensitive-comparison']) {
      expect(conformsTo).toContain(`${CQL2}/${name}`);
    }
    for (const id of collections()) {
      for (const name of ofType(id, 'string')) {
        await expectNoneInCommon(id, `CASEI(${name}) = casei('foo')`, `CASEI(${name}) <> casei('FOO')`);
        await expectNoneInCommon(id, `ACCENTI(${name}) = accenti('foo')`, `ACCENTI(${name}) <> accenti('föö')`);
        const like = await passing(id, `CASEI(${name}) LIKE casei('foo%')`);
        expect(await passing(id, `CASEI(${name}) LIKE casei('FOO%')`)).toEqual(like);
      }
    }
    const dataset = collections().at(-1) as string;
    expect(await passing(dataset, "CASEI(name) = casei('Foo')")).toHaveLength(2);
  });

  it('/conf/basic-spatial-functions/s_intersects', async () => {
    expect(conformsTo).toContain(`${CQL2}/basic-spatial-functions`);
    for (const id of spatial()) {
      expect(await passing(id, within(-180, -90, 180, 90))).toEqual(await passing(id));
      expect(await passing(id, 'S_INTERSECTS(geometry,POINT(7.02 49.92))')).toEqual([]);
      expect((await items(id, { filter: 'S_INTERSECTS(geometry,POINT(90 180))' })).status).toBe(400);
      const halves = `${within(-180, -90, -90, 90)} AND ${within(90, -90, 180, 90)}`;
      expect(await passing(id, halves)).toEqual([]);
    }
  });

  it('/conf/cql2-json/validate: the same filter in JSON lets the same features through', async () => {
    for (const id of collections()) {
      const json = {
        op: 'and',
        args: [
          { op: '>', args: [{ property: 'name' }, 'B'] },
          { op: 'isNull', args: [{ property: 'name' }] },
        ],
      };
      const negated = JSON.stringify({ op: 'not', args: [json] });
      expect(await passing(id, negated, { 'filter-lang': 'cql2-json' })).toEqual(
        await passing(id, "NOT (name > 'B' AND name IS NULL)"),
      );
    }
  });
});
