import { type SQL, sql } from 'drizzle-orm';
import { type Database, rowsOf } from '../../db/client.ts';
import { iso } from '../../db/columns.ts';
import { datasets, datasetVersions, features } from '../../db/schema/datasets.ts';
import { DomainError } from '../../errors.ts';
import type { Bbox, Contents, Form } from '../feature.ts';

/** How much text of geometries and properties a page has at most, bytes, unless a single feature has more. */
const PAGE_BYTES = 512 * 1024;
/** How many features a page has at most. */
const PAGE_FEATURES = 2000;
/** About what is written around geometry and properties, bytes. */
const FRAME_BYTES = 200;

const PROPERTIES = sql`case when left(f.properties, 1) = '{' or f.properties = 'null' then f.properties
  else '{"value":' || f.properties || '}' end`;

/**
 * A feature `f` of a dataset `w.dataset_id` as text. `json`: a record of the API. `geojson`: a Feature with the id that
 * the API knows it by. `source`: a Feature with the id that it had in its file. `parts`: that id, the geometry and the
 * properties of a Feature, with tabs between them, of which the first two are the only ones that count.
 */
const TEXTS: Readonly<Record<Form, SQL>> = {
  json: sql`'{"id":"' || f.id || '","dataset_id":"' || f.dataset_id || '","geom":' || coalesce(f.geojson, 'null')
    || ',"properties":' || f.properties || ',"created_at":"' || ${iso(sql`f.created_at`)}
    || '","updated_at":"' || ${iso(sql`f.updated_at`)} || '"}'`,
  geojson: sql`'{"type":"Feature","id":"' || f.id || '","geometry":' || coalesce(f.geojson, 'null')
    || ',"properties":' || ${PROPERTIES} || '}'`,
  source: sql`'{"type":"Feature","id":' || coalesce(f.source_id, '"' || f.id || '"') || ',"geometry":'
    || coalesce(f.geojson, 'null') || ',"properties":' || ${PROPERTIES} || '}'`,
  parts: sql`coalesce(f.source_id, '"' || f.id || '"') || E'\\t' || coalesce(f.geojson, 'null') || E'\\t' || ${PROPERTIES}`,
};

/** A feature as text, of the row `f` of features with the id of its dataset beside it. */
export function textOf(form: Form): SQL {
  return TEXTS[form];
}

/** A place in a list: the contents that it has come to, by index, and the last feature of them that was read. */
export interface Place {
  readonly index: number;
  readonly seq: string;
}

export interface Page {
  /** Features as text, with `separator` between them; empty where there are none. */
  readonly text: string;
  readonly count: number;
  /** Where the next page begins; undefined where this is the last. */
  readonly next: Place | undefined;
}

export interface PageWish {
  /** What is listed, in this order. */
  readonly contents: readonly Contents[];
  /** Whether datasets that are deleted before the list has come to them are left out; else they make it fail. */
  readonly leaveOut?: boolean | undefined;
  readonly form: Form;
  readonly bbox?: Bbox | undefined;
  readonly separator: string;
}

/** How many datasets one statement looks at. */
const CONTENTS_AT_ONCE = 500;
/** How many features of them, about: more than fill a page, because a bounding box may leave most of them out. */
const LOOKED_AT = 20_000;

/**
 * The features that follow a place, as many as fit into a page.
 *
 * @throws DomainError `dataset_not_found` when contents are gone: somebody deleted them, or replaced them long ago
 */
export async function readPage(db: Database, wish: PageWish, { index, seq }: Place): Promise<Page> {
  const { contents, form, bbox, separator, leaveOut = false } = wish;
  const wanted = portionOf(contents, index);
  // Datasets come in their order so that those behind a full page are not read.
  const [row] = await rowsOf<{ text: string | null; count: number; gone: number; ord: number; seq: string }>(
    db,
    sql`with ${contentsTable(wanted)}, picked as (
        select w.ord, w.dataset_id, f.* from (select * from w where whole order by ord) w cross join lateral (
          select * from ${features} f where f.version_id = w.version_id and f.seq > case w.ord when 1 then ${seq}::bigint else 0 end
            ${bbox ? sql`and ${within(bbox)}` : sql``}
          order by f.seq limit ${PAGE_FEATURES}
        ) f order by w.ord, f.seq limit ${PAGE_FEATURES}
      ), sized as (
        select *, sum(bytes + ${FRAME_BYTES}) over (order by ord, seq) - bytes - ${FRAME_BYTES} as before from picked
      ), f as (select * from sized where before = 0 or before + bytes < ${PAGE_BYTES})
      select string_agg(${textOf(form)}, ${separator} order by ord, seq) as text, count(*)::int as count,
        (select count(*)::int from w where not whole and not (${leaveOut}::boolean and (ord > 1 or ${seq} = '0')
          and not exists (select from ${datasets} d where d.id = w.dataset_id))) as gone,
        (max(array[ord, seq]))[1]::int as ord, (max(array[ord, seq]))[2]::text as seq
      from f`,
  );
  if (row?.gone !== 0) {
    throw new DomainError('dataset_not_found', 'A dataset was deleted or replaced while its features were read.');
  }
  if (row.count === 0) {
    const following = index + wanted.length;
    return { text: '', count: 0, next: following < contents.length ? { index: following, seq: '0' } : undefined };
  }
  return { text: row.text ?? '', count: row.count, next: { index: index + row.ord - 1, seq: row.seq } };
}

/** The contents from an index on that one statement looks at. What is left of the first one is not known. */
function portionOf(contents: readonly Contents[], index: number): readonly Contents[] {
  let end = index + 1;
  for (let sum = 0; end < contents.length && end - index < CONTENTS_AT_ONCE && sum < LOOKED_AT; end += 1) {
    sum += contents[end]?.count ?? 0;
  }
  return contents.slice(index, end);
}

/** A numbered page of features, and how many there are on all of them. Datasets that were deleted have none. */
export async function readNumberedPage(
  db: Database,
  { contents, form, bbox }: Omit<PageWish, 'separator'>,
  { page, limit }: { page: number; limit: number },
): Promise<{ text: string; total: number }> {
  const [row] = await rowsOf<{ text: string; total: number }>(
    db,
    sql`with ${contentsTable(contents)}, found as (
        select w.ord, w.dataset_id, f.id, f.seq from w join ${features} f on f.version_id = w.version_id
        where w.whole ${bbox ? sql`and ${within(bbox)}` : sql``}
      ), f as (
        select f.*, shown.dataset_id, shown.ord from (
          select * from found order by ord, seq limit ${limit} offset ${(page - 1) * limit}
        ) shown join ${features} f on f.id = shown.id
      )
      select coalesce(string_agg(${textOf(form)}, ',' order by ord, seq), '') as text,
        (select count(*)::int from found) as total from f`,
  );
  return row ?? { text: '', total: 0 };
}

/** A table `w` of contents in their order, with whether all of their features are still there. */
function contentsTable(contents: readonly Contents[]): SQL {
  return sql`w as materialized (
    select w.*, v.id is not null as whole from unnest(${sql.param(contents.map(({ versionId }) => versionId))}::uuid[],
      ${sql.param(contents.map(({ datasetId }) => datasetId))}::uuid[])
      with ordinality as w (version_id, dataset_id, ord)
      left join ${datasetVersions} v on v.id = w.version_id and v.state in ('current', 'retired')
  )`;
}

/** Whether the bounding box of `f` meets another. */
function within([west, south, east, north]: Bbox): SQL {
  const box = (w: number, e: number) => sql`f.geom && st_makeenvelope(${w}, ${south}, ${e}, ${north}, 4326)`;
  return west <= east ? box(west, east) : sql`(${box(west, 180)} or ${box(-180, east)})`;
}
