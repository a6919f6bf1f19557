import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withClient } from '../../scripts/database/client.ts';
import { openEmbedded } from '../../scripts/database/embedded.ts';
import { migrate } from '../../scripts/database/migrate.ts';
import { type DataRelease, makeDataRelease } from '../../scripts/pipeline/data/release.ts';
import { loadDataRelease, versionOf } from '../../scripts/pipeline/release/load-data.ts';
import { readRelease } from '../../scripts/pipeline/snapshot/areas.ts';
import { dataSource } from '../../scripts/pipeline/snapshot/data-source.ts';
import { RESOLUTIONS } from '../../src/areas/store.ts';
import { NEWEST } from '../support/editions.ts';

const LOAD = { id: `${NEWEST}-1`, createdAt: new Date('2026-11-21T12:00:00.123Z') };

let directory: string;
let database: Awaited<ReturnType<typeof openEmbedded>>;
let data: DataRelease;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pgds-data-release-'));
  database = await openEmbedded(directory);
  await migrate(database.url);
  data = await makeDataRelease();
});
afterAll(async () => {
  await database.close();
  await rm(directory, { recursive: true, force: true });
});

const load = () => withClient(database.url, (client) => loadDataRelease(client, data, { ...LOAD, isEmbedded: true }));

/** The first items that only one of two lists has. Their order, and that of members, is not looked at. */
function differing(one: readonly object[], other: readonly object[]): string[] {
  const texts = (list: readonly object[]) =>
    new Set(
      list.map((item) =>
        JSON.stringify(item, (_, value) =>
          value && typeof value === 'object' && !Array.isArray(value)
            ? Object.fromEntries(Object.entries(value).sort())
            : value,
        ),
      ),
    );
  const [ours, theirs] = [texts(one), texts(other)];
  const onlyIn = (a: Set<string>, b: Set<string>) => [...a].filter((text) => !b.has(text));
  return [...onlyIn(ours, theirs), ...onlyIn(theirs, ours)].slice(0, 5);
}

describe('a release of the repository’s data', () => {
  it('is the same in the database as in the snapshot that is made in memory', async () => {
    const points = () => Promise.reject(new Error('Nobody asks for points here.'));
    const { input } = dataSource(data, { id: LOAD.id, version: versionOf(LOAD) }, points);
    await load();
    const stored = await withClient(database.url, (client) => readRelease(client, LOAD.id));
    const LISTS = ['areas', 'names', 'formerNames', 'aliases', 'neighbors', 'sources'] as const;
    for (const list of LISTS) expect([list, ...differing(stored[list], input[list])]).toEqual([list]);
    expect(stored.areas.map(({ code }) => code)).toEqual(input.areas.map(({ code }) => code));
    const { release, version, edition, boundarySet, lengths, places } = stored;
    expect({ release, version, edition, boundarySet }).toEqual({
      release: input.release,
      version: input.version,
      edition: input.edition,
      boundarySet: input.boundarySet,
    });
    expect(places).toEqual(input.places);
    for (const resolution of RESOLUTIONS) expect(lengths[resolution]).toEqual(input.lengths[resolution]);
  });

  it('is not loaded twice', async () => {
    const count = () => withClient(database.url, (client) => client.query('select count(*)::int as areas from areas'));
    const before = (await count()).rows;
    await load();
    expect((await count()).rows).toEqual(before);
  });

  it('is refused where the database has another load with its id', async () => {
    const later = { ...LOAD, createdAt: new Date('2026-11-22T12:00:00Z') };
    const loading = withClient(database.url, (client) => loadDataRelease(client, data, later));
    await expect(loading).rejects.toThrow(`The database has another load of the release ${NEWEST}-1.`);
  });

  it('has texts of boundaries in the database with the bytes that were drawn', async () => {
    const ascii = new TextDecoder('latin1');
    const { rows } = await withClient(database.url, (client) =>
      client.query<{ code: string; resolution: 'detailed' | 'medium' | 'simple'; geojson: string }>(
        `select code, resolution, geojson from boundaries where release_id = $1 and level in ('province', 'submunicipality')`,
        [LOAD.id],
      ),
    );
    expect(rows.length).toBeGreaterThan(250);
    const wrong = rows.filter(
      ({ code, resolution, geojson }) => ascii.decode(data.drawn.areas.get(code)?.text(resolution)) !== geojson,
    );
    expect(wrong.map(({ code }) => code)).toEqual([]);
  });
});
