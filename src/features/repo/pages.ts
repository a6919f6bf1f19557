import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { iso } from '../../db/columns.ts';
import { areaShapes, datasets, datasetVersions, features } from '../../db/schema/datasets.ts';
import { DomainError } from '../../errors.ts';
import type { Bbox, Contents, FeatureForm } from '../feature.ts';

/** How much text of geometries and properties a page has at most, bytes, unless a single feature has more. */
const PAGE_BYTES = 512 * 1024;
/** How many features a page has at most. */
const PAGE_FEATURES = 2000;
/**
 * How many features, and how much of their texts, one statement compares with a condition of one comparison; with more there are
 * fewer. A statement goes on in the database after its request has ended, so none may take long, whatever the condition.
 */
const COMPARED = { features: 5000, most: 100_000, bytes: 8 * 1024 * 1024 };
/** About how much is written around geometry and properties, bytes. */
const FRAME_BYTES = 200;

/** The properties of the row `f` as a GeoJSON Feature shows them: an object or null. */
export const PROPERTIES = sql`case when left(f.properties, 1) = '{' or f.properties = 'null' then f.properties
  else '{"value":' || f.properties || '}' end`;

/** Joins the properties of the row `f`, parsed. The offset keeps the planner from parsing them for each comparison. */
const MEMBERS = sql`cross join lateral (select (${PROPERTIES})::jsonb as members offset 0) j`;

/** The geometry of the row `f` as JSON text. */
const GEOMETRY = sql`coalesce(f.geojson, (select geojson from ${areaShapes} where key = f.shape_key), 'null')`;

const TEXTS: Readonly<Record<FeatureForm, SQL>> = {
  json: sql`'{"id":"' || f.id || '","dataset_id":"' || f.dataset_id || '","geom":' || ${GEOMETRY}
    || ',"properties":' || f.properties || ',"created_at":"' || ${iso(sql`f.created_at`)}
    || '","updated_at":"' || ${iso(sql`f.updated_at`)} || '"}'`,
  geojson: sql`'{"type":"Feature","id":"' || f.id || '","geometry":' || ${GEOMETRY}
    || ',"properties":' || ${PROPERTIES} || '}'`,
  source: sql`'{"type":"Feature","id":' || coalesce(f.source_id, '"' || f.id || '"') || ',"geometry":'
    || ${GEOMETRY} || ',"properties":' || ${PROPERTIES} || '}'`,
  parts: sql`coalesce(f.source_id, '"' || f.id || '"') || E'\\t' || ${GEOMETRY} || E'\\t' || ${PROPERTIES}`,
};

/** The text of a feature. The row `f` has its columns of features, and `dataset_id`. */
export function featureText(form: FeatureForm): SQL {
  return TEXTS[form];
}

/** How far a list has been read: the index of the contents that come next, and the last feature of them that was read. */
export interface ListPosition {
  readonly index: number;
  readonly seq: string;
}

export interface FeaturePage {
  /** Features as text, with `separator` between them; empty where there are none. */
  readonly text: string;
  readonly count: number;
  /** Where the next page begins; undefined where this is the last page. */
  readonly next: ListPosition | undefined;
}

/** A condition on features. */
export interface FeatureCondition {
  /** On the row `f`, and on its properties as `j.members`, which are read once for each row. */
  readonly condition: SQL;
  /** How many comparisons it has. */
  readonly comparisons: number;
  /** Whether it looks at geometries. */
  readonly readsGeometry: boolean;
}

export interface FeaturePageInput {
  /** What is listed, in this order. */
  readonly contents: readonly Contents[];
  /** Whether datasets that are deleted before the list reaches them are left out. Otherwise the list fails. */
  readonly skipDeleted?: boolean | undefined;
  readonly form: FeatureForm;
  readonly bbox?: Bbox | undefined;
  /** What features of one dataset must fulfil. */
  readonly where?: FeatureCondition | undefined;
  readonly separator: string;
  /** How many features the page may have; undefined: as many as fit. */
  readonly most?: number | undefined;
}

/** How many datasets one statement reads at most. */
const MAX_CONTENTS_READ = 500;
/** About how many features they may have: more than fill a page, because a bounding box may leave most of them out. */
const MAX_FEATURES_READ = 20_000;

/**
 * The features that follow a position, as many as fit into a page.
 *
 * @throws DomainError `dataset_not_found` where contents are gone: they were deleted, or replaced long ago
 */
export async function readPage(
  db: Database,
  input: FeaturePageInput,
  { index, seq }: ListPosition,
): Promise<FeaturePage> {
  const { contents, form, bbox, where, separator, skipDeleted = false, most = PAGE_FEATURES } = input;
  const limit = Math.min(most, PAGE_FEATURES);
  const wanted = contentsToRead(contents, index);
  const isInBox = bbox ? sql`and ${intersectsBbox(bbox)}` : sql``;
  const candidates = where
    ? sql`compared f ${MEMBERS} where ${where.condition}`
    : sql`${features} f where f.version_id = w.version_id
        and f.seq > case w.ord when 1 then ${seq}::bigint else 0 end ${isInBox}`;
  const [content] = wanted;
  const tables = where && content ? sql`, ${comparedTables(where, { content, seq, isInBox })}` : sql``;
  // Datasets are joined in their order, so that those behind a full page are not read.
  const [row] = await db.rows<{
    text: string | null;
    count: number;
    gone: number;
    ord: number;
    seq: string;
    compared: string | null;
  }>(sql`with ${contentsTable(wanted)}${tables}, picked as (
        select w.ord, w.dataset_id, f.* from (select * from w where whole order by ord) w cross join lateral (
          select f.* from ${candidates}
          order by f.seq limit ${limit}
        ) f order by w.ord, f.seq limit ${limit}
      ), sized as (
        select *, sum(bytes + ${FRAME_BYTES}) over (order by ord, seq) - bytes - ${FRAME_BYTES} as before from picked
      ), f as (select * from sized where before = 0 or before + bytes < ${PAGE_BYTES})
      select string_agg(${featureText(form)}, ${separator} order by ord, seq) as text, count(*)::int as count,
        (select count(*)::int from w where not whole and not (${skipDeleted}::boolean and (ord > 1 or ${seq} = '0')
          and not exists (select from ${datasets} d where d.id = w.dataset_id))) as gone,
        (max(array[ord, seq]))[1]::int as ord, (max(array[ord, seq]))[2]::text as seq,
        ${where ? comparedTo(where, limit) : sql`null`} as compared
      from f`);
  if (row?.gone !== 0) {
    throw new DomainError('dataset_not_found', 'A dataset was deleted or replaced while its features were read.');
  }
  // Where a condition let few through, the page goes on behind the last that was compared.
  if (row.compared !== null) {
    return { text: row.text ?? '', count: row.count, next: { index, seq: row.compared } };
  }
  if (row.count === 0) {
    const following = index + wanted.length;
    return { text: '', count: 0, next: following < contents.length ? { index: following, seq: '0' } : undefined };
  }
  return { text: row.text ?? '', count: row.count, next: { index: index + row.ord - 1, seq: row.seq } };
}

/**
 * Tables of the features behind a position: `near` has as many as may be compared, and `compared` those of them whose texts
 * are no more than may be, at least one.
 */
function comparedTables(
  where: FeatureCondition,
  { content, seq, isInBox }: { content: Contents; seq: string; isInBox: SQL },
): SQL {
  const cost = where.readsGeometry ? sql`f.bytes` : sql`octet_length(f.properties)`;
  return sql`near as materialized (
      select f.* from ${features} f where f.version_id = ${content.versionId} and f.seq > ${seq}::bigint ${isInBox}
      order by f.seq limit ${comparedFeatures(where)}
    ), compared as materialized (
      select * from (select f.*, sum(${cost}) over (order by f.seq) - ${cost} as cost_before from near f) f
      where cost_before = 0 or cost_before + ${cost} < ${Math.floor(COMPARED.bytes / where.comparisons)}
    )`;
}

function comparedFeatures({ comparisons }: FeatureCondition): number {
  return Math.min(COMPARED.features, Math.ceil(COMPARED.most / comparisons));
}

/**
 * The last feature that was compared with a condition, where all that passed are on the page and there may be more behind
 * it; else null.
 */
function comparedTo(where: FeatureCondition, limit: number): SQL {
  const rows = (table: SQL) => sql`(select count(*) from ${table})`;
  const [near, compared, picked, shown] = [sql`near`, sql`compared`, sql`picked`, sql`f`].map(rows);
  return sql`case when (${near} = ${comparedFeatures(where)} or ${compared} < ${near})
      and ${picked} < ${limit} and ${picked} = ${shown} then (select max(seq)::text from compared) end`;
}

/**
 * The contents from an index on that one statement reads. The first of them is always read and does not count, because
 * a part of it may have been read before.
 */
function contentsToRead(contents: readonly Contents[], index: number): readonly Contents[] {
  let end = index + 1;
  for (let sum = 0; end < contents.length && end - index < MAX_CONTENTS_READ && sum < MAX_FEATURES_READ; end += 1) {
    sum += contents[end]?.count ?? 0;
  }
  return contents.slice(index, end);
}

/** How much text of geometries and properties a numbered page has that one statement reads, bytes. */
const NUMBERED_BYTES = 4 * 1024 * 1024;

/**
 * A numbered page of features, and how many there are on all pages. Datasets that were deleted count as empty. `text` is
 * null where it is too long for one statement; then `start` is the position before its first feature.
 */
export async function readNumberedPage(
  db: Database,
  { contents, form, bbox }: Pick<FeaturePageInput, 'contents' | 'form' | 'bbox'>,
  { page, limit }: { page: number; limit: number },
): Promise<{ text: string | null; total: number; start: ListPosition }> {
  const [row] = await db.rows<{
    text: string | null;
    total: number;
    ord: number | null;
    seq: string | null;
  }>(sql`with ${contentsTable(contents)}, found as (
        select w.ord, w.dataset_id, f.id, f.seq, f.bytes from w join ${features} f on f.version_id = w.version_id
        where w.whole ${bbox ? sql`and ${intersectsBbox(bbox)}` : sql``}
      ), shown as materialized (
        select * from found order by ord, seq limit ${limit} offset ${(page - 1) * limit}
      ), size as materialized (
        select coalesce(sum(bytes), 0) <= ${NUMBERED_BYTES} as fits, (min(array[ord, seq]))[1]::int as ord,
          ((min(array[ord, seq]))[2] - 1)::text as seq
        from shown
      ), f as (
        select f.*, shown.dataset_id, shown.ord from shown join ${features} f on f.id = shown.id
        where (select fits from size)
      )
      select case when (select fits from size) then coalesce(string_agg(${featureText(form)}, ',' order by ord, seq), '') end as text,
        (select count(*)::int from found) as total, (select ord from size) as ord, (select seq from size) as seq from f`);
  const { text, total, ord, seq } = row ?? { text: '', total: 0, ord: null, seq: null };
  return { text, total, start: { index: (ord ?? 1) - 1, seq: seq ?? '0' } };
}

/** A table `w` of contents in their order. Its column `whole` says whether all of their features are still there. */
function contentsTable(contents: readonly Contents[]): SQL {
  return sql`w as materialized (
    select w.*, v.id is not null as whole from unnest(${sql.param(contents.map(({ versionId }) => versionId))}::uuid[],
      ${sql.param(contents.map(({ datasetId }) => datasetId))}::uuid[])
      with ordinality as w (version_id, dataset_id, ord)
      left join ${datasetVersions} v on v.id = w.version_id and v.state in ('current', 'retired')
  )`;
}

/** Whether the bounding box of the row `f` meets a box. */
function intersectsBbox([west, south, east, north]: Bbox): SQL {
  const box = (w: number, e: number) => sql`f.geom && st_makeenvelope(${w}, ${south}, ${e}, ${north}, 4326)`;
  return west <= east ? box(west, east) : sql`(${box(west, 180)} or ${box(-180, east)})`;
}
