import { dereference, type Schema, Validator, validate } from '@cfworker/json-schema';
import { beforeAll, describe, expect, it } from 'vitest';
import { administrator } from '../support/admin.ts';
import { type Answer, api, type Body, get, openApi, send } from '../support/api.ts';
import { newDataset, point } from '../support/datasets.ts';
import type { Headers } from '../support/people.ts';
import { some } from '../support/some.ts';
import { formOf, sendForm } from '../support/uploads.ts';

const { paths, components } = await openApi();

let owner: Headers;
let datasetId: string;
beforeAll(async () => {
  owner = (await administrator()).session;
  datasetId = (await newDataset(owner)).id;
});

/** Whether a value fits a schema of the document. */
function fits(schema: Body, value: unknown): boolean {
  // The validator would take the member `id` of an example for the address of a schema.
  const text = JSON.stringify({ ...schema, components }, (name, member) => (name === 'example' ? undefined : member));
  return new Validator(JSON.parse(text) as Schema, '2020-12').validate(value).valid;
}

const parameterOf = (path: string, name: string) =>
  paths[path].get.parameters.find((parameter: Body) => parameter.name === name);
const bodyOf = (method: string, path: string) => paths[path][method].requestBody.content;

/** Expects of each value that the document and the service say the same of it. */
async function expectSame(
  schema: Body,
  values: readonly (readonly [value: unknown, good: boolean])[],
  ask: (value: never) => Promise<Answer>,
): Promise<void> {
  for (const [value, good] of values) {
    const { status } = await ask(value as never);
    expect([value, fits(schema, value), status], JSON.stringify(value)).toEqual([value, good, good ? 200 : 422]);
  }
}

/** A text of that many characters, each of which is two units of UTF-16. */
const astral = (count: number) => '𐌀'.repeat(count);

const TEXTS = (max: number): [string, boolean][] => [
  ['a', true],
  ['', false],
  [' \t\n\u00a0\u3000\ufeff', false],
  [' a\n', true],
  [astral(max), true],
  [astral(max + 1), false],
  ['a\u0000', false],
  ['\u001b[1m', false],
];

const square = [point(0, 0), point(1, 0), point(1, 1), point(0, 0)].map(({ coordinates }) => coordinates);
const GEOMETRIES: [unknown, boolean][] = [
  [null, true],
  [point(121, 14), true],
  [{ type: 'Point', coordinates: [1, 2, 3] }, true],
  [{ type: 'Polygon', coordinates: [square] }, true],
  [{ type: 'MultiPolygon', coordinates: [] }, true],
  [{ type: 'Point', coordinates: [] }, false],
  [{ type: 'LineString', coordinates: [] }, false],
  [{ type: 'GeometryCollection', geometries: [{ type: 'Point', coordinates: [] }] }, false],
  [{ type: 'Polygon', coordinates: [] }, true],
  [{ type: 'Polygon', coordinates: [[]] }, true],
  [{ type: 'Polygon', coordinates: [square, []] }, true],
  [{ type: 'MultiPolygon', coordinates: [[], [[]]] }, true],
  [{ type: 'MultiPoint', coordinates: [[]] }, true],
  [{ type: 'MultiLineString', coordinates: [[]] }, true],
  [{ type: 'LineString', coordinates: [[], []] }, false],
  [{ type: 'GeometryCollection', geometries: [point(1, 2), { type: 'GeometryCollection', geometries: [] }] }, true],
  [{ type: 'Point', coordinates: [1, 2], bbox: [1, 2, 1, 2], crs: null }, true],
  [{ type: 'Point', coordinates: [1, 2], bbox: [1, 2, 0, 1, 2, 0] }, true],
  [{ type: 'Point', coordinates: [1, 2], bbox: [1, 2, 3] }, false],
  [{ type: 'Point', coordinates: [1, 2], bbox: [1, 2, 0, 1, 2] }, false],
  [{}, false],
  [[], false],
  ['POINT (1 2)', false],
  [{ type: 'Circle', coordinates: [1, 2] }, false],
  [{ type: 'Point', coordinates: [1] }, false],
  [{ type: 'Point', coordinates: [1, 2, 3, 4] }, false],
  [{ type: 'Point', coordinates: ['1', 2] }, false],
  [{ type: 'LineString', coordinates: [[1, 2]] }, false],
  [{ type: 'Polygon', coordinates: [square.slice(1)] }, false],
  [{ type: 'GeometryCollection', geometries: [null] }, false],
  [{ type: 'Point', coordinates: [1, 2], geometries: [] }, false],
  [{ type: 'GeometryCollection', geometries: [], coordinates: [1, 2] }, false],
  [{ type: 'Point', coordinates: [1, 2], crs: {} }, false],
];

describe('the document and the service say the same', () => {
  it('of q: two letters or digits', async () => {
    const values: [string, boolean][] = [
      ...['ab', 'ñó', 'a1', '%_', 'a - b', "d'e", '한국', '½½', ' ab '].map((text): [string, boolean] => [text, true]),
      ...['a', 'a-', '--', "''", '  ', 'a\u0000b', 'ab\n', '𐌀'].map((text): [string, boolean] => [text, false]),
      [astral(256), true],
      [astral(257), false],
    ];
    const { schema } = parameterOf('/v1/municities/search', 'q');
    await expectSame(schema, values, (q) => get(`/v1/municities/search?q=${encodeURIComponent(q)}`, owner));
    // What is neither a letter nor a digit beyond Latin-1 is too much for a pattern.
    for (const q of ['——', '\u3000\u3000', 'a\u0301']) {
      const { status } = await get(`/v1/municities/search?q=${encodeURIComponent(q)}`, owner);
      expect([q, status]).toEqual([q, 422]);
    }
  });

  it('of text in a query: no control characters', async () => {
    const { schema } = parameterOf('/v1/regions', 'search');
    const values: [string, boolean][] = [
      ['', true],
      ['Region VII – ñ', true],
      [astral(256), true],
      [astral(257), false],
      ['a\tb', false],
      ['\u007f', false],
    ];
    await expectSame(schema, values, (text) => get(`/v1/regions?search=${encodeURIComponent(text)}`));
  });

  it('of bbox: four numbers', async () => {
    const { schema, style, explode } = parameterOf('/v1/features', 'bbox');
    expect([style, explode]).toEqual(['form', false]);
    const values: [number[], boolean][] = [
      [[120.9, 14.4, 121.2, 14.8], true],
      [[170, -90, -170, 90], true],
      [[1e-7, 0, 1, 1], true],
      [[1, 2, 3], false],
      [[1, 2, 3, 4, 5], false],
      [[181, 0, 1, 1], false],
      [[0, 0, 1, 90.5], false],
    ];
    await expectSame(schema, values, (box: number[]) => get(`/v1/features?limit=1&bbox=${box}`, owner));
  });

  it('of the texts of a dataset and of an upload', async () => {
    const { schema } = bodyOf('post', '/v1/datasets')['application/json'];
    const values = TEXTS(256).map(([name, good]): [object, boolean] => [{ name }, good]);
    await expectSame(schema, values, (body) => send('POST', '/v1/datasets', owner, body));
    const form = bodyOf('post', '/v1/datasets/upload')['multipart/form-data'].schema;
    const fields = [
      // An empty field counts as left out.
      ...TEXTS(256).map(([name, good]): [object, boolean] => [{ name }, good || name === '']),
      ...['', datasetId].map((dataset_id): [object, boolean] => [{ dataset_id }, dataset_id === '']),
      [{ dataset_id: datasetId, feature_storage: 'r2_only' }, true],
      [{ dataset_id: 'x', feature_storage: 'r2_only' }, false],
      [{ srid: 0 }, false],
      [{ srid: 4326 }, true],
    ] as const;
    const file = 'lat,lon\n14,121\n';
    await expectSame(
      form,
      fields.map(([given, good]) => [{ file, ...given }, good]),
      ({ file, ...given }: Record<string, unknown>) =>
        sendForm(
          owner,
          formOf([
            ...Object.entries(given).map(([name, value]): [string, string] => [name, String(value)]),
            ['file', 'a.csv', file as string],
          ]),
        ),
    );
  });

  it('of the name of a key, in which no control character may be', async () => {
    const { schema } = bodyOf('post', '/v1/api-keys')['application/json'];
    const names: [string, boolean][] = [
      ...TEXTS(100).filter(([name]) => name !== ' a\n'),
      ['a\n', false],
      ['a\u0085', false],
    ];
    const values = names.map(([name, good]): [object, boolean] => [{ name }, good]);
    await expectSame(schema, values, (body) => send('POST', '/v1/api-keys', owner, body));
  });

  it('of a geometry, and of geom or geometry', async () => {
    const { schema } = bodyOf('post', '/v1/features')['application/json'];
    const dataset_id = datasetId;
    const values = [
      ...GEOMETRIES.map(([geom, good]): [object, boolean] => [{ dataset_id, geom }, good]),
      [{ dataset_id, geometry: point(1, 2) }, true],
      [{ dataset_id, geom: point(1, 2), geometry: null }, true],
      [{ dataset_id, geom: null, geometry: point(1, 2) }, true],
      [{ dataset_id, geom: point(1, 2), geometry: point(1, 2) }, false],
      [{ dataset_id, geom: null, geometry: null }, false],
      [{ dataset_id }, false],
      [{ dataset_id, geom: null, properties: { [astral(256)]: 1 } }, true],
      [{ dataset_id, geom: null, properties: { [astral(257)]: 1 } }, false],
    ] as const;
    await expectSame(schema, values, (body) => send('POST', '/v1/features', owner, body));
    const inline = bodyOf('post', '/v1/datasets')['application/json'].schema;
    const features = values.slice(-8).map(([{ dataset_id: _, ...feature }, good]: readonly [Body, boolean]) => {
      return [{ name: 'Wells', features: [feature] }, good] as const;
    });
    await expectSame(inline, features, (body) => send('POST', '/v1/datasets', owner, body));
    const { id } = (await send('POST', '/v1/features', owner, { dataset_id, geom: null })).body.data;
    const patch = bodyOf('patch', '/v1/features/{id}')['application/json'].schema;
    const changes = values.slice(-8).map(([change, good]: readonly [Body, boolean]) => {
      // A change may leave out both.
      return [change, good || !('geom' in change || 'geometry' in change)] as const;
    });
    await expectSame(patch, changes, (body) => send('PATCH', `/v1/features/${id}`, owner, body));
  });
});

describe('the document', () => {
  it('has no pattern with names of properties, which few generators can read', () => {
    const patterns = [...JSON.stringify({ paths, components }).matchAll(/"pattern":"((?:[^"\\]|\\.)*)"/g)];
    expect(patterns.length).toBeGreaterThan(20);
    for (const [, pattern = ''] of patterns) {
      expect(pattern).not.toMatch(/\\\\[pP]\{/);
      expect(() => new RegExp(JSON.parse(`"${pattern}"`), 'u')).not.toThrow();
    }
  });

  it('has examples that fit their own schemas', () => {
    const document = { paths, components };
    // The validator would take the member `id` of an example for the address of a schema.
    const isExample = (name: string) => /^examples?$/.test(name);
    const without = (value: Body): Body => {
      if (Array.isArray(value)) return value.map(without);
      if (typeof value !== 'object' || value === null) return value;
      const kept = Object.entries(value).filter(([name]) => !isExample(name));
      return Object.fromEntries(kept.map(([name, member]) => [name, without(member)]));
    };
    const schemas = without(document);
    const lookup = dereference(schemas);
    const seen: string[] = [];
    const look = (value: Body, schema: Body, at: string) => {
      if (typeof value !== 'object' || value === null) return;
      const examples = 'example' in value ? [value.example] : Array.isArray(value.examples) ? value.examples : [];
      for (const example of examples) {
        const { errors } = validate(example, schema.schema ?? schema, '2020-12', lookup, false);
        expect(errors, at).toEqual([]);
        seen.push(at);
      }
      for (const [name, member] of Object.entries<Body>(value)) {
        if (!isExample(name)) look(member, schema[name], `${at}/${name}`);
      }
    };
    look(document, schemas, '');
    expect(seen.length).toBeGreaterThan(300);
  });

  it('says of every array what its items are, of every open object that it is, and has no two parameters with one name in code', () => {
    let tuples = 0;
    const look = (value: unknown, at: string) => {
      if (typeof value !== 'object' || value === null || /\/examples?$/.test(at)) return;
      const schema = value as Body;
      const types = [schema.type].flat();
      if (types.includes('array')) expect(schema, at).toHaveProperty('items');
      if (types.includes('object') && !schema.properties) expect(schema, at).toHaveProperty('additionalProperties');
      if (schema.properties) for (const way of ['oneOf', 'anyOf']) expect(schema, at).not.toHaveProperty(way);
      if (schema.prefixItems) tuples += 1;
      for (const [name, member] of Object.entries(value)) look(member, `${at}/${name}`);
    };
    look({ paths, components }, '');
    expect(tuples).toBeGreaterThan(10);
    for (const operation of Object.values<Body>(paths).flatMap((methods) => Object.values<Body>(methods))) {
      const names = (operation.parameters ?? []).map(({ name }: Body) => name.replace(/\W+/g, ''));
      expect(names, operation.operationId).toEqual([...new Set(names)]);
    }
  });

  const required = Object.entries<Body>(paths).flatMap(([path, methods]) =>
    Object.entries<Body>(methods)
      .filter(([, { requestBody }]) => requestBody?.required && requestBody.content['application/json'])
      .filter(([, { operationId }]) => operationId !== 'receive_webhook')
      .map(([method]): [string, string] => [method.toUpperCase(), path.replaceAll(/\{\w+\}/g, '1')]),
  );

  it.each(some(required))('a missing body lacks the same as an empty object: %s %s', async (method, path) => {
    const { status, body } = await api(path, { method, headers: owner });
    const empty = await send(method, path, owner, {});
    expect([status, body.error]).toEqual([empty.status, empty.body.error]);
    expect([400, 415]).not.toContain(status);
    if (method === 'POST') expect([status, body.error.name]).toEqual([422, 'ZodError']);
    const untyped = await api(path, { method, headers: owner, body: new TextEncoder().encode('{}') });
    expect([untyped.status, untyped.body.code]).toEqual([415, 'unsupported_media_type']);
  });
});

it('a field of an upload that nobody knows may be there twice, a known one may not', async () => {
  const twice = (name: string) =>
    formOf([
      [name, 'Wells'],
      [name, 'Wells'],
      ['file', 'a.csv', 'lat,lon\n14,121\n'],
    ]);
  expect((await sendForm(owner, twice('colour'))).status).toBe(200);
  const { status, body } = await sendForm(owner, twice('name'));
  expect([status, body.code]).toEqual([400, 'invalid_multipart']);
});
