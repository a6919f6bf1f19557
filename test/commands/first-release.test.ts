import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { withClient } from '../../scripts/database/client.ts';
import { FirstRelease, PARTS_OF_RELEASE } from '../../scripts/dev/first-release.ts';
import { isSuperseded } from '../../scripts/dev/releases.ts';
import { activateFirst } from '../../scripts/pipeline/release/serve.ts';
import { seededDatabase, type TestDatabase } from '../support/database.ts';
import { NEWEST } from '../support/editions.ts';

// What a first start does about what others did in between, and about a failure. The database has an active release.

const ACTIVE = `${NEWEST}-1`;
const OTHER = `${NEWEST}-9`;
const SERVED = { data: { previous: null } };

let database: TestDatabase;
/** A service that says yes to every request. */
let service: Server;
let address: string;
const asked: string[] = [];

beforeAll(async () => {
  database = await seededDatabase(inject('postgresServer'));
  service = createServer(({ method, url }, response) => {
    asked.push(`${method} ${url}`);
    response.end(JSON.stringify(SERVED));
  }).listen(0, '127.0.0.1');
  await once(service, 'listening');
  address = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
});
afterAll(async () => {
  service?.close();
  await database?.close();
});

async function createdAt(): Promise<Date> {
  const { rows } = await withClient(database.url, (client) =>
    // To the millisecond, as what is begun has it.
    client.query(
      `update data_releases set created_at = date_trunc('milliseconds', created_at) where id = $1 returning created_at`,
      [ACTIVE],
    ),
  );
  return rows[0].created_at;
}

describe('a release that was begun', () => {
  const superseded = (id: string, begunAt: Date) =>
    withClient(database.url, (client) => isSuperseded(client, { id, createdAt: begunAt }));

  it('is superseded by another active one, and by another load of its id, but not by itself', async () => {
    const begunAt = await createdAt();
    expect(await superseded(ACTIVE, begunAt)).toBe(false);
    expect(await superseded(ACTIVE, new Date(begunAt.getTime() + 1))).toBe(true);
    expect(await superseded(OTHER, begunAt)).toBe(true);
    await withClient(database.url, async (client) => {
      await client.query('begin');
      await client.query('delete from active_release');
      expect(await isSuperseded(client, { id: OTHER, createdAt: begunAt })).toBe(false);
      await client.query('rollback');
    });
  });

  it('is activated where no other one is active', async () => {
    const activate = (id: string) =>
      withClient(database.url, (client) => activateFirst(client, { address, masterToken: 'x' }, id));
    await activate(OTHER);
    expect(asked).toEqual([]);
    await activate(ACTIVE);
    expect(asked).toEqual([`POST /v1/admin/releases/${ACTIVE}/activate`]);
  });
});

describe('the process of a first release', () => {
  it('ends where it fails, and nothing of it is being prepared any more', async () => {
    const left = new Set<string>(PARTS_OF_RELEASE);
    const release = new FirstRelease(
      { id: ACTIVE, createdAt: new Date() },
      { onProgress: () => undefined, onEnd: (part) => left.delete(part) },
    );
    // Nobody listens there.
    release.give({ endpoint: { address: 'http://127.0.0.1:9', masterToken: 'x' } });
    try {
      await expect(release.complete).rejects.toThrow("http://127.0.0.1:9 can't be reached");
      expect([...left]).toEqual([]);
      await release.ended;
    } finally {
      await release.stop();
    }
  });
});
