import createClient from 'openapi-fetch';
import type { paths } from './psgc.ts';

// What a program does with openapi-fetch and the types of openapi-typescript. Prints what it found.

const { BASE = '', TOKEN = '' } = process.env;
const open = createClient<paths>({ baseUrl: BASE });
const keyed = createClient<paths>({ baseUrl: BASE, headers: { Authorization: `Bearer ${TOKEN}` } });

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The service answered with an error.');
  return value;
}

const listed: string[] = [];
let total = 0;
for (let page = 1; page > 0; ) {
  const { data } = await open.GET('/v1/provinces', { params: { query: { page, limit: 30 } } });
  const body = required(data);
  if ('features' in body) throw new Error('JSON was asked for.');
  listed.push(...body.data.map(({ code }) => code));
  total = body.meta.total;
  page = body.meta.next ?? 0;
}

const record = await open.GET('/v1/provinces/{id}', { params: { path: { id: '0702200000' } } });
const province = required(record.data);
if ('type' in province) throw new Error('JSON was asked for.');

const missing = await open.GET('/v1/provinces/{id}', { params: { path: { id: '0799900000' } } });
const failure = missing.error;
if (!failure || !('code' in failure)) throw new Error('An error has a code.');

const codes = ['0700000000', '1300000000'];
const batch = required((await open.GET('/v1/regions', { params: { query: { codes } } })).data);
if ('features' in batch) throw new Error('JSON was asked for.');

const collection = required(
  (await keyed.GET('/v1/regions', { params: { query: { format: 'geojson', geometry: 'simple' } } })).data,
);
if (!('features' in collection)) throw new Error('GeoJSON was asked for.');

const created = required((await keyed.POST('/v1/datasets', { body: { name: 'Wells' } })).data).data;
const feature = required(
  (
    await keyed.POST('/v1/features', {
      body: {
        dataset_id: created.id,
        geom: { type: 'Point', coordinates: [121, 14.5] },
        properties: { name: 'Well 7', depth_m: 42 },
      },
    })
  ).data,
).data;
const table = required(
  (
    await keyed.GET('/v1/datasets/{id}/export', {
      params: { path: { id: created.id }, query: { format: 'csv' } },
      parseAs: 'text',
    })
  ).data,
);
const matched = required(
  (
    await keyed.POST('/v1/match', {
      body: 'province\nCebu\n',
      bodySerializer: (body) => body as string,
      headers: { 'Content-Type': 'text/csv' },
      parseAs: 'text',
    })
  ).data,
);
const deleted = await keyed.DELETE('/v1/features/{id}', { params: { path: { id: feature.id } } });
await keyed.DELETE('/v1/datasets/{id}', { params: { path: { id: created.id } } });
const gone = await keyed.GET('/v1/datasets/{id}', { params: { path: { id: created.id } } });

console.log(
  JSON.stringify({
    listed: new Set(listed).size === total,
    name: province.data.name,
    code: failure.code,
    batch: batch.data.map(({ code }) => code),
    features: collection.features.map(({ properties, geometry }) => properties.code.length + Number(geometry === null)),
    table,
    matched,
    statuses: [deleted.response.status, gone.response.status],
  }),
);
