import { type SQL, sql } from 'drizzle-orm';
import type { Actor } from '../../db/audit.ts';
import type { Database } from '../../db/client.ts';
import { type Claim, completed } from '../../db/idempotency.ts';
import { profiles } from '../../db/schema/accounts.ts';
import { datasets, datasetVersions } from '../../db/schema/datasets.ts';
import type { Misplaced } from '../../features/misplaced.ts';
import { insertItems, itemTables } from '../../features/repo/items.ts';
import type { DatasetFields, FoundDataset, NewDataset } from '../dataset.ts';
import type { Caller, Owner } from '../owners.ts';
import { ownedBy, VISIBILITY } from './conditions.ts';
import { AMOUNT, datasetEvent, OWNER_CHANGE, VISIBILITY_CHANGE } from './events.ts';
import { countedFor, type Quota } from './quota.ts';
import { rowsWithin } from './refusals.ts';
import { type DatasetRow, datasetColumns, FEATURES_TYPE, foundDataset } from './rows.ts';

/** Who writes, within which quota, and who is named in the audit log. */
interface Write {
  readonly caller: Caller;
  readonly quota: Quota;
  readonly actor: Actor;
}

/**
 * Inserts a dataset with all of its features in one statement.
 *
 * @returns the dataset; or the first position that the reference system has no place on Earth for: nothing is inserted then
 * @throws DomainError as `rowsWithin`
 */
export async function insertDataset(
  db: Database,
  {
    caller,
    quota,
    owner,
    dataset,
    actor,
    claim,
  }: Write & { owner: Owner; dataset: NewDataset; claim: Claim | undefined },
): Promise<{ found: FoundDataset } | { misplaced: Misplaced }> {
  const { isPublic, visibility = isPublic ? 'accounts' : 'private' } = dataset;
  const [row] = await rowsWithin<DatasetRow & { off_earth: string | null }>(
    db,
    { caller, quota },
    sql`with ${itemTables(dataset.features, dataset.srid)}, v as (
        insert into ${datasetVersions} as v (state) select 'current' from total where total.off_earth is null
        returning v.id
      ), ${insertItems(sql`v`)}, d as (
        insert into ${datasets} (user_id, user_email, name, description, is_public, open_to_everyone, data_type, srid,
          declared_geometry_type, status, metadata, storage_ref, version_id, feature_count, feature_bytes, type_counts,
          bbox, property_names)
        select ${owner.userId}::uuid, ${owner.email}, ${dataset.name}, ${dataset.description ?? null},
          ${visibility !== 'private'}::boolean, ${visibility === 'everyone'}::boolean, ${dataset.dataType ?? 'vector'}::data_type, ${dataset.srid}::int,
          ${dataset.geometryType ?? null}, ${dataset.status ?? null}, ${dataset.metadata ?? null}::json,
          ${dataset.storageRef ?? null}, v.id, total.features, total.bytes, total.types, total.bbox, total.names
        from v, total
        returning *
      ), ${datasetEvent(actor, 'created', { rows: sql`d`, details: AMOUNT })}${completed(claim, sql`d`)}
      select d.*, total.off_earth from total left join (select ${datasetColumns(caller)} from d) d on true`,
  );
  if (!row) throw new Error('A total has one row');
  const { off_earth: offEarth, ...columns } = row;
  return offEarth === null ? { found: foundDataset(columns) } : { misplaced: JSON.parse(offEarth) };
}

/** What the audit log calls columns that members of a body have another name for. */
const NAMES: Readonly<Record<string, string>> = {
  is_public: 'visibility',
  open_to_everyone: 'visibility',
  declared_geometry_type: 'geometry_type',
};

/**
 * Updates fields of a dataset that the caller owns.
 *
 * @returns undefined where the caller owns no such dataset, or where its reference system or the reference of a stored file
 *   would change
 * @throws DomainError as `rowsWithin`
 */
export async function updateDatasetRow(
  db: Database,
  { caller, quota, id, fields, actor }: Write & { id: string; fields: DatasetFields },
): Promise<FoundDataset | undefined> {
  const visibility = changedVisibility(fields);
  const columns: [string, SQL | undefined][] = [
    ['name', value(fields.name)],
    ['description', value(fields.description)],
    ['is_public', visibility && sql`${visibility} <> 'private'`],
    ['open_to_everyone', visibility && sql`${visibility} = 'everyone'`],
    ['data_type', value(fields.dataType)],
    ['declared_geometry_type', declaredType(fields.geometryType)],
    ['status', value(fields.status)],
    ['metadata', fields.metadata === undefined ? undefined : sql`${fields.metadata}::json`],
    ['storage_ref', value(fields.storageRef)],
    ['user_id', value(fields.userId)],
    ['user_email', value(fields.userEmail)],
  ];
  const changes = columns.flatMap(([column, to]) => (to ? [{ column, to }] : []));
  const assignments = changes.map(({ column, to }) => sql`${sql.identifier(column)} = ${to}`);
  const keepsSrid = fields.srid === undefined ? sql`` : sql`and d.srid = ${fields.srid}`;
  const keepsReference =
    fields.storageRef === undefined
      ? sql``
      : sql`and (d.file_bytes is null or d.storage_ref is not distinct from ${fields.storageRef})`;
  const named = new Set(changes.map(({ column }) => NAMES[column] ?? column));
  const details = sql`jsonb_build_object('changed', ${sql.param([...named])}::text[]) || ${VISIBILITY_CHANGE} || ${OWNER_CHANGE}`;
  const [row] = await rowsWithin<DatasetRow>(
    db,
    { caller, quota },
    sql`with old as materialized (
        select d.id, d.user_id, d.user_email, ${VISIBILITY} as visibility from ${datasets} d where d.id = ${id} and ${ownedBy(caller)} ${keepsSrid} ${keepsReference} for update
      ), changed as (
        update ${datasets} d set ${sql.join([...assignments, sql`updated_at = now()`], sql`, `)}
        from old where d.id = old.id returning d.*
      ), ${datasetEvent(actor, 'updated', { rows: sql`changed d join old on old.id = d.id`, details })}
      select ${datasetColumns(caller)} from changed d`,
  );
  return row && foundDataset(row);
}

/**
 * A declared type of geometry. A record that is sent back has the type of its features: where nothing was declared, that
 * type does not become a declared one.
 */
function declaredType(to: string | null | undefined): SQL | undefined {
  return to
    ? sql`case when d.declared_geometry_type is null and ${FEATURES_TYPE} = ${to}::text then null
      else ${to}::text end`
    : value(to);
}

/** The visibility that a change gives to a row `d` of datasets: where both members are given, the one that differs from the stored row decides. */
function changedVisibility({ isPublic, visibility }: DatasetFields): SQL | undefined {
  if (isPublic === undefined && visibility === undefined) return undefined;
  const changed =
    isPublic === undefined
      ? VISIBILITY
      : isPublic
        ? sql`case ${VISIBILITY} when 'private' then 'accounts' else ${VISIBILITY} end`
        : sql`'private'`;
  return visibility === undefined
    ? changed
    : sql`case when ${VISIBILITY} = ${visibility}::text then ${changed} else ${visibility}::text end`;
}

function value(to: string | number | boolean | null | undefined): SQL | undefined {
  return to === undefined ? undefined : sql`${to}`;
}

/**
 * Deletes a dataset that the caller owns.
 *
 * @returns the id of its version, which is to be purged; undefined where the caller owns no such dataset
 */
export async function deleteDatasetRow(
  db: Database,
  { caller, quota, id, actor }: Write & { id: string },
): Promise<string | undefined> {
  const [row] = await rowsWithin<{ version_id: string }>(
    db,
    { caller, quota },
    sql`with gone as (
        delete from ${datasets} d where d.id = ${id} and ${ownedBy(caller)} returning d.*
      ), ${datasetEvent(actor, 'deleted', { rows: sql`gone d`, details: AMOUNT })}
      update ${datasetVersions} v set state = 'purging', touched_at = now(), ${countedFor(caller, { version: sql`v`, old: sql`gone` })}
      from gone where v.id = gone.version_id
      returning v.id as version_id`,
  );
  return row?.version_id;
}

/** How many datasets of a deleted account one statement deletes. */
const BATCH_DATASETS = 50;

/**
 * Deletes some datasets of a deleted account, and tells whether there may be more. Their versions are to be purged, and
 * belong to the account until then. A dataset that another owner has too, who is known by address, stays with that one.
 */
export async function deleteDatasetsOf(
  db: Database,
  { userId, actor }: { userId: string; actor: Actor },
): Promise<boolean> {
  const [row] = await db.rows<{ count: number }>(sql`with gone as (
        delete from ${datasets} d where d.id in (
          select d.id from ${datasets} d join ${profiles} p on p.id = d.user_id
          where d.user_id = ${userId} and d.user_email is null and p.deleted_at is not null
          order by d.created_at, d.id limit ${BATCH_DATASETS})
        returning d.*
      ), ${datasetEvent(actor, 'deleted', { rows: sql`gone d`, details: sql`${AMOUNT} || '{"because": "user.erased"}'` })}, purging as (
        update ${datasetVersions} v set state = 'purging', touched_at = now(),
          ${countedFor({ userId, email: null }, { version: sql`v`, old: sql`gone` })}
        from gone where v.id = gone.version_id
      )
      select count(*)::int as count from gone`);
  return (row?.count ?? 0) >= BATCH_DATASETS;
}
