import { env } from 'cloudflare:workers';
import { type SQL, sql } from 'drizzle-orm';
import { connect } from '../../src/db/client.ts';
import type { Person } from './people.ts';

/** The database that the tested Worker uses, for states that no request can produce. */
export const database = connect((env as { DATABASE_URL?: string }).DATABASE_URL ?? '');

/** Changes a person's profile, which is created where there is none. */
export async function setProfile({ subject, email }: Person, set: SQL): Promise<void> {
  await database.execute(
    sql`insert into profiles (subject, email) values (${subject}, ${email}) on conflict do nothing`,
  );
  await database.execute(sql`update profiles set ${set} where subject = ${subject}`);
}

/** Changes a key, named by its id. */
export async function setKey(id: string, set: SQL): Promise<void> {
  await database.execute(sql`update api_keys set ${set} where id = ${id}`);
}
