import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Level } from '../../../src/areas/store.ts';
import type { Unit } from '../boundaries/topology/country.ts';
import type { Area } from '../psgc/area.ts';
import type { Points } from './points.ts';

export interface PointsRequest {
  /** From regions down: per unit of the borders in the repository the index of the area of the release that it belongs to; -1 for none. */
  readonly levels: readonly { readonly level: Level; readonly rows: Int32Array }[];
}

/** Cuts the borders in the repository into cells, in a worker thread. It reads the borders before `cut` is called. */
export class PointsThread {
  readonly #thread = new Worker(new URL('./points-thread.ts', import.meta.url), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });

  /**
   * Cuts the borders, once, and ends the thread.
   *
   * @param units what each unit of the borders belongs to, by the codes of the release
   */
  async cut(units: readonly Unit[], areas: readonly Area[]): Promise<Points> {
    const rowOf = new Map(areas.map(({ code }, row) => [code, row]));
    const levels = (['region', 'province', 'municity', 'barangay'] as const).map((level) => ({
      level,
      rows: Int32Array.from(units, (unit) => rowOf.get(unit[level] ?? '') ?? -1),
    }));
    this.#thread.postMessage({ levels } satisfies PointsRequest);
    // An 'error' event of the thread rejects this.
    const [points] = (await once(this.#thread, 'message')) as [Points];
    await this.#thread.terminate();
    return points;
  }
}
