import { sql } from 'drizzle-orm';

/** The id of an edition of releases, of their column `edition`: `4Q 2023` → `2023-4q`. Ids sort by time. */
export const EDITION_ID_TEXT = `lower(right(edition, 4) || '-' || left(edition, 2))`;

/** The same of a row `r` of releases, as a part of a statement. */
export const EDITION_ID = sql.raw(`lower(right(r.edition, 4) || '-' || left(r.edition, 2))`);
