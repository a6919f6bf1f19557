import { measureLoad } from './load.ts';
import { readPeak, resetPeak } from './process.ts';
import { goalCells, printTable } from './table.ts';
import { MASTER, type MeasuredWorker } from './worker.ts';

const PATH = '/v1/provinces?format=geojson&geometry=detailed';
const MB = 1_000_000;

/** How much more memory than small requests the largest collection may take. */
const GOAL = 32 * MB;

/** Measures how much more memory the runtime takes while it streams the largest collection than after small requests. */
export async function measureMemory({ url, pid }: MeasuredWorker): Promise<void> {
  await measureLoad({ urls: [`${url}/v1/regions`], headers: MASTER }, 2);
  await resetPeak(pid);
  const before = await readPeak(pid);
  const response = await fetch(url + PATH, { headers: MASTER });
  if (!response.body) throw new Error(`${PATH} has no body`);
  let bytes = 0;
  for await (const chunk of response.body) bytes += chunk.length;
  const extra = (await readPeak(pid)) - before;
  printTable(
    'Memory of the runtime (VmHWM), beyond that of small requests',
    ['work', 'bytes', 'this', 'goal', ''],
    [
      [
        'all provinces, detailed, streamed',
        `${(bytes / MB).toFixed(1)} MB`,
        `${(extra / MB).toFixed(1)} MB`,
        ...goalCells(`< ${GOAL / MB} MB`, extra < GOAL),
      ],
    ],
  );
}
