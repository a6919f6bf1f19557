import { type SQL, sql } from 'drizzle-orm';
import type { Actor } from '../../db/audit.ts';
import { type Database, rowsOf } from '../../db/client.ts';
import { datasets, datasetVersions } from '../../db/schema/datasets.ts';
import { insertItems, itemTables } from '../../features/repo/items.ts';
import type { Caller } from '../access.ts';
import type { DatasetWish, NewDataset } from '../dataset.ts';
import { ownedBy } from './conditions.ts';
import { AMOUNT, datasetEvent, OWNER_CHANGE } from './events.ts';
import { transformed, written } from './refusals.ts';
import { type DatasetRow, FOUND_TYPE, type Found, foundOf, record } from './rows.ts';

/** Who a new dataset belongs to. */
export interface Owner {
  readonly userId: string | null;
  readonly email: string | null;
}

/**
 * Makes a dataset with all of its features in one statement; gives it, or the place (from 1) of the first feature
 * that is not on Earth once it is transformed, and then nothing is made.
 */
export async function createDataset(
  db: Database,
  caller: Caller,
  owner: Owner,
  wish: NewDataset,
  actor: Actor,
): Promise<{ found: Found } | { offEarth: number }> {
  const [row] = await written<DatasetRow & { off_earth: string | null }>(
    db,
    sql`with ${itemTables(wish.features, wish.srid ?? 4326)}, v as (
        insert into ${datasetVersions} as v (state) select 'current' from total where total.off_earth is null returning v.id
      ), ${insertItems(sql`v`)}, d as (
        insert into ${datasets} (user_id, user_email, name, description, is_public, data_type, srid,
          declared_geometry_type, status, metadata, storage_ref, version_id, feature_count, feature_bytes, type_counts,
          bbox, property_names)
        select ${owner.userId}::uuid, ${owner.email}, ${wish.name}, ${wish.description ?? null},
          ${wish.isPublic ?? false}::boolean, ${wish.dataType ?? 'vector'}::data_type, ${wish.srid ?? 4326}::int,
          ${wish.geometryType ?? null}, ${wish.status ?? null}, ${wish.metadata ?? null}::json,
          ${wish.storageRef ?? null}, v.id, total.features, total.bytes, total.types, total.bbox, total.names
        from v, total
        returning *
      ), ${datasetEvent(actor, 'created', sql`d`, AMOUNT)}
      select d.*, total.off_earth from total left join (select ${record(caller)} from d) d on true`,
  );
  const { off_earth: offEarth, ...columns } = transformed(row, wish.srid ?? 4326);
  return offEarth === null ? { found: foundOf(columns) } : { offEarth: Number(offEarth) };
}

/**
 * Changes what is said of a dataset that the caller owns; undefined where there is none, or where the reference of a
 * stored file would become another.
 */
export async function updateDataset(
  db: Database,
  caller: Caller,
  id: string,
  wish: DatasetWish,
  actor: Actor,
): Promise<Found | undefined> {
  const wishes: [string, SQL | undefined][] = [
    ['name', value(wish.name)],
    ['description', value(wish.description)],
    ['is_public', value(wish.isPublic)],
    ['data_type', value(wish.dataType)],
    ['srid', value(wish.srid)],
    ['declared_geometry_type', declared(wish.geometryType)],
    ['status', value(wish.status)],
    ['metadata', wish.metadata === undefined ? undefined : sql`${wish.metadata}::json`],
    ['storage_ref', value(wish.storageRef)],
    ['user_id', value(wish.userId)],
    ['user_email', value(wish.userEmail)],
  ];
  const changes = wishes.flatMap(([column, to]) => (to ? [{ column, to }] : []));
  const assignments = changes.map(({ column, to }) => sql`${sql.identifier(column)} = ${to}`);
  const keepsReference =
    wish.storageRef === undefined
      ? sql``
      : sql`and (d.file_bytes is null or d.storage_ref is not distinct from ${wish.storageRef})`;
  const details = sql`jsonb_build_object('changed', ${sql.param(changes.map(({ column }) => column.replace('declared_', '')))}::text[])
    || ${OWNER_CHANGE}`;
  const [row] = await written<DatasetRow>(
    db,
    sql`with old as materialized (
        select d.id, d.user_id, d.user_email from ${datasets} d where d.id = ${id} and ${ownedBy(caller)} ${keepsReference} for update
      ), changed as (
        update ${datasets} d set ${sql.join([...assignments, sql`updated_at = now()`], sql`, `)}
        from old where d.id = old.id returning d.*
      ), ${datasetEvent(actor, 'updated', sql`changed d join old on old.id = d.id`, details)}
      select ${record(caller)} from changed d`,
  );
  return row && foundOf(row);
}

/** What the features say by themselves is not declared by whoever repeats it, as with a record that is sent back. */
function declared(to: string | null | undefined): SQL | undefined {
  return to
    ? sql`case when d.declared_geometry_type is null and ${FOUND_TYPE} = ${to}::text then null
      else ${to}::text end`
    : value(to);
}

function value(to: string | number | boolean | null | undefined): SQL | undefined {
  return to === undefined ? undefined : sql`${to}`;
}

/** Deletes a dataset that the caller owns. Gives the version to purge, undefined where there was no such dataset. */
export async function deleteDataset(
  db: Database,
  caller: Caller,
  id: string,
  actor: Actor,
): Promise<string | undefined> {
  const [row] = await rowsOf<{ version_id: string }>(
    db,
    sql`with gone as (
        delete from ${datasets} d where d.id = ${id} and ${ownedBy(caller)} returning d.*
      ), ${datasetEvent(actor, 'deleted', sql`gone d`, AMOUNT)}
      update ${datasetVersions} v set state = 'purging', touched_at = now() from gone where v.id = gone.version_id
      returning v.id as version_id`,
  );
  return row?.version_id;
}
