import { sql } from 'drizzle-orm';
import { type Database, rowsOf } from '../db/client.ts';
import { activeRelease } from '../db/schema/geography.ts';

/** The id of the release that is served, or undefined before the first load. */
export async function findActiveRelease(db: Database): Promise<string | undefined> {
  const [row] = await rowsOf<{ id: string }>(db, sql`select release_id as id from ${activeRelease}`);
  return row?.id;
}
