import { AREAS, type Manifest, manifestKey, objectKey, POINTER_KEY } from '../../src/areas/snapshot/layout.ts';
import { Inspector } from './inspector.ts';
import { readCpuTime } from './process.ts';
import { goalCells, medianOf, printTable } from './table.ts';
import { MASTER, type RunningWorker, startReadingWorker, startWorker, type WorkerOptions } from './worker.ts';

const STARTS = 5;
const PATH = '/v1/provinces/0702200000';
const MB = 1_000_000;

/** Max CPU time of a cold isolate to open the areas. */
const GOAL_MS = 80;
const GOAL_HEAP = 20 * MB;

/**
 * Measures the CPU time of the runtime from its start to its first answer, beside that of an empty Worker, and the heap
 * after the areas were opened. The local bucket runs in the same process, so what it takes is measured apart.
 *
 * @param version of the release whose snapshot is in the bucket
 */
export async function measureCold(options: WorkerOptions & { storedIn: string }, version: string): Promise<void> {
  const objects = pathTo([POINTER_KEY, manifestKey(version), await areasKey(options.storedIn, version)]);
  const starts: [number, number, number, number][] = [];
  for (let i = 0; i < STARTS; i += 1) {
    const reading = await coldStart(() => startReadingWorker(options.storedIn), ['/', objects]);
    const ours = await coldStart(() => startWorker(options), ['/version', PATH]);
    starts.push([...reading, ...ours]);
  }
  const median = (column: 0 | 1 | 2 | 3) => medianOf(starts.map((times) => times[column]));
  const [empty, reading, bundle, areas] = [median(0), median(1), median(2), median(3)];
  const opening = areas - reading;
  const ms = (value: number) => `${value.toFixed(0)} ms`;
  const heap = await measureHeap(options);
  const mb = (bytes: number) => `${(bytes / MB).toFixed(1)} MB`;
  const opened = heap.after.objects + heap.after.buffers - heap.before.objects - heap.before.buffers;
  printTable(
    `A cold isolate: CPU of the runtime to the first answer (median of ${STARTS} starts), and heap`,
    ['work', 'this', 'goal', ''],
    [
      ['an empty Worker', ms(empty), '', ''],
      ['to the answer of /version, beyond the empty Worker: the bundle', ms(bundle - empty), '', ''],
      ['then, to a single record', ms(areas), '', ''],
      ['of this, the local bucket giving pointer, manifest and areas', ms(reading), '', ''],
      ['of this, opening the areas and the answer', ms(opening), ...goalCells(`≤ ${GOAL_MS} ms`, opening <= GOAL_MS)],
      ['heap after /version: objects', mb(heap.before.objects), '', ''],
      ['heap after opening the areas: objects', mb(heap.after.objects), '', ''],
      ['buffers after /version', mb(heap.before.buffers), '', ''],
      ['buffers after opening the areas', mb(heap.after.buffers), '', ''],
      ['the areas, objects and buffers', mb(opened), ...goalCells(`≤ ${mb(GOAL_HEAP)}`, opened <= GOAL_HEAP)],
    ],
  );
}

/** The path at which the reading Worker reads these objects and answers with the last. */
function pathTo(keys: string[]): string {
  return `/?${keys.map((key) => `key=${encodeURIComponent(key)}`).join('&')}`;
}

/** The object key of the areas, by the version's manifest. */
async function areasKey(storedIn: string, version: string): Promise<string> {
  const worker = await startReadingWorker(storedIn);
  try {
    const { objects } = JSON.parse(await ask(worker.url + pathTo([manifestKey(version)]))) as Manifest;
    const areas = objects.find(({ name }) => name === AREAS);
    if (!areas) throw new Error(`the manifest of ${version} names no areas`);
    return objectKey(version, areas);
  } finally {
    await worker.close();
  }
}

/** Milliseconds of CPU of a runtime from its start to the end of its first answer, and from there to that of the second. */
async function coldStart(start: () => Promise<RunningWorker>, paths: [string, string]): Promise<[number, number]> {
  const worker = await start();
  try {
    await ask(worker.url + paths[0]);
    const first = await readCpuTime(worker.pid);
    await ask(worker.url + paths[1]);
    const second = await readCpuTime(worker.pid);
    return [first * 1000, (second - first) * 1000];
  } finally {
    await worker.close();
  }
}

async function measureHeap(options: WorkerOptions) {
  const worker = await startWorker({ ...options, inspected: true });
  try {
    await ask(`${worker.url}/version`);
    const inspector = await Inspector.attach(worker.inspector);
    const before = await inspector.heap();
    await ask(worker.url + PATH);
    const after = await inspector.heap();
    inspector.close();
    return { before, after };
  } finally {
    await worker.close();
  }
}

async function ask(url: string): Promise<string> {
  const response = await fetch(url, { headers: MASTER });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return text;
}
