import { beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { type Body, MASTER, ON_TIME, openApi, operationOf, workerWith } from '../support/api.ts';
import { bucket } from '../support/bucket.ts';
import { publishFiles } from '../support/downloads.ts';
import { eventually } from '../support/eventually.ts';
import { BUCKET_FAULTS, faultyBucket } from '../support/faulty-bucket.ts';
import { publish, SNAPSHOTS } from '../support/snapshot.ts';
import { some } from '../support/some.ts';
import { FAMILIES, type Family, FILES_OF_LEVELS, type Headers, type Targets, targets } from './families.ts';

// What each thing outside of the Worker can do, with a request of each family. docs/reliability.md has the same as a table.

const DATABASES = some(Object.keys(inject('faultyDatabases')));

/**
 * All waits of a request together end after 4.5 s. A second deadline after the first would end after 8 s at the earliest.
 * The bound is more than the five seconds in which an answer leaves, because here the requests of all families share the
 * processor, and the time until a body breaks off is in it too.
 */
const BOUND_MS = 7500;

/** Outcomes while a service is late: an answer, or the deadline ends in the wait for another service. */
const anyOfLate = (healthy: number) =>
  expect.stringMatching(new RegExp(`^(20[06]|${healthy}|503 (database|storage_unavailable))$`));

/** What no answer may contain. */
const INTERNAL =
  /secret|password|select |127\.0\.0\.1|neon|sqlstate|datasets\/|tiles\/[0-9a-f]{8}-|\(10001\)|at .*\.ts/i;

vi.spyOn(console, 'log').mockImplementation(() => undefined);
const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined);
const logged = () => printed.mock.calls.map(([line]) => String(line));

/**
 * Returns the outcome of one request: its status, with the code for 503 (`503 database` for both codes of the database), or `cut`
 * if its body broke off. Fails if it took longer than `BOUND_MS`.
 */
async function outcomeOf(family: Family, settings: object, given: Targets): Promise<string> {
  const started = Date.now();
  let outcome: string;
  try {
    const { status, headers, body, text } = await family.ask(workerWith({ ...ON_TIME, ...settings }), given);
    outcome = String(status);
    if (status === 503) {
      const id = headers.get('X-Request-Id') as string;
      const lines = logged().filter((line) => line.includes(id));
      // The answer to HEAD has no body to say it.
      const code = body?.code ?? /"code":"(\w+)"/.exec(lines.join())?.[1];
      outcome = /^database_(unavailable|timeout)$/.test(code) ? '503 database' : `503 ${code}`;
      expect(headers.get('Retry-After')).toMatch(/^\d+$/);
      expect(lines.join()).toContain('"status":503');
      // The log names the object.
      if (code === 'storage_unavailable') expect(lines.join()).toMatch(/(datasets|tiles|releases)\//);
    }
    if (status >= 400) expect(text).not.toMatch(INTERNAL);
  } catch (error) {
    if ((error as Error).name === 'AssertionError') throw error;
    expect(logged().join()).toMatch(/object_broke_off/);
    outcome = 'cut';
  }
  expect(Date.now() - started).toBeLessThan(BOUND_MS);
  return outcome;
}

/** How many families are asked at once: more of them would wait for one another longer than for what has the fault. */
const AT_ONCE = 45;

/** The outcomes of all families, by their names. */
async function outcomes(settings: (family: Family) => object): Promise<Record<string, string>> {
  const given = await targets();
  const families = Object.entries(FAMILIES);
  const found: [string, string][] = [];
  for (let i = 0; i < families.length; i += AT_ONCE) {
    const asked = families.slice(i, i + AT_ONCE).map(async ([name, family]): Promise<[string, string]> => {
      return [name, await outcomeOf(family, settings(family), given)];
    });
    found.push(...(await Promise.all(asked)));
  }
  return Object.fromEntries(found);
}

const filesOf = ({ snapshot }: Family) => (snapshot ? SNAPSHOTS : bucket);
const expected = (outcome: (family: Family) => unknown) =>
  Object.fromEntries(Object.entries(FAMILIES).map(([name, family]) => [name, outcome(family)]));

beforeAll(async () => {
  await publish({ active: true });
  await publishFiles(SNAPSHOTS, inject('snapshot'), FILES_OF_LEVELS);
  // Another file of tests may have read the manifest without them, which is cached for ten seconds.
  const ask = workerWith({ ...ON_TIME, FILES: SNAPSHOTS });
  await eventually(async () => {
    const { body } = await ask('/v1/downloads', { headers: MASTER });
    expect(body.data).toHaveLength(FILES_OF_LEVELS.kinds.length);
  });
});

/** Operations that no family asks for, with the reason. */
const NOT_ASKED: Record<string, string> = {
  download_overview: 'reads an object of a snapshot as a file of a level is read',
  download_snapshot: 'reads an object of a snapshot as a file of a level is read',
  get_release: 'reads an object of a snapshot as a file of a level is read',
  get_release_signature: 'reads an object of a snapshot as a file of a level is read',
  publish_snapshot: 'waits for the bucket as an object of a snapshot and a published one do',
};

/** Returns an operation id without level and version, in which routes made by one function differ. */
const kindOf = (operationId: string) =>
  operationId.replace(/^v1_|_v1$/, '').replace(/_(regions?|provinces?|municit(?:y|ies)|barangays?)(?=_|$)/, '_areas');

describe('where everything works', () => {
  it('every family answers, and every operation of the document is in one', async () => {
    const given = await targets();
    const asked = new Set<string>();
    const found: Record<string, string> = {};
    for (const [name, family] of Object.entries(FAMILIES)) {
      const ask = workerWith({ ...ON_TIME, FILES: filesOf(family) });
      const { status } = await family.ask(async (path, init) => {
        asked.add(kindOf((await operationOf(path, init))?.operationId ?? ''));
        return ask(path, init);
      }, given);
      found[name] = String(status);
    }
    expect(found).toEqual(expected(({ healthy = 200 }) => String(healthy)));
    const operations = Object.values<Body>((await openApi()).paths).flatMap((methods) => Object.values<Body>(methods));
    const kinds = new Set(operations.map(({ operationId }) => kindOf(operationId)));
    expect([...kinds].filter((kind) => !asked.has(kind)).sort()).toEqual(Object.keys(NOT_ASKED).sort());
  });
});

describe('the database', () => {
  /** What a family answers while the database behaves so. */
  function outcomeWith(fault: string, { database, healthy = 200, long = false }: Family): unknown {
    const works = String(healthy);
    if (database === '-') return works;
    if (fault === 'is read-only') return database === 'read' ? works : '503 database';
    if (fault === 'is late') return long ? expect.stringMatching(/^503/) : anyOfLate(healthy);
    return '503 database';
  }

  async function meets(fault: string): Promise<void> {
    const DATABASE_URL = inject('faultyDatabases')[fault] as string;
    const found = await outcomes((family) => ({ DATABASE_URL, FILES: filesOf(family) }));
    expect(found).toEqual(expected((family) => outcomeWith(fault, family)));
  }

  it.each(DATABASES)('%s: what needs it is 503, and the rest is answered', meets);
});

describe('an internal error of the database', () => {
  it.each([
    [500, 'GEOSIntersects: TopologyException: side location conflict'],
    [500, 'transform: latitude or longitude exceeded limits (-14)'],
    [503, 'cache lookup failed for type 16420'],
    [503, 'Control plane request failed: project is not ready'],
  ])('is %i: %s', async (expectedStatus, message) => {
    const refusal = async () => Response.json({ message, code: 'XX000' }, { status: 400 });
    const asked = vi.spyOn(globalThis, 'fetch').mockImplementation(refusal);
    const { status } = await workerWith({})('/v1/datasets', { headers: MASTER });
    asked.mockRestore();
    expect(status).toBe(expectedStatus);
  });
});

describe('the bucket', () => {
  const UNAVAILABLE = '503 storage_unavailable';

  function outcomeWith(fault: string, { bucket: need, healthy = 200, except = {} }: Family): unknown {
    const exception = except[fault];
    if (exception !== undefined) return exception === '503' ? UNAVAILABLE : exception;
    if (fault === 'is late') return need === '-' ? String(healthy) : anyOfLate(healthy);
    const isRefused = {
      '-': false,
      read: fault !== 'is read-only',
      write: ['refuses', 'hangs', 'breaks off', 'stands still', 'is read-only'].includes(fault),
    }[need];
    return isRefused ? UNAVAILABLE : String(healthy);
  }

  async function meets(fault: string): Promise<void> {
    const found = await outcomes((family) => ({ FILES: faultyBucket(filesOf(family), fault) }));
    expect(found).toEqual(expected((family) => outcomeWith(fault, family)));
  }

  it.each(some(BUCKET_FAULTS))('%s: what needs it is 503, and the rest is answered', meets);
});

describe('the counter', () => {
  const answers: Record<string, () => unknown> = {
    refuses: () => Promise.reject(new Error('Network connection lost.')),
    hangs: () => new Promise(() => undefined),
    'is late': async () => {
      await scheduler.wait(1500);
      return { allowed: true, remaining: 1, resetMs: 1 };
    },
    'says something else': async () => ({ status: 'active' }),
  };

  it.each(Object.entries(answers))('%s: what is counted is 503 if it does not answer', async (fault, answer) => {
    const methods = ['admit', 'take', 'record', 'learn', 'forget', 'isDeleted', 'noteAccount'].map((name) => [
      name,
      answer,
    ]);
    const METER = { idFromName: () => ({}), get: () => Object.fromEntries(methods) };
    const found = await outcomes((family) => ({ METER, FILES: filesOf(family) }));
    const isSilent = fault !== 'says something else';
    expect(found).toEqual(
      expected(({ healthy = 200, counter }) => (counter && isSilent ? '503 counter_unavailable' : String(healthy))),
    );
  });
});

describe('the cache', () => {
  const kept = (body: BodyInit, headers: Headers) => new Response(body, { headers });
  const ours = { 'X-Data-Release': 'x', 'X-Release-Version': 'another' };
  const stalled = () => new ReadableStream({ type: 'bytes', pull: () => new Promise(() => undefined) });
  const answers: Record<string, () => Promise<Response | undefined>> = {
    refuses: () => Promise.reject(new Error('Internal error')),
    hangs: () => new Promise(() => undefined),
    'is late': async () => {
      await scheduler.wait(1500);
      return kept('late', ours);
    },
    'stands still': async () => kept(stalled(), ours),
    'has something else': async () => kept('<h1>It works!</h1>', {}),
    'has another release': async () => kept('[]', ours),
  };

  it.each(Object.entries(answers))('%s: the answer is made without it', async (_, answer) => {
    const match = vi.spyOn(caches.default, 'match').mockImplementation(answer);
    const put = vi.spyOn(caches.default, 'put').mockImplementation(() => Promise.reject(new Error('Internal error')));
    const found = await outcomes((family) => ({ FILES: filesOf(family) }));
    expect(match).toHaveBeenCalled();
    match.mockRestore();
    put.mockRestore();
    expect(found).toEqual(expected(({ healthy = 200 }) => String(healthy)));
  });
});

describe('everything at once', () => {
  it('hangs: what needs anything is 503', async () => {
    const never = () => new Promise<never>(() => undefined);
    const match = vi.spyOn(caches.default, 'match').mockImplementation(never);
    const counter = { admit: never, take: never, record: never, learn: never, isDeleted: never };
    const METER = { idFromName: () => ({}), get: () => counter };
    const DATABASE_URL = inject('faultyDatabases').hangs;
    const found = await outcomes((family) => ({ METER, DATABASE_URL, FILES: faultyBucket(filesOf(family), 'hangs') }));
    match.mockRestore();
    const needsNothing = ({ database, bucket, snapshot }: Family) => database === '-' && bucket === '-' && !snapshot;
    expect(found).toEqual(expected((family) => (needsNothing(family) ? '200' : expect.stringMatching(/^503 /))));
  });
});
