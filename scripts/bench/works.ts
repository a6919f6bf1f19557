import type pg from 'pg';
import { readVersion } from '../pipeline/snapshot/areas.ts';

/** One thing that is asked of the service, and the goals for it. */
export interface Subject {
  /** Description for people. */
  work: string;
  path: string;
  /** JSON that is sent with POST. */
  body?: string;
  /** The same asked of the naive server. */
  naive?: string;
  /** What follows the URL of the same list at a server that makes features of a table. */
  tipg?: string;
  /** Anonymous where it is false: everything else is asked with the master token. */
  authorized?: false;
  /** Asked with API keys in place of the master token. */
  withKeys?: true;
  /** Asked of the same Worker without a snapshot too. */
  fromPostgis?: true;
  /** The least share of what an empty Worker answers. */
  ofEmpty?: number;
  /** The least multiple of what the naive server answers. */
  ofNaive?: number;
  /** The least multiple of what the server that makes features of a table answers. */
  ofTipg?: number;
  /** The least multiple of what the Worker answers without a snapshot. */
  ofPostgis?: number;
  /** Whether a warm instance must need no statement and no read of the bucket. */
  nothingRead?: true;
}

/** The release that is served, and codes in it to ask for. */
export interface Served {
  release: string;
  /** Identifies the load of the release. */
  version: string;
  /** Whether there are detailed boundaries. */
  isFull: boolean;
  /** The province whose detailed boundary is nearest to 1 MB; null without detailed boundaries. */
  province: string | null;
  /** The city or municipality whose detailed boundary is nearest to 5 kB. */
  municity: string | null;
}

/** @throws Error if no release is active */
export async function getServed(client: pg.ClientBase): Promise<Served> {
  const nearest = (level: string, bytes: number) => `(select b.code from boundaries b
    where b.release_id = r.id and b.level = '${level}' and b.resolution = 'detailed' order by abs(b.bytes - ${bytes}) limit 1)`;
  const { rows } = await client.query<Omit<Served, 'version'>>(`
    select r.id as release, r.boundary_set = 'full' as "isFull",
      ${nearest('province', 1_000_000)} as province, ${nearest('municity', 5000)} as municity
    from data_releases r join active_release a on a.release_id = r.id`);
  if (!rows[0]) throw new Error('No release is active.');
  return { ...rows[0], version: await readVersion(client, rows[0].release) };
}

const CEBU = '0702200000';
const CEBU_CITY = '0730600000';
const BULACAN = '0301400000';
const BARANGAY = '1380601001';

/** A query whose responses are not cached, because it is deprecated and its response says so. */
const ANEW = '?output=json';

/** A hundred points in Cebu City. */
const POINTS = Array.from({ length: 100 }, (_, i) => ({
  lat: Number((10.29 + (i % 10) * 0.005).toFixed(6)),
  lon: Number((123.87 + Math.floor(i / 10) * 0.004).toFixed(6)),
}));

/**
 * What desktop tools ask of OGC API. The naive server answers as services do that make features of tables, and tipg is one
 * of them.
 */
function ogcSubjects(): Subject[] {
  const items = '/ogc/collections/municities-simple/items';
  const of = (question: string, rest: string) => `/${question}/simple/municity/${rest}`;
  const box = '123.7,10.2,124,10.5';
  const byName = '?filter=name+%3D+%27City+of+Cebu%27';
  return [
    {
      work: 'OGC API, items of ten',
      path: `${items}?limit=10`,
      naive: of('items', '10'),
      tipg: '?limit=10',
      ofTipg: 4,
    },
    {
      work: 'OGC API, one item',
      path: `${items}/${CEBU_CITY}`,
      tipg: `/${CEBU_CITY}`,
      naive: `/feature/simple/municity/${CEBU_CITY}`,
      ofTipg: 4,
    },
    {
      work: 'OGC API, box of a city',
      path: `${items}?bbox=${box}&limit=100`,
      naive: of('box', box),
      tipg: `?bbox=${box}&limit=100`,
      ofTipg: 4,
    },
    {
      work: 'OGC API, filter by name',
      path: items + byName,
      naive: of('named', 'City of Cebu'),
      tipg: `${byName}&filter-lang=cql2-text`,
      ofTipg: 4,
    },
    {
      work: 'OGC API, all cities and municipalities',
      path: `${items}?limit=10000`,
      naive: '/collection/simple/municity',
      tipg: '?limit=10000',
      ofTipg: 10,
    },
  ];
}

/** Everything that is measured. What needs detailed boundaries is left out where there are none. */
export function subjectsOf({ isFull, province, municity }: Served): Subject[] {
  const [point] = POINTS as [{ lat: number; lon: number }];
  const codes = ['0702200000', '0604500000', '1001300000', '0301400000', '0402100000'];
  const warm = { ofEmpty: 0.4, nothingRead: true } as const;
  return [
    { work: '/version', path: '/version', authorized: false, ofEmpty: 0.6 },
    { work: 'single record', path: `/v1/provinces/${CEBU}`, naive: `/record/province/${CEBU}`, ...warm },
    { work: 'single record, made anew', path: `/v1/provinces/${CEBU}${ANEW}` },
    { work: 'list of ten', path: '/v1/provinces?limit=10', naive: '/list/province/10', ...warm },
    { work: 'search', path: '/v1/municities/search?q=paranaque', naive: '/search/municity/paranaque', ...warm },
    { work: 'search, made anew', path: `/v1/municities/search${ANEW}&q=paranaque` },
    { work: 'search over all levels', path: '/v1/search?q=San+Fernado,+Pampanga', nothingRead: true },
    { work: 'hierarchy', path: `/v1/barangays/${BARANGAY}/hierarchy`, naive: `/hierarchy/${BARANGAY}`, ...warm },
    {
      work: 'batch of five',
      path: '/v1/provinces/search',
      body: JSON.stringify({ codes }),
      naive: `/batch/province/${codes.join(',')}`,
    },
    { work: 'single record, with an API key', path: `/v1/provinces/${CEBU}`, withKeys: true },
    {
      work: 'all provinces, simple',
      path: '/v1/provinces?format=geojson',
      naive: '/collection/simple/province',
      ofNaive: 25,
    },
    {
      work: 'cities of Cebu, medium',
      path: `/v1/municities?province_code=${CEBU}&format=geojson&geometry=medium`,
      naive: `/cities/medium/${CEBU}`,
      ofNaive: 25,
    },
    ...ogcSubjects(),
    ...(isFull
      ? ([
          { work: 'neighbours', path: `/v1/provinces/${BULACAN}/neighbors`, naive: `/neighbors/province/${BULACAN}` },
          {
            work: 'reverse geocode, one point',
            path: `/v1/geocode/reverse?lat=${point.lat}&lon=${point.lon}`,
            naive: `/points/${point.lat}/${point.lon}`,
            fromPostgis: true,
            ...warm,
          },
          {
            work: 'reverse geocode, one point, made anew',
            path: `/v1/geocode/reverse${ANEW}&lat=${point.lat}&lon=${point.lon}`,
          },
          {
            work: 'reverse geocode, 100 points',
            path: '/v1/geocode/reverse',
            body: JSON.stringify({ points: POINTS }),
            naive: `/points/${POINTS.map(({ lat }) => lat)}/${POINTS.map(({ lon }) => lon)}`,
            fromPostgis: true,
            ofPostgis: 20,
          },
          {
            work: 'one province, detailed (1 MB)',
            path: `/v1/provinces/${province}?format=geojson&geometry=detailed`,
            naive: `/feature/detailed/province/${province}`,
            ofNaive: 25,
          },
          {
            work: 'one small city, detailed (5 kB)',
            path: `/v1/municities/${municity}?format=geojson&geometry=detailed`,
            naive: `/feature/detailed/municity/${municity}`,
            ofEmpty: 0.4,
          },
        ] satisfies Subject[])
      : []),
  ];
}
