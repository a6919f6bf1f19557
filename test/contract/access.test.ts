import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LEVELS } from '../../src/areas/levels.ts';
import { type Manifest, manifestKey } from '../../src/areas/snapshot/layout.ts';
import type { Access } from '../../src/auth/principal.ts';
import { SCOPES, type Scope } from '../../src/auth/scopes.ts';
import { administrator } from '../support/admin.ts';
import { api, type Body, get, MASTER, openApi, send, workerWith } from '../support/api.ts';
import { bucket } from '../support/bucket.ts';
import { newDataset, point } from '../support/datasets.ts';
import { documentOf, nameEditions, publishFiles } from '../support/downloads.ts';
import { newEndpoint } from '../support/hooks.ts';
import { bearer, type Headers, newKey, type Person, person, sessionToken } from '../support/people.ts';
import { apart, publish, storeOther } from '../support/snapshot.ts';
import { some } from '../support/some.ts';
import { database, setKey, setProfile } from '../support/sql.ts';
import { archiveBytes, freshSlug, newArchive } from '../support/tiles.ts';
import { formOf } from '../support/uploads.ts';
import { fromIdentity, signed, userDeleted } from '../support/webhooks.ts';

/** What a good request asks for: a path, a body where there is one, and headers where it needs some. */
type Ask = readonly [path: string, body?: unknown, headers?: Headers];

interface Entry {
  readonly access: Access;
  readonly scope?: Scope;
  /** A request that whoever may call the operation may make; where it needs something of an owner, it is made for them. */
  readonly ask: Ask | ((owner: Headers) => Promise<Ask>);
  /** What is asked for is made for the request and has no owner. */
  readonly ownerless?: true;
  /** For a list of what its caller owns: creates something, and gives its id and the path of a list that has it. */
  readonly lists?: (owner: Headers) => Promise<readonly [id: string, path: string]>;
  /** What whoever is let in is refused with, where the operation would end what other tests need. */
  readonly refusedLater?: string;
  /** The security scheme that opens the operation without credentials. */
  readonly pass?: string;
}

const open = (...ask: Ask): Entry => ({ access: 'public', ask });
const free = (...ask: Ask): Entry => ({ access: 'free-tier', scope: 'read:boundaries', ask });
const scoped = (scope: Scope, ...ask: Ask): Entry => ({ access: 'authenticated', scope, ask });
const admins = (...ask: Ask): Entry => ({ access: 'admin', ask });
/** Lets an account have endpoints again, of which it has five at most. */
async function freeEndpoints(owner: Headers): Promise<void> {
  const { body } = await get('/v1/webhook-endpoints', owner);
  for (const { id } of body.data) await send('DELETE', `/v1/webhook-endpoints/${id}`, owner);
}

const onlyEndpoint = async (owner: Headers): Promise<Body> => {
  await freeEndpoints(owner);
  return newEndpoint(owner, { url: 'http://127.0.0.1:1/' });
};

const ownEndpoint = (path: (id: string) => string, body?: unknown) => async (owner: Headers) =>
  [path((await onlyEndpoint(owner)).id), body] as const;

const ownKey = (path: (id: string) => string) => async (owner: Headers) => [path((await newKey(owner)).id)] as const;

const ofTiles = (path: (slug: string) => string): Entry => ({
  ...{ access: 'authenticated', scope: 'read:boundaries', pass: 'tile_session', ownerless: true },
  ask: async () => [path(tiles.slug)],
});

const POINT = { geom: point(121, 14) };
const POLYGON = {
  type: 'Polygon',
  coordinates: [
    [
      [121, 14],
      [122, 14],
      [122, 15],
      [121, 14],
    ],
  ],
};
const FORM = formOf([['file', 'a.geojson', JSON.stringify(point(121, 14))]]);
const FORM_TYPE = { 'Content-Type': 'multipart/form-data; boundary=boundary-of-the-test' };

/** An operation on a dataset of the owner, or on the feature in it. */
const ofDatasets = (scope: Scope, ask: (ids: { dataset: string; feature: string }) => Ask): Entry => ({
  access: 'authenticated',
  scope,
  ask: async (owner) => {
    const { id } = await newDataset(owner, { features: [POINT] });
    const { body } = await get(`/v1/features/dataset/${id}`, owner);
    return ask({ dataset: id, feature: body.data[0].id });
  },
});

/** The same of a dataset for everyone. Who reads others is tested in test/api/dataset-access.test.ts. */
const ofOpenDatasets = (ask: (ids: { dataset: string; feature: string }) => Ask): Entry => ({
  ...{ access: 'free-tier', scope: 'read:datasets', ownerless: true },
  ask: async (owner) => {
    const { id } = await newDataset(owner, { visibility: 'everyone', features: [POINT] });
    const { body } = await get(`/v1/features/dataset/${id}`);
    return ask({ dataset: id, feature: body.data[0].id });
  },
});

/** Something in a new dataset of the owner, and a list that has it. */
const inDataset = (listed: (ids: { dataset: string; feature: string }) => readonly [string, string]) => ({
  lists: async (owner: Headers) => {
    const { id } = await newDataset(owner, { features: [POINT] });
    const { body } = await get(`/v1/features/dataset/${id}`, owner);
    return listed({ dataset: id, feature: body.data[0].id });
  },
});

const CODES = { region: '0700000000', province: '0702200000', municity: '0730600000', barangay: '1381500029' };
const PARENTS: Body = { municities: '?province=Cebu', barangays: '?municity_code=1380600000' };

const EVENT = { type: 'session.created', data: {} };
const somebodysKey = async () => newKey((await person()).session);
const deletedKey = async () => {
  const key = await somebodysKey();
  await send('DELETE', `/v1/admin/users/${key.user_id}`, MASTER);
  return key;
};
const activeRelease = async () => (await get('/v1/regions')).headers.get('X-Data-Release');

/** A release that is not active and has no areas, and is old: the first page of the list stays as it is. */
async function newRelease(): Promise<{ id: string; version: string }> {
  const id = `test-${crypto.randomUUID()}`;
  const { rows } = await database.execute<{ version: string }>(
    sql`insert into data_releases as r (id, edition, sources, report, created_at) values (${id}, 'Test', '[]', '{}', '2001-01-01')
      returning r.id || '-' || to_hex((extract(epoch from r.created_at) * 1000000)::bigint) as version`,
  );
  return { id, version: rows[0]?.version as string };
}

const putOf = (id: string): Ask => [
  `/v1/admin/releases/${id}/snapshot/boundaries-submunicipality-simple`,
  'x',
  { 'Content-Length': '1', 'Content-Digest': 'sha-256=:LXEWQrcmsEQBYnyp+6wy9chTD7GQPMTbAiWHF5IaSIE=:' },
];
/** A release whose objects are stored, which takes a second: it may be published again and again. */
let stored: Promise<Manifest> | undefined;
function storedRelease(): Promise<Manifest> {
  stored ??= newRelease().then(({ id: release, version }) => storeOther(bucket, { release, version }));
  return stored;
}

/** A release whose files are published, beside the one that PostGIS answers. */
const OLDER = { release: '2023-4q-9', version: '2023-4q-9-abc' };
const TABLE_FILE = `${OLDER.release}.provinces.csv`;

/** Who may call what. An operation that is not here fails the suite. */
const TABLE: Record<string, Entry> = {
  index: open('/'),
  v1_index: open('/v1'),
  version: open('/version'),
  v1_version: open('/v1/version'),
  healthcheck: open('/healthcheck'),
  v1_healthcheck: open('/v1/healthcheck'),
  readiness: { access: 'free-tier', ask: ['/healthcheck/ready'] },
  v1_readiness: { access: 'free-tier', ask: ['/v1/healthcheck/ready'] },

  ...Object.fromEntries(
    Object.values(LEVELS).flatMap(({ level, plural, batch }) => [
      [`list_${plural}`, free(`/v1/${plural}${PARENTS[plural] ?? ''}`)],
      [`search_${plural}`, free(`/v1/${plural}/search?q=naga`)],
      [`find_${plural}`, scoped('read:boundaries', `/v1/${plural}/search`, { [batch.field]: [CODES[level]] })],
      [`get_${level}`, free(`/v1/${plural}/${CODES[level]}`)],
      [`get_${level}_hierarchy`, free(`/v1/${plural}/${CODES[level]}/hierarchy`)],
      [`list_${level}_neighbors`, free(`/v1/${plural}/${CODES[level]}/neighbors`)],
    ]),
  ),
  search_places: free('/v1/search?q=naga'),
  suggest_places: free('/v1/suggest?q=naga'),
  get_postal_code: free('/v1/postal-codes/1605'),
  list_sources: { access: 'free-tier', ask: ['/v1/sources'] },
  list_editions: { access: 'free-tier', ask: ['/v1/editions'] },
  list_changes: { access: 'free-tier', ask: ['/v1/changes'] },
  get_changes_atom: { access: 'free-tier', ask: ['/v1/changes/feed.atom'] },
  get_changes_json_feed: { access: 'free-tier', ask: ['/v1/changes/feed.json'] },
  get_changes_of_code: { access: 'free-tier', ask: ['/v1/changes/0702200000'] },
  get_crosswalk: { access: 'free-tier', ask: ['/v1/crosswalk?from=2023-4q&to=2025-2q&level=region'] },
  reverse_geocode: scoped('read:boundaries', '/v1/geocode/reverse?lat=10.3&lon=123.9'),
  reverse_geocode_many: scoped('read:boundaries', '/v1/geocode/reverse', { points: [{ lat: 10.3, lon: 123.9 }] }),
  list_areas_within: scoped('read:boundaries', '/v1/areas/within?lat=10.3&lon=123.9&radius_km=1'),
  list_areas_covered: scoped('read:boundaries', '/v1/areas/covered', { geometry: POLYGON }),

  match_places: free('/v1/match', { rows: [{ province: 'Cebu' }] }),
  parse_addresses: free('/v1/parse', { texts: 'Poblacion, Makati' }),
  join_places: free('/v1/join', { rows: [{ province: 'Cebu' }] }),

  list_downloads: free('/v1/downloads'),
  create_download_session: scoped('read:boundaries', '/v1/downloads/sessions', {}),
  create_ogc_session: { access: 'authenticated', ask: ['/v1/ogc/sessions', {}] },
  download_snapshot: free('/v1/downloads/snapshot?edition=2023-4q'),
  download_overview: free('/v1/downloads/overview?edition=2023-4q'),
  download_areas: { ...free('/v1/downloads/areas/0700000000?level=province'), pass: 'download_session' },
  get_download: { ...free(`/v1/downloads/${TABLE_FILE}`), pass: 'download_session' },
  get_catalog: free('/v1/catalog'),
  get_release: free(`/v1/releases/${OLDER.release}`),
  get_release_signature: free(`/v1/releases/${OLDER.release}/signature`),

  list_api_keys: {
    ...{ access: 'user', ask: ['/v1/api-keys'] },
    lists: async (owner) => [(await newKey(owner)).id, '/v1/api-keys'],
  },
  get_account: { access: 'user', ask: ['/v1/account'] },
  export_account: { access: 'user', ask: ['/v1/account/export'] },
  // Whoever is let in would be deleted.
  delete_account: {
    access: 'session',
    ask: [`/v1/account?confirm=${crypto.randomUUID()}`],
    refusedLater: 'confirmation_mismatch',
  },
  create_api_key: { access: 'user', ask: ['/v1/api-keys', { name: 'Another' }] },
  summarize_api_keys: { access: 'user', ask: ['/v1/api-keys/stats'] },
  revoke_api_key: { access: 'owner', ask: ownKey((id) => `/v1/api-keys/${id}/revoke`) },
  rotate_api_key: { access: 'user', ask: ownKey((id) => `/v1/api-keys/${id}/rotate`) },

  list_webhook_endpoints: {
    ...{ access: 'user', ask: ['/v1/webhook-endpoints'] },
    lists: async (owner) => [(await onlyEndpoint(owner)).id, '/v1/webhook-endpoints'],
  },
  create_webhook_endpoint: {
    ...{ access: 'user', ownerless: true },
    ask: async (owner) => {
      await freeEndpoints(owner);
      return ['/v1/webhook-endpoints', { url: 'https://example.com/', events: ['release.activated'] }];
    },
  },
  get_webhook_endpoint: { access: 'user', ask: ownEndpoint((id) => `/v1/webhook-endpoints/${id}`) },
  update_webhook_endpoint: {
    access: 'user',
    ask: ownEndpoint((id) => `/v1/webhook-endpoints/${id}`, { description: 'Another' }),
  },
  delete_webhook_endpoint: { access: 'user', ask: ownEndpoint((id) => `/v1/webhook-endpoints/${id}`) },
  rotate_webhook_secret: { access: 'user', ask: ownEndpoint((id) => `/v1/webhook-endpoints/${id}/rotate-secret`, {}) },
  test_webhook_endpoint: { access: 'user', ask: ownEndpoint((id) => `/v1/webhook-endpoints/${id}/test`) },
  list_webhook_deliveries: { access: 'user', ask: ownEndpoint((id) => `/v1/webhook-endpoints/${id}/deliveries`) },
  replay_webhook_delivery: {
    access: 'user',
    ask: async (owner) => {
      const { id } = await onlyEndpoint(owner);
      const { body } = await send('POST', `/v1/webhook-endpoints/${id}/test`, owner);
      return [`/v1/webhook-endpoints/${id}/deliveries/${body.data.id}/replay`];
    },
  },

  ping_webhooks: open('/v1/webhooks/ping'),
  receive_webhook: { access: 'public', ask: ['/v1/webhooks/clerk', EVENT, signed(JSON.stringify(EVENT))] },

  get_admin_stats: admins('/v1/admin/stats'),
  get_metrics: admins('/metrics'),
  list_users: admins('/v1/admin/users'),
  get_user: { access: 'admin', ask: async () => [`/v1/admin/users/${(await somebodysKey()).user_id}`] },
  change_user: {
    access: 'admin',
    ask: async () => [`/v1/admin/users/${(await somebodysKey()).user_id}`, { is_admin: false }],
  },
  delete_user: { access: 'admin', ask: async () => [`/v1/admin/users/${(await somebodysKey()).user_id}`] },
  restore_user: { access: 'admin', ask: async () => [`/v1/admin/users/${(await deletedKey()).user_id}/restore`] },
  list_all_api_keys: admins('/v1/admin/api-keys'),
  change_any_api_key: {
    access: 'admin',
    ask: async () => [`/v1/admin/api-keys/${(await somebodysKey()).id}`, { name: 'Renamed' }],
  },
  revoke_any_api_key: {
    access: 'admin',
    ask: async () => [`/v1/admin/api-keys/${(await somebodysKey()).id}/revoke`],
  },
  list_all_datasets: admins('/v1/admin/datasets'),
  list_audit_logs: admins('/v1/admin/audit-logs'),
  list_webhook_events: admins('/v1/admin/webhook-events'),
  list_releases: admins('/v1/admin/releases'),
  put_snapshot_object: { access: 'admin', ask: async () => putOf((await newRelease()).id) },
  publish_snapshot: {
    access: 'admin',
    ask: async () => {
      const { release, version, objects } = await storedRelease();
      return [`/v1/admin/releases/${release}/snapshot`, { version, objects }];
    },
  },
  get_snapshot: {
    access: 'admin',
    ask: async () => {
      const { release, ...published } = await storedRelease();
      await bucket.put(manifestKey(published.version), JSON.stringify({ release, ...published }));
      return [`/v1/admin/releases/${release}/snapshot`];
    },
  },
  delete_release: { access: 'admin', ask: async () => [`/v1/admin/releases/${(await newRelease()).id}`] },
  activate_release: { access: 'admin', ask: async () => [`/v1/admin/releases/${await activeRelease()}/activate`] },

  list_datasets: {
    ...scoped('read:datasets', '/v1/datasets'),
    ...inDataset(({ dataset }) => [dataset, '/v1/datasets?visibility=all&limit=100']),
  },
  create_dataset: scoped('write:datasets', '/v1/datasets', { name: 'Another' }),
  upload_dataset: scoped('write:datasets', '/v1/datasets/upload', FORM, FORM_TYPE),
  get_dataset: ofOpenDatasets(({ dataset }) => [`/v1/datasets/${dataset}`]),
  update_dataset: ofDatasets('write:datasets', ({ dataset }) => [`/v1/datasets/${dataset}`, { name: 'Renamed' }]),
  delete_dataset: ofDatasets('write:datasets', ({ dataset }) => [`/v1/datasets/${dataset}`]),
  export_dataset: ofOpenDatasets(({ dataset }) => [`/v1/datasets/${dataset}/export`]),
  get_dataset_file: {
    ...{ access: 'free-tier', scope: 'read:datasets', ownerless: true },
    ask: async (owner) => {
      const uploaded = await api('/v1/datasets/upload', {
        method: 'POST',
        headers: { ...owner, ...FORM_TYPE },
        body: FORM,
      });
      const { id } = uploaded.body.data;
      await send('PATCH', `/v1/datasets/${id}`, owner, { visibility: 'everyone' });
      return [`/v1/datasets/${id}/file`];
    },
  },
  count_dataset_points: ofDatasets('read:datasets', ({ dataset }) => [`/v1/datasets/${dataset}/counts`]),
  get_embedded_dataset: ofOpenDatasets(({ dataset }) => [`/embed/datasets/${dataset}`]),
  list_features: {
    ...scoped('read:datasets', '/v1/features'),
    ...inDataset(({ feature }) => [feature, '/v1/features']),
  },
  list_dataset_features: {
    ...ofOpenDatasets(({ dataset }) => [`/v1/features/dataset/${dataset}`]),
    ...inDataset(({ dataset, feature }) => [feature, `/v1/features/dataset/${dataset}`]),
  },
  create_feature: ofDatasets('write:datasets', ({ dataset }) => ['/v1/features', { dataset_id: dataset, ...POINT }]),
  get_feature: ofOpenDatasets(({ feature }) => [`/v1/features/${feature}`]),
  update_feature: ofDatasets('write:datasets', ({ feature }) => [`/v1/features/${feature}`, { properties: 1 }]),
  delete_feature: ofDatasets('write:datasets', ({ feature }) => [`/v1/features/${feature}`]),

  list_tile_archives: scoped('read:boundaries', '/v1/tiles'),
  create_tile_session: scoped('read:boundaries', '/v1/tiles/sessions', {}),
  get_tilejson: ofTiles((slug) => `/v1/tiles/${slug}.json`),
  get_tile: ofTiles((slug) => `/v1/tiles/${slug}/0/0/0.mvt`),
  read_tile_archive: ofTiles((slug) => `/tiles/pmtiles/${slug}`),
  read_tile_archive_v1: ofTiles((slug) => `/v1/tiles/pmtiles/${slug}`),
  put_tile_archive: { access: 'admin', ask: [`/v1/admin/tiles/${freshSlug()}`, archiveBytes('regions')] },
  delete_tile_archive: {
    access: 'admin',
    ownerless: true,
    ask: async () => [`/v1/admin/tiles/${(await newArchive(archiveBytes('regions'))).slug}`],
  },
};

/** An archive for everybody who may read tiles. */
let tiles: Body;

/** Every operation of the document: its id, its method and its description. */
const operations = Object.values<Body>((await openApi()).paths).flatMap((methods) =>
  Object.entries<Body>(methods).map(([method, operation]): [string, string, Body] => [
    operation.operationId,
    method.toUpperCase(),
    operation,
  ]),
);

/** Callers by what they present. All keys but the administrators' are of `user`. */
const callers: Record<string, Headers> = {};
let user: Person;
let admin: Person;

beforeAll(async () => {
  const kinds = [{ level: 'province', resolution: null, format: 'csv' }] as const;
  const document = { text: documentOf(OLDER, '2023-4q'), signature: 'untrusted comment: a' };
  await publishFiles(bucket, await storeOther(bucket, OLDER), {
    edition: '2023-4q',
    kinds,
    hasOverview: true,
    document,
  });
  await nameEditions(bucket, { '2023-4q': OLDER });
  await publish({ active: true, bucket: published });
  [user, admin] = [await person(), await administrator()];
  tiles = await newArchive(archiveBytes('regions'));
  const former = await administrator();
  const key = (owner: Person, input: object = {}) => newKey(owner.session, { rate_limit_rpm: 10_000, ...input });
  const [expired, revoked, whole] = [await key(user), await key(user), await key(user)];
  await setKey(expired.id, sql`expires_at = now()`);
  await setKey(revoked.id, sql`revoked_at = now()`);
  const keys: Record<string, Body> = {
    'unscoped key': whole,
    'expired key': expired,
    'revoked key': revoked,
    'unscoped key of an admin': await key(admin),
    'admin key': await key(admin, { scopes: ['admin'] }),
    'admin key of who was one': await key(former, { scopes: ['admin'] }),
  };
  const deleted = await person();
  keys['key of a deleted account'] = await key(deleted);
  for (const needed of new Set(Object.values(TABLE).flatMap(({ scope }) => scope ?? []))) {
    const others = SCOPES.filter((scope) => scope !== needed && scope !== 'admin');
    keys[`key for ${needed}`] = await key(user, { scopes: [needed] });
    keys[`key for all but ${needed}`] = await key(user, { scopes: others });
  }
  await setProfile(former, sql`is_admin = false`);
  await fromIdentity(userDeleted(deleted.subject));
  const claims = { sub: user.subject };
  Object.assign(callers, {
    anonymous: {},
    master: MASTER,
    session: user.session,
    'admin session': admin.session,
    'expired session': bearer(await sessionToken(claims, { expires: '-1m' })),
    'forged session': bearer(
      (await sessionToken(claims)).replace(/[^.]+$/, (signature) => signature.replace(/^.{8}/, 'AAAAAAAA')),
    ),
    'session of another issuer': bearer(await sessionToken({ ...claims, iss: 'https://elsewhere.example' })),
    'session of a deleted account': deleted.session,
    'mistyped key': bearer(whole.key.replace(/.$/, (last: string) => (last === 'x' ? 'y' : 'x'))),
    garbage: bearer('garbage'),
    ...Object.fromEntries(Object.entries(keys).map(([caller, { key }]) => [caller, bearer(key)])),
  });
});

afterAll(() => nameEditions(bucket, {}));

const LET_IN = 'let in';
/** Statuses of refusals by their codes; the status of all others is 401. */
const STATUS: Record<string, number> = {
  admin_only: 403,
  missing_scope: 403,
  unscoped_key_required: 403,
  session_required: 403,
  user_required: 403,
};

/** Geography, which is the same for all accounts: credentials must be valid for it, and no account is looked up. */
const GEOGRAPHY =
  /^\/v1\/(regions|provinces|municities|barangays|search|suggest|postal-codes|match|parse|geocode|sources|editions|changes|crosswalk|downloads|catalog)\b/;

/** How many requests are made at once: the embedded database answers one after the other, and each has a deadline. */
const AT_ONCE = 4;

/** What each caller gets: they are let in, or the code of the refusal. */
function expected({ access, scope }: Entry): Record<string, string> {
  const bad = {
    'expired key': 'api_key_expired',
    'revoked key': 'api_key_revoked',
    'key of a deleted account': 'api_key_revoked',
    'mistyped key': 'invalid_api_key',
    'expired session': 'session_expired',
    'forged session': 'invalid_token',
    'session of another issuer': 'invalid_token',
    'session of a deleted account': 'account_deleted',
    garbage: 'invalid_token',
  };
  const users = (answer: string) => ({ session: answer, 'unscoped key': answer, 'unscoped key of an admin': answer });
  const anonymous = access === 'free-tier' ? LET_IN : 'authentication_required';
  const common = { anonymous, master: LET_IN, 'admin session': LET_IN, ...users(LET_IN), ...bad };
  const adminKeys = (answer: string) => ({ 'admin key': answer, 'admin key of who was one': answer });
  switch (access) {
    case 'public':
      return Object.fromEntries(Object.keys(common).map((caller) => [caller, LET_IN]));
    case 'free-tier':
    case 'authenticated': {
      if (scope === undefined) return { ...common, ...adminKeys(LET_IN) };
      const [right, wrong] = [`key for ${scope}`, `key for all but ${scope}`];
      return { ...common, [right]: LET_IN, [wrong]: 'missing_scope', ...adminKeys('missing_scope') };
    }
    case 'user':
      return { ...common, ...adminKeys('unscoped_key_required'), master: 'user_required' };
    case 'session': {
      const keys = { 'unscoped key': 'session_required', 'unscoped key of an admin': 'session_required' };
      return { ...common, ...keys, ...adminKeys('session_required'), master: 'user_required' };
    }
    case 'owner':
      return { ...common, ...adminKeys('unscoped_key_required') };
    case 'admin':
      return { ...common, ...users('admin_only'), ...adminKeys('admin_only'), 'admin key': LET_IN };
  }
}

/** Operations of one class are guarded by the same middleware with the same settings. */
const classOf = ({ access, scope, pass, ask }: Entry) =>
  [access, scope, pass, typeof ask !== 'function' && GEOGRAPHY.test(ask[0])].join();

/** The first operation of each class, which callers of every kind call. */
const firstOfClass = new Map(
  Object.entries(TABLE)
    .toReversed()
    .map(([id, entry]) => [classOf(entry), id]),
);

/**
 * Callers who tell the class of an operation from every other: of any two classes, one of these is let in by one and
 * refused by the other, or refused for another reason. That they are let in shows that the operation works.
 */
function telling({ access, scope }: Entry): string[] {
  const ofScope = scope === undefined ? ['garbage', 'admin key'] : [`key for all but ${scope}`];
  switch (access) {
    case 'public':
      return ['anonymous', 'garbage'];
    case 'free-tier':
      return ['anonymous', 'session of a deleted account', ...ofScope];
    case 'authenticated':
      return ['anonymous', 'session of a deleted account', ...ofScope, `key for ${scope}`];
    case 'user':
    case 'session':
      return ['anonymous', 'session', 'master', 'admin key'];
    case 'owner':
      return ['anonymous', 'master', 'admin key'];
    case 'admin':
      return ['anonymous', 'session', 'admin key'];
  }
}

/** The request of an operation, with what it needs of an owner. */
async function askOf(id: string, owner: Person): Promise<Ask> {
  const { ask } = TABLE[id] as Entry;
  return typeof ask === 'function' ? ask(owner.session) : ask;
}

function ask(method: string, [path, body, more]: Ask, given: Headers) {
  const headers = { ...given, ...more };
  if (OF_HISTORY.test(path)) return withHistory(path, { headers });
  return body instanceof Uint8Array ? api(path, { method, headers, body }) : send(method, path, headers, body);
}

/** What is answered from the history of a published release alone. */
const OF_HISTORY = /^\/v1\/(editions|changes|crosswalk)\b/;

const published = apart();
const withHistory = workerWith({ FILES: published });

/** Expects an answer to name parameters that the operation does not have, and to be the same otherwise. */
async function expectUnknownNamed(asking: (more?: string) => ReturnType<typeof ask>): Promise<void> {
  const [plain, told] = [await asking(), await asking('beside=1&h%C3%A9=')];
  expect(told.status).toBe(plain.status);
  expect(told.status).toBeLessThan(300);
  expect(plain.headers.get('X-Unknown-Parameters')).toBeNull();
  expect(told.headers.get('X-Unknown-Parameters')).toBe('beside, h%C3%A9');
  if (told.body?.error !== null) return;
  const named = ({ body }: typeof told) => body.meta?.notices?.map(({ parameter }: Body) => parameter);
  expect(named(plain)).toBeUndefined();
  expect(named(told)).toEqual(['beside', 'hé']);
}

describe('who may call what', () => {
  it('is declared for every operation', () => {
    expect(operations.map(([id]) => id).sort()).toEqual(Object.keys(TABLE).sort());
  });

  it.for(some(operations))('%s', async ([id, method, { security }]) => {
    const entry = TABLE[id] as Entry;
    const made = new Map<Person, Promise<Ask>>();
    /** Whoever may change something gets it for themselves. Readers, and callers who are refused, leave it as it is. */
    const askAs = (caller: string, answer: string) => {
      const owner = caller.includes('admin') ? admin : user;
      if (answer === LET_IN && method !== 'GET') return askOf(id, owner);
      const asked = made.get(owner) ?? askOf(id, owner);
      made.set(owner, asked);
      return asked;
    };
    const expectAnswer = async ([caller, answer]: [string, string]) => {
      const asked = await askAs(caller, answer);
      const { status, body, headers } = await ask(method, asked, callers[caller] as Headers);
      const isLetIn = status < 300 || (entry.refusedLater !== undefined && body.code === entry.refusedLater);
      const got = isLetIn ? LET_IN : (body.code ?? body);
      const due = answer === LET_IN ? status : (STATUS[answer] ?? 401);
      expect({ caller, got, status }).toEqual({ caller, got: answer, status: due });
      if (answer !== 'missing_scope') return;
      expect(body.scope).toBe(entry.scope);
      expect(headers.get('WWW-Authenticate')).toContain(`scope="${entry.scope}"`);
    };
    const answers = expected(entry);
    const asking = firstOfClass.get(classOf(entry)) === id ? Object.keys(answers) : telling(entry);
    const [letIn = [], refused = []] = [true, false].map((isLetIn) =>
      asking
        .map((caller): [string, string] => [caller, answers[caller] as string])
        .filter(([, answer]) => (answer === LET_IN) === isLetIn),
    );
    for (let i = 0; i < refused.length; i += AT_ONCE) {
      await Promise.all(refused.slice(i, i + AT_ONCE).map(expectAnswer));
    }
    for (const caller of letIn) await expectAnswer(caller);
    const [caller = ''] = letIn.at(-1) ?? [];
    const expectNamed = entry.refusedLater === undefined ? expectUnknownNamed : async () => undefined;
    await expectNamed(async (more: string | undefined) => {
      const [path, ...rest] = await askAs(caller, LET_IN);
      const sign = path.includes('?') ? '&' : '?';
      return ask(method, [more ? path + sign + more : path, ...rest], callers[caller] as Headers);
    });
    const needed = { bearer: [entry.access === 'admin' ? 'admin' : (entry.scope ?? [])].flat() };
    const others = entry.pass === undefined ? [] : [{ [entry.pass]: [] }];
    expect(security).toEqual(
      { public: [], 'free-tier': [{}, needed, ...others] }[entry.access as string] ?? [needed, ...others],
    );
  });

  // The format that files are listed by says nothing about the answer.
  const answering = operations.filter(([id]) => id !== 'list_downloads');
  const optional = answering.flatMap(([id, method, { parameters = [] }]) =>
    parameters
      .filter(({ name }: Body) => ['geometry', 'format', 'output'].includes(name))
      .flatMap(({ name, schema }: Body) =>
        schema.enum.map((value: string): [string, string, string, string] => [id, method, name, value]),
      ),
  );
  it.for(optional)('%s: geometry is for callers with credentials (%s, %s=%s)', async ([id, method, name, value]) => {
    const [path, ...rest] = await askOf(id, user);
    const asked: Ask = [`${path}${path.includes('?') ? '&' : '?'}${name}=${value}`, ...rest];
    const { status, body } = await ask(method, asked, {});
    // Metadata is what is free, as JSON or as a table, and what somebody has opened to everyone.
    const { access, scope } = TABLE[id] as Entry;
    const isFree = access === 'free-tier' && (['json', 'csv', 'xlsx'].includes(value) || scope === 'read:datasets');
    expect([status, body?.code]).toEqual(isFree ? [200, undefined] : [401, 'authentication_required']);
  });

  it('is declared for geometry in every operation that can give some', () => {
    const free = operations.filter(([id]) => TABLE[id]?.access === 'free-tier' && TABLE[id].scope !== undefined);
    const withParameter = new Set(optional.map(([id]) => id));
    const without = free.map(([id]) => id).filter((id) => !withParameter.has(id));
    // Operations without such a parameter give records without geometry, or files, of which layers are refused, or the map
    // that is for everybody, or what its owner has opened to everyone.
    for (const id of some(without)) {
      expect(id).toMatch(
        /^search_|^suggest_|^match_|^parse_|^join_|_hierarchy$|_neighbors$|_downloads?$|_snapshot$|_overview$|_catalog$|_release$|_release_signature$|_dataset$|_dataset_file$|^get_feature$|^get_postal_code$/,
      );
    }
    expect(withParameter.size).toBeGreaterThan(8);
  });

  const withLists = operations.filter(([id]) => TABLE[id]?.lists);
  it.for(some(withLists))('%s: has nothing of somebody else’s', async ([id]) => {
    const { lists } = TABLE[id] as Required<Entry>;
    const [listed, path] = await lists(user.session);
    expect((await get(path, user.session)).text).toContain(listed);
    const stranger = await person();
    for (const headers of [stranger.session, bearer((await newKey(stranger.session)).key), admin.session]) {
      const { status, text } = await get(path, headers);
      expect([status, text.includes(listed)]).toEqual([200, false]);
    }
  });

  const owned = operations.filter(
    ([id]) => typeof TABLE[id]?.ask === 'function' && TABLE[id].access !== 'admin' && !TABLE[id].ownerless,
  );

  it('is tested for every list of what people own', () => {
    const isList = ({ responses }: Body) =>
      responses[200].content?.['application/json']?.schema?.properties?.data?.type === 'array';
    const ofOwners = operations.filter(([id, method, operation]) => {
      const { access, scope = '' } = TABLE[id] as Entry;
      // The list of something that is somebody else's is refused, as below.
      const isRefused = owned.some(([other]) => other === id) && !TABLE[id]?.lists;
      return method === 'GET' && isList(operation) && (access === 'user' || scope === 'read:datasets') && !isRefused;
    });
    expect(ofOwners.map(([id]) => id).sort()).toEqual(
      Object.keys(TABLE)
        .filter((id) => TABLE[id]?.lists)
        .sort(),
    );
  });

  it.for(some(owned))('%s: what somebody else owns is not there', async ([id, method]) => {
    const asked = await askOf(id, user);
    const stranger = await person();
    for (const headers of [stranger.session, bearer((await newKey(stranger.session)).key), admin.session]) {
      expect((await ask(method, asked, headers)).status).toBe(404);
    }
  });
});
