import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { storedObject } from '../../../scripts/pipeline/object-files.ts';
import type { SnapshotParts } from '../../../scripts/pipeline/snapshot/build.ts';
import { publishParts } from '../../../scripts/pipeline/snapshot/publish.ts';
import { AREAS } from '../../../src/areas/snapshot/layout.ts';
import { writeSmallRelease } from '../downloads/small-release.ts';

/** A service that takes everything. */
const service = createServer((request, response) => {
  request.resume().on('end', () => {
    response.setHeader('Content-Type', 'application/json');
    response.end('{"data":{"served":true}}');
  });
});
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pgds-publish-'));
  await writeSmallRelease(directory, { boundaries: false });
  await once(service.listen(0, '127.0.0.1'), 'listening');
});

afterAll(async () => {
  service.close();
  await rm(directory, { recursive: true, force: true });
});

it('the progress of a publication never goes back, while editions and files are made at the same time', async () => {
  const fileMade = Promise.withResolvers<void>();
  const parts: SnapshotParts = {
    release: '2025-2q-1',
    version: '2025-2q-1-abc',
    first: async () => [await storedObject(directory, AREAS)],
    boundaries: async () => [],
    history: async () => [],
    async *editions() {
      await fileMade.promise;
      for (const fraction of [0.5, 1]) yield { objects: [], fraction };
    },
    collections: async () => [],
  };
  const seen: number[] = [];
  const steps: string[] = [];
  await publishParts(parts, directory, {
    endpoint: { address: `http://127.0.0.1:${(service.address() as AddressInfo).port}`, masterToken: 'x' },
    onProgress: (fraction, _, { step }) => {
      seen.push(fraction);
      if (steps.at(-1) !== step) steps.push(step);
      if (step === 'files') fileMade.resolve();
    },
  });
  expect(steps).toEqual(['geography', 'files', 'editions', 'files']);
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  expect(seen.at(-1)).toBeCloseTo(0.98);
});
