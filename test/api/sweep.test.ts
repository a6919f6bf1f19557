import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import worker from '../../src/worker.ts';
import { type Body, get, ORIGIN } from '../support/api.ts';
import { featuresOf, send } from '../support/datasets.ts';
import { type Headers, person } from '../support/people.ts';
import { BUCKET, fileOf, formOf, storedKeys, upload } from '../support/uploads.ts';
import { ask, sweep, versionOf } from '../support/versions.ts';

const line = (i: number, text = '') =>
  `${JSON.stringify({ type: 'Feature', geometry: { type: 'Point', coordinates: [i / 1000, 1] }, properties: { i, text } })}\n`;
const lines = (count: number) => Array.from({ length: count }, (_, i) => line(i)).join('');
const versionIn = (ref: string) => ref.split('/').at(-1) as string;

describe('what was replaced', () => {
  it('stays for those who read it and is then swept away, rows and file', async () => {
    const { session } = await person();
    const first = (await upload(session, 'a.ndjson', lines(6000))).body.data;
    const fields = { dataset_id: first.id, feature_storage: 'features_and_r2' };
    const second = (await upload(session, 'b.ndjson', lines(3), fields)).body.data;
    const old = versionIn(first.storage_ref);
    await sweep();
    expect(await versionOf(old)).toEqual({ state: 'retired', features: 6000 });
    expect(await storedKeys()).toContain(first.storage_ref);
    for (let again = 0; again < 2; again += 1) {
      await sweep(20);
      expect(await versionOf(old)).toEqual({ state: null, features: 0 });
      expect(await storedKeys()).not.toContain(first.storage_ref);
      expect(await versionOf(versionIn(second.storage_ref))).toEqual({ state: 'current', features: 3 });
      expect(await featuresOf(session, first.id)).toHaveLength(3);
      expect(await fileOf(session, first.id)).toEqual(new TextEncoder().encode(lines(3)));
    }
  });

  it('is gone at once when the dataset is deleted', async () => {
    const { session } = await person();
    const { id, storage_ref: ref } = (await upload(session, 'a.ndjson', lines(10))).body.data;
    await send('DELETE', `/v1/datasets/${id}`, session);
    await expect.poll(() => versionOf(versionIn(ref))).toEqual({ state: null, features: 0 });
    expect(await storedKeys()).not.toContain(ref);
  });
});

/** Sends a form of which only the beginning arrives, until some features of it are stored. */
async function beginUpload(owner: Headers, fields: [string, string][]) {
  const before = (await ask('select id from dataset_versions')).map(({ id }) => id);
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const request = new Request(`${ORIGIN}/v1/datasets/upload`, {
    method: 'POST',
    headers: { ...owner, 'Content-Type': 'multipart/form-data; boundary=boundary-of-the-test' },
    body: readable,
  });
  const answer = worker.fetch(request, env, createExecutionContext());
  // More than a part of the file store, and more than two batches of features.
  const content = Array.from({ length: 14 }, (_, i) => line(i, 'x'.repeat(450_000))).join('');
  await writer.write(formOf([...fields, ['file', 'c.ndjson', content]]).slice(0, -40));
  const staged = async () => {
    const rows = await ask(`select id, multipart_id, feature_count from dataset_versions where state = 'staged'`);
    return rows.find(({ id }) => !before.includes(id as string)) as Body;
  };
  await expect.poll(async () => (await staged())?.feature_count, { timeout: 10_000 }).toBeGreaterThan(3);
  await expect.poll(async () => (await staged())?.multipart_id, { timeout: 10_000 }).toBeTruthy();
  return { version: (await staged()).id as string, writer, answer };
}

describe('an upload that does not end', () => {
  it('is seen by nobody, and taken back when its client goes away', async () => {
    const { session } = await person();
    const { id } = (await upload(session, 'a.ndjson', lines(3))).body.data;
    const keys = await storedKeys();
    const { version, writer, answer } = await beginUpload(session, [
      ['dataset_id', id],
      ['feature_storage', 'features_and_r2'],
    ]);
    expect(await featuresOf(session, id)).toHaveLength(3);
    expect((await get('/v1/features', session)).body.data).toHaveLength(3);
    await writer.abort(new Error('gone'));
    expect((await answer).status).toBeGreaterThanOrEqual(400);
    expect(await versionOf(version)).toEqual({ state: null, features: 0 });
    expect(await storedKeys()).toEqual(keys);
    expect(await featuresOf(session, id)).toHaveLength(3);
  });

  it('because its server died is swept away when it has been silent for long', async () => {
    const { session } = await person();
    const { id } = (await upload(session, 'a.ndjson', lines(3))).body.data;
    // What a crash leaves: an intent, some rows, and an upload in parts or an object that nobody points to.
    for (const complete of [false, true]) {
      const version = crypto.randomUUID();
      const key = `datasets/${id}/${version}`;
      const parts = await BUCKET.createMultipartUpload(key);
      const part = await parts.uploadPart(1, new Uint8Array(5 * 1024 * 1024));
      if (complete) await parts.complete([part]);
      await ask(`insert into dataset_versions (id, state, storage_key, multipart_id) values ($1, 'staged', $2, $3)`, [
        version,
        key,
        parts.uploadId,
      ]);
      await ask(
        `insert into features (version_id, type, properties, bytes) select $1, 0, 'null', 4 from generate_series(1, 12000)`,
        [version],
      );
      await sweep(30);
      expect(await versionOf(version)).toEqual({ state: 'staged', features: 12_000 });
      for (let again = 0; again < 2; again += 1) {
        await sweep(61);
        expect(await versionOf(version)).toEqual({ state: null, features: 0 });
        expect(await BUCKET.head(key)).toBeNull();
        await expect(BUCKET.resumeMultipartUpload(key, parts.uploadId).uploadPart(2, 'x')).rejects.toThrow();
      }
    }
    expect(await featuresOf(session, id)).toHaveLength(3);
  });

  it('and goes on after it was swept away fails, and leaves nothing', async () => {
    const { session } = await person();
    const keys = await storedKeys();
    const { version, writer, answer } = await beginUpload(session, []);
    await sweep(61);
    expect(await versionOf(version)).toEqual({ state: null, features: 0 });
    // The Worker may have given up reading by then.
    const rest = `${line(1)}\r\n--boundary-of-the-test--\r\n`;
    await writer.write(new TextEncoder().encode(rest)).catch(() => undefined);
    await writer.close().catch(() => undefined);
    expect((await answer).status).toBeGreaterThanOrEqual(400);
    expect(await versionOf(version)).toEqual({ state: null, features: 0 });
    expect(await storedKeys()).toEqual(keys);
    expect((await get('/v1/datasets', session)).body.meta.total).toBe(0);
  });
});
