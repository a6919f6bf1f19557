import { type SQL, sql } from 'drizzle-orm';
import type { DatasetFields, FoundDataset } from '../../datasets/dataset.ts';
import type { Caller, Owner } from '../../datasets/owners.ts';
import { ownedBy } from '../../datasets/repo/conditions.ts';
import { AMOUNT, datasetEvent, OWNER_CHANGE } from '../../datasets/repo/events.ts';
import { countedFor, type Quota } from '../../datasets/repo/quota.ts';
import { rowsWithin, writtenRows } from '../../datasets/repo/refusals.ts';
import { type DatasetRow, datasetColumns, foundDataset } from '../../datasets/repo/rows.ts';
import type { Actor } from '../../db/audit.ts';
import type { Database } from '../../db/client.ts';
import { type Claim, completed } from '../../db/idempotency.ts';
import { datasetNotified } from '../../db/notifications.ts';
import { datasets, datasetVersions } from '../../db/schema/datasets.ts';
import type { NewFeature } from '../../features/feature.ts';
import type { Misplaced } from '../../features/misplaced.ts';
import { insertItems, itemTables } from '../../features/repo/items.ts';
import { addTotal } from '../../features/repo/summaries.ts';

/**
 * Records a heartbeat of a staged version, and the id of its multipart upload if given.
 *
 * @returns whether the version is still staged; the sweep may have deleted it as dead
 */
export async function updateStagedVersion(
  db: Database,
  { versionId, multipartId }: { versionId: string; multipartId: string | undefined },
): Promise<boolean> {
  const rows =
    await db.rows(sql`update ${datasetVersions} set touched_at = now(), multipart_id = coalesce(${multipartId ?? null}, multipart_id)
      where id = ${versionId} and state = 'staged' returning 1`);
  return rows.length > 0;
}

interface StagedFeatures {
  readonly versionId: string;
  readonly features: readonly NewFeature[];
  /** The reference system of their geometries. */
  readonly srid: number;
}

/**
 * Inserts features into a staged version, in one statement: all of them or none.
 *
 * @returns `stored`; `gone` if the version is no longer staged; or the first position outside of the reference system's
 * domain
 * @throws DomainError as `writtenRows`
 */
export async function insertStagedFeatures(
  db: Database,
  { versionId, features, srid }: StagedFeatures,
): Promise<'stored' | 'gone' | Misplaced> {
  const [row] = await writtenRows<{ off_earth: string | null; updated: number }>(
    db,
    sql`with ${itemTables(features, srid)}, v as (
        update ${datasetVersions} v set ${addTotal('v')}, touched_at = now() from total
        where v.id = ${versionId} and v.state = 'staged' and total.off_earth is null returning v.id
      ), ${insertItems(sql`v`)}
      select total.off_earth, (select count(*)::int from v) as updated from total`,
  );
  if (!row) throw new Error('A total has one row');
  const { off_earth: offEarth, updated } = row;
  if (offEarth !== null) return JSON.parse(offEarth) as Misplaced;
  return updated > 0 ? 'stored' : 'gone';
}

/** Resets the summary of a staged version whose features have been deleted. */
export async function resetStagedSummary(db: Database, { versionId }: { versionId: string }): Promise<void> {
  await db.rows(sql`update ${datasetVersions} set feature_count = default, feature_bytes = default, type_counts = default,
      bbox = null, property_names = default, touched_at = now() where id = ${versionId} and state = 'staged'`);
}

export interface StoredFile {
  readonly versionId: string;
  /** Its key in the bucket. */
  readonly key: string;
  readonly name: string;
  readonly bytes: number;
}

/** The staged version to publish, the quota, and the actor for the audit log. */
interface Publication {
  readonly caller: Caller;
  readonly quota: Quota;
  readonly file: StoredFile;
  readonly actor: Actor;
  readonly claim: Claim | undefined;
}

interface NewPublication extends Publication {
  readonly owner: Owner;
  readonly fields: DatasetFields & { readonly name: string; readonly srid: number; readonly status: string };
}

/**
 * Inserts a dataset with a staged version as its contents, in one statement.
 *
 * @returns undefined if the version is no longer staged
 * @throws DomainError as `rowsWithin`
 */
export async function insertDatasetOfVersion(
  db: Database,
  { caller, quota, owner, fields, file, actor, claim }: NewPublication,
): Promise<FoundDataset | undefined> {
  const [row] = await rowsWithin<DatasetRow>(
    db,
    { caller, quota },
    sql`with v as (${makeCurrent(file.versionId, sql``)}), d as (
        insert into ${datasets} (user_id, user_email, name, description, data_type, srid, declared_geometry_type,
          status, storage_ref, file_name, file_bytes, version_id, feature_count, feature_bytes, type_counts, bbox,
          property_names)
        select ${owner.userId}::uuid, ${owner.email}, ${fields.name}, ${fields.description ?? null},
          ${fields.dataType ?? 'vector'}::data_type, ${fields.srid}::int, ${fields.geometryType ?? null},
          ${fields.status}, ${file.key}, ${file.name}, ${file.bytes}::bigint, v.id, v.feature_count, v.feature_bytes,
          v.type_counts, v.bbox, v.property_names
        from v
        returning *
      ), ${datasetEvent(actor, 'uploaded', { rows: sql`d`, details: AMOUNT })},
      ${datasetNotified(sql`d`, { replaced: false })}${completed(claim, sql`d`)}
      select ${datasetColumns(caller)} from d`,
  );
  return row && foundDataset(row);
}

interface Replacement extends Publication {
  readonly id: string;
  readonly fields: DatasetFields & { readonly srid: number };
}

/**
 * Points a dataset that the caller owns to a staged version and retires its previous version, in one statement. Fields
 * that are undefined keep their values.
 *
 * @returns undefined if the caller owns no such dataset, or the version is no longer staged
 * @throws DomainError as `rowsWithin`
 */
export async function updateDatasetVersion(
  db: Database,
  { caller, quota, id, fields, file, actor, claim }: Replacement,
): Promise<FoundDataset | undefined> {
  // A status set by the service is about the old contents and is reset. One set by the owner stays.
  const status =
    fields.status ?? sql`case when d.status in ('draft', 'processing', 'failed') then 'ready' else d.status end`;
  const assigned = (column: string, to: string | null | undefined) =>
    to === undefined ? sql`` : sql`${sql.identifier(column)} = ${to},`;
  const [row] = await rowsWithin<DatasetRow>(
    db,
    { caller, quota },
    sql`with old as materialized (
        select d.* from ${datasets} d where d.id = ${id} and ${ownedBy(caller)} for update
      ), v as (${makeCurrent(file.versionId, sql`and exists (select from old)`)}), changed as (
        update ${datasets} d set ${assigned('name', fields.name)} ${assigned('description', fields.description)}
          ${fields.dataType === undefined ? sql`` : sql`data_type = ${fields.dataType}::data_type,`}
          ${fields.userId === undefined ? sql`` : sql`user_id = ${fields.userId}::uuid,`}
          ${assigned('user_email', fields.userEmail)} ${assigned('declared_geometry_type', fields.geometryType)}
          srid = ${fields.srid}::int, status = ${status}, storage_ref = ${file.key}, file_name = ${file.name},
          file_bytes = ${file.bytes}::bigint, version_id = v.id, feature_count = v.feature_count,
          feature_bytes = v.feature_bytes, type_counts = v.type_counts, bbox = v.bbox,
          property_names = v.property_names, updated_at = now()
        from v, old where d.id = old.id
        returning d.*
      ), retired as (
        update ${datasetVersions} o set state = 'retired', touched_at = now(), ${countedFor(caller, { version: sql`o`, old: sql`old` })}
        from old, v where o.id = old.version_id
      ), ${datasetEvent(actor, 'replaced', {
        rows: sql`changed d join old on old.id = d.id`,
        details: sql`${AMOUNT} || ${OWNER_CHANGE}`,
      })}, ${datasetNotified(sql`changed d`, { replaced: true })}${completed(claim, sql`changed`)}
      select ${datasetColumns(caller)} from changed d`,
  );
  return row && foundDataset(row);
}

/** Makes a staged version current if a condition on `v` holds, and returns its row. */
function makeCurrent(versionId: string, condition: SQL): SQL {
  return sql`update ${datasetVersions} v set state = 'current', multipart_id = null, touched_at = now()
    where v.id = ${versionId} and v.state = 'staged' ${condition} returning v.*`;
}
