import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeReleaseState } from '../../scripts/dev/release-state.ts';
import { toRelease } from '../../scripts/pipeline/psgc/areas.ts';
import { readBuiltin } from '../../scripts/pipeline/psgc/history.ts';
import {
  ALL_OF_IT,
  DevServers,
  endCleanly,
  FIRST,
  interrupt,
  MASTER,
  preparedIn,
  SLOW,
} from '../support/dev-servers.ts';
import { NEWEST } from '../support/editions.ts';
import { drawSchematicCountry } from '../support/schematic-country.ts';
import { seededCopy } from '../support/seeded.ts';
import { TIMEOUT_MS } from '../support/timeouts.ts';

const servers = new DevServers();
const served = async () => (await servers.ask('/healthcheck')).body.release;
beforeEach(async () => {
  await servers.useNewDirectory();
  await rename(await seededCopy(), join(servers.dataDir, 'database'));
});
afterEach(() => servers.removeDirectories());

describe('npm run dev where the database has a release', () => {
  it('prints its own words only, and a line for every request where that is asked for', async () => {
    const dev = await servers.start({}, '--requests');
    await expect.poll(dev.printed, SLOW).toContain('Ctrl-C stops it.');
    await servers.fetch('/v1/regions?limit=1');
    await expect.poll(dev.printed).toMatch(/^GET \/v1\/regions(\?limit=1)? 200 in \d+ ms$/m);
    await endCleanly(dev, 1);
  });

  it('does not go on with a first release that was interrupted where another one was activated since', async () => {
    const begun = { id: `${NEWEST}-9`, createdAt: new Date(), database: null, isComplete: false };
    await writeReleaseState(servers.dataDir, begun);
    const dev = await servers.start({});
    await expect.poll(async () => (await servers.releaseState()).isComplete, SLOW).toBe(true);
    await expect.poll(served, ALL_OF_IT).toBe(FIRST);
    const { body } = await servers.ask('/v1/admin/releases', { headers: MASTER });
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([FIRST]);
    expect(preparedIn(await servers.ask('/healthcheck'))).not.toContain('copy');
    await endCleanly(dev, 1);
  });

  it(
    'loads a release with the boundaries in BOUNDARIES_DIR behind the one that is served',
    async () => {
      const given = await servers.makeDirectory();
      await drawSchematicCountry(toRelease(await readBuiltin()).areas, given);
      const dev = await servers.start({ BOUNDARIES_DIR: given });
      await expect.poll(dev.printed, SLOW).toContain(`Loading the boundaries in ${given}.`);
      expect(preparedIn(await servers.ask('/healthcheck'))).toContain('boundaries');
      await expect.poll(served, ALL_OF_IT).toMatch(/-2$/);
      expect((await servers.ask('/v1/regions')).status).toBe(200);
      expect(dev.printed()).not.toContain('were not loaded');
      interrupt(dev);
      expect(await dev.ended).toBe(0);
    },
    15 * TIMEOUT_MS,
  );
});
