import { env, WorkerEntrypoint } from 'cloudflare:workers';
import worker, { Meter as CloudMeter } from '../worker.ts';
import type { S3Location } from './s3.ts';
import { s3Bucket } from './s3-bucket.ts';

// The Worker as `npm start` runs it: its bucket may be in an S3, and the process asks it whether it has work left before it stops.

const { S3: location } = env as { S3?: S3Location };
const bindings = (location ? { ...env, FILES: s3Bucket(location) } : env) as Env;

/** The counters, which send notifications with the same bindings. */
export class Meter extends CloudMeter {
  constructor(state: DurableObjectState, _: Env) {
    super(state, bindings);
  }
}

/** How many pieces of work after answers, and runs of jobs, have not ended. */
let pending = 0;

async function counted<T>(work: Promise<T>): Promise<T> {
  pending += 1;
  try {
    return await work;
  } finally {
    pending -= 1;
  }
}

function countedIn(context: ExecutionContext): ExecutionContext {
  const waitUntil = (work: Promise<unknown>) => context.waitUntil(counted(work));
  return { waitUntil, passThroughOnException: () => undefined, props: context.props } as ExecutionContext;
}

/** What only the process asks, at a URL of its own: POST runs the jobs, GET says how much work is left. */
export class Work extends WorkerEntrypoint {
  override async fetch({ method }: Request): Promise<Response> {
    if (method === 'POST') {
      const now = { scheduledTime: Date.now() } as ScheduledController;
      // The jobs have lines in the log that say what failed.
      await counted(worker.scheduled(now, bindings, countedIn(this.ctx))).catch(() => undefined);
    }
    return Response.json({ pending });
  }
}

export default {
  fetch: (request: Request, _: unknown, context: ExecutionContext) =>
    worker.fetch(request, bindings, countedIn(context)),
};
