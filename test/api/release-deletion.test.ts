import { sql } from 'drizzle-orm';
import { afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { EDITIONS_KEY, POINTER_KEY } from '../../src/areas/snapshot/layout.ts';
import { type Body, MASTER, workerWith } from '../support/api.ts';
import { bucket } from '../support/bucket.ts';
import { connectUnhurried } from '../support/sql.ts';

const OLDER = '2099-4q-1';
const NEWER = '2099-4q-2';

let ask: ReturnType<typeof workerWith>;
let database: ReturnType<typeof connectUnhurried>;
/** The release that is served. */
let active: string;

beforeAll(async () => {
  const DATABASE_URL = await (await fetch(`${inject('spareDatabase')}deletion`)).text();
  ask = workerWith({ DATABASE_URL });
  database = connectUnhurried(DATABASE_URL);
  active = (await ask('/v1/regions')).headers.get('X-Data-Release') ?? '';
});

beforeEach(async () => {
  for (const id of [OLDER, NEWER]) await load(id);
});

afterEach(async () => {
  await activate(active);
  await database.execute(sql`delete from data_releases where id <> ${active}`);
  await Promise.all([POINTER_KEY, EDITIONS_KEY].map((key) => bucket.delete(key)));
});

/** A release with one area, whose load was completed. */
async function load(id: string): Promise<void> {
  await database.execute(
    sql`insert into data_releases (id, edition, sources, report, checked_at)
      values (${id}, '4Q 2099', '[]', '{}', now())`,
  );
  await database.execute(
    sql`insert into areas (release_id, level, code, name, name_key, type)
      values (${id}, 'region', '0100000000', 'Ilocos', 'ilocos', 'Reg')`,
  );
}

const remove = (id: string) => ask(`/v1/admin/releases/${id}`, { method: 'DELETE', headers: MASTER });

const activate = (id: string) =>
  ask(`/v1/admin/releases/${id}/activate`, {
    method: 'POST',
    headers: { ...MASTER, 'Content-Type': 'application/json' },
    body: '{"force":true}',
  });

async function listed(): Promise<string[]> {
  const { body } = await ask('/v1/admin/releases', { headers: MASTER });
  return body.data.map(({ id }: Body) => id);
}

async function areasOf(id: string): Promise<number> {
  const { rows } = await database.execute(sql`select from areas where release_id = ${id}`);
  return rows.length;
}

async function versionOf(id: string): Promise<string> {
  const { rows } = await database.execute<{ version: string }>(
    sql`select id || '-' || to_hex((extract(epoch from created_at) * 1000000)::bigint) as version
      from data_releases where id = ${id}`,
  );
  return rows[0]?.version ?? '';
}

/** Expects a release to be kept, with a message that says why. */
async function expectKept(id: string, message: RegExp): Promise<void> {
  const { status, body } = await remove(id);
  expect([status, body.code]).toEqual([409, 'release_in_use']);
  expect(body.message).toMatch(message);
  expect(await listed()).toContain(id);
}

describe('a release is deleted', () => {
  it('with all that the database has of it, which the log says; asked for again it is not found', async () => {
    expect(await areasOf(OLDER)).toBe(1);
    const { status, body, headers } = await remove(OLDER);
    expect([status, body.data]).toEqual([200, { id: OLDER, status: 'deleted' }]);
    expect(await listed()).toEqual([NEWER, active]);
    expect([await areasOf(OLDER), await areasOf(NEWER)]).toEqual([0, 1]);
    expect((await ask('/v1/regions')).body.meta.total).toBe(18);
    const log = await ask('/v1/admin/audit-logs?action=release.deleted', { headers: MASTER });
    expect(log.body.data).toMatchObject([
      {
        subject: { type: 'release', id: OLDER },
        actor: { kind: 'master' },
        request_id: headers.get('X-Request-Id'),
        details: { edition: '4Q 2099' },
      },
    ]);
    const again = await remove(OLDER);
    expect([again.status, again.body.code]).toEqual([404, 'release_not_found']);
  });

  it('once where it is asked for twice at the same time', async () => {
    const answers = await Promise.all([remove(OLDER), remove(OLDER)]);
    // The second one comes while the first one holds the release, or after it.
    const [first, second] = answers.map(({ status, body }) => [status, body.code]).sort(([a], [b]) => a - b);
    expect(first).toEqual([200, undefined]);
    expect([
      [404, 'release_not_found'],
      [409, 'release_in_use'],
    ]).toContainEqual(second);
    expect([await areasOf(OLDER), (await remove(OLDER)).status]).toEqual([0, 404]);
  });

  it('also where its load was never completed', async () => {
    await database.execute(sql`update data_releases set checked_at = null where id = ${NEWER}`);
    expect((await remove(NEWER)).status).toBe(200);
    // The newest of those that were completed.
    await expectKept(OLDER, /newest one of its edition/);
  });
});

describe('a release is kept', () => {
  it('while it is served', () => expectKept(active, /is served\. Activate another one first/));

  it('while it is the newest of its edition', () => expectKept(NEWER, /newest one of its edition/));

  it('while the bucket still points to it', async () => {
    await bucket.put(POINTER_KEY, JSON.stringify({ version: await versionOf(OLDER) }));
    await expectKept(OLDER, /is served/);
  });

  it('while it answers for its edition from the bucket', async () => {
    const version = await versionOf(OLDER);
    await bucket.put(EDITIONS_KEY, JSON.stringify({ editions: { '2099-4q': { release: OLDER, version } } }));
    await expectKept(OLDER, /answers for the edition 2099-4q/);
  });

  it('for a minute after another took its place', async () => {
    expect((await activate(OLDER)).status).toBe(200);
    expect((await activate(active)).status).toBe(200);
    await expectKept(OLDER, /is being read/);
    await database.execute(sql`update audit_logs set at = at - interval '61 seconds'`);
    expect((await remove(OLDER)).status).toBe(200);
  });

  it('while the bucket does not say what is served', async () => {
    await bucket.put(POINTER_KEY, 'not JSON');
    const { status, body } = await remove(OLDER);
    expect([status, body.code]).toEqual([503, 'storage_unavailable']);
    expect(await listed()).toContain(OLDER);
  });
});
