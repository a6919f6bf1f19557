import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const SOURCE = join(ROOT, 'clients/typescript');

const execute = promisify(execFile);

/** The oldest Node that the client runs on. .ci/clients installs it. */
export const NODE_20 = process.env.CLIENTS_NODE_20 ?? join(ROOT, '.cache/clients-node-20/node_modules/node/bin/node');

/** Packs the client as it would be published. It is done once: tests of several files would write the same files. */
export async function packClient(directory: string): Promise<string> {
  const { stdout } = await execute('npm', ['pack', '--json', '--pack-destination', directory], { cwd: SOURCE });
  const [{ filename }] = JSON.parse(stdout.slice(stdout.indexOf('['))) as [{ filename: string }];
  return join(directory, filename);
}

/** A project that depends on a packed client and has nothing else. */
export async function installClient(packed: string): Promise<string> {
  const project = await mkdtemp(join(tmpdir(), 'pgds-typescript-'));
  await writeFile(join(project, 'package.json'), '{"type":"module","private":true}');
  const args = ['install', '--offline', '--no-audit', '--no-fund', packed];
  await execute('npm', args, { cwd: project });
  return project;
}

/** What a command printed, and the status or signal that it ended with. */
export interface Ran {
  readonly status: number | string | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  readonly cwd: string;
  /** Undefined takes a variable away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly input?: string | Uint8Array;
  /** Is given the process when it has begun. */
  readonly started?: (child: ChildProcess) => void;
}

/** Runs a command to its end, whatever that is. */
export function runToEnd(command: string, args: readonly string[], options: RunOptions): Promise<Ran> {
  const { cwd, input, started } = options;
  const env = Object.fromEntries(
    Object.entries({ ...process.env, NO_COLOR: '1', ...options.env }).filter(([, value]) => value !== undefined),
  );
  const child = spawn(command, args, { cwd, env, stdio: 'pipe' });
  const printed = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  child.stdout.on('data', (chunk: Buffer) => printed.stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => printed.stderr.push(chunk));
  // A command that reads nothing may end before it is all written.
  child.stdin.on('error', () => undefined);
  if (input !== undefined) child.stdin.end(input);
  else if (!started) child.stdin.end();
  started?.(child);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      const text = (chunks: Buffer[]) => Buffer.concat(chunks).toString('utf8');
      resolve({ status: code ?? signal, stdout: text(printed.stdout), stderr: text(printed.stderr) });
    });
  });
}
