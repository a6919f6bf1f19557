import { eraseAccounts } from './account/erasure.ts';
import { deleteOldAuditLogs } from './admin/repo/logs.ts';
import { deleteOldSnapshots, servePublished } from './areas/snapshot/housekeeping.ts';
import { jobContext, type ServiceContext } from './context.ts';
import { sweepVersions } from './datasets/sweep.ts';
import { deleteOldRequests } from './db/idempotency.ts';
import { deleteUnusedShapes } from './features/repo/shapes.ts';
import { logFailure, logWork } from './log.ts';
import { deleteOldDeliveries } from './notifications/repo/deliveries.ts';
import { wakeSender } from './notify.ts';
import { resumeUsage } from './rate-limits/resume-usage.ts';
import { type JobRuns, noteJobRuns } from './status/jobs.ts';
import { deleteUnreferencedObjects } from './tiles/service.ts';
import { deleteOldUsage } from './usage/repo.ts';
import { deleteOldWebhookBodies } from './webhooks/repo.ts';

/** Work that is done on a schedule. A run does a bounded part of it, and the next run goes on from there. */
interface Job {
  readonly name: string;
  /** @param now the moment that the run was scheduled for, from which ages are counted */
  run(ctx: ServiceContext, now: Date): Promise<unknown>;
}

/** How long the log of webhook deliveries is kept, days. Texts name it: `git grep '30 days'`. */
const NOTIFICATION_DAYS = 30;

export const jobs: readonly Job[] = [
  {
    name: 'delete-old-webhook-bodies',
    run: ({ db, config }) => deleteOldWebhookBodies(db, config.WEBHOOK_BODY_RETENTION_DAYS),
  },
  { name: 'delete-old-audit-logs', run: ({ db, config }) => deleteOldAuditLogs(db, config.AUDIT_RETENTION_DAYS) },
  { name: 'erase-deleted-accounts', run: (ctx, now) => eraseAccounts(ctx, { now }) },
  { name: 'sweep-dataset-versions', run: (ctx, now) => sweepVersions(ctx, { now }) },
  { name: 'delete-unused-boundaries', run: ({ db }) => deleteUnusedShapes(db) },
  { name: 'delete-unreferenced-tiles', run: (ctx, now) => deleteUnreferencedObjects(ctx, { now }) },
  { name: 'delete-old-idempotency-keys', run: ({ db }) => deleteOldRequests(db) },
  { name: 'delete-old-usage', run: ({ db }) => deleteOldUsage(db) },
  { name: 'serve-published-release', run: (ctx) => servePublished(ctx) },
  { name: 'delete-old-snapshots', run: (ctx, now) => deleteOldSnapshots(ctx, { now }) },
  { name: 'resume-usage', run: (ctx) => resumeUsage(ctx) },
  { name: 'send-notifications', run: (ctx) => wakeSender(ctx) },
  { name: 'delete-old-notifications', run: ({ db }) => deleteOldDeliveries(db, NOTIFICATION_DAYS) },
];

/**
 * Runs every job, also when one before it has failed.
 *
 * @throws Error naming the jobs that failed, so that the platform counts the run as failed; the log has the causes
 */
export async function scheduled(
  controller: ScheduledController,
  env: Env,
  execution: Pick<ExecutionContext, 'waitUntil'>,
): Promise<void> {
  const ctx = jobContext(env, (work) => execution.waitUntil(work));
  const now = new Date(controller.scheduledTime);
  const ran: Record<string, JobRuns> = {};
  for (const { name, run } of jobs) {
    const started = Date.now();
    try {
      await run(ctx, now);
      logWork('job_done', { job: name, duration_ms: Date.now() - started });
      ran[name] = { done: Date.now() };
    } catch (error) {
      logFailure('job_failed', error, { job: name });
      ran[name] = { failed: Date.now() };
    }
  }
  await noteJobRuns(ctx, ran);
  const failed = Object.keys(ran).filter((name) => ran[name]?.failed !== undefined);
  if (failed.length > 0) throw new Error(`Jobs failed: ${failed.join(', ')}`);
}
