import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { measureLoad, type Work } from './load.ts';
import { readCpuTime } from './process.ts';
import { type Servers, UNLOGGED } from './servers.ts';
import { goalCells, medianOf, printTable } from './table.ts';
import { MASTER } from './worker.ts';
import type { Subject } from './works.ts';

/** Slices per contender and seconds per slice. Contenders take turns. */
const ROUNDS = 7;
const SLICE_SECONDS = 0.25;

/** Results of the slices of one contender. */
interface Slices {
  perSecond: number[];
  /** CPU time of the Workers runtime per request, microseconds. */
  cpu: number[];
}

interface Measured {
  subject: Subject;
  slices: Partial<Record<'ours' | 'unlogged' | 'empty' | 'precomputed' | 'naive' | 'tipg' | 'postgis', Slices>>;
}

/**
 * Measures how many requests the Worker answers in a second, beside an empty Worker in the same runtime, the naive server
 * and the Worker without a snapshot. Contenders take turns in short slices, so that whatever else the machine does slows
 * all of them down, and a ratio is the median of those of the rounds.
 *
 * @param keys API keys, which are used in turn
 */
export async function measureSpeed(
  servers: Servers,
  subjects: readonly Subject[],
  keys: readonly string[],
): Promise<void> {
  const measured: Measured[] = [];
  for (const subject of subjects) measured.push({ subject, slices: await race(servers, subject, keys) });
  const seconds = `median of ${ROUNDS} slices of ${SLICE_SECONDS} s; CPU of the runtime per request`;
  printAgainst(measured, {
    title: `Requests per second and an empty Worker (${seconds})`,
    other: 'empty',
    goal: 'ofEmpty',
  });
  printAgainst(measured, { title: 'Requests per second and the naive server', other: 'naive', goal: 'ofNaive' });
  printAgainst(measured, { title: 'Requests per second and tipg', other: 'tipg', goal: 'ofTipg' });
  printAgainst(measured, {
    title: 'Requests per second and the Worker on PostGIS',
    other: 'postgis',
    goal: 'ofPostgis',
  });
  printLimits(measured);
}

async function race(servers: Servers, subject: Subject, keys: readonly string[]): Promise<Measured['slices']> {
  const { worker, naive, postgis, tipg } = servers;
  const { path, body, withKeys, authorized } = subject;
  const credentials = withKeys
    ? keys.map((key) => ({ Authorization: `Bearer ${key}` }))
    : [authorized === false ? {} : MASTER];
  const load = {
    headers: credentials.map((fields) => ({ ...fields, 'Accept-Encoding': 'br, gzip' })),
    ...(body === undefined ? {} : { body }),
  };
  const unlogged = { ...load, headers: load.headers.map((fields) => ({ ...fields, ...UNLOGGED })) };
  const contenders: [keyof Measured['slices'], Work][] = [
    ['ours', { ...load, urls: [worker.url + path] }],
    ['unlogged', { ...unlogged, urls: [worker.url + path] }],
    ['empty', { urls: [worker.empty] }],
    ['precomputed', { urls: [worker.precomputed] }],
  ];
  await precompute(worker.precomputed, worker.url + path, load);
  if (subject.naive) contenders.push(['naive', { urls: [naive + subject.naive] }]);
  if (tipg && subject.tipg !== undefined) contenders.push(['tipg', { urls: [tipg + subject.tipg] }]);
  if (subject.fromPostgis) contenders.push(['postgis', { ...load, urls: [postgis.url + path] }]);
  const slices: Measured['slices'] = {};
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const [name, work] of contenders) {
      const pid = name === 'postgis' ? postgis.pid : worker.pid;
      const before = await readCpuTime(pid);
      const { requests, seconds } = await measureLoad(work, SLICE_SECONDS);
      const cpu = (await readCpuTime(pid)) - before;
      // The first round is not counted: it lets everything be read and compiled.
      if (round === -1) continue;
      slices[name] ??= { perSecond: [], cpu: [] };
      slices[name].perSecond.push(requests / seconds);
      slices[name].cpu.push((cpu / requests) * 1e6);
    }
  }
  return slices;
}

/** Gives the response to a request, as sent, to the Worker with the precomputed response. */
async function precompute(precomputed: string, url: string, { headers, body }: { headers: Fields[]; body?: string }) {
  const method = body === undefined ? 'GET' : 'POST';
  const fields = { ...headers[0], ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) };
  // Unlike `fetch` this does not decompress the body.
  const asking = request(url, { method, headers: fields }).end(body);
  const [answer] = (await once(asking, 'response')) as [IncomingMessage];
  const bytes = await buffer(answer);
  const { 'content-type': type = '', 'content-encoding': encoding } = answer.headers;
  const fieldsOfAnswer = { 'Content-Type': type, ...(encoding === undefined ? {} : { 'Content-Encoding': encoding }) };
  await fetch(precomputed, { method: 'PUT', body: bytes, headers: { 'X-Headers': JSON.stringify(fieldsOfAnswer) } });
}

type Fields = Record<string, string>;

/** Prints the limit of any Worker, to distinguish impossible goals from missed ones. */
function printLimits(measured: readonly Measured[]): void {
  const rows = measured.flatMap(({ subject, slices: { unlogged, empty, precomputed, naive } }) => {
    if (!unlogged || !empty || !precomputed) return [];
    const { work, ofEmpty, ofNaive } = subject;
    const [name, other, goal] =
      ofEmpty === undefined ? (['naive', naive, ofNaive] as const) : (['empty', empty, ofEmpty] as const);
    if (!other || goal === undefined) return [];
    const [ours, best] = [ratioOf(unlogged, other), ratioOf(precomputed, other)];
    return [[work, rateOf(precomputed), NAMES[name], best.toFixed(2), ours.toFixed(2), `≥ ${goal}`]];
  });
  const head = ['work', 'ready bytes', 'beside', 'ready bytes', 'this, without its log line', 'goal'];
  printTable('Requests per second of a Worker that sends the same bytes ready: the most that is possible', head, rows);
}

function ratioOf({ perSecond }: Slices, other: Slices): number {
  return medianOf(perSecond.map((rate, i) => rate / (other.perSecond[i] as number)));
}

function rateOf({ perSecond }: Slices): string {
  return Math.round(medianOf(perSecond)).toLocaleString('en');
}

interface Against {
  title: string;
  other: keyof typeof NAMES;
  goal: 'ofEmpty' | 'ofNaive' | 'ofTipg' | 'ofPostgis';
}

const NAMES = { empty: 'empty Worker', naive: 'naive server', tipg: 'tipg', postgis: 'on PostGIS' } as const;

function printAgainst(measured: readonly Measured[], { title, other, goal }: Against): void {
  const rows = measured.flatMap(({ subject, slices }) => {
    const [ours, theirs] = [slices.ours, slices[other]];
    if (!ours || !theirs) return [];
    const cpuOf = ({ cpu }: Slices) => `${medianOf(cpu).toFixed(0)} µs`;
    const least = subject[goal];
    const goalText = least === undefined ? undefined : `≥ ${least}`;
    if (other !== 'empty' || !slices.unlogged) {
      const ratio = ratioOf(ours, theirs);
      const met = goalCells(goalText, ratio >= (least ?? 0));
      return [[subject.work, rateOf(ours), rateOf(theirs), ratio.toFixed(1), ...met]];
    }
    const [ratio, unlogged] = [ratioOf(ours, theirs), ratioOf(slices.unlogged, theirs)];
    const shown = [rateOf(ours), cpuOf(ours), rateOf(theirs), cpuOf(theirs), ratio.toFixed(2), unlogged.toFixed(2)];
    return [[subject.work, ...shown, ...goalCells(goalText, unlogged >= (least ?? 0))]];
  });
  const head =
    other === 'empty'
      ? ['work', 'this', 'CPU', NAMES.empty, 'CPU', 'ratio', 'without its log line', 'goal', '']
      : ['work', 'this', NAMES[other], 'ratio', 'goal', ''];
  if (rows.length > 0) printTable(title, head, rows);
}
