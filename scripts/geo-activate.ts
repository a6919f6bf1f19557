import { parseArgs } from 'node:util';
import { WHICH_DATABASE, withDatabase } from './command/database.ts';
import { findService, WHICH_SERVICE } from './command/service.ts';
import { sentenceOf } from './database/failure.ts';
import { activateRelease } from './pipeline/release/activate.ts';
import { describeLoss, findLoss } from './pipeline/release/loss.ts';
import { activateThrough } from './pipeline/release/serve.ts';
import { findPublished } from './pipeline/snapshot/publish.ts';

const USAGE = `Serves a release that is loaded instead of the one that is served now, in one step. The other stays loaded and can be
activated again. A release with which users would lose boundaries, attributes or areas is refused with what they would lose,
unless --force is given.

  npm run geo:activate -- <release id> [--force] [--to <address>]

  --force    serve it although users lose something by it
  --to       ${WHICH_SERVICE}

A service that is told serves the release at once. One that is not, looks at night, between two and four in Manila.

\`npm run geo:releases\` lists releases. ${WHICH_DATABASE}`;

async function main(args: string[]): Promise<number> {
  let parsed: { values: { to?: string; force?: boolean; help?: boolean }; positionals: string[] };
  try {
    parsed = parseArgs({
      args,
      allowPositionals: true,
      options: { to: { type: 'string' }, force: { type: 'boolean', default: false }, help: { type: 'boolean' } },
    });
  } catch (error) {
    console.error(`${sentenceOf(error)}\n\n${USAGE}`);
    return 2;
  }
  const [id, ...more] = parsed.positionals;
  if (parsed.values.help || id === undefined || more.length > 0) {
    console.error(USAGE);
    return parsed.values.help ? 0 : 2;
  }
  try {
    const endpoint = await findService(parsed.values.to);
    const { force = false } = parsed.values;
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
    return 0;
  } catch (error) {
    console.error(sentenceOf(error));
    return 1;
  }
}

function describeActivation(id: string, previous: string | null): string {
  if (previous === id) return `Release ${id} is the active one already.`;
  return previous === null ? `Release ${id} is active.` : `Release ${id} is active in place of ${previous}.`;
}

process.exitCode = await main(process.argv.slice(2));
