import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstat, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { progressOn } from '../command/progress.ts';
import { findFreePort } from '../dev/port.ts';
import { goalCells, printTable } from './table.ts';

const run = promisify(execFile);

const TOKEN = 'master-token-of-the-bench';
const MASTER = { Authorization: `Bearer ${TOKEN}` };
/** Polling interval of milestones, milliseconds. More frequent requests would slow the start down. */
const POLL_INTERVAL_MS = 500;
/** Timeout of a milestone, milliseconds. */
const TIMEOUT_MS = 480_000;
const GB = 1e9;

/** Goals in seconds: for what newcomers try first, for the rest of geography, and for all starts but the first. */
const [FIRST, GEOGRAPHY, SECOND] = [10, 60, 5];

/** Something that works after a start, with a check. */
interface Milestone {
  readonly name: string;
  /** Seconds from the command. */
  readonly goal?: number;
  readonly works: (address: string) => Promise<boolean>;
}

// biome-ignore lint/suspicious/noExplicitAny: a milestone looks into the body freely
type Body = any;

interface Expected {
  goal?: number;
  /** Sent as JSON, with POST. */
  body?: object;
  has?: (answer: Body) => boolean;
}

/** A path that answers 200, with a body that has what it should. */
function answers(name: string, path: string, { goal, body: sent, has = () => true }: Expected): Milestone {
  const init = sent
    ? { method: 'POST', body: JSON.stringify(sent), headers: { ...MASTER, 'Content-Type': 'application/json' } }
    : { headers: MASTER };
  const works = async (address: string) => {
    const response = await fetch(address + path, init);
    const body = await response.json();
    return response.ok && has(body);
  };
  return { name, works, ...(goal === undefined ? {} : { goal }) };
}

const isDrawn = ({ data }: Body) => Boolean(data.geometry);
const isList = ({ data }: Body) => data.length > 0;
const LIST = answers('list', '/v1/regions', { goal: FIRST, has: isList });
const RECORD = answers('record of a barangay', '/v1/barangays/0906604004', { goal: FIRST });

const MILESTONES: readonly Milestone[] = [
  answers('/version', '/version', { goal: FIRST }),
  LIST,
  RECORD,
  answers('search', '/v1/search?q=naga', { goal: FIRST, has: isList }),
  answers('match', '/v1/match', { goal: FIRST, body: { rows: [{ id: 1, text: 'Argaw, Cebu' }] } }),
  answers('point', '/v1/geocode/reverse?lat=14.5826&lon=120.9787', { goal: FIRST }),
  answers('boundary of a province', '/v1/provinces/0702200000?geometry=simple', { goal: FIRST, has: isDrawn }),
  answers('boundary of a city', '/v1/municities/1381000000?geometry=simple', { goal: GEOGRAPHY, has: isDrawn }),
  answers('boundary of a barangay', '/v1/barangays/0906604004?geometry=simple', { goal: GEOGRAPHY, has: isDrawn }),
  answers('editions', '/v1/editions', { goal: GEOGRAPHY, has: isList }),
  answers('changes of a code that is gone', '/v1/changes?code=1906600000', { goal: GEOGRAPHY, has: isList }),
  answers('crosswalk', '/v1/crosswalk?from=2023-4q&to=2026-3q&level=province', { goal: GEOGRAPHY, has: isList }),
  answers('regions of an older edition', '/v1/regions?edition=2023-1q', { goal: GEOGRAPHY, has: isList }),
  answers('downloads', '/v1/downloads', { goal: GEOGRAPHY, has: isList }),
  { name: 'a key is made', works: makeKey },
  answers('all of it', '/healthcheck', { has: ({ status, preparing }) => status === 'ok' && preparing === null }),
];

async function makeKey(address: string): Promise<boolean> {
  const headers = { 'Sec-Fetch-Site': 'same-origin' };
  const signIn = await fetch(`${address}/dashboard/sign-in`, { method: 'POST', body: 'maria@example.com', headers });
  const { token } = (await signIn.json()) as { token: string };
  const made = await fetch(`${address}/v1/api-keys`, {
    method: 'POST',
    body: '{"name":"bench"}',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
  });
  await made.text();
  return made.ok;
}

/**
 * Measures the first and the second start of `npm run dev` in a clone of the last commit, with the packages of this
 * directory and no other file.
 *
 * @param root the repository
 */
export async function measureStarts(root: string): Promise<void> {
  await mkdir(join(root, '.cache'), { recursive: true });
  const clone = await mkdtemp(join(root, '.cache', 'starts-'));
  try {
    await run('git', ['clone', '--quiet', root, clone]);
    await run('cp', ['--archive', '--link', join(root, 'node_modules'), clone]);
    // What `npm ci` does besides.
    await run('npm', ['run', 'prepare'], { cwd: clone });
    const first = await timesOf(clone, MILESTONES);
    const [data, state] = await Promise.all([sizeOf(join(clone, '.data')), sizeOf(join(clone, '.wrangler', 'state'))]);
    const second = await timesOf(
      clone,
      [LIST, RECORD].map((milestone) => ({ ...milestone, goal: SECOND })),
    );
    const rowOf =
      (start: string) =>
      ({ name, goal, seconds }: Timed) => [
        `${start}: ${name}`,
        seconds === undefined ? `not in ${TIMEOUT_MS / 1000} s` : `${seconds.toFixed(1)} s`,
        ...goalCells(
          goal === undefined ? undefined : `≤ ${goal} s`,
          goal !== undefined && seconds !== undefined && seconds <= goal,
        ),
      ];
    const gb = (bytes: number) => `${(bytes / GB).toFixed(2)} GB`;
    printTable(
      'Starts of npm run dev in a fresh clone: seconds from the command',
      ['what answers', 'this', 'goal', ''],
      [
        ...first.map(rowOf('first start')),
        ...second.map(rowOf('second start')),
        ['.data', gb(data), ...goalCells(`≤ ${gb(GB)}`, data <= GB)],
        ['.data and the local bucket, in .wrangler/state', gb(data + state), '', ''],
      ],
    );
  } finally {
    await rm(clone, { recursive: true, force: true });
  }
}

type Timed = Omit<Milestone, 'works'> & { readonly seconds: number | undefined };

/** Starts the service, waits for each milestone, and stops it. */
async function timesOf(clone: string, milestones: readonly Milestone[]): Promise<Timed[]> {
  const port = await findFreePort();
  const address = `http://127.0.0.1:${port}`;
  const progress = progressOn(process.stderr);
  const started = performance.now();
  const child = spawn('npm', ['run', 'dev'], {
    cwd: clone,
    env: {
      ...process.env,
      PORT: String(port),
      MASTER_TOKEN: TOKEN,
      DATABASE_URL: '',
      DATA_DIR: '',
      BOUNDARIES_DIR: '',
    },
    stdio: 'ignore',
    // A signal goes to the whole group, as in a terminal.
    detached: true,
  });
  const ended = once(child, 'exit');
  const seconds = new Map<string, number>();
  try {
    await Promise.all(
      milestones.map(async ({ name, works }) => {
        while (!(await works(address).catch(() => false))) {
          if (child.exitCode !== null) throw new Error(`npm run dev ended with ${child.exitCode}.`);
          if (performance.now() - started > TIMEOUT_MS) return;
          await sleep(POLL_INTERVAL_MS);
        }
        seconds.set(name, (performance.now() - started) / 1000);
        progress.update(seconds.size / milestones.length, 'Measuring a start');
      }),
    );
  } finally {
    progress.clear();
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGINT');
    await ended;
  }
  return milestones.map(({ name, goal }) => ({
    name,
    seconds: seconds.get(name),
    ...(goal === undefined ? {} : { goal }),
  }));
}

/** Bytes that the files of a directory take on the disk. */
async function sizeOf(directory: string): Promise<number> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => 512 * (await lstat(join(entry.parentPath, entry.name))).blocks),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
