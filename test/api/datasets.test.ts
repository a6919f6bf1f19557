import { describe, expect, it } from 'vitest';
import { administrator } from '../support/admin.ts';
import { type Body, get, MASTER, post, send } from '../support/api.ts';
import { featuresOf, idsOf, newDataset, point } from '../support/datasets.ts';
import { person } from '../support/people.ts';
import { upload } from '../support/uploads.ts';

const featureText = (geometry: object | null) => JSON.stringify({ type: 'Feature', geometry, properties: null });

/** A small square. */
const ring = (x: number, y: number) => [
  [x, y],
  [x + 1000, y],
  [x + 1000, y + 1000],
  [x, y],
];

describe('creating a dataset', () => {
  it('needs a name only, and fills in the rest', async () => {
    const { session, email } = await person();
    const dataset = await newDataset(session, { name: '  Wells ' });
    expect(dataset).toMatchObject({
      name: 'Wells',
      user_email: email,
      description: null,
      is_public: false,
      visibility: 'private',
      data_type: 'vector',
      srid: 4326,
      geometry_type: null,
      status: 'draft',
      metadata: null,
      storage_ref: null,
      feature_count: 0,
      bbox: null,
      size_bytes: 0,
      stored_bytes: 1024,
      features: [],
    });
    expect((await get(`/v1/datasets/${dataset.id}`, session)).body.data).toEqual(dataset);
  });

  it('is created with its features in their order, given as geom or as geometry', async () => {
    const { session } = await person();
    const dataset = await newDataset(session, {
      features: [
        { geom: point(121, 14), properties: { name: 'a', n: 1.5, list: [1, null] } },
        {
          geometry: {
            type: 'LineString',
            coordinates: [
              [120, 10],
              [125.5, 12, 3],
            ].map((p) => p.slice(0, 2)),
          },
        },
        { geom: null, geometry: point(119, 18), properties: null },
      ],
    });
    expect(dataset).toMatchObject({ feature_count: 3, status: 'ready', bbox: [119, 10, 125.5, 18] });
    expect(dataset.geometry_type).toBe('GEOMETRY');
    const features = await featuresOf(session, dataset.id);
    expect(features.map(({ geom, properties }) => [geom.type, properties])).toEqual([
      ['Point', { name: 'a', n: 1.5, list: [1, null] }],
      ['LineString', null],
      ['Point', null],
    ]);
    expect(features.every(({ dataset_id }) => dataset_id === dataset.id)).toBe(true);
  });

  it('creates nothing when a feature is wrong, and says where it is wrong', async () => {
    const { session } = await person();
    const features = [
      { geom: point(121, 14) },
      {
        geometry: {
          type: 'Polygon',
          coordinates: [
            [
              [0, 0],
              [1, 1],
              [1, 'x'],
              [0, 0],
            ],
          ],
        },
      },
    ];
    const { status, body } = await post('/v1/datasets', { name: 'x', features }, session);
    expect([status, body.code]).toEqual([422, 'invalid_geometry']);
    expect(body.message).toContain('features[1].geometry.coordinates[0][2][1]: must be a number (got a string)');
    expect(body.path).toEqual(['features', 1, 'geometry', 'coordinates', 0, 2, 1]);
    expect((await get('/v1/datasets', session)).body.meta.total).toBe(0);
  });

  it('transforms what is in another reference system', async () => {
    const { session } = await person();
    const dataset = await newDataset(session, { srid: 32651, features: [{ geom: point(500_000, 1_600_000) }] });
    const [{ geom }] = (await featuresOf(session, dataset.id)) as [Body];
    expect(geom.coordinates[0]).toBeCloseTo(123, 8);
    expect(geom.coordinates[1]).toBeCloseTo(14.472649297, 8);
    expect(dataset.bbox[0]).toBeCloseTo(123, 8);
  });

  it('takes features whose geom or geometry is null', async () => {
    const { session } = await person();
    const features = [{ geom: null, properties: { n: 1 } }, { geometry: null }, { geom: point(121, 14) }];
    const dataset = await newDataset(session, { features });
    expect([dataset.feature_count, dataset.bbox]).toEqual([3, [121, 14, 121, 14]]);
    expect((await featuresOf(session, dataset.id)).map(({ geom }) => geom)).toEqual([null, null, point(121, 14)]);
  });

  it.each([900913, 3752, 4919, 22300])('transforms out of SRID %i, or says that it can not', async (srid) => {
    const { session } = await person();
    const file = JSON.stringify({ type: 'Feature', properties: null, geometry: point(121, 14) });
    const answers = [
      await post('/v1/datasets', { name: 'x', srid, features: [{ geom: point(121, 14) }] }, session),
      await upload(session, 'a.geojson', file, { srid: String(srid) }),
    ];
    // It depends on how PostGIS was built which systems it can transform out of, and how it refuses the others.
    for (const { status, body } of answers) {
      if (status === 200) expect(body.data.feature_count).toBe(1);
      else
        expect([
          [422, 'unsupported_srid'],
          [422, 'invalid_geometry'],
        ]).toContainEqual([status, body.code]);
    }
    const stored = answers.filter(({ status }) => status === 200).length;
    expect((await get('/v1/datasets', session)).body.meta.total).toBe(stored);
  });

  it.each<[string, object]>([
    ['in its height', { type: 'Point', coordinates: [-3_180_000, 5_280_000, 1.7e308] }],
    [
      'behind its first position',
      {
        type: 'LineString',
        coordinates: [
          [-3_180_000, 5_280_000, 1_600_000],
          [121, 14.6, 1.7e308],
        ],
      },
    ],
  ])('stores no geometry that a transformation leaves without a number %s', async (_, geom) => {
    const { session } = await person();
    const features = [{ geom: { type: 'Point', coordinates: [-3_180_000, 5_280_000, 1_600_000] } }, { geom }];
    const made = await post('/v1/datasets', { name: 'x', srid: 4978, features }, session);
    expect([made.status, made.body.code]).toEqual([422, 'invalid_geometry']);
    const file = JSON.stringify({ type: 'Feature', properties: null, geometry: geom });
    const uploaded = await upload(session, 'a.geojson', file, { srid: '4978' });
    expect([uploaded.status, uploaded.body.code]).toEqual([422, 'invalid_geometry']);
    expect((await get('/v1/datasets', session)).body.meta.total).toBe(0);
  });

  it.each<[string, number, object, (string | number)[], string]>([
    ['east of a web map', 3857, point(9e7, 1.5e6), ['coordinates'], '90000000, 1500000'],
    ['a step east of a web map', 3857, point(20_037_509, 1.5e6), ['coordinates'], 'x from -20037508.34'],
    ['near the pole of a web map', 3857, point(1.3e7, 9e7), ['coordinates'], 'y from -20048966.1 to 20048966.1'],
    ['beyond the pole of a zone of UTM', 32651, point(500_000, 1.2e7), ['coordinates'], '500000, 12000000'],
    ['around the world from a southern zone', 32751, point(500_000, -3e7), ['coordinates'], 'y from 0 to 20000000'],
    ['east of a zone of PRS92', 3123, point(2e7, 1.6e6), ['coordinates'], 'x from -9500000 to 10500000'],
    ['around the world from a zone of PRS92', 3123, point(500_000, 5e7), ['coordinates'], '500000, 50000000'],
    ['beyond the pole of Luzon 1911', 25393, point(500_000, 1.2e7), ['coordinates'], '500000, 12000000'],
    ['no degree of PRS92', 4683, point(500, 14), ['coordinates'], 'x from -180 to 180'],
    ['east of World Mercator', 3395, point(9e7, 1e6), ['coordinates'], '90000000, 1000000'],
    ['beyond the pole of a cone', 2154, point(7e5, 9e7), ['coordinates'], '700000, 90000000'],
    [
      'in a ring',
      3857,
      {
        type: 'MultiPolygon',
        coordinates: [
          [ring(1.3e7, 1.4e6)],
          [
            ring(1.31e7, 1.4e6),
            [
              [1.31e7, 1.4e6],
              [1.31e7, 1.41e6],
              [9e7, 1.41e6],
              [1.31e7, 1.4e6],
            ],
          ],
        ],
      },
      ['coordinates', 1, 1, 2],
      '90000000, 1410000',
    ],
    [
      'in a collection',
      3395,
      {
        type: 'GeometryCollection',
        geometries: [
          point(1.3e7, 1e6),
          {
            type: 'MultiPoint',
            coordinates: [
              [1.3e7, 1e6],
              [9e7, 2e6],
            ],
          },
        ],
      },
      ['geometries', 1, 'coordinates', 1],
      '90000000, 2000000',
    ],
  ])('refuses a position that is %s (SRID %i), with its place', async (_, srid, geometry, place, got) => {
    const { session } = await person();
    const path = ['features', 1, 'geometry', ...place];
    const features = [{ geom: null }, { geometry }];
    const { status, body } = await post('/v1/datasets', { name: 'x', srid, features }, session);
    expect([status, body.code, body.path]).toEqual([422, 'invalid_geometry', path]);
    expect(body.message).toMatch(/^features\[1\]\.geometry\.(coordinates|geometries).*: must be within what SRID/);
    expect(body.message).toContain(got);
    const files: [string, string, (string | number)[], RegExp][] = [
      [
        'a.ndjson',
        `{"type":"Feature","geometry":null,"properties":null}\n${featureText(geometry)}`,
        ['geometry', ...place],
        /^file: geometry\.(coordinates|geometries).* \(line 2\)\.$/,
      ],
      [
        'a.geojson',
        `{"type":"FeatureCollection","features":[${featureText(null)},${featureText(geometry)}]}`,
        path,
        /^file: features\[1\]\.geometry\.(coordinates|geometries)/,
      ],
    ];
    for (const [name, content, inFile, message] of files) {
      const uploaded = await upload(session, name, content, { srid: String(srid) });
      expect([uploaded.status, uploaded.body.code, uploaded.body.path]).toEqual([422, 'invalid_geometry', inFile]);
      expect(uploaded.body.message).toMatch(message);
      expect(uploaded.body.message).toContain(got);
    }
    expect((await get('/v1/datasets', session)).body.meta.total).toBe(0);
  });

  it.each([
    [{ type: 'MultiPoint', coordinates: [[], [1.3e7, 1e6], [9e7, 2e6]] }, ['coordinates', 2]],
    [{ type: 'MultiPolygon', coordinates: [[[], ring(1.3e7, 1.4e6)], [ring(9e7, 1.4e6)]] }, ['coordinates', 1, 0, 0]],
    [
      {
        type: 'GeometryCollection',
        geometries: [
          { type: 'MultiPolygon', coordinates: [[[]]] },
          { type: 'Point', coordinates: [9e7, 2e6] },
        ],
      },
      ['geometries', 1, 'coordinates'],
    ],
  ])('counts parts without coordinates in the place of a position: %j', async (geometry, place) => {
    const { session } = await person();
    const { body } = await post('/v1/datasets', { name: 'x', srid: 3857, features: [{ geometry }] }, session);
    expect([body.code, body.path]).toEqual(['invalid_geometry', ['features', 0, 'geometry', ...place]]);
  });

  it.each([
    [{ type: 'MultiPoint', coordinates: [[], [1.3e7, 1e6], [9e7, 2e6]] }, ['coordinates', 2]],
    [{ type: 'MultiPolygon', coordinates: [[[], ring(1.3e7, 1.4e6)], [ring(9e7, 1.4e6)]] }, ['coordinates', 1, 0, 0]],
  ])(
    'names the feature and the position of a file as they stand in it, beside what is left out: %j',
    async (geometry, place) => {
      const { session } = await person();
      const fields = { srid: '3857', on_invalid: 'skip' };
      const invalid = featureText({ type: 'Point', coordinates: ['x', 1] });
      const features = [featureText(point(1.3e7, 1e6)), invalid, featureText(geometry)];
      const collection = `{"type":"FeatureCollection","features":[${features.join()}]}`;
      const ofCollection = await upload(session, 'a.geojson', collection, fields);
      expect([ofCollection.status, ofCollection.body.path]).toEqual([422, ['features', 2, 'geometry', ...place]]);
      expect(ofCollection.body.message).toMatch(/^file: features\[2\]\.geometry\.coordinates/);
      const ofLines = await upload(session, 'a.ndjson', features.join('\n'), fields);
      expect([ofLines.body.path, ofLines.body.message]).toEqual([
        ['geometry', ...place],
        expect.stringMatching(/\(line 3\)\.$/),
      ]);
      const table = await upload(session, 'a.csv', 'x,y\n13000000,1000000\n?,1\n90000000,2000000\n', fields);
      expect([table.body.path, table.body.message]).toEqual([['coordinates'], expect.stringMatching(/\(line 4\)\.$/)]);
    },
  );

  it.each<[number, [number, number][]]>([
    [
      3857,
      [
        [20_037_508.342789244, 0],
        [-20_037_508.342789244, 20_048_966],
        [13_467_850.1, 1_640_000.5],
      ],
    ],
    [
      32651,
      [
        [500_000, 0],
        [-600_000, 2_400_000],
        [1_900_000, 400_000],
        [500_000, -10_000],
      ],
    ],
    [
      32751,
      [
        [500_000, 10_000_000],
        [500_000, 9_000_000],
      ],
    ],
    [
      3121,
      [
        [1_400_000, 2_300_000.25],
        [500_000, 500_000],
      ],
    ],
    [
      3125,
      [
        [-400_000, 2_300_000],
        [500_000, 700_000],
      ],
    ],
    [25393, [[500_000, 1_600_000]]],
    [
      4683,
      [
        [121, 14],
        [116.5, 21.9],
        [-179.9, -89],
      ],
    ],
    [2154, [[700_000, 6_600_000]]],
  ])('takes all positions of SRID %i', async (srid, coordinates) => {
    const { session } = await person();
    const geom = { type: 'MultiPoint', coordinates };
    expect((await newDataset(session, { srid, features: [{ geom }] })).feature_count).toBe(1);
  });

  it.each([
    [{ srid: 4327001 }, 422, undefined],
    [{ srid: 32699 }, 422, 'unsupported_srid'],
    [{ srid: 32651, features: [{ geom: point(1e9, 1e9) }] }, 422, 'invalid_geometry'],
  ])('refuses %j', async (input, status, code) => {
    const { session } = await person();
    const answer = await post('/v1/datasets', { name: 'x', ...input }, session);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect((await get('/v1/datasets', session)).body.meta.total).toBe(0);
  });

  it.each([
    [{}, 'name'],
    [{ name: ' ' }, 'name'],
    [{ name: 'x'.repeat(257) }, 'name'],
    [{ name: 'a\u0000b' }, 'name'],
    [{ name: 'a', is_public: 'yes' }, 'is_public'],
    [{ name: 'a', data_type: 'point' }, 'data_type'],
    [{ name: 'a', srid: '4326' }, 'srid'],
    [{ name: 'a', user_id: '1' }, 'user_id'],
    [{ name: 'a', user_email: 'nobody' }, 'user_email'],
    [{ name: 'a', features: {} }, 'features'],
    [{ name: 'a', features: [{ properties: {} }] }, 'features'],
    [{ name: 'a', features: [{ geom: null, geometry: null }] }, 'features'],
    [{ name: 'a', features: [{ geom: point(1, 1), geometry: point(1, 1) }] }, 'features'],
    [{ name: 'a', features: [{ geom: point(1, 1), properties: { x: 'a\u0000' } }] }, 'features'],
    [{ name: 'a', metadata: { x: '\ud800' } }, 'metadata'],
    [{ name: 'a', metadata: 'x'.repeat(70_000) }, 'metadata'],
    ['[]', undefined],
  ])('refuses a body (%#) for %2$s', async (body, at) => {
    const { status, body: refusal } = await post('/v1/datasets', body, MASTER);
    expect([status, refusal.error?.issues[0].path[0]]).toEqual([422, at]);
  });

  it.each(['name', 'metadata', 'features', 'user_id'])('survives a %s that is nested 50,000 deep', async (member) => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const name = member === 'name' ? '' : '"name":"x",';
    const { status } = await post('/v1/datasets', `{${name}"${member}":${deep}}`, MASTER);
    expect(status).toBe(422);
  });

  it('takes up to five thousand features, and says where more are taken', async () => {
    const { session } = await person();
    const features = Array.from({ length: 5000 }, (_, i) => ({
      geom: point(i / 100, 1),
      properties: { i, name: 'Well' },
    }));
    expect((await newDataset(session, { features })).feature_count).toBe(5000);
    const { status, body } = await post(
      '/v1/datasets',
      { name: 'x', features: [...features, ...features.slice(0, 1)] },
      session,
    );
    expect([status, body.error.issues[0].path]).toEqual([422, ['features']]);
    expect(body.error.issues[0].message).toContain('/v1/datasets/upload');
  });

  it('takes up to five megabytes', async () => {
    const { session } = await person();
    const input = { features: [{ geom: point(1, 1), properties: { text: 'x'.repeat(5_000_000) } }] };
    expect((await newDataset(session, input)).feature_count).toBe(1);
    const larger = { ...input, name: 'x', metadata: 'x'.repeat(500_000) };
    expect((await post('/v1/datasets', larger, session)).status).toBe(413);
  });
});

describe('the list of datasets', () => {
  it('is scoped by visibility', async () => {
    const [me, other] = [await person(), await person()];
    const [open, hidden] = [await newDataset(me.session, { is_public: true }), await newDataset(me.session)];
    const [theirs, secret] = [await newDataset(other.session, { is_public: true }), await newDataset(other.session)];
    const list = async (visibility: string) =>
      idsOf((await get(`/v1/datasets?limit=100${visibility && `&visibility=${visibility}`}`, me.session)).body.data);
    expect(await list('')).toEqual([hidden.id, open.id]);
    expect(await list('mine')).toEqual([hidden.id, open.id]);
    expect(await list('private')).toEqual([hidden.id]);
    const everybodys = await list('public');
    expect(everybodys).toEqual(expect.arrayContaining([open.id, theirs.id]));
    expect(everybodys).not.toContain(hidden.id);
    const all = await list('all');
    expect(all).toEqual(expect.arrayContaining([open.id, hidden.id, theirs.id]));
    expect(all).not.toContain(secret.id);
    expect((await get('/v1/datasets?visibility=theirs', me.session)).status).toBe(422);
  });

  it('is everything for the administrator, and of one owner where an address is given', async () => {
    const me = await person();
    const mine = [await newDataset(me.session), await newDataset(me.session, { is_public: true })];
    const listed = await get(`/v1/datasets?user_email=${me.email}`, MASTER);
    expect(idsOf(listed.body.data).sort()).toEqual(idsOf(mine).sort());
    expect((await get('/v1/datasets', MASTER)).body.meta.total).toBeGreaterThanOrEqual(2);
    const refused = await get(`/v1/datasets?user_email=${me.email}`, me.session);
    expect([refused.status, refused.body.code]).toEqual([403, 'admin_only']);
  });

  it('is numbered', async () => {
    const { session } = await person();
    const made: string[] = [];
    for (let i = 0; i < 3; i += 1) made.unshift((await newDataset(session)).id);
    const { body } = await get('/v1/datasets?limit=2&page=2', session);
    expect(idsOf(body.data)).toEqual(made.slice(2));
    expect(body.meta).toMatchObject({ total: 3, page: 2, limit: 2, totalPages: 2, next: null, prev: 1 });
    expect((await get('/v1/datasets?limit=2&page=9', session)).body.data).toEqual([]);
  });

  it('comes with features where they are asked for', async () => {
    const { session } = await person();
    const features = [{ geom: point(1, 2), properties: { a: 1 } }, { geom: point(3, 4) }];
    await newDataset(session);
    await newDataset(session, { features });
    const { body } = await get('/v1/datasets?includeFeatures=1', session);
    expect(body.data.map((dataset: Body) => dataset.features.length)).toEqual([2, 0]);
    expect(body.data[0].features[0]).toMatchObject({ geom: point(1, 2), properties: { a: 1 } });
    expect(body.meta.total).toBe(2);
    expect((await get('/v1/datasets?includeFeatures=no', session)).body.data[0].features).toEqual([]);
    const empty = await person();
    expect((await get('/v1/datasets?includeFeatures=true', empty.session)).body.data).toEqual([]);
  });

  it('shows addresses to an administrator who lists by one, and nothing else of other users', async () => {
    const [admin, me] = [await administrator(), await person()];
    const { id } = await newDataset(me.session);
    const listed = async (query: string) => (await get(`/v1/datasets?${query}&debug=1`, admin.session)).body;
    for (const [visibility, resolved] of [
      ['', 'all'],
      ['&visibility=mine', 'all'],
      ['&visibility=private', 'private'],
    ]) {
      const { data, meta } = await listed(`user_email=${me.email}${visibility}`);
      expect(data).toMatchObject([{ id, user_email: me.email }]);
      expect(meta.debug).toMatchObject({ principal: 'session', visibility: resolved });
    }
    expect((await listed('')).data).toEqual([]);
    expect((await listed('')).meta.debug.visibility).toBe('mine');
    expect((await get(`/v1/datasets/${id}`, admin.session)).status).toBe(404);
  });

  it('says how it was scoped', async () => {
    const { session } = await person();
    const { user_id } = await newDataset(session);
    const { body } = await get('/v1/datasets?debug=true&visibility=all', session);
    expect(body.meta.debug).toEqual({
      principal: 'session',
      user_id,
      visibility: 'all',
      filters: { visibility: 'all' },
    });
    expect((await get('/v1/datasets', session)).body.meta.debug).toBeUndefined();
  });
});

describe('changing a dataset', () => {
  it('changes what is given and nothing else', async () => {
    const { session } = await person();
    const before = await newDataset(session, { description: 'a', metadata: { a: [1, { b: null }] }, status: 'odd' });
    const { body } = await send('PATCH', `/v1/datasets/${before.id}`, session, {
      description: null,
      geometry_type: 'POINT',
    });
    expect(body.data).toEqual({
      ...before,
      description: null,
      geometry_type: 'POINT',
      stored_bytes: before.stored_bytes - 'a'.length,
      updated_at: body.data.updated_at,
    });
    const same = await send('PATCH', `/v1/datasets/${before.id}`, session, {});
    expect(same.body.data).toMatchObject({ metadata: { a: [1, { b: null }] }, status: 'odd' });
  });

  it('accepts a record as it was answered, and no features', async () => {
    const { session } = await person();
    const { id } = await newDataset(session, { features: [{ geom: point(1, 1) }] });
    const path = `/v1/datasets/${id}`;
    const record = (await get(path, session)).body.data;
    const { body } = await send('PATCH', path, session, record);
    // Metadata that are sent as null are stored as JSON.
    const stored_bytes = record.stored_bytes + 'null'.length;
    expect(body.data).toEqual({ ...record, stored_bytes, updated_at: body.data.updated_at });
    expect((await send('PATCH', path, session, { features: null })).status).toBe(200);
    const typo = await send('PATCH', path, session, { nmae: 'y', toString: 'y' });
    expect(typo.status).toBe(422);
    expect(typo.body.error.issues).toEqual([
      {
        code: 'custom',
        path: [],
        message: expect.stringMatching(
          /^body: must have one of the members name, user_id, .*, and not only "nmae", "toString"/,
        ),
      },
    ]);
    const { features } = (await get(`${path}?includeFeatures=1`, session)).body.data;
    for (const given of [features, [{ geom: point(2, 2) }], {}]) {
      const refused = await send('PATCH', path, session, { name: 'y', features: given });
      const [issue] = refused.body.error.issues;
      expect([refused.status, issue.path]).toEqual([422, ['features']]);
      expect(issue.message).toMatch(/\/v1\/features.*dataset_id/);
    }
    expect((await get(path, session)).body.data).toMatchObject({ name: 'Test', feature_count: 1 });
  });

  it('names the reference system that its features were sent in, and no other', async () => {
    const [{ session }, other] = [await person(), await person()];
    const { id } = await newDataset(session, { srid: 32651, features: [{ geom: point(500_000, 1_600_000) }] });
    const change = (srid: number, owner = session) => send('PATCH', `/v1/datasets/${id}`, owner, { name: 'y', srid });
    for (const srid of [4326, 3857, 32699]) {
      const { status, body } = await change(srid);
      expect([status, body.code]).toEqual([422, 'srid_fixed']);
      expect(body.message).toContain(`srid: must be left out or be 32651 (got ${srid})`);
    }
    expect((await change(4326, other.session)).body.code).toBe('dataset_not_found');
    expect((await get(`/v1/datasets/${id}`, session)).body.data).toMatchObject({ name: 'Test', srid: 32651 });
    expect((await change(32651)).body.data).toMatchObject({ name: 'y', srid: 32651 });
  });

  it('sets where a file is only for a dataset without a stored file', async () => {
    const [{ session }, other] = [await person(), await person()];
    const { id } = await newDataset(session, { storage_ref: 's3://mine/wells.csv' });
    const refer = (to: string | null, owner = session) =>
      send('PATCH', `/v1/datasets/${id}`, owner, { name: 'y', storage_ref: to });
    expect((await refer('s3://mine/others.csv')).body.data.storage_ref).toBe('s3://mine/others.csv');
    expect((await refer(null)).body.data.storage_ref).toBeNull();
    const fields = { dataset_id: id, feature_storage: 'features_and_r2', name: 'x' };
    const { storage_ref } = (await upload(session, 'a.geojson', JSON.stringify(point(1, 1)), fields)).body.data;
    for (const to of ['s3://mine/wells.csv', null]) {
      const { status, body } = await refer(to);
      expect([status, body.code]).toEqual([422, 'storage_ref_fixed']);
      expect((await refer(to, other.session)).body.code).toBe('dataset_not_found');
    }
    expect((await get(`/v1/datasets/${id}`, session)).body.data).toMatchObject({ name: 'x', storage_ref });
    expect((await refer(storage_ref)).body.data).toMatchObject({ name: 'y', storage_ref });
  });

  it.each(['x', crypto.randomUUID()])('is refused for the id %s', async (id) => {
    const { session } = await person();
    const { status } = await send('PATCH', `/v1/datasets/${id}`, session, { name: 'y' });
    expect(status).toBe(id === 'x' ? 422 : 404);
  });
});

it('a change names members that no record has, and takes a record back without a word', async () => {
  const { session } = await person();
  const { id } = await newDataset(session, { features: [{ geom: point(1, 2) }] });
  const { data: record } = (await get(`/v1/datasets/${id}`, session)).body;
  const back = await send('PATCH', `/v1/datasets/${id}`, session, { ...record, name: 'Back' });
  expect([back.status, back.headers.get('X-Unknown-Parameters')]).toEqual([200, null]);
  const misspelt = await send('PATCH', `/v1/datasets/${id}`, session, { name: 'New', visability: 'private' });
  expect(misspelt.body.meta.notices).toMatchObject([{ code: 'parameter_unknown', parameter: 'visability' }]);
  const [feature] = (await get(`/v1/features/dataset/${id}`, session)).body.data;
  const same = await send('PATCH', `/v1/features/${feature.id}`, session, { ...feature, properties: { a: 1 } });
  expect([same.status, same.headers.get('X-Unknown-Parameters')]).toEqual([200, null]);
  const other = await send('PATCH', `/v1/features/${feature.id}`, session, { properties: 1, geometri: null });
  expect(other.headers.get('X-Unknown-Parameters')).toBe('geometri');
});
