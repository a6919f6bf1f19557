import { once } from 'node:events';
import { createWriteStream, existsSync, realpathSync, statSync, unlinkSync, type WriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { UsageError } from './usage-error.ts';

/** Incomplete files. They are deleted if the command ends early. */
const unfinished = new Set<string>();

/** Deletes incomplete files. */
export function removeUnfinished(): void {
  for (const path of unfinished) {
    try {
      unlinkSync(path);
    } catch {
      // It was not created yet.
    }
  }
  unfinished.clear();
}

export interface Output {
  write(chunk: string | Uint8Array): Promise<void>;
  /** Completes the output. Atomic: a file is visible only when complete. */
  end(): Promise<void>;
}

/** Writes to standard output, with backpressure. */
export const standardOutput: Output = {
  write: (chunk) => written(process.stdout, chunk),
  end: async () => undefined,
};

/**
 * The destination of a table: a file, visible only when complete, or standard output for `-` and undefined.
 *
 * @throws UsageError if the file exists and may not be replaced
 */
export function openOutput(path: string | undefined, { force = false }: { force?: boolean | undefined }): Output {
  if (path === undefined || path === '-') return standardOutput;
  const isThere = existsSync(path);
  // Devices and pipes are written to, and never replaced.
  if (isThere && !statSync(path).isFile()) {
    if (statSync(path).isDirectory()) throw new UsageError(`${path} is a folder.`);
    return outputTo(createWriteStream(path), async () => undefined);
  }
  requireFree(path, force);
  const target = isThere ? realpathSync(path) : path;
  return replacing(target, () => requireFree(path, force));
}

function requireFree(path: string, force: boolean): void {
  if (!force && existsSync(path))
    throw new UsageError(`${path} exists. Give it another name, or --force to replace it.`);
}

/** Writes a temporary file beside the target and moves it there when complete. */
export function replacing(target: string, beforeMoving: () => void = () => undefined): Output {
  const path = join(dirname(target), `.${basename(target)}.${process.pid}.part`);
  unfinished.add(path);
  return outputTo(createWriteStream(path, { flags: 'wx', flush: true }), async () => {
    beforeMoving();
    await rename(path, target);
    unfinished.delete(path);
  });
}

function outputTo(stream: WriteStream, move: () => Promise<void>): Output {
  // An error between two writes is thrown by the next one.
  let failure: unknown;
  stream.on('error', (error) => {
    failure ??= error;
  });
  return {
    write: async (chunk) => {
      if (failure) throw failure;
      await written(stream, chunk);
    },
    end: async () => {
      if (failure) throw failure;
      stream.end();
      await once(stream, 'close');
      if (failure) throw failure;
      await move();
    },
  };
}

async function written(stream: NodeJS.WritableStream, chunk: string | Uint8Array): Promise<void> {
  if (!stream.write(chunk)) await once(stream, 'drain');
}
