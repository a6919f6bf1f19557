import { client } from './psgc/client.gen';
import {
  createDataset,
  createFeature,
  deleteDataset,
  deleteFeature,
  exportDataset,
  getDataset,
  getProvince,
  listProvinces,
  listRegions,
  matchPlaces,
} from './psgc/sdk.gen';
import type { MatchRequest, RegionFeatureCollection } from './psgc/types.gen';

// What a program does with the client of @hey-api/openapi-ts. Prints what it found. The generator knows the first media type
// of a body, which is JSON; of another the type is told by hand.

const { BASE = '', TOKEN = '' } = process.env;
client.setConfig({ baseUrl: BASE, auth: () => TOKEN });

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The service answered with an error.');
  return value;
}

const listed: string[] = [];
let total = 0;
for (let page = 1; page > 0; ) {
  const body = required((await listProvinces({ query: { page, limit: 30 } })).data);
  listed.push(...body.data.map(({ code }) => code));
  total = body.meta.total;
  page = body.meta.next ?? 0;
}

const province = required((await getProvince({ path: { id: '0702200000' } })).data);
const { error: failure } = await getProvince({ path: { id: '0799900000' } });
if (!failure || !('code' in failure)) throw new Error('An error has a code.');
const batch = required((await listRegions({ query: { codes: ['0700000000', '1300000000'] } })).data);
const collection = required(
  (await listRegions({ query: { format: 'geojson', geometry: 'simple' } })).data,
) as unknown as RegionFeatureCollection;

const created = required((await createDataset({ body: { name: 'Wells' } })).data).data;
const feature = required(
  (
    await createFeature({
      body: {
        dataset_id: created.id,
        geom: { type: 'Point', coordinates: [121, 14.5] },
        properties: { name: 'Well 7', depth_m: 42 },
      },
    })
  ).data,
).data;
const table = required(
  (await exportDataset({ path: { id: created.id }, query: { format: 'csv' }, parseAs: 'text' })).data,
);
const matched = required(
  (
    await matchPlaces({
      body: new Blob(['province\nCebu\n']) as unknown as MatchRequest,
      bodySerializer: null,
      headers: { 'Content-Type': 'text/csv' },
      parseAs: 'text',
    })
  ).data,
);
const deleted = await deleteFeature({ path: { id: feature.id } });
await deleteDataset({ path: { id: created.id } });
const gone = await getDataset({ path: { id: created.id } });

console.log(
  JSON.stringify({
    listed: new Set(listed).size === total,
    name: province.data.name,
    code: failure.code,
    batch: batch.data.map(({ code }) => code),
    features: collection.features.map(({ properties, geometry }) => properties.code.length + Number(geometry === null)),
    table,
    matched,
    statuses: [deleted.response?.status, gone.response?.status],
  }),
);
