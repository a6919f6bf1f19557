import { once } from 'node:events';
import { existsSync, statfsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { takeLock } from './lock.ts';

/** A message of the database thread: its port once it listens, or that it has closed. */
export type ThreadMessage = { port: number } | { closed: true };

export interface Embedded {
  /** `postgresql://…` on 127.0.0.1, for `pg` and anything else that speaks Postgres. */
  url: string;
  /** Writes everything to disk, stops the thread and unlocks the directory. Calling it again is harmless. */
  close(): Promise<void>;
}

export interface EmbeddedOptions {
  /** Called with what is being done and how far it is, 0 to 1. */
  onProgress?: (fraction: number, label: string) => void;
  /** Called when the database crashes. Without it, a crash is an uncaught error. */
  onCrash?: (error: Error) => void;
}

/**
 * Opens the embedded PostgreSQL with PostGIS whose files are in `dataDir`, and creates it on first use. That takes
 * about ten seconds; reopening takes about two. It runs in a thread of its own, because PGlite computes synchronously:
 * a process that is busy with a query would react neither to signals nor to sockets.
 *
 * PGlite has one session, which all connections share. Statements queue, a transaction blocks the other connections,
 * and all share settings, temporary tables, names of prepared statements and advisory locks.
 *
 * @throws Error when another running process has the directory open; the message names its process id
 */
export async function openEmbedded(dataDir: string, options: EmbeddedOptions = {}): Promise<Embedded> {
  const directory = resolve(dataDir);
  await mkdir(directory, { recursive: true });
  const release = await takeLock(join(directory, 'pid'), `The database in ${directory}`);
  try {
    return await start(directory, options, release);
  } catch (error) {
    await release();
    throw error;
  }
}

async function start(
  directory: string,
  { onProgress, onCrash }: EmbeddedOptions,
  release: () => Promise<void>,
): Promise<Embedded> {
  const cluster = join(directory, 'postgres');
  const created = join(directory, 'created');
  const fresh = !existsSync(created);
  // A process that was killed while it created the cluster leaves one that looks complete and is not.
  if (fresh) await rm(cluster, { recursive: true, force: true });
  onProgress?.(0, fresh ? 'Creating the database' : 'Opening the database');

  const thread = new Worker(new URL('./embedded-thread.ts', import.meta.url), {
    workerData: { cluster },
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  const port = await firstPort(thread).catch((error: Error) => {
    throw new Error(`The embedded database can't be opened: ${reasonOf(error, directory)}`, { cause: error });
  });
  if (fresh) await writeFile(created, '');
  onProgress?.(1, 'Database open');

  let closing: Promise<void> | undefined;
  thread.on('error', (error) => {
    if (closing) return;
    const crash = new Error(`The embedded database stopped: ${reasonOf(error, directory)}`, { cause: error });
    if (!onCrash) throw crash;
    onCrash(crash);
  });
  return {
    url: `postgresql://postgres:postgres@127.0.0.1:${port}/postgres`,
    close: () => {
      closing ??= stop(thread).finally(release);
      return closing;
    },
  };
}

/** What PostgreSQL needs on the disk to go on: the next file of its log, bytes. */
const LOG_FILE = 16 * 1024 * 1024;

/** The reason for which the database has stopped. If the disk is full, the error of the thread does not say so. */
export function reasonOf({ message }: Error, directory: string): string {
  const { bavail, bsize } = statfsSync(directory);
  const free = bavail * bsize;
  if (free >= LOG_FILE) return message;
  const left = `${Math.floor(free / 1024 / 1024)} MiB are left for ${directory}`;
  return `the disk is full. ${left}, and the database needs ${LOG_FILE / 1024 / 1024} MiB.`;
}

/** Waits for the port on which the thread listens. */
async function firstPort(thread: Worker): Promise<number> {
  const exited = once(thread, 'exit').then(([code]) => {
    throw new Error(`its thread ended with exit code ${code}`);
  });
  try {
    // An 'error' event rejects the first promise with the error of the thread.
    const [message] = (await Promise.race([once(thread, 'message'), exited])) as [ThreadMessage];
    if (!('port' in message)) throw new Error('it closed');
    return message.port;
  } catch (error) {
    await thread.terminate();
    throw error;
  } finally {
    exited.catch(() => {});
  }
}

async function stop(thread: Worker): Promise<void> {
  if (thread.threadId === -1) return;
  const exited = once(thread, 'exit');
  thread.postMessage('close');
  await exited;
}
