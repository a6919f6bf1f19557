import { Inspector } from './inspector.ts';
import { measureLoad } from './load.ts';
import { printTable } from './table.ts';
import { MASTER, startWorker, type WorkerOptions } from './worker.ts';
import type { Subject } from './works.ts';

const SECONDS = 3;
const SHOWN = 30;

/**
 * Prints in which functions of the Worker the CPU time of each kind of request goes.
 *
 * @param options with modules whose functions have their names
 */
export async function profile(options: WorkerOptions, subjects: readonly Subject[]): Promise<void> {
  const worker = await startWorker({ ...options, inspected: true });
  try {
    const inspector = await Inspector.attach(worker.inspector);
    for (const { work, path, body, authorized, withKeys } of subjects) {
      if (withKeys) continue;
      const headers = authorized === false ? {} : MASTER;
      const load = { urls: [worker.url + path], headers, ...(body === undefined ? {} : { body }) };
      await measureLoad(load, 1);
      let requests = 0;
      const { functions, seconds } = await inspector.profile(async () => {
        ({ requests } = await measureLoad(load, SECONDS));
      });
      const micros = (seconds / requests) * 1e6;
      printTable(
        `${work}: ${micros.toFixed(0)} µs of the isolate per request`,
        ['function', 'share', 'µs'],
        functions
          .slice(0, SHOWN)
          .map(({ where, share }) => [where, `${(share * 100).toFixed(1)} %`, (share * micros).toFixed(1)]),
      );
    }
    inspector.close();
  } finally {
    await worker.close();
  }
}
