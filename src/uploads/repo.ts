import { type SQL, sql } from 'drizzle-orm';
import type { Caller } from '../datasets/access.ts';
import type { DatasetWish } from '../datasets/dataset.ts';
import { ownedBy } from '../datasets/repo/conditions.ts';
import { AMOUNT, datasetEvent, OWNER_CHANGE } from '../datasets/repo/events.ts';
import { transformed, written } from '../datasets/repo/refusals.ts';
import { type DatasetRow, type Found, foundOf, record } from '../datasets/repo/rows.ts';
import type { Owner } from '../datasets/repo/writes.ts';
import type { Actor } from '../db/audit.ts';
import { type Database, rowsOf } from '../db/client.ts';
import { datasets, datasetVersions } from '../db/schema/datasets.ts';
import type { NewFeature } from '../features/feature.ts';
import { insertItems, itemTables } from '../features/repo/items.ts';
import { addTotal } from '../features/repo/summaries.ts';

/** Writes down that a version is about to be stored, before anything of it is. */
export async function intend(db: Database, versionId: string, key: string): Promise<void> {
  await rowsOf(
    db,
    sql`insert into ${datasetVersions} (id, state, storage_key) values (${versionId}, 'staged', ${key})`,
  );
}

/** Says that a version is still being written, and with which upload in parts. Tells whether it still may be. */
export async function touch(db: Database, versionId: string, multipartId: string | undefined): Promise<boolean> {
  const rows = await rowsOf(
    db,
    sql`update ${datasetVersions} set touched_at = now(), multipart_id = coalesce(${multipartId ?? null}, multipart_id)
      where id = ${versionId} and state = 'staged' returning 1`,
  );
  return rows.length > 0;
}

/**
 * Adds features to a version that nobody sees yet, in one statement. Gives undefined; the place (from 1) of the first
 * one that is not on Earth once it is transformed; or `gone` where the version is no longer being written.
 */
export async function stage(
  db: Database,
  versionId: string,
  features: readonly NewFeature[],
  srid: number,
): Promise<number | 'gone' | undefined> {
  const [row] = await written<{ off_earth: string | null; inserted: number }>(
    db,
    sql`with ${itemTables(features, srid)}, v as (
        update ${datasetVersions} v set ${addTotal('v')}, touched_at = now() from total
        where v.id = ${versionId} and v.state = 'staged' and total.off_earth is null returning v.id
      ), ${insertItems(sql`v`)}
      select total.off_earth, (select count(*)::int from v) as inserted from total`,
  );
  const { off_earth: offEarth, inserted } = transformed(row, srid);
  if (offEarth) return Number(offEarth);
  return inserted ? undefined : 'gone';
}

/** What an upload stores besides features. */
export interface StoredFile {
  readonly versionId: string;
  readonly key: string;
  readonly name: string;
  readonly bytes: number;
}

/** Makes a dataset of a staged version; undefined where the version is no longer being written. */
export async function publishNew(
  db: Database,
  caller: Caller,
  owner: Owner,
  wish: DatasetWish & { readonly name: string; readonly srid: number; readonly status: string },
  file: StoredFile,
  actor: Actor,
): Promise<Found | undefined> {
  const [row] = await written<DatasetRow>(
    db,
    sql`with v as (${current(file.versionId, sql``)}), d as (
        insert into ${datasets} (user_id, user_email, name, description, data_type, srid, declared_geometry_type,
          status, storage_ref, file_name, file_bytes, version_id, feature_count, feature_bytes, type_counts, bbox,
          property_names)
        select ${owner.userId}::uuid, ${owner.email}, ${wish.name}, ${wish.description ?? null},
          ${wish.dataType ?? 'vector'}::data_type, ${wish.srid}::int, ${wish.geometryType ?? null}, ${wish.status},
          ${file.key}, ${file.name}, ${file.bytes}::bigint, v.id, v.feature_count, v.feature_bytes, v.type_counts,
          v.bbox, v.property_names
        from v
        returning *
      ), ${datasetEvent(actor, 'uploaded', sql`d`, AMOUNT)}
      select ${record(caller)} from d`,
  );
  return row && foundOf(row);
}

/**
 * Points a dataset that the caller owns to a staged version, in one statement, and retires the one before; what is said
 * of it and not wished otherwise stays. Undefined where there is no such dataset or the version is no longer being
 * written.
 */
export async function publishInto(
  db: Database,
  caller: Caller,
  datasetId: string,
  wish: DatasetWish & { readonly srid: number },
  file: StoredFile,
  actor: Actor,
): Promise<Found | undefined> {
  // A status of the service's own tells of contents that are replaced.
  const status =
    wish.status ?? sql`case when d.status in ('draft', 'processing', 'failed') then 'ready' else d.status end`;
  const kept = (column: string, to: string | null | undefined) =>
    to === undefined ? sql`` : sql`${sql.identifier(column)} = ${to},`;
  const [row] = await written<DatasetRow>(
    db,
    sql`with old as materialized (
        select d.id, d.version_id, d.user_id, d.user_email from ${datasets} d where d.id = ${datasetId} and ${ownedBy(caller)} for update
      ), v as (${current(file.versionId, sql`and exists (select from old)`)}), changed as (
        update ${datasets} d set ${kept('name', wish.name)} ${kept('description', wish.description)}
          ${wish.dataType === undefined ? sql`` : sql`data_type = ${wish.dataType}::data_type,`}
          ${wish.userId === undefined ? sql`` : sql`user_id = ${wish.userId}::uuid,`}
          ${kept('user_email', wish.userEmail)} ${kept('declared_geometry_type', wish.geometryType)}
          srid = ${wish.srid}::int, status = ${status}, storage_ref = ${file.key}, file_name = ${file.name},
          file_bytes = ${file.bytes}::bigint, version_id = v.id, feature_count = v.feature_count,
          feature_bytes = v.feature_bytes, type_counts = v.type_counts, bbox = v.bbox,
          property_names = v.property_names, updated_at = now()
        from v, old where d.id = old.id
        returning d.*
      ), retired as (
        update ${datasetVersions} o set state = 'retired', touched_at = now() from old, v where o.id = old.version_id
      ), ${datasetEvent(actor, 'replaced', sql`changed d join old on old.id = d.id`, sql`${AMOUNT} || ${OWNER_CHANGE}`)}
      select ${record(caller)} from changed d`,
  );
  return row && foundOf(row);
}

function current(versionId: string, condition: SQL): SQL {
  return sql`update ${datasetVersions} v set state = 'current', multipart_id = null, touched_at = now()
    where v.id = ${versionId} and v.state = 'staged' ${condition} returning v.*`;
}

/** Says that a version has no features, once they have been deleted. */
export async function forgetFeatures(db: Database, versionId: string): Promise<void> {
  await rowsOf(
    db,
    sql`update ${datasetVersions} set feature_count = default, feature_bytes = default, type_counts = default,
      bbox = null, property_names = default, touched_at = now() where id = ${versionId} and state = 'staged'`,
  );
}
