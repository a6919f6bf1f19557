import { basename, join } from 'node:path';
import { runCommand, TEXT } from './command/command.ts';
import { inputOf } from './pipeline/inputs.ts';
import { addEdition } from './pipeline/psgc/add-edition.ts';
import { toRelease } from './pipeline/psgc/areas.ts';
import { checkRelease, LoadRefused } from './pipeline/psgc/checks.ts';
import { gatherHistory } from './pipeline/psgc/gather.ts';
import { HISTORY_FOLDER, type History, publicationOf, readHistory } from './pipeline/psgc/history.ts';
import { checkFiles, writeHistory } from './pipeline/psgc/history-files.ts';
import { readWorkbook } from './pipeline/psgc/workbook.ts';

const USAGE = `Makes the files in data/psgc, the editions of the Philippine Standard Geographic Code, which geo:load reads.

  npm run geo:edition -- add <workbook.xlsx> [--edition "4Q 2026"] [--allow-gone <code> …] [--data <folder>]
  npm run geo:edition -- gather <folder> [<workbook.xlsx> …] [--data <folder>]
  npm run geo:edition -- check [--data <folder>]

  add        reads a publication workbook of the PSA, says what is different from the edition before it, and writes it.
             What does not fit is refused, and nothing is written: an edition that is there already with other contents,
             orphans, garbled names, codes that stand twice, levels, columns or residents that are missing, far fewer
             areas, and regions, provinces and highly urbanised cities that are gone without a word
  gather     makes all of them of tables that were gathered from public packages: editions.csv (edition,as_of,areas),
             areas.csv and population.csv. Workbooks of the PSA fill in the residents that these lack
  check      finds what is wrong with the files: spans that overlap or could be one, lines in another order, counts and
             hashes that differ, lists that could not be loaded
  --edition  the edition, where the workbook's sheet Metadata and its name don't say it, or say two: "4Q 2026"; that of
             an interim list is its month: "July 2025"
  --allow-gone <code>  a region, province or highly urbanised city that is gone, where no entry in code-changes.json says
             what became of it; may be given several times
  --data     another folder with the files`;

/** How many areas are shown of each kind of difference. */
const SHOWN = 40;

const options = { edition: TEXT, 'allow-gone': { type: 'string', multiple: true }, data: TEXT } as const;
await runCommand(
  { usage: USAGE, options, positionals: [1, Number.POSITIVE_INFINITY] },
  async ({ values, positionals }) => {
    const [verb, given, ...others] = positionals;
    const { edition, 'allow-gone': allowGone = [], data: folder = HISTORY_FOLDER } = values;
    try {
      if (verb === 'add' && given !== undefined && others.length === 0) {
        return await add(folder, given, { edition, allowGone });
      }
      if (verb === 'gather' && given !== undefined) return await gather(folder, given, others);
      if (verb === 'check' && given === undefined) return await check(folder);
    } catch (error) {
      if (!(error instanceof LoadRefused)) throw error;
      for (const line of error.shown) console.error(line);
      console.error(`\nRefused for ${error.problems.length} problem(s). ${error.remedy}`);
      return 1;
    }
    console.error(USAGE);
    return 2;
  },
);

async function add(
  folder: string,
  workbook: string,
  { edition: given, allowGone }: { edition: string | undefined; allowGone: readonly string[] },
): Promise<number> {
  const history = await readHistory(folder);
  const publication = await readWorkbook(workbook, { edition: given });
  const source = `the PSA workbook ${basename(workbook)}`;
  const added = addEdition(history, publication, { source, allowGone });
  const { edition, before, differences, warnings, isRecorded } = added;
  console.log(`PSGC ${publication.edition} (${edition.id}), as of ${edition.asOf}: ${counted(edition.areas)} areas`);
  if (warnings.length > 0) console.log('\nTo be looked at:');
  for (const { at, what } of warnings) console.log(`  ${at}: ${what}`);
  for (const [kind, lines] of Object.entries(differences)) {
    const since = kind === 'other residents' ? '' : ` since ${before}`;
    if (lines.length > 0) console.log(`\n${counted(lines.length)} ${kind}${since}:`);
    for (const line of lines.slice(0, SHOWN)) console.log(`  ${line}`);
    if (lines.length > SHOWN) console.log(`  and ${counted(lines.length - SHOWN)} more`);
  }
  if (isRecorded) {
    console.log(`\n${folder} has the same edition already.`);
    return 0;
  }
  const input = await inputOf({ name: basename(workbook), path: workbook });
  await writeHistory(folder, added.history, ({ inputs = [], gathered = [] }) => ({
    inputs: [...inputs.filter(({ file }) => file !== input.file), input],
    gathered: [
      ...gathered,
      {
        what: `Edition ${publication.edition}`,
        from: `The publication datafile of the PSA, ${input.file}`,
        url: publication.source.url,
      },
    ],
  }));
  console.log(`\nWritten to ${folder}. git diff shows every line; npm run geo:load loads it.`);
  return 0;
}

async function gather(folder: string, tables: string, files: string[]): Promise<number> {
  const { editions: recorded } = await readHistory(folder);
  const workbooks = await Promise.all(files.map((file) => readWorkbook(file, {})));
  const history = await gatherHistory(tables, { recorded, workbooks });
  const faults = faultsOf(history);
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) return 1;
  const paths = [...['areas.csv', 'editions.csv', 'population.csv'].map((name) => join(tables, name)), ...files];
  const inputs = await Promise.all(paths.map((path) => inputOf({ name: basename(path), path })));
  await writeHistory(folder, history, () => ({ inputs }));
  list(history);
  return 0;
}

async function check(folder: string): Promise<number> {
  const history = await readHistory(folder);
  const faults = [...(await checkFiles(folder, history)), ...faultsOf(history)];
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) return 1;
  list(history);
  return 0;
}

function list({ editions }: History): void {
  for (const { id, asOf, areas } of editions) console.log(`${id.padEnd(7)}  ${asOf}  ${counted(areas)} areas`);
}

/** The faults of the lists as releases. */
function faultsOf(history: History): string[] {
  return history.editions.flatMap(({ id }) =>
    checkRelease(toRelease(publicationOf(history, id))).problems.map(({ at, what }) => `${id}, ${at}: ${what}`),
  );
}

function counted(count: number): string {
  return count.toLocaleString('en');
}
