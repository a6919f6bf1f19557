import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { withScratch } from '../command/scratch.ts';
import { withClient } from '../database/client.ts';
import { sentenceOf } from '../database/failure.ts';
import { makeDataRelease } from '../pipeline/data/release.ts';
import { type Load, loadDataRelease, versionOf } from '../pipeline/release/load-data.ts';
import { activateFirst } from '../pipeline/release/serve.ts';
import type { Endpoint } from '../pipeline/service.ts';
import { dataSource } from '../pipeline/snapshot/data-source.ts';
import { editionsBeside } from '../pipeline/snapshot/editions-beside.ts';
import type { Points } from '../pipeline/snapshot/points.ts';
import { PointsBeside } from '../pipeline/snapshot/points-beside.ts';
import { findPublished, publishSource } from '../pipeline/snapshot/publish.ts';
import type { Part } from './preparation.ts';
import { findPrepared, isOf, pointsOf } from './prepared.ts';

// The process that `npm run dev` starts where no release is served yet: it makes one of the repository's data, publishes it
// to the service as soon as that answers, and loads it into the database as soon as that is open.

/** What this process tells the one that started it. */
export type Told =
  | { readonly part: Part; readonly progress: number; readonly label: string }
  | { readonly done: Part }
  | { readonly failure: string };

/** What it is told. */
export type Given = { readonly endpoint: Endpoint } | { readonly databaseUrl: string; readonly isEmbedded: boolean };

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const tell = (told: Told) => process.send?.(told, undefined, undefined, () => undefined);

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
  const prepared = found && isOf(found, load) ? found : undefined;
  const editions = prepared && editionsBeside(scratch, { isDrawn: true, areasIn: prepared.directory });
  const points = prepared ? undefined : new PointsBeside();
  const cut = Promise.withResolvers<Points>();
  // A failure is thrown where the points are awaited.
  cut.promise.catch(() => undefined);
  if (prepared) cut.resolve(pointsOf(prepared));
  const data = await makeDataRelease({
    onUnits: (units, areas) => {
      if (points) cut.resolve(points.cut(units, areas));
    },
    onProgress: (fraction) => tell({ part: 'geography', progress: MAKING * fraction, label: 'Drawing the country' }),
  });
  const source = dataSource(data, { id: load.id, version: versionOf(load) }, () => cut.promise);
  const { endpoint } = await service;
  // All processors have work enough until all of geography is answered.
  const published = Promise.withResolvers<void>();
  const loading = Promise.all([database, published.promise]).then(async ([{ databaseUrl, isEmbedded }]) => {
    const onProgress = (progress: number) => tell({ part: 'copy', progress, label: 'Loading the database' });
    await withClient(databaseUrl, async (client) => {
      await loadDataRelease(client, data, { ...load, isEmbedded, onProgress });
      await activateFirst(client, endpoint, load.id);
    });
    tell({ done: 'copy' });
  });
  // A failure is thrown where it is awaited.
  loading.catch(() => undefined);
  await publishSource(async () => source, scratch, {
    endpoint,
    isLoaded: false,
    editions,
    stored: await findPublished(endpoint, load.id, versionOf(load)),
    onProgress: (_, label, { step, fraction }) => {
      tell({ part: step, progress: step === 'geography' ? MAKING + (1 - MAKING) * fraction : fraction, label });
    },
    onStep: (step) => {
      tell({ done: step });
      if (step === 'editions') published.resolve();
    },
  });
  await loading;
}

const [id = '', createdAt = ''] = process.argv.slice(2);
process.on('disconnect', () => process.exit());
try {
  await withScratch((scratch) => main({ id, createdAt: new Date(createdAt) }, scratch));
  process.disconnect();
} catch (error) {
  tell({ failure: sentenceOf(error) });
  // Whoever is told lets go of this process, and it has said everything then.
  await once(process, 'disconnect');
}
