import { type SQL, sql } from 'drizzle-orm';
import { type Database, rowsOf } from '../db/client.ts';
import { tileArchives } from '../db/schema/tiles.ts';
import type { TileArchive } from './archive.ts';

const RECORD = sql`slug, object_key as "objectKey", etag, size_bytes::float8 as "sizeBytes", name, description,
  attribution, minzoom, maxzoom, bounds, center, vector_layers as "vectorLayers", release_id as "releaseId",
  to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "updatedAt"`;

/** All archives by slug, or those of some slugs that there are. */
export function listArchives(db: Database, slugs?: readonly string[]): Promise<TileArchive[]> {
  const which: SQL = slugs ? sql`where slug = any(${sql.param(slugs)}::text[])` : sql``;
  return rowsOf(db, sql`select ${RECORD} from ${tileArchives} ${which} order by slug`);
}

export async function findArchive(db: Database, slug: string): Promise<TileArchive | undefined> {
  const [row] = await rowsOf<TileArchive>(db, sql`select ${RECORD} from ${tileArchives} where slug = ${slug}`);
  return row;
}

/** Puts an archive in the place of the one that has its slug. Gives its record, and the object that is not served any more. */
export async function putArchive(
  db: Database,
  archive: Omit<TileArchive, 'updatedAt'>,
): Promise<{ archive: TileArchive; replaced: string | null }> {
  const { slug, objectKey, etag, sizeBytes, name, description, attribution, minzoom, maxzoom } = archive;
  const { bounds, center, vectorLayers, releaseId } = archive;
  const [row] = await rowsOf<TileArchive & { replaced: string | null }>(
    db,
    sql`with before as (select object_key from ${tileArchives} where slug = ${slug})
      insert into ${tileArchives} (slug, object_key, etag, size_bytes, name, description, attribution, minzoom, maxzoom,
        bounds, center, vector_layers, release_id)
      values (${slug}, ${objectKey}, ${etag}, ${sizeBytes}, ${name}, ${description}, ${attribution}, ${minzoom},
        ${maxzoom}, ${sql.param(bounds)}::float8[], ${sql.param(center)}::float8[],
        ${JSON.stringify(vectorLayers)}::jsonb, ${releaseId})
      on conflict (slug) do update set object_key = excluded.object_key, etag = excluded.etag,
        size_bytes = excluded.size_bytes, name = excluded.name, description = excluded.description,
        attribution = excluded.attribution, minzoom = excluded.minzoom, maxzoom = excluded.maxzoom,
        bounds = excluded.bounds, center = excluded.center, vector_layers = excluded.vector_layers,
        release_id = excluded.release_id, updated_at = now()
      returning ${RECORD}, (select object_key from before) as replaced`,
  );
  if (!row) throw new Error('An upsert gave no row');
  const { replaced, ...stored } = row;
  return { archive: stored, replaced };
}

/** Removes an archive. Gives the record that it had. */
export async function removeArchive(db: Database, slug: string): Promise<TileArchive | undefined> {
  const statement = sql`delete from ${tileArchives} where slug = ${slug} returning ${RECORD}`;
  const [row] = await rowsOf<TileArchive>(db, statement);
  return row;
}
