import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { sentenceOf } from './database/failure.ts';
import { addEdition } from './pipeline/psgc/add-edition.ts';
import { toRelease } from './pipeline/psgc/areas.ts';
import { checkRelease, LoadRefused } from './pipeline/psgc/checks.ts';
import { HISTORY_FOLDER, publicationOf, readHistory } from './pipeline/psgc/history.ts';
import { checkFiles, writeHistory } from './pipeline/psgc/history-files.ts';
import { readWorkbook } from './pipeline/psgc/workbook.ts';

const USAGE = `Adds an edition of the Philippine Standard Geographic Code to the files in data/psgc, which geo:load reads.

  npm run geo:edition -- add <workbook.xlsx> [--edition "4Q 2026"] [--data <folder>]
  npm run geo:edition -- check [--data <folder>]

  add        reads a publication workbook of the PSA, says what is different from the edition before it, and writes it.
             What does not fit is refused, and nothing is written: an edition that is there already with other contents,
             orphans, garbled names, codes that stand twice, levels or columns that are missing, far fewer areas
  check      finds what is wrong with the files: spans that overlap or could be one, lines in another order, counts and
             hashes that differ, lists that could not be loaded
  --edition  the edition, where the workbook's sheet Metadata and its name don't say it, or say two: "4Q 2026"; that of
             an interim list is its month: "July 2025"
  --data     another folder with the files`;

/** How many areas are shown of each kind of difference. */
const SHOWN = 40;

/** Runs the command. Returns its exit code. */
async function main(args: string[]): Promise<number> {
  let options: { edition?: string; data?: string; help?: boolean };
  let words: string[];
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { edition: { type: 'string' }, data: { type: 'string' }, help: { type: 'boolean' } },
    });
    [options, words] = [values, positionals];
  } catch (error) {
    console.error(`${sentenceOf(error)}\n\n${USAGE}`);
    return 2;
  }
  const [verb, workbook] = words;
  const isAdd = verb === 'add' && workbook !== undefined && words.length === 2;
  if (options.help || !(isAdd || (verb === 'check' && words.length === 1))) {
    console.error(USAGE);
    return options.help ? 0 : 2;
  }
  const folder = options.data ?? HISTORY_FOLDER;
  try {
    return await (isAdd ? add(folder, workbook, options.edition) : check(folder));
  } catch (error) {
    if (!(error instanceof LoadRefused)) console.error(sentenceOf(error));
    else {
      for (const line of error.shown) console.error(line);
      console.error(`\nRefused for ${error.problems.length} problem(s). ${error.remedy}`);
    }
    return 1;
  }
}

async function add(folder: string, workbook: string, given: string | undefined): Promise<number> {
  const history = await readHistory(folder);
  const publication = await readWorkbook(workbook, { edition: given });
  const source = `the PSA workbook ${basename(workbook)}`;
  const { history: added, edition, before, differences, warnings, isKnown } = addEdition(history, publication, source);
  console.log(`PSGC ${publication.edition} (${edition.id}), as of ${edition.asOf}: ${counted(edition.areas)} areas`);
  if (warnings.length > 0) console.log('\nTo be looked at:');
  for (const { at, what } of warnings) console.log(`  ${at}: ${what}`);
  for (const [kind, lines] of Object.entries(differences)) {
    const since = kind === 'other residents' ? '' : ` since ${before}`;
    if (lines.length > 0) console.log(`\n${counted(lines.length)} ${kind}${since}:`);
    for (const line of lines.slice(0, SHOWN)) console.log(`  ${line}`);
    if (lines.length > SHOWN) console.log(`  and ${counted(lines.length - SHOWN)} more`);
  }
  if (isKnown) {
    console.log(`\n${folder} has the same edition already.`);
    return 0;
  }
  await writeHistory(folder, added);
  console.log(`\nWritten to ${folder}. git diff shows every line; npm run geo:load loads it.`);
  return 0;
}

async function check(folder: string): Promise<number> {
  const history = await readHistory(folder);
  const faults = await checkFiles(folder, history);
  for (const { id } of history.editions) {
    const { problems } = checkRelease(toRelease(publicationOf(history, id)));
    faults.push(...problems.map(({ at, what }) => `${id}, ${at}: ${what}`));
  }
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) return 1;
  for (const { id, asOf, areas } of history.editions) console.log(`${id.padEnd(7)}  ${asOf}  ${counted(areas)} areas`);
  return 0;
}

function counted(count: number): string {
  return count.toLocaleString('en');
}

process.exitCode = await main(process.argv.slice(2));
