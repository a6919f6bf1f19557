import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { sweepVersions } from '../../src/datasets/sweep.ts';
import { jobContext } from './context.ts';
import { database } from './sql.ts';

/** Runs the scheduled job that sweeps versions of datasets, and no other. */
export async function sweep(): Promise<void> {
  await sweepVersions(jobContext(env), { now: new Date() });
}

/** Makes a version look as if it had not been touched for so many minutes. */
export async function age(id: string, minutes: number): Promise<void> {
  await database.execute(
    sql`update dataset_versions set touched_at = now() - make_interval(mins => ${minutes}) where id = ${id}`,
  );
}

/** Gives a version more features than one statement deletes. */
export async function fill(id: string): Promise<void> {
  await database.execute(
    sql`insert into features (version_id, type, properties, bytes)
      select ${id}, 0, 'null', 4 from generate_series(1, 6000)`,
  );
}

/** What is stored of a version in the database: its state, and how many rows of features it has. */
export async function versionOf(id: string): Promise<{ state: string | null; features: number }> {
  const { rows } = await database.execute<{ state: string | null; features: number }>(
    sql`select (select state::text from dataset_versions where id = ${id}) as state,
      (select count(*)::int from features where version_id = ${id}) as features`,
  );
  return rows[0] as { state: string | null; features: number };
}
