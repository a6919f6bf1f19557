import { PREPARED, type Preparing } from '../../src/storage/preparing.ts';

/** A part of the service that is made after its start. */
export type Part = (typeof PREPARED)[number];

/** What the service is still preparing, and how far it is. */
export class Preparation {
  readonly #progress = new Map<Part, number>();

  /** Null where nothing is left. */
  get left(): Preparing {
    const left = PREPARED.flatMap((what) => {
      const progress = this.#progress.get(what);
      return progress === undefined ? [] : [{ what, progress }];
    });
    return left.length > 0 ? left : null;
  }

  /** Says that parts are not there yet. */
  begin(...parts: Part[]): void {
    for (const part of parts) if (!this.#progress.has(part)) this.#progress.set(part, 0);
  }

  /** @param progress the share that is done, 0 to 1 */
  update(part: Part, progress: number): void {
    if (this.#progress.has(part)) this.#progress.set(part, Math.round(100 * progress) / 100);
  }

  /** Records that a part is there, or will not be. Its failure is reported elsewhere. */
  end(part: Part): void {
    this.#progress.delete(part);
  }
}
