import { type SQL, sql } from 'drizzle-orm';
import type { Actor } from '../../db/audit.ts';
import type { Database } from '../../db/client.ts';
import { type Claim, completed } from '../../db/idempotency.ts';
import { areaShapes, datasets, features } from '../../db/schema/datasets.ts';
import type { NewFeature, NewGeometry, NewProperties } from '../../features/feature.ts';
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
import { WGS84 } from '../../geojson/domains.ts';
import type { Caller, Reader } from '../owners.ts';
import { ownedBy, readableBy } from './conditions.ts';
import { featureEvent } from './events.ts';
import { type Quota, writeWithin } from './quota.ts';

/** A draft without features becomes ready with its first feature, as a dataset that is created with features is. */
const readyStatus = sql`case when d.status = 'draft' and d.feature_count = 0 then 'ready' else d.status end`;

/** Who writes which feature, within which quota, and who is named in the audit log. */
interface FeatureWrite {
  readonly caller: Caller;
  readonly quota: Quota;
  readonly id: string;
  readonly actor: Actor;
}

interface FeatureInsert extends Omit<FeatureWrite, 'id'> {
  readonly datasetId: string;
  /** In WGS 84. */
  readonly feature: NewFeature;
  readonly claim: Claim | undefined;
}

/**
 * Inserts a feature into a dataset that the caller owns.
 *
 * @returns the feature as JSON text; undefined where the caller owns no such dataset
 */
export async function insertFeature(
  db: Database,
  { caller, quota, datasetId, feature, actor, claim }: FeatureInsert,
): Promise<string | undefined> {
  const [rows] = await writeWithin(
    db,
    { caller, quota },
    sql`with ${itemTables([feature], WGS84)}, v as (
        update ${datasets} d set ${addTotal('d')}, status = ${readyStatus}, updated_at = now() from total
        where d.id = ${datasetId} and ${ownedBy(caller)} returning d.version_id as id, d.id as dataset_id
      ), ${insertItems(sql`v`)}, ${featureEvent(actor, 'created', {
        datasetId: sql`v.dataset_id`,
        rows: sql`inserted, v`,
        details: sql`jsonb_build_object('feature_id', inserted.id)`,
      })}${completed(claim, sql`inserted`)}
      select ${featureText('json')} as text from (select inserted.*, v.dataset_id from inserted, v) f`,
  );
  return rows?.[0]?.text as string | undefined;
}

/** A feature of a dataset that the caller may read, as JSON text; undefined also where it is of another dataset than `datasetId`. */
export async function findFeature(
  db: Database,
  {
    caller,
    id,
    datasetId,
    form = 'json',
  }: { caller: Reader; id: string; datasetId?: string; form?: 'json' | 'geojson' },
): Promise<string | undefined> {
  const [row] = await db.rows<{ text: string }>(sql`select ${featureText(form)} as text from (
        select f.*, d.id as dataset_id from ${features} f join ${datasets} d on d.version_id = f.version_id
        where f.id = ${id} and ${readableBy(caller)} ${datasetId === undefined ? sql`` : sql`and d.id = ${datasetId}`}
      ) f`);
  return row?.text;
}

/** What changes of a feature. An undefined member stays as it is. */
export interface FeatureChanges {
  /** The dataset to move it to. */
  readonly datasetId?: string | undefined;
  readonly geometry?: NewGeometry | undefined;
  readonly properties?: NewProperties | undefined;
}

/**
 * Updates a feature of a dataset that the caller owns, and may move it to another dataset that they own.
 *
 * @returns the feature as JSON text; undefined where the caller owns no such feature, or no such dataset to move it to
 */
export async function updateFeatureRow(
  db: Database,
  { caller, quota, id, changes, actor }: FeatureWrite & { changes: FeatureChanges },
): Promise<string | undefined> {
  const { datasetId, geometry, properties } = changes;
  const changed = [...(geometry ? ['geom'] : []), ...(properties ? ['properties'] : [])];
  const target = datasetId === undefined ? sql`old.dataset_id` : sql`${datasetId}::uuid`;
  const geojson = geometry ? sql`${geometry.geometry}::text` : sql`old.geojson`;
  const stored = properties ? sql`${properties.properties}::text` : sql`old.properties`;
  const shapeBytes = sql`(select s.bytes from ${areaShapes} s where s.key = old.shape_key)`;
  // The boxes of datasets stay the same where the geometry stays in its place.
  const elsewhere = sql`(new.moved or new.geojson is distinct from old.geojson or new.shape_key is distinct from old.shape_key)`;
  const [, rows] = await writeWithin(
    db,
    { caller, quota },
    lockDatasets({ caller, id, otherId: datasetId }),
    sql`with ${oldFeature(caller, id)}, new as materialized (
        select old.id, d.id as dataset_id, d.version_id, d.version_id <> old.version_id as moved,
          ${geometry ? sql`${geometry.type}::smallint` : sql`old.type`} as type, ${geojson} as geojson,
          ${geometry ? sql`null` : sql`old.shape_key`} as shape_key,
          ${stored} as properties,
          ${geometry ? sql`st_force2d(st_geomfromgeojson(${geojson}))` : sql`old.geom`} as geom,
          coalesce(octet_length(${geojson}), ${geometry ? sql`null` : shapeBytes}, 0) + octet_length(${stored}) as bytes
        from old join ${datasets} d on d.id = ${target} and ${ownedBy(caller)}
      ), f as (
        update ${features} f set version_id = new.version_id, type = new.type, geojson = new.geojson,
          shape_key = new.shape_key, properties = new.properties, geom = new.geom, bytes = new.bytes, updated_at = now(),
          seq = default
        from new where f.id = new.id and new.moved
        returning f.*, new.dataset_id
      ), stayed as (
        update ${features} f set type = new.type, geojson = new.geojson,
          shape_key = new.shape_key, properties = new.properties, geom = new.geom, bytes = new.bytes, updated_at = now()
        from new where f.id = new.id and not new.moved
        returning f.*, new.dataset_id
      ), ${updateSummaries({
        changes: sql`
          select old.dataset_id, -1 as n, old.type, -old.bytes as bytes, case when ${elsewhere} then old.geom end as gone,
            null::geometry as come
            from old, new
          union all
          select new.dataset_id, 1, new.type, new.bytes, null, case when ${elsewhere} then new.geom end from old, new`,
        featureId: id,
        names: properties ? namesOf(properties) : NAMES_OF_MOVED,
      })}, ${featureEvent(actor, 'updated', {
        datasetId: sql`touched.dataset_id`,
        rows: sql`(select dataset_id from old union select dataset_id from new) touched, old, new`,
        details: sql`jsonb_build_object('feature_id', new.id, 'changed', ${sql.param(changed)}::text[]) || case
          when new.moved then jsonb_build_object('from', old.dataset_id, 'to', new.dataset_id) else '{}' end`,
      })}
      select ${featureText('json')} as text from (select * from f union all select * from stayed) f`,
  );
  return rows?.[0]?.text as string | undefined;
}

/** Deletes a feature of a dataset that the caller owns. @returns whether there was one */
export async function deleteFeatureRow(db: Database, { caller, quota, id, actor }: FeatureWrite): Promise<boolean> {
  const [, rows] = await writeWithin(
    db,
    { caller, quota },
    lockDatasets({ caller, id }),
    sql`with ${oldFeature(caller, id)}, deleted as (
        delete from ${features} f using old where f.id = old.id
      ), ${updateSummaries({
        changes: sql`select dataset_id, -1 as n, type, -bytes as bytes, geom as gone, null::geometry as come
          from old`,
        featureId: id,
        names: sql`'{}'::text[]`,
      })}, ${featureEvent(actor, 'deleted', {
        datasetId: sql`old.dataset_id`,
        rows: sql`old`,
        details: sql`jsonb_build_object('feature_id', old.id)`,
      })}
      select id from old`,
  );
  return (rows?.length ?? 0) > 0;
}

/**
 * Locks the dataset of a feature, and another one where it is given, always in the same order so that two writers can't
 * wait for each other. The next statement of the batch sees what other writers have committed.
 */
function lockDatasets({ caller, id, otherId }: { caller: Caller; id: string; otherId?: string | undefined }): SQL {
  return sql`select d.id from ${datasets} d
    where (d.version_id = (select version_id from ${features} where id = ${id}) or d.id = ${otherId ?? null}::uuid)
      and ${ownedBy(caller)}
    order by d.id for update`;
}

/** A common table expression `old`: the feature as it is, with `dataset_id`, where the caller owns it. */
function oldFeature(caller: Caller, id: string): SQL {
  return sql`old as materialized (
    select f.*, d.id as dataset_id from ${features} f join ${datasets} d on d.version_id = f.version_id
    where f.id = ${id} and ${ownedBy(caller)}
  )`;
}

/**
 * Whether the box `d.bbox` may have to shrink: a geometry that has left the dataset reached one of its edges, and no
 * geometry that has joined it does.
 */
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

function namesOf(properties: NewProperties): SQL {
  return sql`${sql.param(propertyNames(properties).slice(0, MAX_PROPERTY_NAMES + 1))}::text[]`;
}

/** Those that a moved feature of `new` has. */
const NAMES_OF_MOVED = sql`coalesce((select array(select json_object_keys(
    case json_typeof(new.properties::json) when 'object' then new.properties::json else '{}' end
  ) limit ${MAX_PROPERTY_NAMES + 1}) from new where new.moved), '{}')`;

interface SummaryChanges {
  /**
   * Rows of `dataset_id`; `n` and `bytes`, which are added; `type`; `gone` and `come`, the geometries that leave and join
   * the dataset.
   */
  readonly changes: SQL;
  readonly featureId: string;
  /** Names of the properties of a feature that joins, as `text[]`. */
  readonly names: SQL;
}

/**
 * Common table expressions that keep the summaries of datasets true where one feature changes. A box that may have to
 * shrink is computed from all other features; any other box can only grow.
 */
function updateSummaries({ changes, featureId, names }: SummaryChanges): SQL {
  const rest = bboxOfExtent(
    sql`(select st_extent(f.geom) from ${features} f where f.version_id = d.version_id and f.id <> ${featureId})`,
  );
  return sql`changes as materialized (${changes}), change as materialized (
    select d.id, sum(n)::int as n, sum(changes.bytes)::bigint as bytes,
      array(select coalesce(sum(c.n) filter (where c.type = t), 0)::int from generate_series(0, 7) t
        left join changes c on c.dataset_id = d.id group by t order by t) as types,
      ${bboxOfExtent(sql`st_extent(come)`)} as come,
      case when ${RETREATS} then ${rest} else d.bbox end as kept,
      case when bool_or(changes.n > 0) then ${names} else '{}' end as names
    from changes join ${datasets} d on d.id = changes.dataset_id group by d.id
  ), summed as (
    update ${datasets} d set feature_count = d.feature_count + change.n,
      feature_bytes = d.feature_bytes + change.bytes, type_counts = ${summedCounts(sql`d.type_counts`, sql`change.types`)},
      bbox = ${bboxUnion(sql`change.kept`, sql`change.come`)},
      property_names = ${mergedNames(sql`d.property_names`, sql`change.names`)},
      status = case when change.n > 0 then ${readyStatus} else d.status end, updated_at = now()
    from change where d.id = change.id
  )`;
}
