import { createExecutionContext, createScheduledController, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { type SQL, sql } from 'drizzle-orm';
import { describe, expect, inject, it, vi } from 'vitest';
import { jobs } from '../../src/scheduled.ts';
import worker from '../../src/worker.ts';
import { historyOf } from '../support/admin.ts';
import { type Body, get, MASTER } from '../support/api.ts';
import { bucket } from '../support/bucket.ts';
import { jobContext } from '../support/context.ts';
import { eventually } from '../support/eventually.ts';
import { bearer, newKey, person } from '../support/people.ts';
import { database, setKey } from '../support/sql.ts';
import { archiveBytes, newArchive } from '../support/tiles.ts';
import { upload } from '../support/uploads.ts';
import { fromIdentity, newDeliveryId, userEvent } from '../support/webhooks.ts';

/** Runs one of the jobs: the others would delete what other tests need, such as the files of their uploads. */
async function run(name: string, changes: object = {}, now = new Date()): Promise<void> {
  const bindings = { ...env, ...changes };
  const job = jobs.find((it) => it.name === name);
  if (!job) throw new Error(`There is no job ${name}`);
  await job.run(jobContext(bindings), now);
}

/** Runs all of them, as the platform does. */
function runAll(DATABASE_URL: string): Promise<void> {
  return worker.scheduled(createScheduledController(), { ...env, DATABASE_URL } as Env, createExecutionContext());
}

async function count(query: SQL): Promise<number> {
  const { rows } = await database.execute(query);
  return Number(rows[0]?.count);
}

describe('housekeeping', () => {
  it('deletes the bodies of old events, and keeps the record that they were received', async () => {
    const [old, recent] = [newDeliveryId(), newDeliveryId()];
    const event = userEvent('user.created', { id: `user_${crypto.randomUUID()}` });
    for (const id of [old, recent]) await fromIdentity(event, { id });
    const age = (id: string, days: number) =>
      database.execute(
        sql`update webhook_events set received_at = now() - make_interval(days => ${days}) where delivery_id = ${id}`,
      );
    await age(old, 91);
    await age(recent, 89);
    const kept = async (id: string) => {
      const { body } = await get(`/v1/admin/webhook-events?delivery_id=${id}`, MASTER);
      return body.data.map(({ body_kept }: Body) => body_kept);
    };
    await run('delete-old-webhook-bodies');
    expect([await kept(old), await kept(recent)]).toEqual([[false], [true]]);
    await run('delete-old-webhook-bodies', { WEBHOOK_BODY_RETENTION_DAYS: '88' });
    expect(await kept(recent)).toEqual([false]);
    // Its id is still known, so a delivery with the same id has no effect.
    await fromIdentity(event, { id: old });
    expect(await kept(old)).toEqual([false]);
  });

  it('deletes boundaries that no feature has and no upload needed for a day', async () => {
    const { session } = await person();
    const release = `r-${crypto.randomUUID()}`;
    const { body } = await upload(session, 'a.csv', 'province,n\nCebu,1\n', { resolution: 'medium' });
    const { rows: taken } = await database.execute(
      sql`select shape_key as key from features join datasets using (version_id) where datasets.id = ${body.data.id}`,
    );
    const used = String(taken[0]?.key);
    const unused = [`${release}/old`, `${release}/new`];
    for (const key of unused) {
      await database.execute(sql`insert into area_shapes (key, type, geojson, bytes, geom, used_at)
        select ${key}, type, geojson, bytes, geom, now() from area_shapes where key = ${used}`);
    }
    await database.execute(
      sql`update area_shapes set used_at = now() - interval '25 hours' where key in (${used}, ${unused[0]})`,
    );
    await run('delete-unused-boundaries');
    const { rows } = await database.execute(
      sql`select key from area_shapes where key = ${used} or key like ${`${release}/%`}`,
    );
    expect(rows.map(({ key }) => key).sort()).toEqual([used, unused[1]].sort());

    // An upload that needs it notes that, so that it is not deleted before its features are there.
    await upload(session, 'a.csv', 'province,n\nCebu,1\n', { resolution: 'medium' });
    const noted = sql`select count(*) from area_shapes where key = ${used} and used_at > now() - interval '1 minute'`;
    expect(await count(noted)).toBe(1);
  });

  it('deletes old rows of the log', async () => {
    const someone = await person();
    const [old, recent] = [await newKey(someone.session), await newKey(someone.session)];
    const age = (id: string, days: number) =>
      database.execute(sql`update audit_logs set at = now() - make_interval(days => ${days}) where subject_id = ${id}`);
    await age(old.id, 366);
    await age(recent.id, 364);
    await run('delete-old-audit-logs');
    expect([(await historyOf(old.id)).length, (await historyOf(recent.id)).length]).toEqual([0, 1]);
  });

  it('does a bounded part in one run, and the rest in the next', async () => {
    const marker = crypto.randomUUID();
    await database.execute(sql`insert into audit_logs (at, actor_kind, action, subject_type, subject_id)
      select now() - interval '2 years', 'command', 'test', 'test', ${marker} from generate_series(1, 7000)`);
    await database.execute(sql`insert into webhook_events (source, delivery_id, received_at, bytes, body)
      select 'email', ${marker} || i, now() - interval '2 years', 1, 'x' from generate_series(1, 3000) i`);
    const rows = () => count(sql`select count(*) from audit_logs where subject_id = ${marker}`);
    const bodies = () =>
      count(sql`select count(*) from webhook_events where body is not null and delivery_id like ${`${marker}%`}`);
    for (const left of [
      [2000, 1000],
      [0, 0],
      [0, 0],
    ]) {
      await run('delete-old-audit-logs');
      await run('delete-old-webhook-bodies');
      expect([await rows(), await bodies()]).toEqual(left);
    }
  });

  it('deletes the objects that interrupted uploads of tiles have left, after an hour', async () => {
    const key = `tiles/${crypto.randomUUID()}.pmtiles`;
    await bucket.put(key, 'left over');
    const { slug } = await newArchive(archiveBytes('regions'));
    await run('delete-unreferenced-tiles');
    expect(await bucket.head(key)).not.toBeNull();
    await run('delete-unreferenced-tiles', {}, new Date(Date.now() + 61 * 60 * 1000));
    expect(await bucket.head(key)).toBeNull();
    expect((await get(`/tiles/pmtiles/${slug}`, MASTER)).bytes).toEqual(archiveBytes('regions'));
  });

  it('finds usage that no alarm will send to the database, and sends it', async () => {
    const someone = await person();
    const key = await newKey(someone.session);
    await get('/v1/regions', bearer(key.key));
    const meters = env.METER;
    const meter = meters.get(meters.idFromName(`key:${key.prefix}`));
    const alarm = () => runInDurableObject(meter, (_, state) => state.storage.getAlarm());
    await eventually(async () => expect(await alarm()).not.toBeNull());
    expect(await meter.resume()).toBe(false);
    await runInDurableObject(meter, (_, state) => state.storage.deleteAlarm());
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    // A run checks some keys, those first that were checked longest ago. This one has been revoked since, and its usage
    // is not known, because it is stuck in the counter.
    await setKey(key.id, sql`usage_checked_at = '2020-01-01', revoked_at = now(), created_at = '2020-01-01'`);
    await run('resume-usage');
    const lines = logged.mock.calls.map(([line]) => String(line));
    logged.mockRestore();
    expect(lines.filter((line) => line.includes(key.id))).toHaveLength(1);
    await eventually(async () => {
      const sum = sql`select coalesce(sum(requests), 0) as count from api_key_usage where key_id = ${key.id}`;
      expect(await count(sum)).toBe(1);
    });
  });

  it('checks every key in its turn, even if the counter of one fails, and a last time after it has expired', async () => {
    const someone = await person();
    const [broken, ended, other] = [
      await newKey(someone.session),
      await newKey(someone.session),
      await newKey(someone.session),
    ];
    const since = async () => {
      const { rows } = await database.execute<{ id: string; day: string }>(
        sql`select id, usage_checked_at::date::text as day from api_keys where user_id = ${other.user_id}`,
      );
      return Object.fromEntries(rows.map(({ id, day }) => [id, day]));
    };
    await setKey(broken.id, sql`usage_checked_at = '2020-01-01'`);
    await setKey(ended.id, sql`usage_checked_at = '2020-01-03', expires_at = '2020-01-01'`);
    await setKey(other.id, sql`usage_checked_at = '2020-01-02', expires_at = '2020-01-02'`);
    const resume = async (name: string) => {
      if (name === `key:${broken.prefix}`) throw new Error('Network connection lost.');
      return false;
    };
    const METER = { idFromName: (name: string) => name, get: (name: string) => ({ resume: () => resume(name) }) };
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    await run('resume-usage', { METER });
    const lines = logged.mock.calls.map(([line]) => JSON.parse(String(line)));
    logged.mockRestore();
    expect(lines).toEqual([expect.objectContaining({ what: 'usage_not_looked_after', key_id: broken.id })]);
    const today = new Date().toISOString().slice(0, 10);
    expect(await since()).toEqual({ [broken.id]: '2020-01-01', [ended.id]: '2020-01-03', [other.id]: today });
    await setKey(broken.id, sql`usage_checked_at = now()`);
  });

  it('deletes the usage of keys of more than ninety days ago', async () => {
    const { id } = await newKey((await person()).session);
    await database.execute(sql`insert into api_key_usage (key_id, day, path, status, requests, duration_ms)
      select ${id}::uuid, (now() at time zone 'UTC')::date - i, '/v1/regions', s, 1, 1
      from generate_series(85, 95) i, generate_series(200, 201) s`);
    await database.execute(sql`insert into api_key_failures (key_id, day, path, status, code, requests)
      select ${id}::uuid, (now() at time zone 'UTC')::date - i, '/v1/regions/{id}', 404, 'area_not_found', 1
      from generate_series(85, 95) i`);
    await run('delete-old-usage');
    expect(await count(sql`select count(*) from api_key_usage where key_id = ${id}`)).toBe(10);
    expect(await count(sql`select count(*) from api_key_failures where key_id = ${id}`)).toBe(5);
  });

  it('runs every job each time, and logs each', async () => {
    const logged = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    await runAll(await (await fetch(inject('spareDatabase'))).text());
    const lines = logged.mock.calls.map(([line]) => JSON.parse(String(line)));
    logged.mockRestore();
    expect(lines.filter(({ what }) => what === 'job_done').map(({ job }) => job)).toEqual(jobs.map(({ name }) => name));
  });

  it('goes on after a job that fails, and fails in the end', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    // Another object sends notifications, with a database that works here: the job only wakes it.
    const names = jobs.map(({ name }) => name).filter((name) => name !== 'send-notifications');
    await expect(runAll(inject('faultyDatabases').fails as string)).rejects.toThrow(`Jobs failed: ${names.join(', ')}`);
    expect(logged.mock.calls).toHaveLength(names.length);
    logged.mockRestore();
  });
});
