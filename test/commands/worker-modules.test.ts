import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunningWorker, startWorker } from '../../scripts/bench/worker.ts';
import { buildWorker, type WorkerBuild } from '../../scripts/command/worker-build.ts';

// The modules as a deployment uploads them, in the runtime.

/** Answers with the exports of the module that a request names. */
const WRAPPER = `
  import worker, { Meter } from './worker.js';
  export { Meter };

  export default {
    async fetch(request, env, context) {
      const name = new URL(request.url).searchParams.get('module');
      if (name === null) return worker.fetch(request, env, context);
      return Response.json(Object.keys(await import('./' + name)));
    },
  };`;

let build: WorkerBuild;
let worker: RunningWorker;
beforeAll(async () => {
  build = await buildWorker();
  const databaseUrl = 'postgresql://nobody:nothing@127.0.0.1:1/none';
  worker = await startWorker({ databaseUrl, modules: build.modules, wrapper: WRAPPER });
});
afterAll(() => worker?.close());

it('what is imported on demand is not loaded at the start, and loads when it is asked for', async () => {
  expect((await fetch(`${worker.url}/version`)).status).toBe(200);
  const { modules, atStart } = build;
  // Whatever the main module imports is one file, in the order of the source.
  expect(atStart).toEqual(['worker.js', expect.stringMatching(/^chunk-\w+\.js$/)]);
  const onDemand = Object.keys(modules).filter((name) => !atStart.includes(name));
  const exported = await Promise.all(
    onDemand.map(async (name) => {
      const response = await fetch(`${worker.url}/?module=${name}`);
      return response.ok ? ((await response.json()) as string[]) : [`${name}: ${response.status}`];
    }),
  );
  const verbs = [
    'EXPORTERS',
    'EXTRACT_WRITERS',
    'neonClient',
    'scheduled',
    'sendDueDeliveries',
    'serve',
    'uploadDataset',
  ];
  expect(exported.flat()).toEqual(expect.arrayContaining(verbs));
  expect(exported.flat().filter((name) => name.includes(':'))).toEqual([]);
});
