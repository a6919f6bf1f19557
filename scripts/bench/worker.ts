import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Miniflare, NoOpLog } from 'miniflare';
import { unstable_readConfig as readConfig } from 'wrangler';
import { MAIN_MODULE, type Modules, manifestOf } from '../command/worker-modules.ts';

const SETTINGS = fileURLToPath(new URL('../../wrangler.toml', import.meta.url));

/** Names of the Workers in the local runtime. */
const NAME = 'measured';
const EMPTY_NAME = 'empty';
const PRECOMPUTED_NAME = 'ready';

/** Name of the module that wraps the Worker. */
const WRAPPER = 'wrapper.js';

const FILES = { type: 'r2', name: 'files' } as const;

/** The token that the measured Worker takes as its administrator's. */
export const TOKEN = 'token-of-the-measured-worker';

/** Headers of the administrator. */
export const MASTER = { Authorization: `Bearer ${TOKEN}` };

export interface MeasuredWorker {
  /** Origin, without a slash at the end. */
  url: string;
  /** Process id of the runtime. */
  pid: number;
  /** Origin of the empty Worker in the same runtime, where there is one. */
  empty: string;
  /** Origin of the Worker in the same runtime that answers GET with the bytes that PUT gave it. */
  precomputed: string;
  /** URL of the Worker's debugger, a WebSocket; empty without one. */
  inspector: string;
}

export type RunningWorker = MeasuredWorker & { close(): Promise<void> };

export interface WorkerOptions {
  databaseUrl: string;
  /** The Worker's modules, from `buildWorker`. */
  modules: Modules;
  /** Directory of the local R2 and Durable Objects. Without it they are in memory. */
  storedIn?: string;
  /** A module that wraps the Worker's main module and takes its requests. */
  wrapper?: string;
  /** Whether a debugger can be attached. */
  inspected?: boolean;
}

/** Runs the Worker with local R2, cache and Durable Objects, beside an empty Worker and the precomputed one. */
export function startWorker({
  databaseUrl,
  modules,
  storedIn,
  wrapper,
  inspected = false,
}: WorkerOptions): Promise<RunningWorker> {
  const texts = {
    ENVIRONMENT: 'development',
    DATABASE_URL: databaseUrl,
    MASTER_TOKEN: TOKEN,
    TILE_SESSION_SECRET: 'secret-of-tile-sessions-that-nobody-asks-for',
    SESSION_ISSUER: 'https://identity.example',
    SESSION_JWKS_URL: 'https://identity.example/jwks',
    // More than the bench's keys need.
    ACCOUNT_RPM: '1000000000',
  };
  const wrapped = wrapper === undefined ? manifestOf(modules) : manifestOf({ ...modules, [WRAPPER]: wrapper }, WRAPPER);
  return run(wrapped, {
    storedIn,
    inspected,
    config: {
      compatibilityDate: readConfig({ config: SETTINGS }, { hideWarnings: true }).compatibility_date as string,
      env: {
        FILES,
        METER: { type: 'durable-object', worker: NAME, exportName: 'Meter' },
        ...Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, { type: 'json' as const, value }])),
      },
      exports: { Meter: { type: 'durable-object', storage: 'sqlite' } },
    },
  });
}

/** An empty Worker: the fastest possible with this runtime, client and machine. */
const EMPTY = `export default { fetch: () => Response.json({ data: { ok: true }, error: null }) };`;

/** A Worker with a precomputed response: no Worker can send the same bytes faster. */
const PRECOMPUTED = `
  let bytes;
  let headers;
  export default {
    async fetch(request) {
      if (request.method === 'GET') return new Response(bytes, { headers, encodeBody: 'manual' });
      bytes = await request.arrayBuffer();
      headers = JSON.parse(request.headers.get('X-Headers'));
      return new Response();
    },
  };`;

/**
 * Runs, in place of the measured Worker, one that only reads objects from the same local R2, whose names are in the query.
 */
export function startReadingWorker(storedIn: string): Promise<RunningWorker> {
  const script = `
    export default {
      async fetch(request, { FILES }) {
        let last;
        for (const key of new URL(request.url).searchParams.getAll('key')) {
          const object = await FILES.get(key);
          last = await object.arrayBuffer();
        }
        return new Response(last);
      },
    };`;
  return run(manifestOf({ [MAIN_MODULE]: script }), {
    storedIn,
    config: { compatibilityDate: '2026-01-01', env: { FILES } },
  });
}

/** Runs a Worker that only stores the body of a request in the local R2, in parts as large as those of an upload. */
export function startStoringWorker(): Promise<RunningWorker> {
  const script = `
    const PART_BYTES = 5 * 1024 * 1024;
    export default {
      async fetch(request, { FILES }) {
        const upload = await FILES.createMultipartUpload('file');
        const reader = request.body.getReader({ mode: 'byob' });
        const parts = [];
        for (;;) {
          const { value } = await reader.readAtLeast(PART_BYTES, new Uint8Array(PART_BYTES));
          if (!value?.length) break;
          parts.push(await upload.uploadPart(parts.length + 1, value));
        }
        await upload.complete(parts);
        return new Response();
      },
    };`;
  return run(manifestOf({ [MAIN_MODULE]: script }), { config: { compatibilityDate: '2026-01-01', env: { FILES } } });
}

type Config = ConstructorParameters<typeof Miniflare>[0]['workers'][number]['config'];

interface RunOptions {
  config: Pick<Config, 'compatibilityDate' | 'env' | 'exports'>;
  storedIn?: string | undefined;
  inspected?: boolean;
}

/** Runs a Worker in its own runtime, beside the empty and the precomputed Worker. */
async function run(
  manifest: ReturnType<typeof manifestOf>,
  { config, storedIn, inspected = false }: RunOptions,
): Promise<RunningWorker> {
  const others = new Set(await findRuntimes());
  // This socket is for the Worker alone. Miniflare's own socket leads through another Worker first.
  const dev = { unsafeDirectSockets: [{ host: '127.0.0.1' }] };
  const miniflare = new Miniflare({
    log: new NoOpLog(),
    logRequests: false,
    enableDevRegistry: false,
    // The Worker logs a line for every request, which is not what is measured.
    handleStructuredLogs: () => {},
    ...(storedIn === undefined ? {} : { resourcePersistencePath: storedIn }),
    ...(inspected ? { inspectorPort: 0 } : {}),
    workers: [
      {
        config: {
          ...config,
          name: NAME,
          manifest,
        },
        dev,
      },
      ...Object.entries({ [EMPTY_NAME]: EMPTY, [PRECOMPUTED_NAME]: PRECOMPUTED }).map(([name, contents]) => ({
        config: {
          name,
          compatibilityDate: config.compatibilityDate,
          manifest: manifestOf({ [MAIN_MODULE]: contents }),
        },
        dev,
      })),
    ],
  });
  const [{ origin }, empty, precomputed] = await Promise.all([
    miniflare.unsafeGetDirectURL(NAME),
    miniflare.unsafeGetDirectURL(EMPTY_NAME),
    miniflare.unsafeGetDirectURL(PRECOMPUTED_NAME),
  ]);
  const [pid] = (await findRuntimes()).filter((runtime) => !others.has(runtime));
  if (pid === undefined) throw new Error('The Workers runtime did not start');
  const inspector = inspected ? `${await miniflare.getInspectorURL()}core:user:${NAME}` : '';
  const close = () => miniflare.dispose();
  return { url: origin, pid, empty: empty.origin, precomputed: precomputed.origin, inspector, close };
}

/** Process ids of the runtimes that this process has started (Linux), because Miniflare doesn't tell them. */
async function findRuntimes(): Promise<number[]> {
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    const [, command, parent] = /^\d+ \((.*)\) \S (\d+) /.exec(stat) ?? [];
    if (command === 'workerd' && Number(parent) === process.pid) found.push(Number(name));
  }
  return found;
}
