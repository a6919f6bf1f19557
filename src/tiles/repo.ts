import { eq, inArray, type SQL, sql } from 'drizzle-orm';
import { type Actor, audited } from '../db/audit.ts';
import { ask, type Database } from '../db/client.ts';
import { tileArchives } from '../db/schema/tiles.ts';
import type { TileArchive } from './archive.ts';

function archiveOf(row: typeof tileArchives.$inferSelect): TileArchive {
  return { ...row, updatedAt: row.updatedAt.toISOString() };
}

/**
 * The archives in the order of their slugs.
 *
 * @param slugs limits the list to these; slugs that no archive has are left out
 */
export async function listArchives(
  db: Database,
  { slugs }: { slugs?: readonly string[] | undefined } = {},
): Promise<TileArchive[]> {
  const which = slugs && inArray(tileArchives.slug, slugs);
  const rows = await ask(db, db.select().from(tileArchives).where(which).orderBy(tileArchives.slug));
  return rows.map(archiveOf);
}

export async function findArchive(db: Database, slug: string): Promise<TileArchive | undefined> {
  const [row] = await ask(db, db.select().from(tileArchives).where(eq(tileArchives.slug, slug)));
  return row && archiveOf(row);
}

/**
 * Inserts an archive, or replaces the one that has its slug.
 *
 * @returns the stored archive, and the key of the object that it replaced, if it replaced one
 */
export async function upsertArchive(
  db: Database,
  { archive, actor }: { archive: Omit<TileArchive, 'updatedAt'>; actor: Actor },
): Promise<{ archive: TileArchive; replacedKey: string | null }> {
  const { slug, objectKey } = tileArchives;
  const before = db.$with('before').as(db.select({ objectKey }).from(tileArchives).where(eq(slug, archive.slug)));
  const set = { ...archive, updatedAt: sql`now()` };
  const upsert = db.insert(tileArchives).values(archive).onConflictDoUpdate({ target: slug, set });
  const stored = db.$with('stored').as(upsert.returning());
  const audit = db.$with('audit', {}).as(audited(actor, archiveEvent('uploaded', sql`stored`)));
  const rows = db.with(before, stored, audit).select().from(stored).leftJoin(before, sql`true`);
  const [row] = await ask(db, rows);
  if (!row) throw new Error('An upsert has one row');
  return { archive: archiveOf(row.stored), replacedKey: row.before?.objectKey ?? null };
}

/** @returns the archive as it was; undefined if there was none */
export async function deleteArchiveRow(
  db: Database,
  { slug, actor }: { slug: string; actor: Actor },
): Promise<TileArchive | undefined> {
  const deleted = db.$with('deleted').as(db.delete(tileArchives).where(eq(tileArchives.slug, slug)).returning());
  const audit = db.$with('audit', {}).as(audited(actor, archiveEvent('removed', sql`deleted`)));
  const [row] = await ask(db, db.with(deleted, audit).select().from(deleted));
  return row && archiveOf(row);
}

/** Events for the audit log, one for each row of a table of archives. */
function archiveEvent(verb: 'uploaded' | 'removed', archives: SQL): SQL {
  return sql`select ${`tile_archive.${verb}`}::text as action, 'tile_archive' as subject_type, slug as subject_id,
    jsonb_build_object('etag', etag, 'size_bytes', size_bytes) as details from ${archives}`;
}
