import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Load } from '../pipeline/release/load-data.ts';
import type { Given, Told } from './first-release-process.ts';
import type { Part } from './preparation.ts';

interface Options {
  /** Called with the share of a part that is done, 0 to 1, and what is being done. */
  onProgress: (part: Part, fraction: number, label: string) => void;
  /** Called when a part is there. */
  onDone: (part: Part) => void;
}

/** A release that is made, published and loaded by a process of its own. */
export class FirstRelease {
  /** Geography is answered from it. It rejects where it can't be made or published. */
  readonly served: Promise<void>;
  /** The bucket and the database have all of it. */
  readonly complete: Promise<void>;
  readonly #child;

  constructor({ id, createdAt }: Load, { onProgress, onDone }: Options) {
    const file = fileURLToPath(new URL('./first-release-process.ts', import.meta.url));
    const child = fork(file, [id, createdAt.toISOString()], { execArgv: ['--disable-warning=ExperimentalWarning'] });
    this.#child = child;
    child.on('message', (told: Told) => {
      if ('progress' in told) onProgress(told.part, told.progress, told.label);
      else if ('done' in told) onDone(told.done);
    });
    const reached = (...parts: Part[]) =>
      new Promise<void>((resolve, reject) => {
        const left = new Set(parts);
        child.on('message', (told: Told) => {
          if ('failure' in told) reject(new Error(told.failure));
          else if ('done' in told && left.delete(told.done) && left.size === 0) resolve();
        });
        child.on('exit', (code) => reject(new Error(`The release was not made: its process ended with ${code}.`)));
      });
    this.served = reached('geography');
    this.complete = reached('editions', 'files');
    // Whoever waits for one of them is told; the other one fails for the same reason.
    for (const promise of [this.served, this.complete]) promise.catch(() => undefined);
  }

  /** Tells the process where the service is, or the database. */
  give(given: Given): void {
    if (this.#child.connected) this.#child.send(given);
  }

  /** Ends the process. Calling it again is harmless. */
  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill();
    await once(this.#child, 'exit');
  }
}
