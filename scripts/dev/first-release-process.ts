import { once } from 'node:events';
import { ROOT } from '../command/root.ts';
import { withScratch } from '../command/scratch.ts';
import { withClient } from '../database/client.ts';
import { sentenceOf } from '../database/failure.ts';
import { makeDataRelease } from '../pipeline/data/release.ts';
import { type Load, loadDataRelease, versionOf } from '../pipeline/release/load-data.ts';
import { activateFirst } from '../pipeline/release/serve.ts';
import type { Endpoint } from '../pipeline/service.ts';
import { publishParts } from '../pipeline/snapshot/publish.ts';
import { findPublished } from '../pipeline/snapshot/requests.ts';
import type { Part } from './preparation.ts';
import { findPrepared, isPreparedFor, makeParts, preparedParts } from './prepared.ts';

// The process that `npm run dev` starts where no release is served yet: it makes one of the repository's data, publishes it
// to the service as soon as that answers, and loads it into the database as soon as that is open.

/** What this process sends to the one that started it. */
export type Report =
  | { readonly part: Part; readonly progress: number; readonly label: string }
  | { readonly done: Part }
  | { readonly failure: string };

/** What it gets from that one. */
export type Given = { readonly endpoint: Endpoint } | { readonly databaseUrl: string; readonly isEmbedded: boolean };

const report = (message: Report) => process.send?.(message, undefined, undefined, () => undefined);

/** The share of making the release in the time until geography is served. */
const MAKING = 0.7;

/** Waits for a message that has a member. */
function given<Name extends string>(name: Name): Promise<Extract<Given, { [name in Name]: unknown }>> {
  return new Promise((resolve) => {
    process.on('message', (message: Given) => {
      if (name in message) resolve(message as Extract<Given, { [name in Name]: unknown }>);
    });
  });
}

async function main(load: Load, scratch: string): Promise<void> {
  const [service, database] = [given('endpoint'), given('databaseUrl')];
  const found = await findPrepared(ROOT);
  const prepared = found && isPreparedFor(found, load) ? found : undefined;
  const drawing = (fraction: number) =>
    report({ part: 'geography', progress: MAKING * fraction, label: 'Drawing the country' });
  const { data = undefined, parts } = prepared
    ? { parts: await preparedParts(prepared, scratch) }
    : await makeParts(load, scratch, drawing);
  const { endpoint } = await service;
  await publishParts(parts, scratch, {
    endpoint,
    isLoaded: false,
    stored: await findPublished(endpoint, load.id, versionOf(load)),
    onProgress: (_, label, { step, fraction }) => {
      report({ part: step, progress: step === 'geography' ? MAKING + (1 - MAKING) * fraction : fraction, label });
    },
    onStep: (step) => report({ done: step }),
  });
  // All processors have work enough until all of geography is answered.
  const release = data ?? (await makeDataRelease());
  const { databaseUrl, isEmbedded } = await database;
  const onProgress = (progress: number) => report({ part: 'copy', progress, label: 'Loading the database' });
  await withClient(databaseUrl, async (client) => {
    await loadDataRelease(client, release, { ...load, isEmbedded, onProgress });
    await activateFirst(client, endpoint, load.id);
  });
  report({ done: 'copy' });
}

const [id = '', createdAt = ''] = process.argv.slice(2);
process.on('disconnect', () => process.exit());
try {
  await withScratch((scratch) => main({ id, createdAt: new Date(createdAt) }, scratch));
  process.disconnect();
} catch (error) {
  report({ failure: sentenceOf(error) });
  // The process that gets this message disconnects.
  await once(process, 'disconnect');
}
