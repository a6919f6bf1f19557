import { ask, type Database } from '../db/client.ts';
import { activeRelease } from '../db/schema/geography.ts';

/** The id of the release that is served, or undefined before the first load. */
export async function findActiveRelease(db: Database): Promise<string | undefined> {
  const [row] = await ask(db, db.select({ id: activeRelease.releaseId }).from(activeRelease));
  return row?.id;
}
