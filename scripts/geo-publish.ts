import type pg from 'pg';
import { FLAG, runCommand, TEXT } from './command/command.ts';
import { WHICH_DATABASE, withDatabase } from './command/database.ts';
import { findRunning } from './command/running.ts';
import { withScratch } from './command/scratch.ts';
import { findActiveRelease } from './pipeline/release/load-data.ts';
import { activateThrough } from './pipeline/release/serve.ts';
import { endpointOf } from './pipeline/service.ts';
import { publishSnapshot } from './pipeline/snapshot/publish.ts';

const USAGE = `Publishes a release as immutable objects, which the service answers geography from without its database.

  npm run geo:publish -- [<release id>] [--to <address>] [--missing]

  <release id>  the release to publish; the active one without it. One that is not active is served from its objects once
                it is activated
  --to          the service to publish to, as in https://geo.example; MASTER_TOKEN must be set to its token. Without it:
                the one that \`npm run dev\` runs on DATA_DIR, whose token is known
  --missing     make nothing where the service has the objects of this release; the active one is served from them

${WHICH_DATABASE}
While that runs, its database is the one that is read.`;

const options = { to: TEXT, missing: FLAG };
await runCommand({ usage: USAGE, options, positionals: [0, 1] }, async ({ values, positionals, progress }) => {
  const started = performance.now();
  const running = await findRunning();
  const endpoint = endpointOf(values.to, running);
  const url = process.env.DATABASE_URL ? undefined : running?.databaseUrl;
  await withDatabase({ url }, (client) =>
    withScratch(async (scratch) => {
      const releaseId = positionals[0] ?? (await activeReleaseOf(client));
      const onlyMissing = values.missing ?? false;
      // A command may have activated the release while no service was running.
      if (onlyMissing && positionals.length === 0) await activateThrough(endpoint, releaseId);
      const options = { releaseId, endpoint, onlyMissing, onProgress: progress.update };
      const published = await publishSnapshot(client, scratch, options);
      progress.clear();
      if (!published) return;
      const { objects, bytes, served } = published;
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      console.log(
        `Snapshot of ${releaseId}: ${objects} objects, ${(bytes / 1e6).toFixed(1)} MB, ${seconds} s; ${served ? 'it is served now' : 'it is served once the release is activated'}.`,
      );
    }),
  );
});

async function activeReleaseOf(client: pg.ClientBase): Promise<string> {
  const id = await findActiveRelease(client);
  if (id === undefined) throw new Error('No release is active. Load one with `npm run geo:load`.');
  return id;
}
