import { type SQL, sql } from 'drizzle-orm';
import { iso } from '../../datasets/repo/conditions.ts';
import { type Database, rowsOf } from '../../db/client.ts';
import { datasetVersions, features } from '../../db/schema/datasets.ts';
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
 * the API knows it by. `source`: a Feature with the id that it had in its file.
 */
const TEXTS: Readonly<Record<Form, SQL>> = {
  json: sql`'{"id":"' || f.id || '","dataset_id":"' || f.dataset_id || '","geom":' || coalesce(f.geojson, 'null')
    || ',"properties":' || f.properties || ',"created_at":"' || ${iso(sql`f.created_at`)}
    || '","updated_at":"' || ${iso(sql`f.updated_at`)} || '"}'`,
  geojson: sql`'{"type":"Feature","id":"' || f.id || '","geometry":' || coalesce(f.geojson, 'null')
    || ',"properties":' || ${PROPERTIES} || '}'`,
  source: sql`'{"type":"Feature","id":' || coalesce(f.source_id, '"' || f.id || '"') || ',"geometry":'
    || coalesce(f.geojson, 'null') || ',"properties":' || ${PROPERTIES} || '}'`,
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
  /** What is listed, in this order. Contents that are gone make the page fail. */
  readonly contents: readonly Contents[];
  readonly form: Form;
  readonly bbox?: Bbox | undefined;
  readonly separator: string;
}

/** How many datasets one statement looks at. */
const CONTENTS_AT_ONCE = 500;

/**
 * The features that follow a place, as many as fit into a page.
 *
 * @throws Error when contents are gone: somebody deleted them, or replaced them long ago
 */
export async function readPage(db: Database, wish: PageWish, { index, seq }: Place): Promise<Page> {
  const { contents, form, bbox, separator } = wish;
  const wanted = contents.slice(index, index + CONTENTS_AT_ONCE);
  const [row] = await rowsOf<{ text: string | null; count: number; alive: number; ord: number; seq: string }>(
    db,
    sql`with ${contentsTable(wanted)}, picked as (
        select w.ord, w.dataset_id, f.* from w cross join lateral (
          select * from ${features} f where f.version_id = w.version_id and f.seq > case w.ord when 1 then ${seq}::bigint else 0 end
            ${bbox ? sql`and ${within(bbox)}` : sql``}
          order by f.seq limit ${PAGE_FEATURES}
        ) f order by w.ord, f.seq limit ${PAGE_FEATURES}
      ), sized as (
        select *, sum(bytes + ${FRAME_BYTES}) over (order by ord, seq) - bytes - ${FRAME_BYTES} as before from picked
      ), f as (select * from sized where before = 0 or before + bytes < ${PAGE_BYTES})
      select string_agg(${textOf(form)}, ${separator} order by ord, seq) as text, count(*)::int as count,
        (select count(*)::int from ${datasetVersions} v where v.id in (select version_id from w)) as alive,
        (max(array[ord, seq]))[1]::int as ord, (max(array[ord, seq]))[2]::text as seq
      from f`,
  );
  if (row?.alive !== wanted.length) throw new Error('The features of a dataset are gone');
  if (row.count === 0) {
    const following = index + CONTENTS_AT_ONCE;
    return { text: '', count: 0, next: following < contents.length ? { index: following, seq: '0' } : undefined };
  }
  return { text: row.text ?? '', count: row.count, next: { index: index + row.ord - 1, seq: row.seq } };
}

/** A numbered page of features, and how many there are on all of them. */
export async function readNumberedPage(
  db: Database,
  { contents, form, bbox }: Omit<PageWish, 'separator'>,
  { page, limit }: { page: number; limit: number },
): Promise<{ text: string; total: number }> {
  const [row] = await rowsOf<{ text: string; total: number }>(
    db,
    sql`with ${contentsTable(contents)}, found as (
        select w.ord, w.dataset_id, f.id, f.seq from w join ${features} f on f.version_id = w.version_id
        ${bbox ? sql`where ${within(bbox)}` : sql``}
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

/** A table `w` of contents in their order. */
function contentsTable(contents: readonly Contents[]): SQL {
  return sql`w as materialized (
    select * from unnest(${sql.param(contents.map(({ versionId }) => versionId))}::uuid[],
      ${sql.param(contents.map(({ datasetId }) => datasetId))}::uuid[])
      with ordinality as w (version_id, dataset_id, ord)
  )`;
}

/** Whether the bounding box of `f` meets another. */
function within([west, south, east, north]: Bbox): SQL {
  const box = (w: number, e: number) => sql`f.geom && st_makeenvelope(${w}, ${south}, ${e}, ${north}, 4326)`;
  return west <= east ? box(west, east) : sql`(${box(west, 180)} or ${box(-180, east)})`;
}
