import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { connect, type Database } from '../../src/db/client.ts';
import { RELEASE_VERSION } from '../../src/db/releases.ts';
import { type Body, MASTER, workerWith } from '../support/api.ts';
import { apart, like, publish, publishOther } from '../support/snapshot.ts';

// Two releases that differ in the names and boundaries of all areas are activated in turn, while others read.

const FIRST = inject('snapshot').release;
const SECOND = '2031-1q-1';

/** How long an instance may answer from the release before, milliseconds. */
const MAX_AGE_MS = 10_000;

const PATHS = [
  '/v1/provinces?limit=5',
  '/v1/provinces/0604500000',
  '/v1/provinces/0604500000?geometry=true',
  '/v1/regions?format=geojson&geometry=medium',
  // Read in portions, and not kept at the edge.
  '/v1/provinces?format=geojson&geometry=detailed&beside=the-edge',
  '/v1/geocode/reverse?lat=9.1&lon=120.1&geometry=simple',
];

type Ask = ReturnType<typeof workerWith>;

let database: Database;
let bucket: R2Bucket;
let settings: { DATABASE_URL: string };

/** An instance of the Worker with a memory of its own. */
const instance = (): Ask => workerWith({ ...settings, FILES: like(bucket) });

async function activate(ask: Ask, id: string): Promise<void> {
  const request = {
    method: 'POST',
    headers: { ...MASTER, 'Content-Type': 'application/json' },
    body: '{"force":true}',
  };
  const answer = await ask(`/v1/admin/releases/${id}/activate`, request);
  expect(answer.status).toBe(200);
}

const read = (ask: Ask, path: string, encoding = 'br') =>
  ask(path, { headers: { ...MASTER, 'Accept-Encoding': encoding } });
const releaseOf = ({ headers }: { headers: Headers }) => headers.get('X-Data-Release') as string;

beforeAll(async () => {
  settings = { DATABASE_URL: await (await fetch(`${inject('spareDatabase')}activation`)).text() };
  database = connect(settings.DATABASE_URL);
  // The database has what activation needs of a release; everything else is in the bucket.
  await database.execute(sql`insert into data_releases
    select (jsonb_populate_record(r, ${JSON.stringify({ id: SECOND })}::jsonb)).* from data_releases r where id = ${FIRST}`);
  const [row] = await database.rows<{ version: string }>(
    sql`select ${RELEASE_VERSION} as version from data_releases r where id = ${SECOND}`,
  );
  bucket = apart();
  await publish({ active: false, bucket });
  await publishOther(bucket, { release: SECOND, version: row?.version ?? '' });
});

afterAll(async () => {
  await activate(instance(), FIRST);
  await database.execute(sql`delete from data_releases where id = ${SECOND}`);
});

describe('an instance that activates a release', () => {
  it('answers from it with its next answer, whatever it believed before', async () => {
    const ask = instance();
    for (const id of [SECOND, FIRST, SECOND]) {
      await activate(ask, id);
      expect(releaseOf(await ask('/v1/regions'))).toBe(id);
    }
  });

  it('does not believe what it was told of the pointer while it did so', async () => {
    let release: (() => void) | undefined;
    const FILES = like(bucket, {
      get: async (key: string, ...rest: []) => {
        const found = await bucket.get(key, ...rest);
        // The first one that reads the pointer is told late.
        if (key === 'releases/active' && !release) await new Promise<void>((resolve) => (release = resolve));
        return found;
      },
    });
    await activate(instance(), FIRST);
    const ask = workerWith({ ...settings, FILES });
    const early = ask('/v1/regions');
    await vi.waitFor(() => expect(release).toBeDefined());
    await activate(ask, SECOND);
    release?.();
    await early;
    expect(releaseOf(await ask('/v1/regions'))).toBe(SECOND);
  });
});

describe('two releases activated in turn under load', () => {
  it('no answer mixes them, and none is older than ten seconds', async () => {
    const expected = await answersOf(FIRST, SECOND);
    const activating = instance();
    await activate(activating, FIRST);
    vi.useFakeTimers({ toFake: ['Date'] });

    /** The activations in their order, and when each had ended. */
    const history = [{ id: FIRST, sure: Date.now() }];
    const answered: Record<string, number> = {};
    let done = false;

    async function keepReading(ask: Ask, path: string): Promise<void> {
      while (!done) {
        const begun = Date.now();
        const answer = await read(ask, path);
        const id = releaseOf(answer);
        // What takes the place of a release does so ten seconds after its activation has ended.
        const allowed = history.filter((_, i) => begun - (history[i + 1]?.sure ?? begun) <= MAX_AGE_MS);
        expect(
          allowed.map((entry) => entry.id),
          path,
        ).toContain(id);
        expect(answer.status).toBe(200);
        expect(answer.text === expected.get(`${id} ${path}`), `${path} is of ${id} only`).toBe(true);
        answered[id] = (answered[id] ?? 0) + 1;
        // An answer from memory waits for nothing, and would let no other request begin.
        await scheduler.wait(1);
      }
    }

    const reading = [instance(), instance()].flatMap((ask) => PATHS.map((path) => keepReading(ask, path)));
    const failed = Promise.all(reading);
    // A failure is thrown where it is waited for.
    failed.catch(() => undefined);
    try {
      for (const id of [SECOND, FIRST, SECOND, FIRST]) {
        const entry = { id, sure: Number.POSITIVE_INFINITY };
        history.push(entry);
        await activate(activating, id);
        entry.sure = Date.now();
        for (let second = 0; second <= 12; second += 1) {
          await Promise.race([failed, scheduler.wait(20)]);
          vi.setSystemTime(Date.now() + 1000);
        }
      }
    } finally {
      done = true;
      await failed;
      vi.useRealTimers();
    }
    expect(answered[FIRST]).toBeGreaterThan(20);
    expect(answered[SECOND]).toBeGreaterThan(20);
  });

  /** What each release answers, by release and path; the answers differ in names and boundaries. */
  async function answersOf(...ids: string[]): Promise<Map<string, string>> {
    const expected = new Map<string, string>();
    for (const id of ids) {
      const ask = instance();
      await activate(ask, id);
      for (const path of PATHS) {
        const answer = await read(ask, path, 'identity');
        expect([path, releaseOf(answer)]).toEqual([path, id]);
        expected.set(`${id} ${path}`, answer.text);
        for (const feature of answer.body.features ?? []) expect(isMoved(feature)).toBe(id === SECOND);
      }
    }
    for (const path of PATHS) expect(expected.get(`${ids[0]} ${path}`)).not.toBe(expected.get(`${ids[1]} ${path}`));
    return expected;
  }

  /** Whether a feature's geometry is of the second release, in which no name has an "a". */
  function isMoved({ geometry, properties }: Body): boolean {
    const moved = JSON.stringify(geometry).includes('[10');
    expect(moved && properties.name.includes('a')).toBe(false);
    return moved;
  }
});
