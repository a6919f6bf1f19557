import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it } from 'vitest';
import worker from '../../src/worker.ts';
import { get, ORIGIN, send } from '../support/api.ts';
import { featuresOf, newDataset, point } from '../support/datasets.ts';
import { type Headers, person } from '../support/people.ts';
import { upload } from '../support/uploads.ts';

const many = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ geom: point(i / 100, 10), properties: { i } }));

/** A dataset of several pages of features; gives its id. */
async function largeDataset(owner: Headers): Promise<string> {
  const lines = many(6500).map(({ geom, properties }) =>
    JSON.stringify({ type: 'Feature', geometry: geom, properties }),
  );
  return (await upload(owner, 'large.ndjson', lines.join('\n'))).body.data.id;
}

/** The Worker sends statements to the database with this. */
const fetched = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = fetched;
});

/** Begins to read an answer, which the Worker produces only as it is read. Gives what reads the rest. */
async function beginReading(path: string, owner: Headers) {
  const request = new Request(ORIGIN + path, { headers: owner });
  const { body } = await worker.fetch(request, env, createExecutionContext());
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  expect((await reader.read()).done).toBe(false);
  const rest = async () => {
    while (!(await reader.read()).done);
  };
  return rest;
}

describe('somebody who reads a dataset while it is deleted', () => {
  const PATHS = [
    (id: string) => `/v1/features/dataset/${id}`,
    (id: string) => `/v1/datasets/${id}?includeFeatures=true`,
    (id: string) => `/v1/datasets/${id}/export`,
    (id: string) => `/v1/datasets/${id}/export?format=csv`,
    () => '/v1/features',
    () => '/v1/datasets?includeFeatures=true',
  ];

  it.each(PATHS)('gets no list that looks complete: %s', async (path) => {
    const { session } = await person();
    const id = await largeDataset(session);
    const rest = await beginReading(path(id), session);
    expect((await send('DELETE', `/v1/datasets/${id}`, session)).status).toBe(200);
    await expect(rest()).rejects.toThrow();
  });

  it('gets no list that looks complete while the features are still being deleted', async () => {
    const { session } = await person();
    const id = await largeDataset(session);
    const rest = await beginReading(`/v1/features/dataset/${id}`, session);
    // Statements that delete features don't arrive.
    globalThis.fetch = async (url, init) => {
      if (/delete from \\?"features\\?"/.test(String(init?.body))) throw new TypeError('Network connection lost.');
      return fetched(url, init);
    };
    expect((await send('DELETE', `/v1/datasets/${id}`, session)).status).toBe(200);
    await expect(rest()).rejects.toThrow();
  });

  it('gets all of it where nothing is deleted', async () => {
    const { session } = await person();
    const id = await largeDataset(session);
    const rest = await beginReading(`/v1/features/dataset/${id}`, session);
    await expect(rest()).resolves.toBeUndefined();
  });

  /** Deletes a dataset when its first features are about to be read. */
  function deletedBeforeItsFeatures(owner: Headers, id: string): void {
    globalThis.fetch = async (url, init) => {
      if (String(init?.body).includes('string_agg')) {
        globalThis.fetch = fetched;
        await send('DELETE', `/v1/datasets/${id}`, owner);
      }
      return fetched(url, init);
    };
  }

  it.each(['?includeFeatures=true', '/export', '/export?format=csv', '/export?format=ndjson'])(
    'gets 404 where the answer has not begun: %s',
    async (rest) => {
      const { session } = await person();
      const { id } = await newDataset(session, { features: many(3) });
      deletedBeforeItsFeatures(session, id);
      const { status, body } = await get(`/v1/datasets/${id}${rest}`, session);
      expect([status, body.code]).toEqual([404, 'dataset_not_found']);
    },
  );

  it.each(['', '?limit=10'])('gets an empty list of its features: %s', async (query) => {
    const { session } = await person();
    const { id } = await newDataset(session, { features: many(3) });
    deletedBeforeItsFeatures(session, id);
    const { status, body } = await get(`/v1/features/dataset/${id}${query}`, session);
    expect([status, body.data]).toEqual([200, []]);
  });

  it.each([0, 1])('gets the features of the other datasets in a list of several (%i)', async (at) => {
    const { session } = await person();
    const datasets = [
      await newDataset(session, { features: many(3) }),
      await newDataset(session, { features: many(2) }),
    ];
    const [gone, kept] = at === 0 ? datasets : datasets.toReversed();
    deletedBeforeItsFeatures(session, gone.id);
    const { body } = await get('/v1/features', session);
    expect(body.data).toEqual(await featuresOf(session, kept.id));
  });

  it('gets a list of datasets without it, and never the dataset without its features', async () => {
    const { session } = await person();
    const [kept, gone] = [
      await newDataset(session, { features: many(3) }),
      await newDataset(session, { features: many(2) }),
    ];
    deletedBeforeItsFeatures(session, gone.id);
    const { body } = await get('/v1/datasets?includeFeatures=true', session);
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([kept.id]);
    await send('DELETE', `/v1/datasets/${kept.id}`, session);
    const last = await newDataset(session, { features: many(1) });
    deletedBeforeItsFeatures(session, last.id);
    expect((await get('/v1/datasets?includeFeatures=true', session)).body.data).toEqual([]);
  });
});

it('a list of datasets whose features can not be read is an error, and no list without them', async () => {
  const { session } = await person();
  await newDataset(session, { features: many(1) });
  globalThis.fetch = async (url, init) => {
    if (String(init?.body).includes('string_agg')) throw new TypeError('Network connection lost.');
    return fetched(url, init);
  };
  expect((await get('/v1/datasets?includeFeatures=true', session)).status).toBe(503);
});
