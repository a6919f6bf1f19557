import { sql } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import { type Answer, type Body, get, MASTER, patch, post, send, workerWith } from '../support/api.ts';
import { bucket } from '../support/bucket.ts';
import { newDataset, point } from '../support/datasets.ts';
import { eventually } from '../support/eventually.ts';
import { atOnce, byStatus } from '../support/limits.ts';
import { bearer, type Headers, newKey, person } from '../support/people.ts';
import { database } from '../support/sql.ts';
import { type Field, formOf, upload } from '../support/uploads.ts';

/** What a dataset counts, and what a feature of nothing does: its row, and "null" as its properties. */
const [DATASET, FEATURE] = [1024, 256 + 4];

const worker = (ACCOUNT_MAX_BYTES: number) => {
  const ask = workerWith({ ACCOUNT_MAX_BYTES: String(ACCOUNT_MAX_BYTES) });
  const json = (method: string, path: string, owner: Headers, body?: unknown) =>
    ask(path, {
      method,
      headers: { ...owner, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const form = (
    owner: Headers,
    name: string,
    content: string,
    fields: Record<string, string> = {},
    more: Record<string, string> = {},
  ) => {
    const given: Field[] = [...Object.entries(fields), ['file', name, content]];
    const headers = { ...owner, ...more, 'Content-Type': 'multipart/form-data; boundary=boundary-of-the-test' };
    return ask('/v1/datasets/upload', { method: 'POST', headers, body: formOf(given) as BodyInit });
  };
  return { json, form };
};

const stored = async (owner: Headers): Promise<number> =>
  (await get('/v1/api-keys/stats', owner)).body.limits.stored_bytes.used;

const empty = (count: number) => Array.from({ length: count }, () => ({ geom: null }));
const raw = (text: string): Record<string, string> => ({ name: text, feature_storage: 'r2_only' });

describe('what an account stores', () => {
  it('is told by every write and by the summary, and is given back when it is deleted', async () => {
    const { session } = await person();
    const told: string[] = [];
    const tell = (answer: Answer) => {
      expect(answer.status).toBe(200);
      told.push(answer.headers.get('X-Storage-Quota') ?? '');
      return answer.body;
    };
    const { data: one } = tell(await post('/v1/datasets', { name: 'One', features: empty(2) }, session));
    const { data: feature } = tell(await post('/v1/features', { dataset_id: one.id, geom: null }, session));
    tell(await patch(`/v1/features/${feature.id}`, { properties: 'x'.repeat(98) }, session));
    tell(await patch(`/v1/datasets/${one.id}`, { metadata: 'x'.repeat(98) }, session));
    const { data: other } = tell(await upload(session, 'a.bin', 'x'.repeat(5000), raw('Other')));
    tell(await patch(`/v1/features/${feature.id}`, { dataset_id: other.id }, session));
    const fields = { dataset_id: other.id, feature_storage: 'r2_only' };
    tell(await upload(session, 'a.bin', 'x'.repeat(50), fields));
    expect(await stored(session)).toBe(2 * DATASET + 2 * FEATURE + 100 + 50);
    const { body } = await get('/v1/datasets?visibility=mine', session);
    expect(body.data.map((dataset: Body) => [dataset.name, dataset.stored_bytes])).toEqual([
      ['Other', DATASET + 50],
      ['One', DATASET + 2 * FEATURE + 100],
    ]);
    tell(await send('DELETE', `/v1/datasets/${other.id}`, session));
    tell(await send('DELETE', `/v1/datasets/${one.id}`, session));
    const before = DATASET + 3 * FEATURE + 96 + 100;
    expect(told).toEqual(
      [
        DATASET + 2 * FEATURE,
        DATASET + 3 * FEATURE,
        DATASET + 3 * FEATURE + 96,
        before,
        before + DATASET + 5000,
        before + DATASET + 5000,
        DATASET + 2 * FEATURE + 100 + DATASET + 50,
        DATASET + 2 * FEATURE + 100,
        0,
      ].map((used) => `used=${used}, allowed=2147483648`),
    );
    expect(await stored(session)).toBe(0);
    expect((await get('/v1/regions', session)).headers.has('X-Storage-Quota')).toBe(false);
  });

  it('can not become more than its quota, in whatever way, and a refused write leaves nothing behind', async () => {
    const { subject, session } = await person();
    const { json, form } = worker(4 * DATASET);
    const { data: full } = (await json('POST', '/v1/datasets', session, { name: 'Full', features: empty(1) })).body;
    const { data: file } = (await form(session, 'a.bin', 'x'.repeat(1400), raw('File'))).body;
    const [{ id: feature }] = (await get(`/v1/features/dataset/${full.id}`, session)).body.data;
    const used = 2 * DATASET + FEATURE + 1400;
    const objects = async () => (await bucket.list({ prefix: 'datasets/' })).objects.map(({ key }) => key);
    const [filesBefore, versionsBefore] = [await objects(), await versions(full.user_id)];
    const key = bearer((await newKey(session)).key);
    const geojson = JSON.stringify({
      type: 'FeatureCollection',
      features: [{ type: 'Feature', geometry: point(1, 2), properties: null }],
    });
    for (const writing of [
      json('POST', '/v1/datasets', key, { name: 'More', features: empty(2) }),
      json('PATCH', `/v1/datasets/${full.id}`, session, { metadata: 'x'.repeat(500) }),
      json('PATCH', `/v1/datasets/${full.id}`, session, { description: 'x'.repeat(500) }),
      json('POST', '/v1/features', session, { dataset_id: full.id, geom: null, properties: 'x'.repeat(200) }),
      json('PATCH', `/v1/features/${feature}`, session, { properties: 'x'.repeat(500) }),
      form(session, 'b.geojson', geojson),
      form(session, 'b.bin', 'x'.repeat(1800), { dataset_id: file.id, feature_storage: 'r2_only' }),
    ]) {
      const { status, body, headers } = await writing;
      expect([status, body.code, body.used_bytes, body.allowed_bytes]).toEqual([
        413,
        'quota_exceeded',
        used,
        4 * DATASET,
      ]);
      expect(headers.get('X-Storage-Quota')).toBe(`used=${used}, allowed=${4 * DATASET}`);
      expect(body.message).toContain(`stores ${used} of at most ${4 * DATASET} bytes`);
    }
    expect(await stored(session)).toBe(used);
    // What a refused upload had stored is removed after the answer.
    const left = async () => [await objects(), await versions(full.user_id)];
    await expect.poll(left).toEqual([filesBefore, versionsBefore]);
    // What takes no more room is possible, also where less is allowed by now. So is what the administrator does.
    const less = worker(DATASET);
    const smaller = await less.form(session, 'b.bin', 'x'.repeat(1000), {
      dataset_id: file.id,
      feature_storage: 'r2_only',
    });
    expect(smaller.status).toBe(200);
    expect((await less.json('PATCH', `/v1/datasets/${full.id}`, session, { name: 'Still full' })).status).toBe(200);
    expect((await less.json('POST', '/v1/datasets', MASTER, { name: 'Given', user_id: full.user_id })).status).toBe(
      200,
    );
    expect((await less.json('POST', '/v1/datasets', (await person()).session, { name: 'Theirs' })).status).toBe(200);
    expect((await less.json('DELETE', `/v1/features/${feature}`, session)).status).toBe(200);
    expect(subject).toBeTruthy();
  });

  it('can not become more by uploads and features at once', async () => {
    const { session } = await person();
    const most = 10 * DATASET;
    const { json, form } = worker(most);
    const uploads = byStatus(
      await atOnce(6, (i) => form(session, `${i}.csv`, `lon,lat\n${'1,2\n'.repeat(4)}`, { name: `${i}` })),
    );
    expect([uploads[200]?.length, uploads[413]?.length]).toEqual([4, 2]);
    const [first, second] = [uploads[200]?.[0]?.body.data.id, uploads[200]?.[1]?.body.data.id];
    const each = (most - (await stored(session))) / FEATURE;
    const features = byStatus(
      await atOnce(Math.floor(each) + 8, (i) =>
        json('POST', '/v1/features', session, { dataset_id: i % 2 === 0 ? first : second, geom: null }),
      ),
    );
    expect([features[200]?.length, features[413]?.length]).toEqual([Math.floor(each), 8]);
    expect(await stored(session)).toBeLessThanOrEqual(most);
  });

  it('can not be exceeded by replacing a file again and again, nor by uploads that never end', async () => {
    const { session } = await person();
    const { json, form } = worker(4 * DATASET);
    const { data: one } = (await json('POST', '/v1/datasets', session, { name: 'One', features: empty(10) })).body;
    const userId = one.user_id;
    const replace = () => form(session, 'a.bin', 'x'.repeat(1000), { dataset_id: one.id, feature_storage: 'r2_only' });
    // The features of the first contents count too: with one file they are less than the quota, with two more.
    const answers = [await replace(), await replace(), await replace(), await replace()];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    const refused = answers[3] as Answer;
    expect([refused.body.code, refused.headers.get('Retry-After')]).toEqual(['too_many_uploads', '60']);
    const other = await person();
    expect((await form(other.session, 'a.bin', 'x', raw('Other'))).status).toBe(200);
    await database.execute(sql`delete from dataset_versions where owner = ${userId} and state = 'retired'`);
    expect((await replace()).status).toBe(200);
    await database.execute(sql`delete from dataset_versions where owner = ${userId} and state = 'retired'`);
    await database.execute(
      sql`insert into dataset_versions (state, owner) select 'staged', ${userId} from generate_series(1, 20)`,
    );
    const busy = await replace();
    expect([busy.status, busy.body.code]).toEqual([429, 'too_many_uploads']);
    await database.execute(
      sql`update dataset_versions set touched_at = now() - interval '6 minutes' where owner = ${userId} and state = 'staged'`,
    );
    expect((await replace()).status).toBe(200);
  });

  // The job that another test runs may delete what others have replaced: then this one is tried again.
  it('makes room by itself: an upload deletes what was replaced a while ago, also one that is refused for it', {
    retry: 2,
  }, async () => {
    const [{ session }, other] = [await person(), await person()];
    const { json, form } = worker(4 * DATASET);
    const replacer = async (owner: Headers) => {
      const { data } = (await json('POST', '/v1/datasets', owner, { name: 'One', features: empty(10) })).body;
      const fields = { dataset_id: data.id, feature_storage: 'r2_only' };
      return { userId: data.user_id, replace: () => form(owner, 'a.bin', 'x'.repeat(1000), fields) };
    };
    const [mine, theirs] = [await replacer(session), await replacer(other.session)];
    for (const { replace } of [mine, theirs]) for (let i = 0; i < 3; i += 1) expect((await replace()).status).toBe(200);
    expect((await mine.replace()).status).toBe(429);
    expect(await versions(mine.userId)).toBe(4);
    await database.execute(sql`update dataset_versions set touched_at = now() - interval '16 minutes'
      where owner in (${mine.userId}, ${theirs.userId}) and state = 'retired'`);
    expect((await mine.replace()).status).toBe(429);
    await eventually(async () => expect(await versions(mine.userId)).toBe(1));
    expect((await mine.replace()).status).toBe(200);
    // What others have replaced is theirs to delete, or for the night.
    expect(await versions(theirs.userId)).toBe(4);
  });

  it('is looked at before a file is stored that can not fit, whatever it replaces', async () => {
    const { session } = await person();
    const { form } = worker(4 * DATASET);
    const { data: file } = (await form(session, 'a.bin', 'x'.repeat(1000), raw('File'))).body;
    const before = await versions(file.user_id);
    const fields = { dataset_id: file.id, feature_storage: 'r2_only' };
    const length = (bytes: number) => ({ 'Content-Length': String(1024 * 1024 + bytes) });
    const [fits, large] = [
      await form(session, 'b.bin', 'x', fields, length(4 * DATASET)),
      await form(session, 'b.bin', 'x', fields, length(4 * DATASET + 1)),
    ];
    expect([fits.status, large.status, large.body.code]).toEqual([200, 413, 'quota_exceeded']);
    expect(await versions(file.user_id)).toBe(before + 1);
  });

  it.each([
    ['a file', 'a.bin', 'feature_storage', 'r2_only', 'x', 24],
    ['features, which are larger than their file', 'a.csv', 'feature_storage', 'features_and_r2', '1,2\n', 5],
    ['features that may not be wanted', 'a.csv', 'name', 'x', '1,2\n', 24],
  ])('ends the upload of %s while it arrives, whose length nobody said', async (_, name, field, value, text, most) => {
    const { session } = await person();
    const { user_id: userId } = await newDataset(session);
    const before = await versions(userId);
    const form = new TextDecoder()
      .decode(
        formOf([
          [field, value],
          ['file', name, 'lon,lat\n'],
        ]),
      )
      .split('\r\n--');
    const encoder = new TextEncoder();
    let sent = 0;
    const pull = (controller: ReadableByteStreamController) => {
      controller.enqueue(
        encoder.encode(sent === 0 ? form.slice(0, -1).join('\r\n--') : text.repeat(65_536 / text.length)),
      );
      sent += 1;
    };
    const body = new ReadableStream({ type: 'bytes', pull }, { highWaterMark: 0 });
    const headers = { ...session, 'Content-Type': 'multipart/form-data; boundary=boundary-of-the-test' };
    const ask = workerWith({ ACCOUNT_MAX_BYTES: String(1024 * 1024) });
    const { status, body: answer } = await ask('/v1/datasets/upload', { method: 'POST', headers, body });
    expect([status, answer.code, answer.used_bytes]).toEqual([413, 'quota_exceeded', DATASET]);
    expect(sent).toBeLessThanOrEqual(most);
    await vi.waitFor(async () => expect(await versions(userId)).toBe(before), { timeout: 5000 });
  });

  it('goes with a dataset to its new owner, whether known by id or by address, and stays the sum of the datasets', async () => {
    const [first, second, address] = [await person(), await person(), await person()];
    const ids = await Promise.all([first, second].map(async ({ session }) => (await newDataset(session)).user_id));
    const { id } = await newDataset(first.session, { features: empty(3) });
    const all = async () => Promise.all([first, second, address].map(({ session }) => stored(session)));
    const size = DATASET + 3 * FEATURE;
    expect(await all()).toEqual([DATASET + size, DATASET, 0]);
    expect((await patch(`/v1/datasets/${id}`, { user_id: ids[1] })).status).toBe(200);
    expect(await all()).toEqual([DATASET, DATASET + size, 0]);
    expect((await patch(`/v1/datasets/${id}`, { user_email: address.email })).status).toBe(200);
    expect(await all()).toEqual([DATASET, DATASET, size]);
    const { json } = worker(size + 100);
    const more = await json('POST', '/v1/features', address.session, { dataset_id: id, geom: null });
    expect([more.status, more.body.code]).toEqual([413, 'quota_exceeded']);
    const { rows } = await database.execute<{ wrong: number }>(sql`select count(*)::int as wrong from account_storage s
      full join (select coalesce(user_id::text, user_email) as owner,
          sum(stored_bytes(file_bytes, feature_bytes, feature_count, description, metadata)) as bytes
        from datasets where user_id is not null or user_email is not null group by 1) d on d.owner = s.owner
      where coalesce(s.bytes, 0) <> coalesce(d.bytes, 0)`);
    expect(rows).toEqual([{ wrong: 0 }]);
  });
});

it('what all keys made in the last minute stands in the summary', async () => {
  const { session } = await person();
  const [one, other] = [await newKey(session), await newKey(session)];
  for (const { key } of [one, other, other] as Body[]) await get('/v1/regions', bearer(key));
  const { limits } = (await get('/v1/api-keys/stats', session)).body;
  expect(limits.requests_per_minute).toEqual({ allowed: 600, used: 3 });
});

/** How many versions are stored for a user, whether a dataset shows them or not. */
async function versions(userId: string): Promise<number> {
  const { rows } = await database.execute<{ n: number }>(sql`select count(*)::int as n from dataset_versions
    where owner = ${userId} or id in (select version_id from datasets where user_id = ${userId})`);
  return rows[0]?.n ?? -1;
}
