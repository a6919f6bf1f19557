import { env } from 'cloudflare:workers';
import { type SQL, sql } from 'drizzle-orm';
import { connect } from '../../src/db/client.ts';
import { Deadline } from '../../src/deadline.ts';
import { meterOf } from './limits.ts';
import type { Person } from './people.ts';
import { TIMEOUT_MS } from './timeouts.ts';

/** A database for statements of a test, which waits for each as long as tests wait for anything. */
export const connectUnhurried = (url: string) => connect(url, new Deadline('each', TIMEOUT_MS));

/** The database that the tested Worker uses, for states that no request can produce. */
export const database = connectUnhurried((env as { DATABASE_URL?: string }).DATABASE_URL ?? '');

/** Changes a person's profile, which is created where there is none, and tells the counters of their keys. */
export async function setProfile({ subject, email }: Person, set: SQL): Promise<void> {
  await database.execute(
    sql`insert into profiles (subject, email) values (${subject}, ${email}) on conflict do nothing`,
  );
  await database.execute(sql`update profiles set ${set} where subject = ${subject}`);
  await tell(sql`select prefix from api_keys k join profiles p on p.id = k.user_id where p.subject = ${subject}`);
}

/** Changes a key, named by its id, and tells its counter, as another instance of the Worker does it. */
export async function setKey(id: string, set: SQL): Promise<void> {
  await tell(sql`update api_keys set ${set} where id = ${id} returning prefix`);
}

/** @param keys a query for the prefixes of keys that have changed */
async function tell(keys: SQL): Promise<void> {
  const { rows } = await database.execute<{ prefix: string }>(keys);
  await Promise.all(rows.map(({ prefix }) => meterOf(`key:${prefix}`).forget()));
}
