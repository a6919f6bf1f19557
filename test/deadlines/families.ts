import { expect, inject, vi } from 'vitest';
import { type Answer, api, MASTER, ON_TIME, workerWith } from '../support/api.ts';
import { newDataset } from '../support/datasets.ts';
import { eventually } from '../support/eventually.ts';
import { newEndpoint } from '../support/hooks.ts';
import { bearer, newKey, person } from '../support/people.ts';
import { bodiesOf } from '../support/requests.ts';
import { SNAPSHOTS, snapshotBytes } from '../support/snapshot.ts';
import { archiveBytes, freshSlug, newArchive } from '../support/tiles.ts';
import { formOf, upload } from '../support/uploads.ts';
import { EMAIL_SECRETS, signed } from '../support/webhooks.ts';

type Ask = typeof api;
export type Headers = Record<string, string>;

/** What requests of a fault are made of: things that work before it begins. */
export interface Targets {
  readonly session: Headers;
  readonly key: Headers;
  /** Whose session it is. */
  readonly user: string;
  readonly dataset: string;
  /** A webhook endpoint, and what it was told. */
  readonly endpoint: string;
  readonly replayed: { readonly endpoint: string; readonly delivery: string };
  /** A dataset that is public. */
  readonly published: string;
  readonly feature: string;
  readonly slug: string;
  /** A key that its counter knows. */
  readonly knownKey: Headers;
  /** Sessions that stand in addresses: of files and of archives. */
  readonly links: { readonly files: string; readonly tiles: string };
  /** Somebody whose account may be deleted once. */
  readonly ownUser: { readonly id: string; readonly session: Headers };
  /** What a request may change once: ids of keys, a dataset and a feature, the slug of an archive, and users. */
  readonly once: Readonly<
    Record<
      | 'rotated'
      | 'revoked'
      | 'revokedByAdmin'
      | 'changedByAdmin'
      | 'replaced'
      | 'dataset'
      | 'feature'
      | 'slug'
      | 'user'
      | 'deletedUser'
      | 'endpoint',
      string
    >
  >;
}

/**
 * What a family needs: `-` nothing, `read` or `write` an answer, `or` what answers in its place. An exception is said by
 * the name of the fault.
 */
type Need = '-' | 'read' | 'write';

export interface Family {
  readonly database: Need;
  readonly bucket: Need;
  readonly ask: (ask: Ask, targets: Targets) => Promise<Answer>;
  /** The status where everything works; 200 where it is left out. */
  readonly healthy?: number;
  /** The outcomes of faults of the bucket that its need doesn't say. */
  readonly except?: Record<string, string>;
  /** Without the counter it is refused. */
  readonly counter?: true;
  /** It is answered from a snapshot. */
  readonly snapshot?: boolean;
  /** It needs more answers than come in time where each is late. */
  readonly long?: boolean;
}

const JSON_BODY = { 'Content-Type': 'application/json' };
const get =
  (path: string, headers: Headers = {}) =>
  (ask: Ask) =>
    ask(path, { headers });
/** A read of OGC API, whose definition is a document of its own. */
const ogc =
  (path: string, headers: Headers = {}) =>
  (ask: Ask) =>
    ask(`/ogc${path}`, { headers, undeclared: true });
/** The same of FHIR. */
const fhir = (path: string) => (ask: Ask) => ask(`/fhir${path}`, { undeclared: true });
const write = (ask: Ask, method: string, path: string, headers: Headers, body?: unknown) =>
  ask(path, { method, headers: { ...JSON_BODY, ...headers }, body: JSON.stringify(body) });

const table = (body: string) => ({ method: 'POST', headers: { ...MASTER, 'Content-Type': 'text/csv' }, body });

const POINT = { type: 'Point', coordinates: [121, 14] };
/** It crosses the borders of areas, so that their boundaries are read. */
const POLYGON = {
  type: 'Polygon',
  coordinates: [
    [
      [120.05, 9.05],
      [120.15, 9.05],
      [120.15, 9.15],
      [120.05, 9.05],
    ],
  ],
};
const COLLECTION = JSON.stringify({
  type: 'FeatureCollection',
  features: [{ type: 'Feature', geometry: POINT, properties: {} }],
});
const areas = inject('snapshot').objects.find(({ name }) => name === 'areas');
const AREAS = snapshotBytes('areas');
const RELEASE = `/v1/admin/releases/${inject('snapshot').release}`;
const digest = btoa(
  String.fromCharCode(...(areas?.sha256.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16))),
);

/** Uploads a file, with fields before it. */
const sendFile = (ask: Ask, owner: Headers, fields: [string, string][] = []) =>
  ask('/v1/datasets/upload', {
    method: 'POST',
    headers: { ...owner, 'Content-Type': 'multipart/form-data; boundary=boundary-of-the-test' },
    body: formOf([...fields, ['file', 'a.geojson', COLLECTION]]),
  });

/** An address where nothing listens. */
const NOWHERE = 'http://127.0.0.1:1/';

/** Geography needs no bucket: where no snapshot can be read, PostGIS answers. */
const GEOGRAPHY: [string, Family['ask']][] = [
  ['a list with boundaries', get('/v1/municities?province_code=0702200000&geometry=medium', MASTER)],
  ['a collection', get('/v1/provinces?format=geojson', MASTER)],
  ['features of OGC API', ogc('/collections/provinces-simple/items?limit=5', MASTER)],
  ['a feature of OGC API', ogc('/collections/provinces/items/0702200000', MASTER)],
  ['a collection of OGC API', ogc('/collections/provinces')],
  ['an area', get('/v1/provinces/0702200000')],
  ['a search', get('/v1/municities/search?q=naga')],
  ['a search over all levels', get('/v1/search?q=naga')],
  ['suggestions nearby', get('/v1/suggest?q=na&near=10.3167,123.8907')],
  ['the areas of a ZIP code', get('/v1/postal-codes/1605')],
  ['a hierarchy', get('/v1/barangays/1381500029/hierarchy')],
  ['neighbours', get('/v1/provinces/0702200000/neighbors')],
  ['matched rows', (ask) => write(ask, 'POST', '/v1/match', MASTER, { rows: [{ province: 'Cebu' }] })],
  ['parsed addresses', (ask) => write(ask, 'POST', '/v1/parse', MASTER, { texts: 'Poblacion, Makati' })],
  ['a matched table', (ask) => ask('/v1/match', table('province\nCebu\n'))],
  ['joined rows', (ask) => write(ask, 'POST', '/v1/join', MASTER, { rows: [{ province: 'Cebu' }] })],
  ['many points', (ask) => write(ask, 'POST', '/v1/geocode/reverse', MASTER, { points: [{ lat: 9.1, lon: 120.1 }] })],
  ['a table of points', (ask) => ask('/v1/geocode/reverse', table('lat,lon\n9.1,120.1\n'))],
  ['a batch', (ask) => write(ask, 'POST', '/v1/regions/search', MASTER, { ids: ['0700000000'] })],
  ['reverse geocoding', get('/v1/geocode/reverse?lat=9.1&lon=120.1&within=5000', MASTER)],
  ['areas around a point', get('/v1/areas/within?lat=9.1&lon=120.1&radius_km=5', MASTER)],
  ['areas in a polygon', (ask) => write(ask, 'POST', '/v1/areas/covered', MASTER, { geometry: POLYGON })],
  ['sources', get('/v1/sources')],
];

/** The credentials that a header has, by what people call them. All of them work without the database but a new key. */
const BEARERS: Record<string, (targets: Targets) => Headers> = {
  'a session': ({ session }) => session,
  'a key that its counter knows': ({ knownKey }) => knownKey,
  'the master token': () => MASTER,
};

/** What is asked with each kind of credential in turn. */
const asEach = (
  name: string,
  family: Omit<Family, 'ask'>,
  ask: (headers: Headers) => Family['ask'],
  { nobody = false } = {},
): [string, Family][] => [
  ...(nobody ? [[`${name} without credentials`, { ...family, ask: ask({}) }] as [string, Family]] : []),
  ...Object.entries(BEARERS).map(([who, headersOf]): [string, Family] => [
    `${name} with ${who}`,
    { ...family, ask: (asked, given) => ask(headersOf(given))(asked, given) },
  ]),
];

/** The release of which the files of levels are, with a table and a layer. */
export const FILES_OF_LEVELS = {
  edition: '2026-3q',
  kinds: [
    { level: 'region', resolution: null, format: 'csv' },
    { level: 'region', resolution: 'simple', format: 'parquet' },
  ],
} as const;
const TABLE = `/v1/downloads/${inject('snapshot').release}.regions.csv`;
const LAYER = `/v1/downloads/${inject('snapshot').release}.regions.simple.parquet`;

const EXTRACT = '/v1/downloads/areas/0700000000?level=province&format=shp';

/** What needs no more of its caller than that the credential is valid: it asks the database for nothing. */
const OF_A_SNAPSHOT = { database: '-', bucket: '-', snapshot: true } as const;
const OF_FILES = { database: '-', bucket: 'read', snapshot: true } as const;
const ANONYMOUS_TOO = { nobody: true };

const WITH_EACH_CREDENTIAL: [string, Family][] = [
  ...asEach('features of OGC API', OF_A_SNAPSHOT, (headers) =>
    ogc("/collections/provinces-simple/items?filter=name+LIKE+'C%25'", headers),
  ),
  ...asEach('an area', OF_A_SNAPSHOT, (headers) => get('/v1/regions/0700000000', headers), ANONYMOUS_TOO),
  ...asEach('boundaries', OF_A_SNAPSHOT, (headers) => get('/v1/regions?format=geojson', headers)),
  ...asEach('a search', OF_A_SNAPSHOT, (headers) => get('/v1/search?q=cebu', headers), ANONYMOUS_TOO),
  ...asEach(
    'matched names',
    OF_A_SNAPSHOT,
    (headers) => (ask) => write(ask, 'POST', '/v1/match', headers, { rows: [{ province: 'Cebu' }] }),
    ANONYMOUS_TOO,
  ),
  ...asEach('a place', OF_A_SNAPSHOT, (headers) => get('/v1/geocode/reverse?lat=9.1&lon=120.1', headers)),
  ...asEach('the editions', OF_FILES, (headers) => get('/v1/editions', headers), ANONYMOUS_TOO),
  ...asEach('files of levels', OF_FILES, (headers) => get('/v1/downloads', headers), ANONYMOUS_TOO),
  ...asEach('a catalogue of files', OF_FILES, (headers) => get('/v1/catalog', headers), ANONYMOUS_TOO),
  ...asEach('a table of a level', OF_FILES, (headers) => get(TABLE, headers), ANONYMOUS_TOO),
  ...asEach('a layer of a level', OF_FILES, (headers) => get(LAYER, headers)),
  ...asEach('a layer of an area', OF_A_SNAPSHOT, (headers) => get(EXTRACT, headers)),
  [
    'a layer of an area with a download session',
    { ...OF_A_SNAPSHOT, ask: (ask, { links }) => get(EXTRACT + links.files.replace('?', '&'))(ask) },
  ],
  [
    'a layer of a level with a download session',
    { ...OF_FILES, ask: (ask, { links }) => get(LAYER + links.files)(ask) },
  ],
  ...asEach(
    'a session for files',
    OF_FILES,
    (headers) => (ask) => write(ask, 'POST', '/v1/downloads/sessions', headers, {}),
  ),
  ...asEach('the catalogue of tiles', { database: 'read', bucket: '-' }, (headers) => get('/v1/tiles', headers)),
  [
    'a TileJSON with a tile session',
    {
      database: 'read',
      bucket: '-',
      ask: (ask, { slug, links }) => get(`/v1/tiles/${slug}.json${links.tiles}`)(ask),
    },
  ],
];

export const FAMILIES: Record<string, Family> = {
  'the index': { database: '-', bucket: '-', ask: get('/') },
  'the version': { database: '-', bucket: '-', ask: get('/version') },
  'the document': { database: '-', bucket: '-', ask: (ask) => ask('/openapi.json', { undeclared: true }) },
  'a page': { database: '-', bucket: '-', ask: (ask) => ask('/dashboard', { undeclared: true }) },
  'the health check': { database: 'read', bucket: '-', ask: get('/healthcheck') },
  readiness: {
    ...{ database: 'read', bucket: 'read', counter: true, ask: get('/healthcheck/ready') },
    // No release is published here, so that nothing of an object is read.
    except: Object.fromEntries(
      ['breaks off', 'ends early', 'stands still', 'has other bytes', 'lost everything'].map((fault) => [fault, '200']),
    ),
  },
  ...Object.fromEntries(
    GEOGRAPHY.flatMap(([name, ask]): [string, Family][] => [
      [`${name} of PostGIS`, { database: 'read', bucket: '-', ask }],
      [`${name} of a snapshot`, { database: '-', bucket: '-', ask, snapshot: true }],
    ]),
  ),
  ...Object.fromEntries(WITH_EACH_CREDENTIAL),
  'versions of areas of OGC API': {
    database: '-',
    bucket: 'read',
    ask: ogc('/collections/provinces-history/items?limit=5', MASTER),
    snapshot: true,
  },
  'codes of FHIR': { database: '-', bucket: 'read', ask: fhir('/ValueSet/regions-3Q-2026/$expand'), snapshot: true },
  'a code of FHIR': {
    database: '-',
    bucket: 'read',
    ask: fhir('/CodeSystem/psgc-3Q-2026/$lookup?code=0702200000'),
    snapshot: true,
  },
  'changes between editions': { database: '-', bucket: 'read', ask: get('/v1/changes'), snapshot: true },
  'changes as a JSON Feed': { database: '-', bucket: 'read', ask: get('/v1/changes/feed.json'), snapshot: true },
  'changes as a feed': { database: '-', bucket: 'read', ask: get('/v1/changes/feed.atom'), snapshot: true },
  'the changes of a code': { database: '-', bucket: 'read', ask: get('/v1/changes/0702200000'), snapshot: true },
  'a crosswalk': {
    database: '-',
    bucket: 'read',
    snapshot: true,
    ask: get('/v1/crosswalk?from=2023-4q&to=2025-2q&level=region'),
  },
  'my keys': { database: 'read', bucket: '-', ask: (ask, { session }) => get('/v1/api-keys', session)(ask) },
  'my usage': { database: 'read', bucket: '-', ask: (ask, { session }) => get('/v1/api-keys/stats', session)(ask) },
  'a new key': {
    database: 'write',
    bucket: '-',
    ask: (ask, { session }) => write(ask, 'POST', '/v1/api-keys', session, { name: 'Test' }),
  },
  'a rotated key': {
    database: 'write',
    bucket: '-',
    counter: true,
    ask: (ask, { session, once }) => ask(`/v1/api-keys/${once.rotated}/rotate`, { method: 'POST', headers: session }),
  },
  'a revoked key': {
    database: 'write',
    bucket: '-',
    counter: true,
    ask: (ask, { session, once }) => ask(`/v1/api-keys/${once.revoked}/revoke`, { method: 'POST', headers: session }),
  },
  'my webhook endpoints': {
    database: 'read',
    bucket: '-',
    ask: (ask, { session }) => get('/v1/webhook-endpoints', session)(ask),
  },
  'a webhook endpoint': {
    database: 'read',
    bucket: '-',
    ask: (ask, { session, endpoint }) => get(`/v1/webhook-endpoints/${endpoint}`, session)(ask),
  },
  'a new webhook endpoint': {
    database: 'write',
    bucket: '-',
    ask: (ask, { session }) =>
      write(ask, 'POST', '/v1/webhook-endpoints', session, {
        url: 'https://example.com/',
        events: ['release.activated'],
      }),
  },
  'a removed webhook endpoint': {
    database: 'write',
    bucket: '-',
    ask: (ask, { session, once }) =>
      ask(`/v1/webhook-endpoints/${once.endpoint}`, { method: 'DELETE', headers: session }),
  },
  'a replaced webhook secret': {
    database: 'write',
    bucket: '-',
    ask: (ask, { session, endpoint }) =>
      ask(`/v1/webhook-endpoints/${endpoint}/rotate-secret`, { method: 'POST', headers: session }),
  },
  'a delivery that is sent again': {
    database: 'write',
    bucket: '-',
    ask: (ask, { session, replayed: { endpoint, delivery } }) =>
      ask(`/v1/webhook-endpoints/${endpoint}/deliveries/${delivery}/replay`, { method: 'POST', headers: session }),
  },
  'a changed webhook endpoint': {
    database: 'write',
    bucket: '-',
    ask: (ask, { session, endpoint }) =>
      write(ask, 'PATCH', `/v1/webhook-endpoints/${endpoint}`, session, { description: 'Another' }),
  },
  'a test of a webhook endpoint': {
    database: 'write',
    bucket: '-',
    ask: (ask, { session, endpoint }) =>
      ask(`/v1/webhook-endpoints/${endpoint}/test`, { method: 'POST', headers: session }),
  },
  'what a webhook endpoint was told': {
    database: 'read',
    bucket: '-',
    ask: (ask, { session, endpoint }) => get(`/v1/webhook-endpoints/${endpoint}/deliveries`, session)(ask),
  },
  'my datasets': { database: 'read', bucket: '-', ask: (ask, { session }) => get('/v1/datasets', session)(ask) },
  'datasets with a key': { database: 'read', bucket: '-', ask: (ask, { key }) => get('/v1/datasets', key)(ask) },
  'datasets of a new person': {
    database: 'write',
    bucket: '-',
    ask: async (ask) => get('/v1/datasets', (await person()).session)(ask),
  },
  'features of a dataset by OGC API': {
    database: 'read',
    bucket: '-',
    ask: (ask, { session, dataset }) => ogc(`/collections/dataset-${dataset}/items?limit=5`, session)(ask),
  },
  'a session for OGC API': {
    database: 'read',
    bucket: '-',
    ask: (ask, { session }) => write(ask, 'POST', '/v1/ogc/sessions', session, {}),
  },
  'a dataset': {
    database: 'read',
    bucket: '-',
    ask: (ask, { session, dataset }) => get(`/v1/datasets/${dataset}`, session)(ask),
  },
  'a changed dataset': {
    database: 'write',
    bucket: '-',
    ask: (ask, { session, dataset }) => write(ask, 'PATCH', `/v1/datasets/${dataset}`, session, { name: 'Wells' }),
  },
  'a removed dataset': {
    database: 'write',
    bucket: '-',
    ask: (ask, { session, once }) => ask(`/v1/datasets/${once.dataset}`, { method: 'DELETE', headers: session }),
  },
  'a new dataset': {
    database: 'write',
    bucket: '-',
    ask: (ask, { session }) => write(ask, 'POST', '/v1/datasets', session, { name: 'Wells' }),
  },
  'a new feature': {
    database: 'write',
    bucket: '-',
    ask: (ask, { session, dataset }) =>
      write(ask, 'POST', '/v1/features', session, { dataset_id: dataset, geom: POINT }),
  },
  'a feature': {
    database: 'read',
    bucket: '-',
    ask: (ask, { session, feature }) => get(`/v1/features/${feature}`, session)(ask),
  },
  'a changed feature': {
    database: 'write',
    bucket: '-',
    ask: (ask, { session, feature }) =>
      write(ask, 'PATCH', `/v1/features/${feature}`, session, { properties: { a: 1 } }),
  },
  'a removed feature': {
    database: 'write',
    bucket: '-',
    ask: (ask, { session, once }) => ask(`/v1/features/${once.feature}`, { method: 'DELETE', headers: session }),
  },
  'the features of a dataset': {
    database: 'read',
    bucket: '-',
    ask: (ask, { session, dataset }) => get(`/v1/features/dataset/${dataset}`, session)(ask),
  },
  'a public dataset': {
    database: 'read',
    bucket: '-',
    ask: (ask, { published }) => get(`/embed/datasets/${published}`)(ask),
  },
  'a list of features': { database: 'read', bucket: '-', ask: (ask, { session }) => get('/v1/features', session)(ask) },
  'an export': {
    database: 'read',
    bucket: '-',
    ask: (ask, { session, dataset }) => get(`/v1/datasets/${dataset}/export?format=csv`, session)(ask),
  },
  'points by area': {
    database: 'read',
    bucket: '-',
    ask: (ask, { session, dataset }) => get(`/v1/datasets/${dataset}/counts`, session)(ask),
  },
  'the file of a dataset': {
    database: 'read',
    bucket: 'read',
    ask: (ask, { session, dataset }) => get(`/v1/datasets/${dataset}/file`, session)(ask),
    except: { 'breaks off': 'cut', 'ends early': 'cut', 'stands still': 'cut', 'has other bytes': '200' },
  },
  'a part of the file of a dataset': {
    database: 'read',
    bucket: 'read',
    healthy: 206,
    ask: (ask, { session, dataset }) => get(`/v1/datasets/${dataset}/file`, { ...session, Range: 'bytes=1-9' })(ask),
    except: { 'breaks off': 'cut', 'ends early': 'cut', 'stands still': 'cut', 'has other bytes': '206' },
  },
  'the head of the file of a dataset': {
    database: 'read',
    bucket: '-',
    ask: (ask, { session, dataset }) => ask(`/v1/datasets/${dataset}/file`, { method: 'HEAD', headers: session }),
  },
  'a file in the place of another': {
    database: 'write',
    bucket: 'write',
    long: true,
    ask: (ask, { session, once }) =>
      sendFile(ask, session, [
        ['dataset_id', once.replaced],
        ['feature_storage', 'features_and_r2'],
      ]),
  },
  'an upload': {
    database: 'write',
    bucket: 'write',
    long: true,
    ask: (ask, { session }) => sendFile(ask, session),
  },
  'an event of the identity provider': {
    database: 'write',
    bucket: '-',
    ask: (ask) => {
      const body = JSON.stringify({ type: 'session.created', data: { id: 'sess_1' } });
      return ask('/v1/webhooks/clerk', { method: 'POST', headers: { ...JSON_BODY, ...signed(body) }, body });
    },
  },
  'an event of the email provider': {
    database: 'write',
    bucket: '-',
    ask: (ask) => {
      const data = { email_id: crypto.randomUUID(), to: ['nobody@example.com'] };
      const body = JSON.stringify({ type: 'email.bounced', created_at: new Date().toISOString(), data });
      const headers = { ...JSON_BODY, ...signed(body, { secret: EMAIL_SECRETS[0] as string }) };
      return ask('/v1/webhooks/resend', { method: 'POST', headers, body });
    },
  },
  'the way of events': { database: '-', bucket: '-', ask: get('/v1/webhooks/ping') },
  'a tile session': {
    database: 'read',
    bucket: '-',
    ask: (ask, { slug }) => write(ask, 'POST', '/v1/tiles/sessions', MASTER, { slugs: [slug] }),
  },
  'a TileJSON': { database: 'read', bucket: '-', ask: (ask, { slug }) => get(`/v1/tiles/${slug}.json`, MASTER)(ask) },
  'a tile': {
    database: 'read',
    bucket: 'read',
    ask: (ask, { slug }) => get(`/v1/tiles/${slug}/0/0/0.mvt`, MASTER)(ask),
  },
  'an archive of tiles': {
    database: 'read',
    bucket: 'read',
    ask: (ask, { slug }) => get(`/v1/tiles/pmtiles/${slug}`, MASTER)(ask),
    except: { 'breaks off': 'cut', 'ends early': 'cut', 'stands still': 'cut', 'has other bytes': '200' },
  },
  'a new archive of tiles': {
    database: 'write',
    bucket: 'write',
    ask: (ask) => {
      const body = archiveBytes('regions');
      const headers = { ...MASTER, 'Content-Length': String(body.length) };
      return ask(`/v1/admin/tiles/${freshSlug()}`, { method: 'PUT', headers, body });
    },
    except: { 'ends early': '503', 'stands still': '503', 'has other bytes': '422', 'lost everything': '503' },
  },
  'a removed archive of tiles': {
    database: 'write',
    bucket: '-',
    ask: (ask, { once }) => ask(`/v1/admin/tiles/${once.slug}`, { method: 'DELETE', headers: MASTER }),
  },
  'everybody’s keys': { database: 'read', bucket: '-', ask: get('/v1/admin/api-keys', MASTER) },
  'a changed key of anybody': {
    database: 'write',
    bucket: '-',
    counter: true,
    ask: (ask, { once }) =>
      write(ask, 'PATCH', `/v1/admin/api-keys/${once.changedByAdmin}`, MASTER, { rate_limit_rpm: 7 }),
  },
  'a revoked key of anybody': {
    database: 'write',
    bucket: '-',
    counter: true,
    ask: (ask, { once }) =>
      ask(`/v1/admin/api-keys/${once.revokedByAdmin}/revoke`, { method: 'POST', headers: MASTER }),
  },
  'everybody’s datasets': { database: 'read', bucket: '-', ask: get('/v1/admin/datasets', MASTER) },
  'the audit log': { database: 'read', bucket: '-', ask: get('/v1/admin/audit-logs', MASTER) },
  'the events of providers': { database: 'read', bucket: '-', ask: get('/v1/admin/webhook-events', MASTER) },
  // It says what does not answer.
  metrics: { database: '-', bucket: '-', ask: get('/metrics', MASTER) },
  statistics: { database: 'read', bucket: '-', ask: get('/v1/admin/stats', MASTER) },
  'a user': { database: 'read', bucket: '-', ask: (ask, { user }) => get(`/v1/admin/users/${user}`, MASTER)(ask) },
  'a changed user': {
    database: 'write',
    bucket: '-',
    ask: (ask, { user }) => write(ask, 'PATCH', `/v1/admin/users/${user}`, MASTER, { is_admin: false }),
  },
  'a deleted user': {
    database: 'write',
    bucket: '-',
    counter: true,
    ask: (ask, { once }) => ask(`/v1/admin/users/${once.user}`, { method: 'DELETE', headers: MASTER }),
  },
  'a restored user': {
    database: 'write',
    bucket: '-',
    counter: true,
    ask: (ask, { once }) => ask(`/v1/admin/users/${once.deletedUser}/restore`, { method: 'POST', headers: MASTER }),
  },
  users: { database: 'read', bucket: '-', ask: get('/v1/admin/users', MASTER) },
  'your account': { database: 'read', bucket: '-', ask: (ask, { session }) => get('/v1/account', session)(ask) },
  'an export of your account': {
    database: 'read',
    bucket: '-',
    long: true,
    ask: (ask, { session }) => get('/v1/account/export', session)(ask),
  },
  'a deleted account of one’s own': {
    database: 'write',
    bucket: '-',
    counter: true,
    ask: (ask, { ownUser }) => ask(`/v1/account?confirm=${ownUser.id}`, { method: 'DELETE', headers: ownUser.session }),
  },
  releases: { database: 'read', bucket: '-', ask: get('/v1/admin/releases', MASTER) },
  'an activated release': {
    database: 'write',
    bucket: 'write',
    ask: (ask) => ask(`${RELEASE}/activate`, { method: 'POST', headers: MASTER }),
  },
  'a deleted release': {
    database: 'write',
    bucket: 'read',
    healthy: 404,
    // Where nothing is published, nothing of the bucket keeps a release.
    except: { 'lost everything': '404' },
    ask: (ask) => ask('/v1/admin/releases/2099-1q-1', { method: 'DELETE', headers: MASTER }),
  },
  'an object of a snapshot': {
    database: 'read',
    bucket: 'write',
    ask: (ask) =>
      ask(`${RELEASE}/snapshot/areas`, {
        method: 'PUT',
        headers: { ...MASTER, 'Content-Digest': `sha-256=:${digest}:`, 'Content-Length': String(areas?.bytes) },
        body: AREAS,
      }),
  },
  'a published snapshot': {
    database: 'read',
    bucket: 'read',
    snapshot: true,
    ask: get(`${RELEASE}/snapshot`, MASTER),
    except: { 'lost everything': '404' },
  },
};

/** What requests of a fault are made of, made while everything works. */
export async function targets(): Promise<Targets> {
  const { session } = await person();
  const keyOf = async () => newKey(session);
  const [key, known, rotated, revoked, revokedByAdmin, changedByAdmin] = await Promise.all(
    Array.from({ length: 6 }, keyOf),
  );
  const [uploaded, replaced, doomed, { id: published }, { slug }, { slug: doomedSlug }] = await Promise.all([
    upload(session, 'a.geojson', COLLECTION),
    upload(session, 'a.geojson', COLLECTION),
    newDataset(session, { features: [{ geom: POINT }, { geom: POINT }] }),
    newDataset(session, { features: [{ geom: POINT }], visibility: 'everyone' }),
    newArchive(archiveBytes('regions')),
    newArchive(archiveBytes('regions')),
  ]);
  const { id: dataset } = uploaded.body.data;
  const { session: ownSession } = await person();
  const ownUser = { id: (await newKey(ownSession)).user_id, session: ownSession };
  const newUser = async () => (await newKey((await person()).session)).user_id;
  const [doomedUser, deletedUser] = await Promise.all([newUser(), newUser()]);
  await api(`/v1/admin/users/${deletedUser}`, { method: 'DELETE', headers: MASTER });
  const features = await Promise.all(
    ['a', 'b'].map((name) =>
      write(api, 'POST', '/v1/features', session, { dataset_id: dataset, geom: POINT, properties: { name } }),
    ),
  );
  const [feature, doomedFeature] = features.map(({ body }) => body.data.id);
  const knownKey = bearer(known.key);
  const ask = workerWith({ ...ON_TIME, FILES: SNAPSHOTS });
  const fetched = vi.spyOn(globalThis, 'fetch');
  // What a first request has found out about a key reaches the counter after the answer.
  await eventually(async () => {
    fetched.mockClear();
    await ask('/v1/regions', { headers: knownKey });
    expect(bodiesOf(fetched)).toEqual([]);
  });
  fetched.mockRestore();
  const link = async (path: string, asked: object) => {
    const { body } = await write(ask, 'POST', path, MASTER, asked);
    return `?session=${body.data.session}`;
  };
  const [endpoint, doomedEndpoint, replayed] = await Promise.all(
    Array.from({ length: 3 }, async (): Promise<string> => (await newEndpoint(session, { url: NOWHERE })).id),
  );
  const test = await api(`/v1/webhook-endpoints/${replayed}/test`, { method: 'POST', headers: session });
  const links = {
    files: await link('/v1/downloads/sessions', {}),
    // Without its name the session is for the archives that are listed first, and tests before this one have made many.
    tiles: await link('/v1/tiles/sessions', { slugs: [slug] }),
  };
  const once = {
    rotated: rotated.id,
    revoked: revoked.id,
    revokedByAdmin: revokedByAdmin.id,
    changedByAdmin: changedByAdmin.id,
    replaced: replaced.body.data.id,
    dataset: doomed.id,
    feature: doomedFeature,
    slug: doomedSlug,
    user: doomedUser,
    deletedUser,
    endpoint: doomedEndpoint as string,
  };
  const { meta } = (await api('/v1/datasets?debug=true', { headers: session })).body;
  return {
    user: meta.debug.user_id,
    session,
    key: bearer(key.key),
    dataset,
    endpoint: endpoint as string,
    replayed: { endpoint: replayed as string, delivery: test.body.data.id },
    published,
    feature,
    slug,
    knownKey,
    links,
    ownUser,
    once,
  };
}
