import { createExecutionContext, createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, inject, it, vi } from 'vitest';
import worker from '../../src/worker.ts';
import { type api, type Body, MASTER, workerWith } from '../support/api.ts';
import { bearer, type Headers, person } from '../support/people.ts';
import { apart } from '../support/snapshot.ts';
import { connectUnhurried } from '../support/sql.ts';
import { formOf } from '../support/uploads.ts';
import { signed, userEvent } from '../support/webhooks.ts';

// A database whose statements are those of the role that `npm run db:role` makes: it does what the Worker does, and no more.

let DATABASE_URL: string;
let ask: typeof api;
const FILES = apart();

beforeAll(async () => {
  DATABASE_URL = await (await fetch(`${inject('spareDatabase')}as-worker`)).text();
  ask = workerWith({ DATABASE_URL, FILES });
});

const send = (method: string, path: string, headers: Headers, body?: unknown) =>
  ask(path, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

describe('the role of the Worker', () => {
  it('is not the owner of the tables', async () => {
    const { text } = await ask('/metrics', { headers: MASTER });
    expect(text).toContain('\npgds_database_role_may_alter_schema 0\n');
    const { text: ofOwner } = await workerWith({ FILES })('/metrics', { headers: MASTER });
    expect(ofOwner).toContain('\npgds_database_role_may_alter_schema 1\n');
  });

  it('reads geography, and writes keys, datasets, files and what administrators change', async () => {
    const { session } = await person();
    const statuses: Record<string, number> = {};
    const step = async (name: string, answering: ReturnType<typeof send>): Promise<Body> => {
      const { status, body } = await answering;
      statuses[name] = status;
      return body?.data;
    };
    await step('regions', send('GET', '/v1/regions', {}));
    await step('point', send('GET', '/v1/geocode/reverse?lat=10.3&lon=123.9', MASTER));
    await step('search', send('GET', '/v1/search?q=cebu', {}));
    const key = await step('key', send('POST', '/v1/api-keys', session, { name: 'Test' }));
    const rotated = await step('rotated key', send('POST', `/v1/api-keys/${key.id}/rotate`, session));
    const withKey = bearer(rotated.key);
    const point = { type: 'Point', coordinates: [121, 14] };
    const dataset = await step('dataset', send('POST', '/v1/datasets', withKey, { name: 'Wells' }));
    const feature = await step(
      'feature',
      send('POST', '/v1/features', withKey, { dataset_id: dataset.id, geom: point, properties: { n: 1 } }),
    );
    await step('changed feature', send('PATCH', `/v1/features/${feature?.id}`, withKey, { properties: { n: 2 } }));
    await step('list', send('GET', `/v1/features/dataset/${dataset.id}`, withKey));
    const headers = { ...session, 'Content-Type': 'multipart/form-data; boundary=boundary-of-the-test' };
    const form = formOf([
      ['resolution', 'medium'],
      ['file', 'a.csv', 'province,n\nCebu,1\n'],
    ]);
    const uploaded = await step('upload', ask('/v1/datasets/upload', { method: 'POST', headers, body: form }));
    await step('export', send('GET', `/v1/datasets/${uploaded?.id}/export`, session));
    await step('deleted feature', send('DELETE', `/v1/features/${feature?.id}`, withKey));
    await step('deleted dataset', send('DELETE', `/v1/datasets/${dataset.id}`, session));
    await step('revoked key', send('POST', `/v1/api-keys/${rotated.id}/revoke`, session));
    const users = await step('users', send('GET', '/v1/admin/users?limit=1', MASTER));
    await step('changed user', send('PATCH', `/v1/admin/users/${users[0].id}`, MASTER, { account_rpm: 700 }));
    await step('statistics', send('GET', '/v1/admin/stats', MASTER));
    await step('audit log', send('GET', '/v1/admin/audit-logs', MASTER));
    await step('activation', send('POST', '/v1/admin/releases/2026-3q-1/activate', MASTER));
    const event = userEvent('user.created', { id: `user_${crypto.randomUUID()}` });
    await step('event', send('POST', '/v1/webhooks/clerk', signed(JSON.stringify(event)), event));
    expect(Object.entries(statuses).filter(([, status]) => status !== 200 && status !== 201)).toEqual([]);
  });

  it('does all scheduled jobs', async () => {
    const failures = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const bindings = { ...env, FILES, DATABASE_URL } as unknown as Env;
    await worker.scheduled(createScheduledController(), bindings, createExecutionContext());
    expect(failures).not.toHaveBeenCalled();
    failures.mockRestore();
  });

  it.each([
    'create table mine (id int)',
    'alter table features add column mine int',
    'drop table features',
    'truncate features',
    'create index mine on features (bytes)',
    'create function mine() returns int language sql as $$ select 1 $$',
    'create schema mine',
    'alter role current_user superuser',
    'create role mine',
    'delete from drizzle.__drizzle_migrations',
    'create trigger mine before insert on features execute function suppress_redundant_updates_trigger()',
  ])('may not: %s', async (statement) => {
    const refused = connectUnhurried(DATABASE_URL).execute(sql.raw(statement));
    await expect(refused.catch((error) => Promise.reject(error.cause ?? error))).rejects.toMatchObject({
      code: '42501',
    });
  });
});
