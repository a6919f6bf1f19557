import { sql } from 'drizzle-orm';
import { type Body, get, MASTER } from './api.ts';
import { type Person, person } from './people.ts';
import { setProfile } from './sql.ts';

/** The user of a subject, as an administrator sees them; undefined where there is none. */
export async function userOf(subject: string): Promise<Body> {
  const { body } = await get(`/v1/admin/users?subject=${encodeURIComponent(subject)}`, MASTER);
  return body.data[0];
}

/** The same with their keys and organisations. */
export async function detailOf(subject: string): Promise<Body> {
  return (await get(`/v1/admin/users/${(await userOf(subject)).id}`, MASTER)).body.data;
}

/** What was done to something, the oldest first. */
export async function historyOf(subjectId: string): Promise<Body[]> {
  return (await get(`/v1/admin/audit-logs?order=asc&limit=100&subject_id=${subjectId}`, MASTER)).body.data;
}

/** Somebody whom no other test knows, who is an administrator. */
export async function administrator(): Promise<Person> {
  const someone = await person();
  await setProfile(someone, sql`is_admin = true`);
  return someone;
}
