import { forgetAuditLogs } from './admin/repo/logs.ts';
import { sweepVersions } from './datasets/sweep.ts';
import { connect, type Database } from './db/client.ts';
import { type Bindings, type Config, configOf } from './env.ts';
import { logFailure, logWork } from './log.ts';
import { resumeUsage } from './rate-limits/resume-usage.ts';
import { removeLeftOvers } from './tiles/service.ts';
import { forgetUsage } from './usage/repo.ts';
import { forgetBodies } from './webhooks/repo.ts';

/** What a job has at hand. */
interface JobContext {
  readonly config: Config;
  readonly db: Database;
  readonly env: Bindings;
  /** The moment that the run is for: now, unless somebody tries what a later one would do. */
  readonly now: Date;
}

/** Something that is done every now and then. One run is bounded; the next goes on where it has stopped. */
interface Job {
  readonly name: string;
  run(context: JobContext): Promise<void>;
}

export const jobs: readonly Job[] = [
  { name: 'forget-webhook-bodies', run: ({ db, config }) => forgetBodies(db, config.WEBHOOK_BODY_RETENTION_DAYS) },
  { name: 'forget-audit-logs', run: ({ db, config }) => forgetAuditLogs(db, config.AUDIT_RETENTION_DAYS) },
  { name: 'sweep-dataset-versions', run: ({ db, env, now }) => sweepVersions(db, env.FILES as R2Bucket, now) },
  {
    name: 'remove-left-over-tiles',
    run: ({ db, env, now }) => removeLeftOvers({ db, bucket: env.FILES as R2Bucket }, now),
  },
  { name: 'forget-key-usage', run: ({ db }) => forgetUsage(db) },
  { name: 'resume-usage', run: ({ db, env }) => resumeUsage(db, env) },
];

/**
 * Runs every job, whatever becomes of the others.
 *
 * @throws Error naming those that failed, so that the platform knows; the log has the causes
 */
export async function scheduled(controller: ScheduledController, env: Bindings): Promise<void> {
  const config = configOf(env);
  const context = { config, db: connect(config.DATABASE_URL), env, now: new Date(controller.scheduledTime) };
  const failed: string[] = [];
  for (const { name, run } of jobs) {
    const started = Date.now();
    try {
      await run(context);
      logWork('job_done', { job: name, duration_ms: Date.now() - started });
    } catch (error) {
      logFailure('job_failed', error, { job: name });
      failed.push(name);
    }
  }
  if (failed.length > 0) throw new Error(`Jobs failed: ${failed.join(', ')}`);
}
