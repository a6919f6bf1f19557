import process from 'node:process';
import { Configuration, MatchApi, ProvincesApi, type Region, RegionsApi, ResponseError } from './psgc/index.ts';
import {
  MatchedRowToJSON,
  ModelErrorFromJSON,
  ModelErrorToJSON,
  ProvinceDetailToJSON,
  RegionToJSON,
} from './psgc/models/index.ts';

// What a program does with the client of openapi-generator for TypeScript. Prints what it found.

const { BASE: basePath = '', API_KEY = '' } = process.env;
const configuration = new Configuration({ basePath, accessToken: API_KEY });
const provinces = new ProvincesApi(configuration);

const regions: Region[] = [];
for (let page = 1; page > 0; ) {
  const { data, meta } = await new RegionsApi(configuration).listRegions({ page, limit: 7 });
  regions.push(...data);
  page = meta.next ?? 0;
}

const record = await provinces.getProvince({ id: '0702200000', geometry: 'simple' });

const rows = [
  { id: 7, province: 'Cebu' },
  { id: 'b', text: 'Brgy. Poblacion, Makati' },
];
const matched = await new MatchApi(configuration).matchPlaces({ matchRequest: { rows } });

const failure: unknown = await provinces.getProvince({ id: '0799900000' }).catch((error: unknown) => error);
if (!(failure instanceof ResponseError)) throw new Error('The province exists.', { cause: failure });
const error = ModelErrorFromJSON(await failure.response.json());

console.log(
  JSON.stringify({
    regions: regions.map(RegionToJSON),
    province: ProvinceDetailToJSON(record.data),
    matched: matched.data.map(MatchedRowToJSON),
    status: failure.response.status,
    error: ModelErrorToJSON(error),
  }),
);
