import { env } from 'cloudflare:workers';
import { neon } from '@neondatabase/serverless';
import { sweepVersions } from '../../src/datasets/sweep.ts';
import { database } from './sql.ts';

/** A question to the database behind the tested Worker. */
export function ask(query: string, params: unknown[] = []): Promise<Record<string, unknown>[]> {
  return neon((env as unknown as { DATABASE_URL: string }).DATABASE_URL).query(query, params) as never;
}

/** Does that part of the scheduled work that looks after datasets. Other parts are of concern to other tests. */
export async function sweep(): Promise<void> {
  await sweepVersions({ db: database, bucket: (env as unknown as { FILES: R2Bucket }).FILES }, { now: new Date() });
}

/** Makes a version as old as if nobody had touched it for so many minutes. Those of other tests stay as they are. */
export async function age(id: string, minutes: number): Promise<void> {
  await ask('update dataset_versions set touched_at = now() - make_interval(mins => $2) where id = $1', [id, minutes]);
}

/** Gives a version more features than are deleted at once. */
export async function fill(id: string): Promise<void> {
  await ask(
    `insert into features (version_id, type, properties, bytes) select $1, 0, 'null', 4 from generate_series(1, 6000)`,
    [id],
  );
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
