import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import runtime from 'workerd';
import { findFreePort } from '../dev/port.ts';

/** The token that the measured Worker takes as its administrator's. */
export const TOKEN = 'token-of-the-measured-worker';

const SETTINGS = fileURLToPath(new URL('../../wrangler.toml', import.meta.url));

export interface MeasuredWorker {
  url: string;
  /** Process id of the runtime. */
  pid: number;
  close(): Promise<void>;
}

/**
 * Builds the Worker as a deployment would and runs it in the bare Workers runtime, without a development server.
 *
 * @param edge address of the edge's cache, host and port
 * @param bucket address of the bucket, host and port
 */
export async function startWorker(databaseUrl: string, edge: string, bucket: string): Promise<MeasuredWorker> {
  const out = await mkdtemp(join(tmpdir(), 'pgds-bench-'));
  build(out);
  return serve(out, await configuration(databaseUrl, edge, bucket));
}

/** A Worker that does nothing but answer: as fast as any can be with this runtime, client and machine. */
export async function startEmptyWorker(): Promise<MeasuredWorker> {
  const out = await mkdtemp(join(tmpdir(), 'pgds-bench-'));
  await writeFile(join(out, 'worker.js'), 'export default { fetch: () => new Response("x".repeat(5000)) };');
  return serve(out, configurationOf([MODULE, 'compatibilityDate = "2026-01-01"'], [MAIN]));
}

async function serve(folder: string, config: string): Promise<MeasuredWorker> {
  const port = await findFreePort();
  await writeFile(join(folder, 'config.capnp'), config);
  // Its log has a line per request, which is not what is measured.
  const args = ['serve', 'config.capnp', `--socket-addr=http=127.0.0.1:${port}`];
  const child = spawn(runtime.default, args, { cwd: folder, stdio: ['ignore', 'ignore', 'ignore'] });
  const url = `http://127.0.0.1:${port}`;
  for (;;) {
    if (child.exitCode !== null) throw new Error('The Workers runtime did not start');
    if (await fetch(`${url}/version`).catch(() => undefined)) break;
    await sleep(50);
  }
  return {
    url,
    pid: child.pid as number,
    close: async () => {
      child.kill();
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function build(out: string): void {
  const manifest = createRequire(import.meta.url).resolve('wrangler/package.json');
  const wrangler = join(dirname(manifest), 'bin', 'wrangler.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [wrangler, 'deploy', '--dry-run', '--outdir', out], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The Worker does not build.\n${stdout}${stderr}`);
}

const MAIN = '(name = "main", worker = .worker)';
const MODULE = 'modules = [(name = "worker.js", esModule = embed "worker.js")]';

async function configuration(databaseUrl: string, edge: string, bucket: string): Promise<string> {
  const date = /^compatibility_date = "(.+)"$/m.exec(await readFile(SETTINGS, 'utf8'))?.[1];
  const bindings = {
    ENVIRONMENT: 'development',
    DATABASE_URL: databaseUrl,
    MASTER_TOKEN: TOKEN,
    TILE_SESSION_SECRET: 'secret-of-tile-sessions-that-nobody-asks-for',
    SESSION_ISSUER: 'https://identity.example',
    SESSION_JWKS_URL: 'https://identity.example/jwks',
  };
  const texts = Object.entries(bindings).map(([name, text]) => `(name = "${name}", text = ${JSON.stringify(text)})`);
  return configurationOf(
    [
      MODULE,
      `compatibilityDate = "${date}"`,
      `bindings = [${texts.join(', ')}, (name = "FILES", r2Bucket = "bucket")]`,
      'globalOutbound = "internet"',
      'cacheApiOutbound = "edge"',
    ],
    [
      MAIN,
      '(name = "internet", network = (allow = ["public", "private"]))',
      `(name = "edge", external = (address = "${edge}", http = ()))`,
      `(name = "bucket", external = (address = "${bucket}", http = ()))`,
    ],
  );
}

/** A configuration of the runtime: members of the Worker, and the services that it consists of and has. */
function configurationOf(worker: string[], services: string[]): string {
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [${services.join(', ')}],
  sockets = [(name = "http", http = (), service = "main")],
);
const worker :Workerd.Worker = (${worker.join(', ')});
`;
}

/** The most memory that a process has had in use since `forgetPeak`, bytes (Linux: VmHWM). */
export async function peakOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
}

/** Lets the peak begin anew at what the process has in use now. */
export function forgetPeak(pid: number): Promise<void> {
  return writeFile(`/proc/${pid}/clear_refs`, '5');
}
