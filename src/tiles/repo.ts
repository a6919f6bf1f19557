import { type SQL, sql } from 'drizzle-orm';
import { type Actor, audited } from '../db/audit.ts';
import type { Database } from '../db/client.ts';
import { iso } from '../db/columns.ts';
import { tileArchives } from '../db/schema/tiles.ts';
import type { TileArchive } from './archive.ts';

const COLUMNS = sql`slug, object_key as "objectKey", etag, size_bytes::float8 as "sizeBytes", name, description,
  attribution, minzoom, maxzoom, bounds, center, vector_layers as "vectorLayers", release_id as "releaseId",
  ${iso(sql`updated_at`)} as "updatedAt"`;

/**
 * The archives in the order of their slugs.
 *
 * @param slugs limits the list to these; slugs that no archive has are left out
 */
export function listArchives(
  db: Database,
  { slugs }: { slugs?: readonly string[] | undefined } = {},
): Promise<TileArchive[]> {
  const which: SQL = slugs ? sql`where slug = any(${sql.param(slugs)}::text[])` : sql``;
  return db.rows(sql`select ${COLUMNS} from ${tileArchives} ${which} order by slug`);
}

export async function findArchive(db: Database, slug: string): Promise<TileArchive | undefined> {
  const [row] = await db.rows<TileArchive>(sql`select ${COLUMNS} from ${tileArchives} where slug = ${slug}`);
  return row;
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
  const { slug, objectKey, etag, sizeBytes, name, description, attribution, minzoom, maxzoom } = archive;
  const { bounds, center, vectorLayers, releaseId } = archive;
  const { replacedKey, ...stored } = await db.row<
    TileArchive & { replacedKey: string | null }
  >(sql`with before as (select object_key from ${tileArchives} where slug = ${slug}),
      stored as (
        insert into ${tileArchives} (slug, object_key, etag, size_bytes, name, description, attribution, minzoom,
          maxzoom, bounds, center, vector_layers, release_id)
        values (${slug}, ${objectKey}, ${etag}, ${sizeBytes}, ${name}, ${description}, ${attribution}, ${minzoom},
          ${maxzoom}, ${sql.param(bounds)}::float8[], ${sql.param(center)}::float8[],
          ${JSON.stringify(vectorLayers)}::jsonb, ${releaseId})
        on conflict (slug) do update set object_key = excluded.object_key, etag = excluded.etag,
          size_bytes = excluded.size_bytes, name = excluded.name, description = excluded.description,
          attribution = excluded.attribution, minzoom = excluded.minzoom, maxzoom = excluded.maxzoom,
          bounds = excluded.bounds, center = excluded.center, vector_layers = excluded.vector_layers,
          release_id = excluded.release_id, updated_at = now()
        returning *
      ), audit as (${audited(actor, archiveEvent('uploaded', sql`stored`))})
      select ${COLUMNS}, (select object_key from before) as "replacedKey" from stored`);
  return { archive: stored, replacedKey };
}

/** @returns the archive as it was; undefined if there was none */
export async function deleteArchiveRow(
  db: Database,
  { slug, actor }: { slug: string; actor: Actor },
): Promise<TileArchive | undefined> {
  const [row] =
    await db.rows<TileArchive>(sql`with deleted as (delete from ${tileArchives} where slug = ${slug} returning *),
      audit as (${audited(actor, archiveEvent('removed', sql`deleted`))})
      select ${COLUMNS} from deleted`);
  return row;
}

/** Events for the audit log, one for each row of a table of archives. */
function archiveEvent(verb: 'uploaded' | 'removed', archives: SQL): SQL {
  return sql`select ${`tile_archive.${verb}`}::text as action, 'tile_archive' as subject_type, slug as subject_id,
    jsonb_build_object('etag', etag, 'size_bytes', size_bytes) as details from ${archives}`;
}
