import type { ServiceContext } from '../context.ts';
import { logFailure } from '../log.ts';

/** The object that says when each scheduled job ran last. */
const KEY = 'housekeeping/jobs.json';

/** When a job was done last, and when it failed last, milliseconds since the epoch. */
export interface JobRuns {
  readonly done?: number;
  readonly failed?: number;
}

/** The last runs of the jobs, by their names; empty before the first. */
export async function readJobRuns({ bucket }: ServiceContext): Promise<Readonly<Record<string, JobRuns>>> {
  return ((await bucket.findJson(KEY)) ?? {}) as Record<string, JobRuns>;
}

/** Notes what ran. A failure is logged: the jobs themselves are done. */
export async function noteJobRuns(ctx: ServiceContext, ran: Readonly<Record<string, JobRuns>>): Promise<void> {
  try {
    const before = await readJobRuns(ctx);
    const runs = Object.entries(ran).map(([name, run]) => [name, { ...before[name], ...run }]);
    await ctx.bucket.put(KEY, JSON.stringify(Object.fromEntries(runs)));
  } catch (error) {
    logFailure('job_runs_not_noted', error, {});
  }
}
