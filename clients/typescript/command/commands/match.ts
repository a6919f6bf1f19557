import { createReadStream, statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { MAX_CELL_LENGTH, type NamedColumns, placeReader } from '../../../../src/match/columns.ts';
import type { MatchInput } from '../../../../src/names/match.ts';
import { NAME_LEVELS } from '../../../../src/names/source.ts';
import { Table } from '../../../../src/tables/table.ts';
import type { LevelName, MatchedRow, MatchRow } from '../../src/types.ts';
import { oneOf } from '../command-line.ts';
import { type Output, openOutput, standardOutput } from '../output.ts';
import { Progress } from '../progress.ts';
import { openService, type Service } from '../service.ts';
import { textsOf } from '../table-texts.ts';
import { Tally } from '../tally.ts';
import { UsageError } from '../usage-error.ts';
import { number } from '../words.ts';
import type { Found, Invocation } from './command.ts';

const COLUMNS = ['region', 'province', 'municity', 'barangay', 'text'] as const;

/** Rows per JSON request. */
const ROWS = 1000;

/** A running match: the source of the table, the output, and the counts. */
interface Matching {
  readonly service: Service;
  /** Opens the table from its beginning. */
  readonly open: () => AsyncIterable<Uint8Array>;
  /** Whether it can be read more than once. */
  readonly isFile: boolean;
  readonly output: Output;
  readonly tally: Tally;
  readonly columns: NamedColumns;
  readonly level: LevelName | undefined;
}

export async function match({ words, options }: Invocation): Promise<Found> {
  const [path = '-'] = words;
  if (words.length > 1) throw new UsageError(`Match what? One table, not ${words.length}: ${words.join(', ')}.`);
  if (words.length === 0 && process.stdin.isTTY) {
    throw new UsageError('Match what? Give a table, such as: psgc match places.csv -o coded.csv');
  }
  const level = options.level === undefined ? undefined : oneOf('level', options.level, NAME_LEVELS);
  const columns = Object.fromEntries(
    COLUMNS.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])),
  );
  const size = path === '-' ? undefined : sizeOf(path);
  const service = await openService('match', options);
  const output = openOutput(options.output, options);
  // No progress line on a terminal that shows the table: it would be in the middle of it.
  const isShown = !options.quiet && !(output === standardOutput && process.stdout.isTTY);
  const progress = new Progress({ size, isShown });
  let input: Readable | undefined;
  const open = () => {
    input?.destroy();
    input = path === '-' ? process.stdin : createReadStream(path);
    return progress.counted(input);
  };
  let isReported = options.quiet === true;
  const tally = new Tally((rows) => {
    progress.show(rows);
    const limit = service.rowsPerMinute();
    if (isReported || limit === undefined || rows < limit) return;
    isReported = true;
    progress.clear();
    console.error(
      `psgc match: this key may have ${number(limit)} rows matched a minute, and the service waits meanwhile. ` +
        'A key with a higher rate_limit_rpm is faster, and --offline has no limit: psgc download makes it ready.',
    );
  });
  try {
    const matching = { service, open, isFile: size !== undefined, output, tally, columns, level };
    await (options.json ? matchToJson(matching) : matchToCsv(matching));
    await output.end();
  } finally {
    progress.clear();
    input?.destroy();
  }
  if (!options.quiet) console.error(`psgc match: ${tally.text}`);
  return tally.coded > 0;
}

/** @throws UsageError for a folder and for a missing file */
function sizeOf(path: string): number | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) throw new UsageError(`There is no file ${path}.`);
  if (stat.isDirectory()) throw new UsageError(`${path} is a folder.`);
  return stat.isFile() ? stat.size : undefined;
}

async function matchToCsv({ service, open, isFile, output, tally, columns, level }: Matching): Promise<void> {
  // A file is sent again after a transient error; a pipe can't be read again.
  const coded = await service.psgc.matchCsv(isFile ? open : open(), { columns, level } as Parameters<
    typeof service.psgc.matchCsv
  >[1]);
  const decoder = new TextDecoder();
  const reader = coded.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    tally.addLines(decoder.decode(value, { stream: true }));
    await output.write(value);
  }
  tally.endLines();
}

/** Matches the rows of a table by JSON requests, and writes one response for all. */
async function matchToJson({ service, open, output, tally, columns, level }: Matching): Promise<void> {
  let waiting: MatchInput[] = [];
  let before = '{"data":[';
  const flush = async () => {
    if (waiting.length === 0) return;
    const found: MatchedRow[] = await service.psgc.match(waiting as MatchRow[], { level });
    waiting = [];
    for (const row of found) tally.add(row.match, row.code);
    await output.write(before + found.map((row) => JSON.stringify(row)).join(','));
    before = ',';
  };
  let row = 0;
  // The rows are read like the service's. The resulting lines are not needed.
  const table = new Table((headings, known) => {
    const reader = placeReader(headings, columns, known);
    return {
      reads: reader.reads,
      columns: [],
      linesOf: async (rows) => {
        for (const fields of rows) {
          row += 1;
          const read = reader.read(fields);
          requireShort(read, row);
          waiting.push(read);
          if (waiting.length === ROWS) await flush();
        }
        return [];
      },
    };
  });
  for await (const _ of textsOf(table, open()));
  await flush();
  const { exact, likely, ambiguous, none } = tally;
  const head = before === ',' ? '' : before;
  await output.write(`${head}],"meta":${JSON.stringify({ exact, likely, ambiguous, none })},"error":null}\n`);
}

/** @throws UsageError if a cell is too long for JSON */
function requireShort(read: MatchInput, row: number): void {
  for (const [name, value] of Object.entries(read)) {
    const max = name === 'text' ? MAX_CELL_LENGTH.text : MAX_CELL_LENGTH.name;
    if (typeof value !== 'string' || value.length <= max) continue;
    throw new UsageError(
      `Row ${row} has ${value.length} characters in its column of the ${name}, and JSON takes ${max}. Without --json any length is taken.`,
    );
  }
}
