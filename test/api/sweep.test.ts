import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { sweepVersions } from '../../src/datasets/sweep.ts';
import worker from '../../src/worker.ts';
import { type Body, get, ON_TIME, ORIGIN, send, workerWith } from '../support/api.ts';
import { bucket, isStored } from '../support/bucket.ts';
import { jobContext } from '../support/context.ts';
import { featuresOf } from '../support/datasets.ts';
import { eventually } from '../support/eventually.ts';
import { type Headers, person } from '../support/people.ts';
import { like } from '../support/snapshot.ts';
import { database } from '../support/sql.ts';
import { fileOf, formOf, leavesNoFiles, unpublishedFiles, upload } from '../support/uploads.ts';
import { age, fill, sweep, versionOf } from '../support/versions.ts';

const line = (i: number, more: object = {}) =>
  `${JSON.stringify({ type: 'Feature', geometry: { type: 'Point', coordinates: [i / 1000, 1] }, properties: { i, ...more } })}\n`;
const lines = (count: number) => Array.from({ length: count }, (_, i) => line(i)).join('');
const versionIn = (ref: string) => ref.split('/').at(-1) as string;

describe('a replaced version', () => {
  it('stays a while for those who read it, and is then deleted with its rows and its file', async () => {
    const { session } = await person();
    const first = (await upload(session, 'a.ndjson', lines(3))).body.data;
    const fields = { dataset_id: first.id, feature_storage: 'features_and_r2' };
    const second = (await upload(session, 'b.ndjson', lines(3), fields)).body.data;
    const old = versionIn(first.storage_ref);
    await fill(old);
    await age(old, 14);
    await sweep();
    expect(await versionOf(old)).toEqual({ state: 'retired', features: 6003 });
    expect(await isStored(first.storage_ref)).toBe(true);
    await age(old, 16);
    for (let again = 0; again < 2; again += 1) {
      await sweep();
      expect(await versionOf(old)).toEqual({ state: null, features: 0 });
      expect(await isStored(first.storage_ref)).toBe(false);
      expect(await versionOf(versionIn(second.storage_ref))).toEqual({ state: 'current', features: 3 });
      expect(await featuresOf(session, first.id)).toHaveLength(3);
      expect(await fileOf(session, first.id)).toEqual(new TextEncoder().encode(lines(3)));
    }
  });

  it('is deleted at once when the dataset is deleted', async () => {
    const { session } = await person();
    const { id, storage_ref: ref } = (await upload(session, 'a.ndjson', lines(10))).body.data;
    await send('DELETE', `/v1/datasets/${id}`, session);
    await expect.poll(() => versionOf(versionIn(ref))).toEqual({ state: null, features: 0 });
    expect(await isStored(ref)).toBe(false);
  });
});

it('a file that the bucket stores after its upload was given up is deleted', async () => {
  const { session } = await person();
  let key = '';
  let land = async (): Promise<unknown> => undefined;
  const put = (name: string, bytes: Uint8Array) => {
    key = name;
    land = () => bucket.put(name, bytes);
    return new Promise(() => undefined);
  };
  const { status } = await workerWith({ ...ON_TIME, FILES: like(bucket, { put }) })('/v1/datasets/upload', {
    method: 'POST',
    headers: { ...session, 'Content-Type': 'multipart/form-data; boundary=boundary-of-the-test' },
    body: formOf([['file', 'a.ndjson', lines(1)]]),
  });
  expect(status).toBe(503);
  const version = versionIn(key);
  await expect.poll(() => versionOf(version)).toEqual({ state: 'purging', features: 0 });
  await land();
  expect(await isStored(key)).toBe(true);
  await age(version, 16);
  await sweep();
  expect([await versionOf(version), await isStored(key)]).toEqual([{ state: null, features: 0 }, false]);
});

/** Sends a form of which only the beginning arrives, until what can be stored of it is. */
async function beginUpload(owner: Headers, fields: [string, string][]) {
  const { readable, writable } = new IdentityTransformStream();
  const writer = writable.getWriter();
  const request = new Request(`${ORIGIN}/v1/datasets/upload`, {
    method: 'POST',
    headers: { ...owner, 'Content-Type': 'multipart/form-data; boundary=boundary-of-the-test' },
    body: readable,
  });
  const answer = worker.fetch(request, env, createExecutionContext());
  // More than a part of the file store, and batches of two features each; the last feature is cut.
  const mark = `mark-${crypto.randomUUID()}`;
  const content = Array.from({ length: 14 }, (_, i) => line(i, { [mark]: 'x'.repeat(450_000) })).join('');
  await writer.write(formOf([...fields, ['file', 'c.ndjson', content]]).slice(0, -4000));
  let staged: Body;
  const look = async () => {
    const { rows } = await database.execute(
      sql`select id, multipart_id, feature_count from dataset_versions where ${mark} = any(property_names)`,
    );
    [staged] = rows;
    return [staged?.feature_count, typeof staged?.multipart_id];
  };
  await expect.poll(look).toEqual([12, 'string']);
  return { version: staged.id as string, parts: staged.multipart_id as string, writer, answer };
}

/** A version that was replaced longer ago than any other, with more features than one statement deletes. */
async function replaced(minutes: number) {
  const id = crypto.randomUUID();
  const key = `datasets/${id}`;
  await bucket.put(key, 'x');
  await database.execute(sql`insert into dataset_versions (id, state, storage_key) values (${id}, 'retired', ${key})`);
  await fill(id);
  await age(id, minutes);
  return { id, key };
}

describe('one run of the sweep', () => {
  it('deletes a bounded number of features, and the next goes on', async () => {
    const { id } = await replaced(30_000);
    const budget = { batches: 1 };
    await sweepVersions(jobContext(env), { now: new Date(), budget });
    expect(budget.batches).toBe(0);
    expect(await versionOf(id)).toEqual({ state: 'purging', features: 1000 });
    await age(id, 16);
    await sweep();
    expect(await versionOf(id)).toEqual({ state: null, features: 0 });
  });

  it('goes on when a version can not be deleted, and tries that one last the next time', async () => {
    const [bad, good] = [await replaced(20_001), await replaced(20_000)];
    const failing = new Proxy(bucket, {
      get: (real, name: keyof R2Bucket) =>
        name === 'delete'
          ? async (key: string) => (key === bad.key ? Promise.reject(new Error('Not now')) : real.delete(key))
          : (real[name] as () => unknown).bind(real),
    });
    await expect(sweepVersions(jobContext({ ...env, FILES: failing }), { now: new Date() })).rejects.toThrow(
      'could not be removed: 1',
    );
    expect(await versionOf(good.id)).toEqual({ state: null, features: 0 });
    expect(await versionOf(bad.id)).toEqual({ state: 'purging', features: 6000 });
    const { rows } = await database.execute(
      sql`select now() - touched_at < '5 minutes' as late from dataset_versions where id = ${bad.id}`,
    );
    expect(rows).toEqual([{ late: true }]);
    await age(bad.id, 16);
    await sweep();
    expect(await versionOf(bad.id)).toEqual({ state: null, features: 0 });
  });
});

describe('an upload that does not end', () => {
  it('is seen by nobody, and taken back when its client goes away', async () => {
    const { session } = await person();
    const { id } = (await upload(session, 'a.ndjson', lines(3))).body.data;
    const files = await unpublishedFiles();
    const { version, parts, writer, answer } = await beginUpload(session, [
      ['dataset_id', id],
      ['feature_storage', 'features_and_r2'],
    ]);
    expect(await featuresOf(session, id)).toHaveLength(3);
    expect((await get('/v1/features', session)).body.data).toHaveLength(3);
    await writer.abort(new Error('gone'));
    expect((await answer).status).toBeGreaterThanOrEqual(400);
    // It is removed after the answer.
    await eventually(async () => expect(await versionOf(version)).toEqual({ state: null, features: 0 }));
    await leavesNoFiles(files);
    await expect(bucket.resumeMultipartUpload(`datasets/${version}`, parts).uploadPart(3, 'x')).rejects.toThrow();
    expect(await featuresOf(session, id)).toHaveLength(3);
  });

  it('is deleted an hour after the server that stored it has died', async () => {
    const { session } = await person();
    const { id } = (await upload(session, 'a.ndjson', lines(3))).body.data;
    // What a crash leaves: an intent, some rows, and an upload in parts or an object that nobody points to.
    for (const complete of [false, true]) {
      const version = crypto.randomUUID();
      const key = `datasets/${version}`;
      const parts = await bucket.createMultipartUpload(key);
      const part = await parts.uploadPart(1, new Uint8Array(5 * 1024 * 1024));
      if (complete) await parts.complete([part]);
      await database.execute(
        sql`insert into dataset_versions (id, state, storage_key, multipart_id)
          values (${version}, 'staged', ${key}, ${parts.uploadId})`,
      );
      await fill(version);
      await age(version, 59);
      await sweep();
      expect(await versionOf(version)).toEqual({ state: 'staged', features: 6000 });
      await age(version, 61);
      for (let again = 0; again < 2; again += 1) {
        await sweep();
        expect(await versionOf(version)).toEqual({ state: null, features: 0 });
        expect(await bucket.head(key)).toBeNull();
        await expect(bucket.resumeMultipartUpload(key, parts.uploadId).uploadPart(2, 'x')).rejects.toThrow();
      }
    }
    expect(await featuresOf(session, id)).toHaveLength(3);
  });

  it('fails and leaves nothing if it goes on after it was swept away', async () => {
    const { session } = await person();
    const files = await unpublishedFiles();
    const { version, writer, answer } = await beginUpload(session, []);
    await age(version, 61);
    await sweep();
    expect(await versionOf(version)).toEqual({ state: null, features: 0 });
    // The Worker may have given up reading by then.
    const rest = `${line(1)}\r\n--boundary-of-the-test--\r\n`;
    await writer.write(new TextEncoder().encode(rest)).catch(() => undefined);
    await writer.close().catch(() => undefined);
    expect((await answer).status).toBeGreaterThanOrEqual(400);
    expect(await versionOf(version)).toEqual({ state: null, features: 0 });
    await leavesNoFiles(files);
    expect((await get('/v1/datasets', session)).body.meta.total).toBe(0);
  });
});
