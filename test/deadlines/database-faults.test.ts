import { describe, expect, inject, it, vi } from 'vitest';
import { type Body, MASTER, ON_TIME, openApi, operationOf, workerWith } from '../support/api.ts';
import { faultyBucket } from '../support/faulty-bucket.ts';
import { some } from '../support/some.ts';
import { FAMILIES, type Family, type Headers, targets } from './families.ts';
import { anyOfLate, expected, filesOf, outcomes, publishBefore } from './outcomes.ts';

// What comes of the faults of the database and of the cache, and of all things at once.

const DATABASES = some(Object.keys(inject('faultyDatabases')));

publishBefore();

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
