import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { afterEach, describe, expect, inject, it, vi } from 'vitest';
import { eraseAccounts } from '../../src/account/erasure.ts';
import { jobs } from '../../src/scheduled.ts';
import { detailOf, historyOf, userOf } from '../support/admin.ts';
import { type Body, get, MASTER, patch, send, workerWith } from '../support/api.ts';
import { bucket, isStored } from '../support/bucket.ts';
import { jobContext } from '../support/context.ts';
import { newDataset, point } from '../support/datasets.ts';
import { eventually } from '../support/eventually.ts';
import { newEndpoint } from '../support/hooks.ts';
import { rotate, statusOf } from '../support/keys.ts';
import { bearer, newKey, type Person, person, sessionToken } from '../support/people.ts';
import { like } from '../support/snapshot.ts';
import { connectUnhurried, database, setProfile } from '../support/sql.ts';
import { tracesOf } from '../support/traces.ts';
import { upload } from '../support/uploads.ts';
import {
  fromEmail,
  fromIdentity,
  newDeliveryId,
  newId,
  recorded,
  userDeleted,
  userEvent,
} from '../support/webhooks.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const GRACE_MS = 30 * DAY_MS;

/** Erases a deleted account of which nothing else is left, as the job does so many milliseconds from now. */
function erase({ subject }: { subject: string }, after = GRACE_MS + 1000, bindings: object = env): Promise<void> {
  return eraseAccounts(jobContext(bindings), { now: new Date(Date.now() + after), subject });
}

const idOf = async ({ subject }: { subject: string }): Promise<string> => (await userOf(subject)).id;
const deleteUser = (id: string) => send('DELETE', `/v1/admin/users/${id}`, MASTER);
const restoreUser = (id: string) => send('POST', `/v1/admin/users/${id}/restore`, MASTER);

const fetched = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = fetched;
  vi.restoreAllMocks();
});

/** Lets statements that match fail so many times. */
function failingAt(statement: RegExp, times = 1): void {
  let left = times;
  globalThis.fetch = async (url, init) => {
    if (statement.test(String(init?.body)) && left-- > 0) throw new TypeError('Network connection lost.');
    return fetched(url, init);
  };
}

interface Known extends Person {
  readonly name: string;
  /** Texts that nobody else has. */
  readonly texts: readonly string[];
  readonly counters: readonly string[];
  readonly id: string;
  /** Ids of what the person owns. */
  readonly datasets: readonly string[];
  readonly keys: readonly string[];
}

const MEMBER = 'Zenaida';

/** Somebody of whom the service knows as much as it can. */
async function wellKnown(): Promise<Known> {
  const mark = crypto.randomUUID().slice(0, 13);
  const someone = { subject: `user_${mark}`, email: `${mark}@example.com` };
  const [earlier, further] = [`earlier-${mark}@example.com`, `further-${mark}@example.com`];
  const name = `${MEMBER} Quintos-${mark}`;
  const told = (type: 'user.created' | 'user.updated', email: string, updatedAt: number) => {
    const event = userEvent(type, { id: someone.subject, email, name, updatedAt });
    const [other] = event.data.email_addresses;
    if (other) other.email_address = further;
    return fromIdentity(event);
  };
  await told('user.created', earlier, Date.now() - 120_000);
  await told('user.updated', someone.email, Date.now() - 60_000);
  const session = bearer(await sessionToken({ sub: someone.subject, email: someone.email, email_verified: true }));
  const organization = { id: newId('org'), name: 'Somebody else' };
  const membership = {
    organization,
    role: 'org:member',
    public_user_data: { user_id: someone.subject, first_name: name, identifier: someone.email },
  };
  await fromIdentity({ type: 'organizationMembership.created', timestamp: Date.now(), data: membership });
  for (const to of [someone.email, earlier, `${name} <${further.toUpperCase()}>`]) {
    await fromEmail({ type: 'email.bounced', created_at: new Date().toISOString(), data: { to: [to] } });
  }
  const [key, old] = [
    await newKey(session, { name: `Laptop of ${name}`, description: someone.email }),
    await newKey(session, { name }),
  ];
  await patch(`/v1/admin/api-keys/${key.id}`, { name: `PC of ${name}`, description: name });
  const { body: rotated } = await rotate(old.id, { grace_seconds: 60 }, session);
  const used = await newKey(session, { name });
  await get('/v1/datasets', bearer(used.key));
  const made = await newDataset(session, {
    ...{ name: `Farms of ${name}`, description: someone.email, metadata: { owner: name } },
    features: [{ geom: point(121, 14), properties: { owner: name, email: someone.email } }],
  });
  const content = JSON.stringify({ type: 'Feature', geometry: point(121, 14), properties: { [name]: someone.email } });
  const uploaded = (await upload(session, `${name}.geojson`, content)).body.data;
  const fields = { dataset_id: uploaded.id, feature_storage: 'features_and_r2' };
  await upload(session, `${name}.geojson`, `${content}\n`, fields);
  const endpoint = await newEndpoint(session, { url: `http://127.0.0.1:1/${mark}`, description: `Hooks of ${name}` });
  await database.execute(sql`insert into webhook_deliveries (endpoint_id, type, data, next_attempt_at, response_excerpt)
    select ${endpoint.id}, 'dataset.processed', jsonb_build_object('name', ${name}::text), null, ${someone.email}`);
  // One whose owner is known by address only, and that belonged to somebody else.
  const given = await newDataset(MASTER, { name: 'Given', user_email: earlier });
  await patch(`/v1/datasets/${given.id}`, { user_email: someone.email });
  const id = await idOf(someone);
  await database.execute(sql`insert into api_key_usage (key_id, day, path, status, requests, duration_ms)
    values (${key.id}, now(), '/v1/regions', 200, 1, 1)`);
  const prefixes = [used.prefix, key.prefix, old.prefix, rotated.data.prefix];
  return {
    ...{ ...someone, session, name, id, datasets: [made.id, uploaded.id, given.id] },
    texts: [mark.toLowerCase(), `quintos-${mark}`],
    counters: prefixes.map((prefix) => `key:${prefix}`),
    keys: [used.id, key.id, old.id, rotated.data.id],
  };
}

/** Where something of such a person is, beside the objects in the bucket and the counters. */
const TABLES = [
  ...[
    'account_storage',
    'api_keys',
    'audit_logs',
    'dataset_versions',
    'datasets',
    'email_flags',
    'features',
    'profiles',
  ],
  ...['webhook_deliveries', 'webhook_endpoints', 'webhook_events'],
];

/** Rows of the database that belong to somebody's id or subject, by table. */
async function rowsOf({ id, subject, keys, datasets }: Known): Promise<Record<string, number>> {
  const list = (ids: readonly string[]) => sql`any (${sql.param(ids)}::uuid[])`;
  const { rows } = await database.execute<Record<string, number>>(sql`select
    (select count(*)::int from profiles where id = ${id}) as profiles,
    (select count(*)::int from profiles where subject = ${subject}) as subjects,
    (select count(*)::int from api_keys where user_id = ${id}) as keys,
    (select count(*)::int from api_key_usage where key_id = ${list(keys)}) as usage,
    (select count(*)::int from datasets where id = ${list(datasets)}) as datasets,
    (select count(*)::int from dataset_versions where owner = ${id}) as versions,
    (select count(*)::int from account_storage where owner = ${id}) as storage,
    (select count(*)::int from webhook_endpoints where user_id = ${id}) as endpoints,
    (select count(*)::int from organization_members where user_id = ${id}) as members`);
  return rows[0] as Record<string, number>;
}

const NOTHING = { profiles: 0, keys: 0, usage: 0, datasets: 0, versions: 0, storage: 0, endpoints: 0, members: 0 };

describe('somebody whose account is deleted', () => {
  const WAYS: [string, (someone: Known) => Promise<unknown>][] = [
    ['by an event of the identity provider', ({ subject }) => fromIdentity(userDeleted(subject))],
    ['by an administrator', ({ id }) => deleteUser(id)],
  ];

  it.each(WAYS)('leaves no trace in any table and object after the grace: %s', async (_, remove) => {
    const someone = await wellKnown();
    const { texts, counters, id, subject } = someone;
    const traces = () => tracesOf(texts, counters);
    const before = await traces();
    const objects = before.filter((place) => place.startsWith('datasets/'));
    expect(before).toEqual([...TABLES, ...objects]);
    expect(objects).toHaveLength(2);
    await remove(someone);
    await erase(someone);
    // The identity provider's id stays, and nobody is behind it in the log.
    expect(await tracesOf([someone.email, ...texts.slice(1)], counters)).toEqual([]);
    expect(await rowsOf(someone)).toEqual({ ...NOTHING, subjects: 1 });
    expect((await get(`/v1/admin/users/${id}`, MASTER)).status).toBe(404);
    const row = await userOf(subject);
    expect(row).toMatchObject({ status: 'erased', email: null, name: null, is_admin: false, erase_at: null });
    expect(row.id).not.toBe(id);
    for (const key of objects) expect(await isStored(key)).toBe(false);
    const log = (await historyOf(id)).map(({ action }) => action);
    expect(log).toEqual(['user.created', 'user.updated', 'email.bounced', 'user.deleted', 'user.erased']);
  });

  it('has everything until the grace ends', async () => {
    const someone = await wellKnown();
    const before = await rowsOf(someone);
    await deleteUser(someone.id);
    await erase(someone, GRACE_MS - 60_000);
    expect(await rowsOf(someone)).toEqual({ ...before, storage: 1 });
    expect((await userOf(someone.subject)).status).toBe('deleted');
    await erase(someone, GRACE_MS + 60_000);
    expect(await rowsOf(someone)).toEqual({ ...NOTHING, subjects: 1 });
  });

  it('is refused with keys and sessions at once, also without the database, and datasets are hidden', async () => {
    const { session, email, subject } = await person();
    const key = await newKey(session);
    const { id } = await newDataset(session, { visibility: 'everyone', features: [{ geom: point(121, 14) }] });
    expect(await statusOf(key.key)).toBe('200');
    const { body } = await deleteUser(await idOf({ subject }));
    const { status, deleted_at, erase_at } = body.data;
    expect([status, Date.parse(erase_at) - Date.parse(deleted_at)]).toEqual(['deleted', GRACE_MS]);
    expect(await statusOf(key.key)).toBe('401 api_key_revoked');
    for (const path of ['/v1/datasets', '/v1/regions?limit=1']) {
      expect((await get(path, session)).body.code, path).toBe('account_deleted');
    }
    for (const reader of [MASTER, (await person()).session]) {
      expect((await get(`/v1/datasets/${id}`, reader)).status).toBe(reader === MASTER ? 200 : 404);
    }
    expect((await get(`/v1/admin/users?email=${email}&status=deleted`, MASTER)).body.meta.total).toBe(1);
  });

  it('by two requests at once is deleted once', async () => {
    const someone = await person();
    await newKey(someone.session);
    const id = await idOf(someone);
    const answers = await Promise.all([deleteUser(id), deleteUser(id), deleteUser(id)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const log = (await historyOf(id)).map(({ action }) => action);
    expect(log).toEqual(['user.deleted']);
  });

  it('is erased at once where there is no grace', async () => {
    const ask = workerWith({ ERASURE_GRACE_DAYS: '0' });
    const [one, other] = [await wellKnown(), await wellKnown()];
    const { status, body } = await ask(`/v1/admin/users/${one.id}`, { method: 'DELETE', headers: MASTER });
    expect([status, body.data.status, body.data.erase_at]).toEqual([200, 'deleted', body.data.deleted_at]);
    await fromIdentity(userDeleted(other.subject, Date.now() - 1000), {}, ask);
    for (const someone of [one, other]) {
      await eventually(async () => expect(await rowsOf(someone)).toEqual({ ...NOTHING, subjects: 1 }));
      expect(await tracesOf([someone.email, ...someone.texts.slice(1)], someone.counters)).toEqual([]);
    }
  });
});

describe('a restored account', () => {
  it('has everything but its keys, and counts events of the provider again', async () => {
    const someone = await wellKnown();
    const before = (await get('/v1/datasets', someone.session)).body.data;
    await deleteUser(someone.id);
    const { status, body } = await restoreUser(someone.id);
    expect([status, body.data.status, body.data.erase_at]).toEqual([200, 'active', null]);
    expect(body.data.api_keys).toEqual({ total: 4, active: 0 });
    const after = await get('/v1/datasets', someone.session);
    expect(after.body.data.map(({ id }: Body) => id)).toEqual(before.map(({ id }: Body) => id));
    expect((await get('/v1/regions?limit=1', someone.session)).status).toBe(200);
    await erase(someone);
    expect((await userOf(someone.subject)).status).toBe('active');
    await fromIdentity(
      userEvent('user.updated', { id: someone.subject, name: 'New Name', updatedAt: Date.now() + 1000 }),
    );
    expect((await userOf(someone.subject)).name).toBe('New Name');
    expect((await restoreUser(someone.id)).status).toBe(200);
  });

  it('can not be had when the grace has ended', async () => {
    const someone = await person();
    await newDataset(someone.session);
    const id = await idOf(someone);
    await deleteUser(id);
    await setProfile(someone, sql`deleted_at = now() - interval '30 days'`);
    const { status, body } = await restoreUser(id);
    expect([status, body.code]).toEqual([409, 'user_not_restorable']);
    expect((await userOf(someone.subject)).status).toBe('deleted');
    expect((await restoreUser(crypto.randomUUID())).status).toBe(404);
  });

  it('begins with nothing where it was erased', async () => {
    const someone = await person();
    await newDataset(someone.session);
    await deleteUser(await idOf(someone));
    await erase(someone);
    expect((await get('/v1/datasets', someone.session)).body.code).toBe('account_deleted');
    expect((await restoreUser(await idOf(someone))).body.data).toMatchObject({ status: 'active', erased_at: null });
    const { status, body } = await get('/v1/datasets', someone.session);
    expect([status, body.data]).toEqual([200, []]);
  });
});

describe('what the identity provider says', () => {
  it('of an account that was deleted here brings it back neither before nor after the erasure, and is not kept', async () => {
    const someone = await wellKnown();
    await deleteUser(someone.id);
    const update = async () => {
      const delivery = newDeliveryId();
      const event = userEvent('user.updated', { id: someone.subject, email: someone.email, name: someone.name });
      await fromIdentity({ ...event, timestamp: Date.now() }, { id: delivery });
      return (await recorded(delivery)).body_kept;
    };
    expect(await update()).toBe(true);
    expect((await userOf(someone.subject)).status).toBe('deleted');
    await erase(someone);
    expect(await update()).toBe(false);
    await fromIdentity(userDeleted(someone.subject));
    expect((await userOf(someone.subject)).status).toBe('erased');
    expect(await tracesOf([someone.email, someone.name], someone.counters)).toEqual([]);
    expect((await get('/v1/regions?limit=1', someone.session)).body.code).toBe('account_deleted');
  });

  it('of an erased account that exists there anew makes another account of it', async () => {
    const someone = await wellKnown();
    await fromIdentity(userDeleted(someone.subject, Date.now() - 1000));
    await erase(someone);
    await fromIdentity(userEvent('user.created', { id: someone.subject, email: someone.email, name: 'Anew' }));
    const detail = await detailOf(someone.subject);
    expect(detail).toMatchObject({ status: 'active', name: 'Anew', erased_at: null, organizations: [] });
    expect(detail.api_keys.total).toBe(0);
    expect(detail.id).not.toBe(someone.id);
  });
});

describe('somebody else', () => {
  it('who gets the address of a deleted account has none of its datasets, before and after the erasure', async () => {
    const someone = await wellKnown();
    await deleteUser(someone.id);
    const heir = bearer(await sessionToken({ sub: newId('user'), email: someone.email, email_verified: true }));
    const owned = async () => (await get('/v1/datasets', heir)).body.data;
    expect(await owned()).toEqual([]);
    await erase(someone);
    expect(await owned()).toEqual([]);
    expect((await rowsOf(someone)).datasets).toBe(0);
  });

  it('who shares the address keeps what is known of it', async () => {
    const someone = await wellKnown();
    const other = newId('user');
    const sharing = bearer(await sessionToken({ sub: other, email: someone.email, email_verified: true }));
    const shared = someone.datasets[2] as string;
    expect((await get('/v1/datasets', sharing)).body.data.map(({ id }: Body) => id)).toEqual([shared]);
    await deleteUser(someone.id);
    await erase(someone);
    expect((await userOf(someone.subject)).status).toBe('erased');
    expect((await get('/v1/datasets', sharing)).body.data.map(({ id }: Body) => id)).toEqual([shared]);
    expect(await userOf(other)).toMatchObject({ email: someone.email, email_status: 'bounced' });
  });

  it('has everything that is theirs', async () => {
    const [someone, other] = [await wellKnown(), await wellKnown()];
    const before = await tracesOf(other.texts, other.counters);
    await deleteUser(someone.id);
    await erase(someone);
    expect(await tracesOf(other.texts, other.counters)).toEqual(before);
  });
});

describe('an erasure that breaks off', () => {
  const STATEMENTS: [string, RegExp][] = [
    ['finding the person', /former_emails/],
    ['datasets', /delete from \\"datasets\\"/],
    ['versions', /state = 'purging', touched_at = now\(\)\\n +where/],
    ['features', /delete from \\"features\\"/],
    ['the row of a version', /delete from \\"dataset_versions\\"/],
    ['keys', /delete from \\"api_keys\\"/],
    ['webhook endpoints', /delete from \\"webhook_deliveries\\"/],
    ['bodies', /body = null, people = null/],
    ['addresses', /delete from \\"email_flags\\"/],
    ['the person', /gen_random_uuid\(\), email = null/],
  ];

  it.each(STATEMENTS)(
    'at %s is continued by the next run, and no object is left without a row',
    async (_, statement) => {
      const someone = await wellKnown();
      const objects = (await tracesOf(someone.texts, [])).filter((place) => place.startsWith('datasets/'));
      await deleteUser(someone.id);
      vi.spyOn(console, 'error').mockImplementation(() => undefined);
      failingAt(statement);
      await expect(erase(someone)).rejects.toThrow('Accounts could not be erased: 1');
      globalThis.fetch = fetched;
      expect((await userOf(someone.subject)).status).toBe('deleted');
      const { rows } = await database.execute<{ key: string }>(sql`select storage_key as key from dataset_versions`);
      const named = new Set(rows.map(({ key }) => key));
      for (const key of objects) if (await isStored(key)) expect(named.has(key)).toBe(true);
      await erase(someone);
      expect(await rowsOf(someone)).toEqual({ ...NOTHING, subjects: 1 });
      expect(await tracesOf([someone.email, ...someone.texts.slice(1)], someone.counters)).toEqual([]);
    },
  );

  it('because the bucket fails is continued too', async () => {
    const someone = await wellKnown();
    await deleteUser(someone.id);
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const refuses = like(bucket, { delete: async () => Promise.reject(new Error('internal error (10001)')) });
    await expect(erase(someone, undefined, { ...env, FILES: refuses })).rejects.toThrow('could not be erased');
    expect((await userOf(someone.subject)).status).toBe('deleted');
    await erase(someone);
    expect(await tracesOf([someone.email, ...someone.texts.slice(1)], someone.counters)).toEqual([]);
  });

  it('does no harm where two runs erase the same account at once', async () => {
    const someone = await wellKnown();
    await deleteUser(someone.id);
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    await Promise.allSettled([erase(someone), erase(someone), erase(someone)]);
    await erase(someone);
    expect(await rowsOf(someone)).toEqual({ ...NOTHING, subjects: 1 });
    expect((await historyOf(someone.id)).filter(({ action }) => action === 'user.erased')).toHaveLength(1);
  });
});

it('an account with an upload under way is erased when the upload has ended or is dead', async () => {
  const someone = await person();
  await newKey(someone.session);
  const id = await idOf(someone);
  const version = crypto.randomUUID();
  const key = `datasets/${version}`;
  await bucket.put(key, someone.email);
  await database.execute(
    sql`insert into dataset_versions (id, state, storage_key, owner) values (${version}, 'staged', ${key}, ${id})`,
  );
  await deleteUser(id);
  await erase(someone);
  expect([(await userOf(someone.subject)).status, await isStored(key)]).toEqual(['deleted', true]);
  await database.execute(
    sql`update dataset_versions set touched_at = now() - interval '61 minutes' where id = ${version}`,
  );
  await erase(someone);
  expect([(await userOf(someone.subject)).status, await isStored(key)]).toEqual(['erased', false]);
});

it('an account with more than one statement deletes is erased', async () => {
  const someone = await person();
  await newDataset(someone.session);
  const id = await idOf(someone);
  await database.execute(sql`with v as (
      insert into dataset_versions (state) select 'current' from generate_series(1, 70) returning id
    ) insert into datasets (user_id, name, status, version_id) select ${id}, 'Many', 'draft', id from v`);
  await database.execute(sql`insert into api_keys (user_id, name, environment, prefix, hash)
    select ${id}, 'Many', 'test', ${crypto.randomUUID().slice(0, 8)} || i, 'x' from generate_series(1, 45) i`);
  await database.execute(sql`insert into webhook_events (source, delivery_id, bytes, body)
    select 'email', ${crypto.randomUUID()} || i, 1, ${someone.email} from generate_series(1, 1100) i`);
  const endpoint = await newEndpoint(someone.session, { url: 'http://127.0.0.1:1/many' });
  await database.execute(sql`insert into webhook_deliveries (endpoint_id, type, data, next_attempt_at)
    select ${endpoint.id}, 'dataset.processed', '{}', null from generate_series(1, 2500)`);
  await deleteUser(id);
  await erase(someone);
  expect((await userOf(someone.subject)).status).toBe('erased');
  expect(await tracesOf([someone.email, id], [])).toEqual(['audit_logs']);
});

it('the job erases accounts whose grace has ended, and no others', async () => {
  const url = await (await fetch(inject('spareDatabase'))).text();
  const spare = connectUnhurried(url);
  const [due, recent, there] = [newId('due'), newId('recent'), newId('there')];
  await spare.execute(sql`insert into profiles (subject, email, deleted_at) values
    (${due}, 'a@example.com', now() - interval '30 days'), (${recent}, 'b@example.com', now() - interval '29 days'),
    (${there}, 'c@example.com', null)`);
  const job = jobs.find(({ name }) => name === 'erase-deleted-accounts');
  await job?.run(jobContext({ ...env, DATABASE_URL: url }), new Date());
  const { rows } = await spare.execute(
    sql`select subject, email from profiles where subject in (${due}, ${recent}, ${there}) order by subject`,
  );
  expect(rows).toEqual([
    { subject: due, email: null },
    { subject: recent, email: 'b@example.com' },
    { subject: there, email: 'c@example.com' },
  ]);
});
