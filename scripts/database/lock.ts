import { readFileSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

interface Owner {
  pid: number;
  /** When the process started, because process ids are used again; null where the system doesn't say. */
  startedAt: string | null;
}

/**
 * Takes a lock, which is the file `path`, and returns the function that releases it. A lock is taken over when its
 * owner is no longer running.
 *
 * @param subject the beginning of the error's sentence, such as `The database in /x`
 * @throws Error when a running process holds the lock; the message names its process id
 */
export async function takeLock(path: string, subject: string): Promise<() => Promise<void>> {
  const mine = JSON.stringify({ pid: process.pid, startedAt: startedAt(process.pid) } satisfies Owner);
  for (;;) {
    try {
      await writeFile(path, mine, { flag: 'wx' });
      return () => rm(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const found = await readOwner(path);
    if (found === undefined) continue;
    const owner = parse(found);
    if (owner && isAlive(owner)) {
      throw new Error(
        `${subject} is in use by another process (pid ${owner.pid}), such as npm run dev; stop that one first.`,
      );
    }
    // The file is moved and not deleted, because only one of two processes that see the same dead owner can move it.
    const stale = `${path}.${process.pid}`;
    await rename(path, stale).catch(() => {});
    await rm(stale, { force: true });
  }
}

/** Reads the file. Waits a moment for a process that has created it and not yet written to it. */
async function readOwner(path: string): Promise<string | undefined> {
  for (let attempt = 0; ; attempt++) {
    const text = await readFile(path, 'utf8').catch(() => undefined);
    if (text !== '' || attempt === 10) return text;
    await sleep(20);
  }
}

function parse(text: string): Owner | undefined {
  try {
    const owner = JSON.parse(text);
    return Number.isInteger(owner?.pid) ? owner : undefined;
  } catch {
    return undefined;
  }
}

function isAlive({ pid, startedAt: then }: Owner): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  return then === null || then === startedAt(pid);
}

/** The boot and the clock ticks at which a process started, from Linux's /proc. */
function startedAt(pid: number): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    // The command in parentheses may contain spaces. The 22nd field of the line is the 20th one after the command.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\)\s/s, '')
      .split(' ');
    return `${boot}/${fields[19]}`;
  } catch {
    return null;
  }
}
