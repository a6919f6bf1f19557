import process from 'node:process';
import type { z } from 'zod';
import {
  GetProvince200Response,
  GetProvince404Response,
  ListRegions200Response,
  MatchPlaces200Response,
  MatchPlacesBody,
} from './psgc/zod.ts';

// What a program does with the schemas that orval makes for zod. Prints what it found.

const { BASE = '', API_KEY = '' } = process.env;
const headers = { Authorization: `Bearer ${API_KEY}`, 'Content-Type': 'application/json' };
const ask = (path: string, init?: RequestInit) => fetch(`${BASE}/v1/${path}`, { headers, ...init });

const regions: z.infer<typeof ListRegions200Response>['data'] = [];
for (let page = 1; page > 0; ) {
  const { data, meta } = ListRegions200Response.parse(await (await ask(`regions?limit=7&page=${page}`)).json());
  regions.push(...data);
  page = meta.next ?? 0;
}

const record = GetProvince200Response.parse(await (await ask('provinces/0702200000?geometry=simple')).json());

const rows = [
  { id: 7, province: 'Cebu' },
  { id: 'b', text: 'Brgy. Poblacion, Makati' },
];
const body = JSON.stringify(MatchPlacesBody.parse({ rows }));
const matched = MatchPlaces200Response.parse(await (await ask('match', { method: 'POST', body })).json());

const missing = await ask('provinces/0799900000');
const error = GetProvince404Response.parse(await missing.json());
if (GetProvince200Response.safeParse({ ...record, data: {} }).success) throw new Error('The schemas check nothing.');

console.log(JSON.stringify({ regions, province: record.data, matched: matched.data, status: missing.status, error }));
