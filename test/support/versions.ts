import { createExecutionContext, createScheduledController, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { neon } from '@neondatabase/serverless';
import worker from '../../src/worker.ts';

/** A question to the database behind the tested Worker. */
export function ask(query: string, params: unknown[] = []): Promise<Record<string, unknown>[]> {
  return neon((env as unknown as { DATABASE_URL: string }).DATABASE_URL).query(query, params) as never;
}

/** Lets the Worker do its scheduled work, as if it were so many minutes later. */
export async function sweep(minutesAhead = 0): Promise<void> {
  const controller = createScheduledController({
    scheduledTime: new Date(Date.now() + minutesAhead * 60_000),
    cron: '*/10 * * * *',
  });
  const context = createExecutionContext();
  await worker.scheduled(controller, env as never);
  await waitOnExecutionContext(context);
}

/** What is stored of a version in the database: its state, and how many rows of features it has. */
export async function versionOf(id: string): Promise<{ state: string | null; features: number }> {
  const [row] = await ask(
    `select (select state::text from dataset_versions where id = $1) as state,
      (select count(*)::int from features where version_id = $1) as features`,
    [id],
  );
  return row as never;
}
