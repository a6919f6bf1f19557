import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { historyOf, userOf } from '../support/admin.ts';
import { type Body, get, MASTER, patch, send, workerWith } from '../support/api.ts';
import { newDataset, point } from '../support/datasets.ts';
import { eventually } from '../support/eventually.ts';
import { newEndpoint } from '../support/hooks.ts';
import { statusOf } from '../support/keys.ts';
import { bearer, newKey, person, sessionToken } from '../support/people.ts';
import { database } from '../support/sql.ts';
import { collection, fileOf, upload } from '../support/uploads.ts';
import { fromEmail, fromIdentity, newId, userEvent } from '../support/webhooks.ts';

const accountOf = async (owner: Record<string, string>): Promise<Body> => (await get('/v1/account', owner)).body.data;
const remove = (id: string, owner: Record<string, string>) => send('DELETE', `/v1/account?confirm=${id}`, owner);

describe('your account', () => {
  it('says what the service knows of you', async () => {
    const { session, email, subject } = await person();
    const key = await newKey(session);
    await newDataset(session, { features: [{ geom: point(121, 14) }] });
    for (const caller of [session, bearer(key.key)]) {
      expect(await accountOf(caller)).toMatchObject({
        ...{ id: key.user_id, subject, email, former_emails: [], name: null, is_admin: false, account_rpm: null },
        ...{ api_keys: 1, datasets: 1, stored_bytes: expect.any(Number), erasure_grace_days: 30 },
      });
    }
  });
});

describe('the export of an account', () => {
  it('has everything that there is of it, and nothing of anybody else', async () => {
    const subject = newId('user');
    const mark = crypto.randomUUID().slice(0, 13);
    const [email, earlier] = [`${mark}@example.com`, `earlier-${mark}@example.com`];
    await fromIdentity(
      userEvent('user.created', { id: subject, email: earlier, name: 'Maria', updatedAt: Date.now() - 2000 }),
    );
    await fromIdentity(userEvent('user.updated', { id: subject, email, name: 'Maria', updatedAt: Date.now() - 1000 }));
    await fromEmail({ type: 'email.bounced', created_at: new Date().toISOString(), data: { to: earlier } });
    const membership = { organization: { id: newId('org'), name: 'A team' }, role: 'org:member' };
    const member = { ...membership, public_user_data: { user_id: subject } };
    await fromIdentity({ type: 'organizationMembership.created', timestamp: Date.now(), data: member });
    const session = bearer(await sessionToken({ sub: subject, email, email_verified: true }));
    const keys = [await newKey(session, { name: 'One' }), await newKey(session, { name: 'Two' })];
    await database.execute(sql`insert into api_key_usage (key_id, day, path, status, requests, duration_ms)
      select ${keys[0].id}::uuid, (now() at time zone 'UTC')::date - i % 30, '/v1/' || i, 200, i, 1 from generate_series(1, 700) i`);
    await database.execute(sql`insert into api_key_failures (key_id, day, path, status, code, requests)
      values (${keys[1].id}, now(), '/v1/regions', 404, 'area_not_found', 3)`);
    const made = await newDataset(session, {
      name: 'Made',
      metadata: { n: 1 },
      features: [{ geom: point(121, 14), properties: { a: 'b' } }],
    });
    const uploaded = (await upload(session, 'many.geojson', collection(1200))).body.data;
    const given = await newDataset(MASTER, { name: 'Given', user_email: email });
    const { secret, ...endpoint } = await newEndpoint(session, {
      url: 'https://example.com/mine',
      events: ['release.activated'],
    });
    await database.execute(sql`insert into webhook_deliveries (endpoint_id, type, data, next_attempt_at)
      select ${endpoint.id}, 'area.changed', jsonb_build_object('n', n), null from generate_series(1, 600) n`);
    const stranger = await person();
    await newKey(stranger.session);
    await newEndpoint(stranger.session, { url: 'https://example.com/Somebody else' });
    await newDataset(stranger.session, { name: 'Somebody else’s', visibility: 'everyone' });
    await patch(`/v1/admin/users/${keys[0].user_id}`, { account_rpm: 900 });

    const { status, body, headers, text } = await get('/v1/account/export', session);
    expect([status, headers.get('Content-Disposition')]).toEqual([200, 'attachment; filename="account.json"']);
    const { erasure_grace_days: _, ...account } = await accountOf(session);
    expect(body.account).toEqual(account);
    expect(account).toMatchObject({ email, former_emails: [earlier], account_rpm: 900 });
    expect(body.email_statuses).toEqual([{ email: earlier, status: 'bounced', flagged_at: expect.any(String) }]);
    expect(body.organizations).toMatchObject([{ name: 'A team', role: 'org:member', removed_at: null }]);
    const listed = (await get('/v1/api-keys', session)).body.data;
    expect(body.api_keys.toReversed()).toEqual(listed);
    expect(body.usage).toHaveLength(700);
    expect(new Set(body.usage.map(({ path }: Body) => path)).size).toBe(700);
    expect(body.failures).toMatchObject([{ key_id: keys[1].id, code: 'area_not_found', requests: 3 }]);
    const id = keys[0].user_id;
    const done = (await get(`/v1/admin/audit-logs?user_id=${id}&limit=100`, MASTER)).body.data;
    const suffered = (await historyOf(id)).filter(({ actor }) => actor.user_id !== id);
    expect(body.audit_logs.map((entry: Body) => entry.id).sort()).toEqual(
      [...done, ...suffered].map((entry) => entry.id).sort(),
    );
    expect(body.webhook_events.map(({ type }: Body) => type)).toEqual([
      ...['user.created', 'user.updated', 'email.bounced'],
      'organizationMembership.created',
    ]);
    expect(body.webhook_endpoints).toEqual([endpoint]);
    expect(body.webhook_deliveries.map(({ data }: Body) => data.n).sort((a: number, b: number) => a - b)).toEqual(
      Array.from({ length: 600 }, (_, i) => i + 1),
    );
    expect(text).not.toContain(secret);
    const byName = Object.fromEntries(body.datasets.map((dataset: Body) => [dataset.name, dataset]));
    expect(Object.keys(byName).sort()).toEqual(['Given', 'Made', uploaded.name].sort());
    for (const { id: datasetId } of [made, uploaded, given]) {
      const { features: empty, ...record } = (await get(`/v1/datasets/${datasetId}`, session)).body.data;
      const { features, file, ...exported } = byName[record.name];
      expect([exported, empty]).toEqual([record, []]);
      expect(features).toEqual((await get(`/v1/datasets/${datasetId}/export`, session)).body.features);
      expect(file === null).toBe(datasetId !== uploaded.id);
    }
    const { file } = byName[uploaded.name];
    expect([file.name, file.bytes]).toEqual(['many.geojson', (await fileOf(session, uploaded.id)).length]);
    expect((await get(file.href, session)).bytes).toEqual(await fileOf(session, uploaded.id));
    expect(text).not.toContain('Somebody else');
    for (const { key } of keys) expect(text).not.toContain(key.slice(-38));
    expect(text).not.toMatch(/[0-9a-f]{64}/);
  });
});

it('the export of an account tells nothing of an earlier address that is somebody else’s now', async () => {
  const [before, after] = [newId('user'), newId('user')];
  const mark = crypto.randomUUID().slice(0, 13);
  const [email, earlier] = [`${mark}@example.com`, `earlier-${mark}@example.com`];
  const at = (ago: number) => Date.now() - ago;
  await fromIdentity(userEvent('user.created', { id: before, email: earlier, updatedAt: at(4000) }));
  await fromIdentity(userEvent('user.updated', { id: before, email, updatedAt: at(3000) }));
  await fromIdentity(userEvent('user.created', { id: after, email: earlier, updatedAt: at(2000) }));
  await fromEmail({ type: 'email.bounced', created_at: new Date().toISOString(), data: { to: earlier } });
  const exported = async (sub: string, address: string) => {
    const session = bearer(await sessionToken({ sub, email: address, email_verified: true }));
    const { email_statuses, webhook_events } = (await get('/v1/account/export', session)).body;
    return [email_statuses.length, webhook_events.map(({ type }: Body) => type)];
  };
  expect(await exported(before, email)).toEqual([0, ['user.created', 'user.updated']]);
  expect(await exported(after, earlier)).toEqual([1, ['user.created', 'user.created', 'email.bounced']]);
});

describe('the deletion of one’s own account', () => {
  it('takes a session, and the id of the account', async () => {
    const { session, subject } = await person();
    const key = await newKey(session);
    const withKey = await remove(key.user_id, bearer(key.key));
    expect([withKey.status, withKey.body.code]).toEqual([403, 'session_required']);
    const other = await remove((await newKey((await person()).session)).user_id, session);
    expect([other.status, other.body.code]).toEqual([422, 'confirmation_mismatch']);
    expect((await send('DELETE', '/v1/account', session)).status).toBe(422);
    expect([(await userOf(subject)).status, await statusOf(key.key)]).toEqual(['active', '200']);
  });

  it('ends keys and sessions, and everything is erased after the grace', async () => {
    const { session, subject } = await person();
    const key = await newKey(session);
    const { status, body } = await remove(key.user_id, session);
    expect([status, body.data.id]).toEqual([200, key.user_id]);
    const user = await userOf(subject);
    expect(user.status).toBe('deleted');
    expect(Math.abs(Date.parse(body.data.erase_at) - Date.parse(user.erase_at))).toBeLessThan(60_000);
    expect(await statusOf(key.key)).toBe('401 api_key_revoked');
    expect((await get('/v1/account', session)).body.code).toBe('account_deleted');
    const [deleted] = (await historyOf(key.user_id)).filter(({ action }) => action === 'user.deleted');
    expect(deleted.actor).toEqual({ kind: 'session', user_id: key.user_id, key_id: null });
  });

  it('erases at once where there is no grace', async () => {
    const { session, subject } = await person();
    const { user_id: id } = await newKey(session);
    const ask = workerWith({ ERASURE_GRACE_DAYS: '0' });
    expect((await ask(`/v1/account?confirm=${id}`, { method: 'DELETE', headers: session })).status).toBe(200);
    await eventually(async () => expect((await userOf(subject)).status).toBe('erased'));
  });
});
