import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startPublishedService } from '../support/published.ts';
import { packClient } from './installed.ts';

/** Runs a service on the schematic country, with its files, until all tests are done, and packs the TypeScript client. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'pgds-clients-'));
  const { address, masterToken, stop } = await startPublishedService(join(directory, 'data'));
  project.provide('clientsService', { address, masterToken });
  project.provide('packedClient', await packClient(directory));
  return async () => {
    await stop();
    await rm(directory, { recursive: true, force: true });
  };
}
