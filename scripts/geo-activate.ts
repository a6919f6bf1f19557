import { FLAG, runCommand, TEXT } from './command/command.ts';
import { WHICH_DATABASE, withDatabase } from './command/database.ts';
import { findService, WHICH_SERVICE } from './command/service.ts';
import { activateRelease } from './pipeline/release/activate.ts';
import { describeLoss, findLoss } from './pipeline/release/loss.ts';
import { activateThrough } from './pipeline/release/serve.ts';
import { findPublished } from './pipeline/snapshot/requests.ts';

const USAGE = `Serves a release that is loaded instead of the one that is served now, in one step. The other stays loaded and can be
activated again. A release with which users would lose boundaries, attributes or areas is refused with what they would lose,
unless --force is given.

  npm run geo:activate -- <release id> [--force] [--to <address>]

  --force    serve it although users lose something by it
  --to       ${WHICH_SERVICE}

A service that is told serves the release at once. One that is not, looks at night, between two and four in Manila.

\`npm run geo:releases\` lists releases. ${WHICH_DATABASE}`;

const options = { to: TEXT, force: FLAG };
await runCommand({ usage: USAGE, options, positionals: [1, 1] }, async ({ values, positionals }) => {
  const id = positionals[0] as string;
  const endpoint = await findService(values.to);
  const { force = false } = values;
  const previous = endpoint
    ? await activateThrough(endpoint, id, { force })
    : await withDatabase({}, async (client) => {
        const loss = force ? null : await findLoss(client, id);
        if (loss) throw new Error(describeLoss(id, loss));
        return activateRelease(client, id);
      });
  console.log(describeActivation(id, previous));
  if (endpoint && (await findPublished(endpoint, id)) === undefined) {
    console.log('It has no snapshot, so the database answers: npm run geo:publish makes one.');
  }
});

function describeActivation(id: string, previous: string | null): string {
  if (previous === id) return `Release ${id} is the active one already.`;
  return previous === null ? `Release ${id} is active.` : `Release ${id} is active in place of ${previous}.`;
}
