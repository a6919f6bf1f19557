import { parseArgs } from 'node:util';
import { WHICH_DATABASE, withDatabase } from './command/database.ts';
import { sentenceOf } from './command/failure.ts';
import { activateRelease } from './pipeline/release/activate.ts';

const USAGE = `Serves a release that is loaded instead of the one that is served now, in one step. The other stays loaded and can be
activated again.

  npm run geo:activate -- <release id>

\`npm run geo:releases\` lists them. ${WHICH_DATABASE}`;

/** Runs the command. Returns its exit code. */
async function main(args: string[]): Promise<number> {
  let parsed: { values: { help?: boolean }; positionals: string[] };
  try {
    parsed = parseArgs({ args, allowPositionals: true, options: { help: { type: 'boolean' } } });
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
    const previous = await withDatabase({}, (client) => activateRelease(client, id));
    console.log(describeActivation(id, previous));
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
