import { sweepVersions } from './datasets/sweep.ts';
import { connect, type Database } from './db/client.ts';
import { type Bindings, configOf } from './env.ts';
import { logFailure } from './http/log.ts';

/** What a job works with. */
export interface JobContext {
  readonly db: Database;
  readonly env: Bindings;
  /** The moment that the run is for: now, unless somebody tries what a later one would do. */
  readonly now: Date;
}

/**
 * What is done now and then, each within bounds: what is left over is done the next time. A job may run twice at once, and
 * again right after, without changing anything more.
 */
const JOBS: Readonly<Record<string, (context: JobContext) => Promise<void>>> = {
  'sweep versions of datasets': ({ db, env, now }) => sweepVersions(db, env.FILES as R2Bucket, now),
};

/** Runs every job. One that fails doesn't keep the others from being run. */
export async function scheduled(controller: ScheduledController, env: Bindings): Promise<void> {
  const db = connect(configOf(env).DATABASE_URL);
  const context = { db, env, now: new Date(controller.scheduledTime) };
  for (const [name, job] of Object.entries(JOBS)) {
    try {
      await job(context);
    } catch (error) {
      logFailure('job', error, { job: name });
    }
  }
}
