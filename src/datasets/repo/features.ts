import { type SQL, sql } from 'drizzle-orm';
import type { Actor } from '../../db/audit.ts';
import { atomic, type Database, rowsOf } from '../../db/client.ts';
import { datasets, features } from '../../db/schema/datasets.ts';
import type { NewFeature } from '../../features/feature.ts';
import { insertItems, itemTables } from '../../features/repo/items.ts';
import { featureText } from '../../features/repo/pages.ts';
import {
  addTotal,
  bboxOfExtent,
  bboxUnion,
  MAX_PROPERTY_NAMES,
  mergedNames,
  propertyNames,
  summedCounts,
} from '../../features/repo/summaries.ts';
import type { Caller } from '../access.ts';
import { ownedBy, readableBy } from './conditions.ts';
import { featureEvent } from './events.ts';

/** A dataset that was made without features is a draft until it has its first ones, as one made with them never was. */
const READY = sql`status = case when d.status = 'draft' and d.feature_count = 0 then 'ready' else d.status end`;

/** Adds a feature to a dataset that the caller owns. Gives it as text; undefined where there is no such dataset. */
export async function createFeature(
  db: Database,
  caller: Caller,
  datasetId: string,
  feature: NewFeature,
  actor: Actor,
): Promise<string | undefined> {
  const [row] = await rowsOf<{ text: string }>(
    db,
    sql`with ${itemTables([feature], 4326)}, v as (
        update ${datasets} d set ${addTotal('d')}, ${READY}, updated_at = now() from total
        where d.id = ${datasetId} and ${ownedBy(caller)} returning d.version_id as id, d.id as dataset_id
      ), ${insertItems(sql`v`)}, ${featureEvent(
        actor,
        'created',
        sql`v.dataset_id`,
        sql`inserted, v`,
        sql`jsonb_build_object('feature_id', inserted.id)`,
      )}
      select ${featureText('json')} as text from (select inserted.*, v.dataset_id from inserted, v) f`,
  );
  return row?.text;
}

/** A feature of a dataset that the caller may read, as text. */
export async function findFeature(db: Database, caller: Caller, id: string): Promise<string | undefined> {
  const [row] = await rowsOf<{ text: string }>(
    db,
    sql`select ${featureText('json')} as text from (
        select f.*, d.id as dataset_id from ${features} f join ${datasets} d on d.version_id = f.version_id
        where f.id = ${id} and ${readableBy(caller)}
      ) f`,
  );
  return row?.text;
}

export interface FeatureChange {
  /** The dataset to move it to. */
  readonly datasetId?: string | undefined;
  readonly geometry?: Pick<NewFeature, 'type' | 'geometry'> | undefined;
  readonly properties?: Pick<NewFeature, 'properties' | 'names'> | undefined;
}

/**
 * Changes a feature of a dataset that the caller owns, within it or into another one that they own. Gives it as text;
 * undefined where there is no such feature, or no such dataset to move it to.
 */
export async function updateFeature(
  db: Database,
  caller: Caller,
  id: string,
  change: FeatureChange,
  actor: Actor,
): Promise<string | undefined> {
  const { geometry, properties } = change;
  const changed = [...(geometry ? ['geom'] : []), ...(properties ? ['properties'] : [])];
  const target = change.datasetId === undefined ? sql`old.dataset_id` : sql`${change.datasetId}::uuid`;
  const geojson = geometry ? sql`${geometry.geometry}::text` : sql`old.geojson`;
  const stored = properties ? sql`${properties.properties}::text` : sql`old.properties`;
  // Where the geometry stays in its place no box is looked at.
  const elsewhere = sql`(new.moved or new.geojson is distinct from old.geojson)`;
  const [, rows] = await atomic(
    db,
    lock(caller, id, change.datasetId),
    sql`with ${oldFeature(caller, id)}, new as materialized (
        select old.id, d.id as dataset_id, d.version_id, d.version_id <> old.version_id as moved,
          ${geometry ? sql`${geometry.type}::smallint` : sql`old.type`} as type, ${geojson} as geojson,
          ${stored} as properties,
          ${geometry ? sql`st_force2d(st_geomfromgeojson(${geojson}))` : sql`old.geom`} as geom,
          coalesce(octet_length(${geojson}), 0) + octet_length(${stored}) as bytes
        from old join ${datasets} d on d.id = ${target} and ${ownedBy(caller)}
      ), f as (
        update ${features} f set version_id = new.version_id, type = new.type, geojson = new.geojson,
          properties = new.properties, geom = new.geom, bytes = new.bytes, updated_at = now(),
          seq = default
        from new where f.id = new.id and new.moved
        returning f.*, new.dataset_id
      ), stayed as (
        update ${features} f set type = new.type, geojson = new.geojson,
          properties = new.properties, geom = new.geom, bytes = new.bytes, updated_at = now()
        from new where f.id = new.id and not new.moved
        returning f.*, new.dataset_id
      ), ${summed(
        sql`
          select old.dataset_id, -1 as n, old.type, -old.bytes as bytes, case when ${elsewhere} then old.geom end as gone,
            null::geometry as come
            from old, new
          union all
          select new.dataset_id, 1, new.type, new.bytes, null, case when ${elsewhere} then new.geom end from old, new`,
        id,
        properties ? propertyNames(properties).slice(0, MAX_PROPERTY_NAMES + 1) : [],
      )}, ${featureEvent(
        actor,
        'updated',
        sql`touched.dataset_id`,
        sql`(select dataset_id from old union select dataset_id from new) touched, old, new`,
        sql`jsonb_build_object('feature_id', new.id, 'changed', ${sql.param(changed)}::text[]) || case
          when new.moved then jsonb_build_object('from', old.dataset_id, 'to', new.dataset_id) else '{}' end`,
      )}
      select ${featureText('json')} as text from (select * from f union all select * from stayed) f`,
  );
  return rows?.[0]?.text as string | undefined;
}

/** Deletes a feature of a dataset that the caller owns. Tells whether there was one. */
export async function deleteFeature(db: Database, caller: Caller, id: string, actor: Actor): Promise<boolean> {
  const [, rows] = await atomic(
    db,
    lock(caller, id, undefined),
    sql`with ${oldFeature(caller, id)}, deleted as (
        delete from ${features} f using old where f.id = old.id
      ), ${summed(
        sql`select dataset_id, -1 as n, type, -bytes as bytes, geom as gone, null::geometry as come
          from old`,
        id,
        [],
      )}, ${featureEvent(actor, 'deleted', sql`old.dataset_id`, sql`old`, sql`jsonb_build_object('feature_id', old.id)`)}
      select id from old`,
  );
  return (rows?.length ?? 0) > 0;
}

/**
 * Waits for everybody else who writes to the datasets in question, always in the same order. The statement after it
 * sees what they have done.
 */
function lock(caller: Caller, id: string, other: string | undefined): SQL {
  return sql`select d.id from ${datasets} d
    where (d.version_id = (select version_id from ${features} where id = ${id}) or d.id = ${other ?? null}::uuid)
      and ${ownedBy(caller)}
    order by d.id for update`;
}

function oldFeature(caller: Caller, id: string): SQL {
  return sql`old as materialized (
    select f.*, d.id as dataset_id from ${features} f join ${datasets} d on d.version_id = f.version_id
    where f.id = ${id} and ${ownedBy(caller)}
  )`;
}

/** Whether a geometry that is gone reached an edge of the box `d.bbox` that none which has come reaches. */
const RETREATS = sql.raw(
  [
    ['min', 'st_xmin', '<='],
    ['min', 'st_ymin', '<='],
    ['max', 'st_xmax', '>='],
    ['max', 'st_ymax', '>='],
  ]
    .map(([most, end, reaches], i) => {
      const reached = (geom: string) => `coalesce(${most}(${end}(${geom})) ${reaches} d.bbox[${i + 1}], false)`;
      return `(${reached('gone')} and not ${reached('come')})`;
    })
    .join(' or '),
);

/**
 * Keeps the summaries of datasets true after a change of one feature. A box that the geometry which is gone reached an
 * edge of, and the one that has come does not, is made anew from the other features; any other box can only grow.
 *
 * @param changes rows of dataset_id, n and bytes to add, type, gone and come: geometries
 * @param names members of the properties of what has come
 */
function summed(changes: SQL, id: string, names: readonly string[]): SQL {
  const rest = bboxOfExtent(
    sql`(select st_extent(f.geom) from ${features} f where f.version_id = d.version_id and f.id <> ${id})`,
  );
  return sql`changes as materialized (${changes}), change as materialized (
    select d.id, sum(n)::int as n, sum(changes.bytes)::bigint as bytes,
      array(select coalesce(sum(c.n) filter (where c.type = t), 0)::int from generate_series(0, 7) t
        left join changes c on c.dataset_id = d.id group by t order by t) as types,
      ${bboxOfExtent(sql`st_extent(come)`)} as come,
      case when ${RETREATS} then ${rest} else d.bbox end as kept,
      case when bool_or(changes.n > 0) then ${sql.param(names)}::text[] else '{}' end as names
    from changes join ${datasets} d on d.id = changes.dataset_id group by d.id
  ), summed as (
    update ${datasets} d set feature_count = d.feature_count + change.n,
      feature_bytes = d.feature_bytes + change.bytes, type_counts = ${summedCounts(sql`d.type_counts`, sql`change.types`)},
      bbox = ${bboxUnion(sql`change.kept`, sql`change.come`)},
      property_names = ${mergedNames(sql`d.property_names`, sql`change.names`)}, updated_at = now()
    from change where d.id = change.id
  )`;
}
