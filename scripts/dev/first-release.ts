import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Load } from '../pipeline/release/load-data.ts';
import type { Given, Report } from './first-release-process.ts';
import type { Part } from './preparation.ts';

/** What such a release makes of the service. */
export const PARTS_OF_RELEASE = [
  'geography',
  'boundaries',
  'editions',
  'files',
  'copy',
] as const satisfies readonly Part[];

interface Options {
  /** Called with the share of a part that is done, 0 to 1, and what is being done. */
  onProgress: (part: Part, fraction: number, label: string) => void;
  /** Called once for each of its parts: when it is there, or will not be because the process failed or was stopped. */
  onEnd: (part: Part) => void;
}

/** A release that is made, published and loaded by a process of its own. */
export class FirstRelease {
  /** Geography is answered from it. It rejects where it can't be made or published. */
  readonly served: Promise<void>;
  /** The bucket and the database have all of it. */
  readonly complete: Promise<void>;
  /** The process has ended, by itself or because it was stopped. */
  readonly ended: Promise<unknown>;
  readonly load: Load;
  readonly #child;

  constructor(load: Load, { onProgress, onEnd }: Options) {
    this.load = load;
    const { id, createdAt } = load;
    const file = fileURLToPath(new URL('./first-release-process.ts', import.meta.url));
    const child = fork(file, [id, createdAt.toISOString()], {
      // Vertices are short-lived, and more room for them saves a tenth of the time.
      execArgv: ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=64'],
    });
    this.#child = child;
    const begun = new Set<Part>(PARTS_OF_RELEASE);
    const end = (...parts: Part[]) => {
      for (const part of parts) if (begun.delete(part)) onEnd(part);
    };
    child.on('message', (message: Report) => {
      if ('progress' in message) onProgress(message.part, message.progress, message.label);
      else if ('done' in message) end(message.done);
      else {
        end(...begun);
        // It ends when it is let go, and gives back the memory of the drawn country.
        child.disconnect();
      }
    });
    child.on('exit', () => end(...begun));
    this.ended = once(child, 'exit');
    const reached = (...parts: Part[]) =>
      new Promise<void>((resolve, reject) => {
        const left = new Set(parts);
        child.on('message', (message: Report) => {
          if ('failure' in message) reject(new Error(message.failure));
          else if ('done' in message && left.delete(message.done) && left.size === 0) resolve();
        });
        child.on('exit', (code) => reject(new Error(`The release was not made: its process ended with ${code}.`)));
      });
    this.served = reached('geography');
    this.complete = reached(...PARTS_OF_RELEASE);
    // Whoever waits for one of them gets the error; the other one fails for the same reason.
    for (const promise of [this.served, this.complete]) promise.catch(() => undefined);
  }

  /** Tells the process where the service is, or the database. */
  give(given: Given): void {
    if (this.#child.connected) this.#child.send(given);
  }

  /** Ends the process. Calling it again is harmless. */
  async stop(): Promise<void> {
    this.#child.kill();
    await this.ended;
  }
}
