import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Miniflare, NoOpLog } from 'miniflare';
import { unstable_readConfig as readConfig } from 'wrangler';

const SETTINGS = fileURLToPath(new URL('../../wrangler.toml', import.meta.url));

/** Name of the Worker in the local runtime. */
const NAME = 'measured';

const FILES = { type: 'r2', name: 'files' } as const;

/** The token that the measured Worker takes as its administrator's. */
export const TOKEN = 'token-of-the-measured-worker';

export interface MeasuredWorker {
  /** Origin, without a slash at the end. */
  url: string;
  /** Process id of the runtime. */
  pid: number;
}

export type RunningWorker = MeasuredWorker & { close(): Promise<void> };

/** Builds the Worker as a deployment would and runs it with local R2, cache and Durable Objects. */
export async function startWorker(databaseUrl: string): Promise<RunningWorker> {
  const texts = {
    ENVIRONMENT: 'development',
    DATABASE_URL: databaseUrl,
    MASTER_TOKEN: TOKEN,
    TILE_SESSION_SECRET: 'secret-of-tile-sessions-that-nobody-asks-for',
    SESSION_ISSUER: 'https://identity.example',
    SESSION_JWKS_URL: 'https://identity.example/jwks',
  };
  return run(await buildWorker(), {
    compatibilityDate: readConfig({ config: SETTINGS }, { hideWarnings: true }).compatibility_date as string,
    env: {
      FILES,
      METER: { type: 'durable-object', worker: NAME, exportName: 'Meter' },
      ...Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, { type: 'json' as const, value }])),
    },
    exports: { Meter: { type: 'durable-object', storage: 'sqlite' } },
  });
}

/** Runs a Worker that only answers: as fast as any Worker can be with this runtime, client and machine. */
export function startEmptyWorker(): Promise<RunningWorker> {
  const script = 'export default { fetch: () => new Response("x".repeat(5000)) };';
  return run(script, { compatibilityDate: '2026-01-01' });
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
  return run(script, { compatibilityDate: '2026-01-01', env: { FILES } });
}

type Config = ConstructorParameters<typeof Miniflare>[0]['workers'][number]['config'];

/** Runs a script in a runtime of its own. */
async function run(
  script: string,
  config: Pick<Config, 'compatibilityDate' | 'env' | 'exports'>,
): Promise<RunningWorker> {
  const others = new Set(await findRuntimes());
  const miniflare = new Miniflare({
    log: new NoOpLog(),
    logRequests: false,
    enableDevRegistry: false,
    // The Worker logs a line for every request, which is not what is measured.
    handleStructuredLogs: () => {},
    workers: [
      {
        config: {
          ...config,
          name: NAME,
          manifest: { mainModule: 'worker.js', modules: { 'worker.js': { type: 'esm', contents: script } } },
        },
        // This socket is for the Worker alone. Miniflare's own socket leads through another Worker first.
        dev: { unsafeDirectSockets: [{ host: '127.0.0.1' }] },
      },
    ],
  });
  const { origin } = await miniflare.unsafeGetDirectURL();
  const [pid] = (await findRuntimes()).filter((runtime) => !others.has(runtime));
  if (pid === undefined) throw new Error('The Workers runtime did not start');
  return { url: origin, pid, close: () => miniflare.dispose() };
}

/** Builds the Worker and returns its script. @throws Error with the output of wrangler */
async function buildWorker(): Promise<string> {
  const manifest = createRequire(import.meta.url).resolve('wrangler/package.json');
  const wrangler = join(dirname(manifest), 'bin', 'wrangler.js');
  const out = await mkdtemp(join(tmpdir(), 'pgds-bench-'));
  try {
    const args = [wrangler, 'deploy', '--dry-run', '--outdir', out];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`The Worker does not build.\n${stdout}${stderr}`);
    return await readFile(join(out, 'worker.js'), 'utf8');
  } finally {
    await rm(out, { recursive: true, force: true });
  }
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
