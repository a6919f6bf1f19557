import { readFileSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

interface Owner {
  pid: number;
  /** When the process started, so that a number used again is told apart; null where the system doesn't say. */
  startedAt: string | null;
}

/**
 * Takes the lock that the file `path` stands for and returns the function that gives it back. A lock whose owner is
 * no longer alive is taken over.
 *
 * @param subject how the error's sentence begins, such as `The database in /x`.
 * @throws when a living process holds the lock; the message names its pid.
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
    const found = await content(path);
    if (found === undefined) continue;
    const owner = parse(found);
    if (owner && isAlive(owner)) {
      throw new Error(
        `${subject} is in use by another process (pid ${owner.pid}), such as npm run dev; stop that one first.`,
      );
    }
    // Moved rather than deleted: of two processes that see the same dead owner, only one moves its file.
    const stale = `${path}.${process.pid}`;
    await rename(path, stale).catch(() => {});
    await rm(stale, { force: true });
  }
}

/** The file's text; a moment is given to a process that has created it and not yet written. */
async function content(path: string): Promise<string | undefined> {
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

/** Boot and clock ticks at which a process started, from Linux's /proc. */
function startedAt(pid: number): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    // The command in parentheses may hold spaces; the 22nd field of the line is the 20th after it.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\)\s/s, '')
      .split(' ');
    return `${boot}/${fields[19]}`;
  } catch {
    return null;
  }
}
