import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { csvLine } from '../../src/csv/cells.ts';
import { withScratch } from '../command/scratch.ts';
import { toRelease } from '../pipeline/psgc/areas.ts';
import { readBuiltin } from '../pipeline/psgc/history.ts';
import { Inspector } from './inspector.ts';
import { damagedRows } from './names/lists.ts';
import { readCpuTime, readPeak, resetPeak } from './process.ts';
import { goalCells, printTable } from './table.ts';
import { MASTER, startWorker, type WorkerOptions } from './worker.ts';

const SEED = 20250702;
const ROWS = 1_000_000;
const MB = 1_000_000;

/** Shares of the table at which the heap is measured. */
const LOOKS = [0, 0.25, 0.5, 0.75, 1];

/** How much more heap there may be within a table than before it: what is read ahead is a part of it. */
const GOAL_HEAP = 32 * MB;
const GOAL_SPEED = 5000;
const GOAL = `≥ ${GOAL_SPEED.toLocaleString('en')}`;

const HEADINGS = ['row', 'wanted', 'Region', 'Province', 'City/Municipality', 'Barangay'];

/** Of a line of the answer: the number of the row, the code that is right, the code that was found, and the match. */
const LINE = /^(\d+),(\d{10}),.*,(\d{10})?,(?:[a-z]+)?,(?:[^,"]*|"(?:[^"]|"")*"),(exact|likely|ambiguous|none),[\d.]+,/;

/**
 * Sends a table of a million rows through the Worker, and prints how fast it is answered, how much memory the isolate has at
 * its start, on the way and at its end, and what came of the rows. The rows have all their parents, and one name of each
 * is damaged, from a seed. ROWS=<number> sends fewer.
 */
export async function measureNameTables(options: WorkerOptions & { storedIn: string }): Promise<void> {
  const count = Number(process.env.ROWS || ROWS);
  await withScratch(async (scratch) => {
    const path = join(scratch, 'places.csv');
    await writeTable(path, count);
    const worker = await startWorker({ ...options, inspected: true });
    const inspector = await Inspector.attach(worker.inspector);
    try {
      // The index of names is made for the first request.
      const wake = async () => {
        const answer = await send(`${worker.url}/v1/match`, [Buffer.from('Province\nCebu\n')]);
        for await (const _ of answer) {
          // The answer is not needed.
        }
      };
      await wake();
      const heaps: number[] = [];
      const look = async () => {
        // An idle isolate may not collect its garbage.
        await wake();
        heaps.push(await leastHeap(inspector));
      };
      await look();
      await resetPeak(worker.pid);
      const before = await readPeak(worker.pid);
      const cpuBefore = await readCpuTime(worker.pid);
      const { seconds, tally } = await matchTable(`${worker.url}/v1/match`, { path, count, look });
      const peak = (await readPeak(worker.pid)) - before;
      const cpu = (await readCpuTime(worker.pid)) - cpuBefore;
      print({ count, seconds, cpu, heaps, peak, tally, bytes: (await stat(path)).size });
    } finally {
      inspector.close();
      await worker.close();
    }
  });
}

/** Bytes of the heap and of the buffers beside it. The runtime may not have collected all garbage the first time. */
async function leastHeap(inspector: Inspector): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 3; i += 1) {
    const { objects, buffers } = await inspector.heap();
    least = Math.min(least, objects + buffers);
  }
  return least;
}

async function writeTable(path: string, count: number): Promise<void> {
  const file = createWriteStream(path);
  const rows = damagedRows(toRelease(await readBuiltin()), Number(process.env.SEED || SEED));
  file.write(csvLine(HEADINGS));
  for (let n = 0; n < count; ) {
    let text = '';
    for (const end = Math.min(count, n + 1000); n < end; n += 1) {
      const { row, code } = rows.next().value;
      text += csvLine([String(n), code, row.region ?? '', row.province ?? '', row.municity ?? '', row.barangay ?? '']);
    }
    if (!file.write(text)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'finish');
}

/** Sends a table as it is read, and gives the answer as soon as that begins. */
async function send(url: string, body: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<IncomingMessage> {
  const outgoing = request(url, { method: 'POST', headers: { ...MASTER, 'Content-Type': 'text/csv' } });
  const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
  const sending = (async () => {
    for await (const chunk of body) if (!outgoing.write(chunk)) await once(outgoing, 'drain');
    outgoing.end();
  })();
  const [response] = await Promise.race([answered, sending.then(() => answered)]);
  if (response.statusCode !== 200) throw new Error(`The table was answered with ${response.statusCode}`);
  return response;
}

/** Counts of the rows' results. */
interface RowTally {
  right: number;
  wrong: number;
  /** Rows whose code is left open. */
  open: number;
}

/** Matches a table. Gives the time without that of looking at the heap, seconds. */
async function matchTable(
  url: string,
  { path, count, look }: { path: string; count: number; look: () => Promise<void> },
): Promise<{ seconds: number; tally: RowTally }> {
  const started = performance.now();
  let looking = 0;
  const tally: RowTally = { right: 0, wrong: 0, open: 0 };
  const response = await send(url, createReadStream(path, { highWaterMark: 256 * 1024 }));
  let next = 0;
  let isHead = true;
  for await (const line of createInterface({ input: response, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (isHead) {
      isHead = false;
      continue;
    }
    const [, n, wanted, code, match] = LINE.exec(line) ?? [];
    if (Number(n) !== next) throw new Error(`Row ${next} is not answered in its place: ${line}`);
    if (match === 'exact' || match === 'likely') tally[code === wanted ? 'right' : 'wrong'] += 1;
    else tally.open += 1;
    next += 1;
    if (LOOKS.slice(1, -1).some((share) => Math.round(share * count) === next)) {
      const from = performance.now();
      await look();
      looking += performance.now() - from;
    }
  }
  const seconds = (performance.now() - started - looking) / 1000;
  if (next !== count) throw new Error(`${next} rows of ${count} were answered`);
  await look();
  return { seconds, tally };
}

interface Measured {
  readonly count: number;
  readonly bytes: number;
  readonly seconds: number;
  /** CPU time of the runtime, seconds. */
  readonly cpu: number;
  readonly heaps: readonly number[];
  /** Max memory of the runtime, beyond that before the table, bytes. */
  readonly peak: number;
  readonly tally: RowTally;
}

function print({ count, bytes, seconds, cpu, heaps, peak, tally }: Measured): void {
  const mb = (size: number) => `${(size / MB).toFixed(1)} MB`;
  const percent = (part: number) => `${((100 * part) / count).toFixed(2)} %`;
  const speed = count / seconds;
  const [start = 0, ...later] = heaps;
  const longest = Math.max(...later) - start;
  printTable(
    'A table of damaged full rows through the Worker, as CSV',
    ['what', 'this', 'goal', ''],
    [
      ['rows, bytes', `${count.toLocaleString('en')}, ${mb(bytes)}`, '', ''],
      ['seconds, and of CPU', `${seconds.toFixed(0)}, ${cpu.toFixed(0)}`, '', ''],
      ['rows a second', speed.toFixed(0), ...goalCells(GOAL, speed >= GOAL_SPEED)],
      ['rows a second of CPU of the runtime', (count / cpu).toFixed(0), ...goalCells(GOAL, count / cpu >= GOAL_SPEED)],
      ...heaps.map((heap, i) => [
        `heap of the isolate after ${(LOOKS[i] as number) * 100} % of the rows`,
        mb(heap),
        '',
        '',
      ]),
      ['the most of them beyond the first', mb(longest), ...goalCells(`< ${mb(GOAL_HEAP)}`, longest < GOAL_HEAP)],
      ['memory of the runtime (VmHWM), beyond that before the table', mb(peak), '', ''],
      ['rows right (exact or likely)', percent(tally.right), '', ''],
      ['rows left open (ambiguous or none)', percent(tally.open), '', ''],
      ['rows wrong (exact or likely)', percent(tally.wrong), '', ''],
    ],
  );
}
