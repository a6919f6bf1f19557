import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { iso } from '../../db/columns.ts';
import { datasets } from '../../db/schema/datasets.ts';
import type { Contents } from '../../features/feature.ts';
import type { FoundDataset } from '../dataset.ts';
import type { Caller, Reader } from '../owners.ts';
import type { Dataset, LISTED } from '../schemas.ts';
import { hasAddress, IN_CATALOGUE, IS_OPEN, ownedBy, readableBy } from './conditions.ts';
import { type DatasetRow, datasetColumns, foundDataset } from './rows.ts';

export interface DatasetFilter {
  readonly visibility: (typeof LISTED)[number];
  /** Only datasets of the owner with this address, in lower case, whoever the caller is: for administrators. */
  readonly ownerEmail?: string | undefined;
}

interface DatasetListQuery {
  readonly caller: Caller;
  readonly filter: DatasetFilter;
  readonly page: number;
  readonly limit: number;
}

/** A page of the datasets that a caller may see, newest first, and how many there are on all pages. */
export async function listDatasets(
  db: Database,
  { caller, filter, page, limit }: DatasetListQuery,
): Promise<{ found: FoundDataset[]; total: number }> {
  const condition = listedIn(caller, filter);
  // Only administrators list by address, and they may see it.
  const columns = filter.ownerEmail === undefined ? datasetColumns(caller) : datasetColumns(caller, sql`true`);
  const rows = await db.rows<
    Partial<DatasetRow> & { total: number }
  >(sql`select shown.*, counted.total from (select count(*)::int as total from ${datasets} d where ${condition}) counted
      left join (
        select ${columns}, row_number() over (order by d.created_at desc, d.id desc) as position
        from ${datasets} d where ${condition}
        order by d.created_at desc, d.id desc limit ${limit} offset ${(page - 1) * limit}
      ) shown on true order by shown.position`);
  const found = rows.flatMap(({ total: _, ...row }) => {
    const { position: _position, ...columns } = row as DatasetRow & { position: unknown };
    return columns.id === null ? [] : [foundDataset(columns)];
  });
  return { found, total: rows[0]?.total ?? 0 };
}

/** Whether a row `d` of datasets belongs in a list. */
function listedIn(caller: Caller, { visibility, ownerEmail }: DatasetFilter): SQL {
  const isVisible = {
    public: sql`d.is_public`,
    private: sql`not d.is_public`,
    accounts: sql`d.is_public and not ${IS_OPEN}`,
    everyone: IS_OPEN,
    all: sql`true`,
    mine: sql`true`,
  }[visibility];
  if (ownerEmail !== undefined) return sql`${hasAddress(ownerEmail)} and ${isVisible}`;
  if (visibility === 'all') return readableBy(caller);
  const isOwn = visibility === 'mine' || visibility === 'private';
  return sql`${isOwn ? ownedBy(caller) : IN_CATALOGUE} and ${isVisible}`;
}

interface OneDataset {
  readonly caller: Reader;
  readonly id: string;
}

/** A dataset that the caller may read. */
export async function findDataset(db: Database, { caller, id }: OneDataset): Promise<FoundDataset | undefined> {
  const [row] = await db.rows<DatasetRow>(
    sql`select ${datasetColumns(caller)} from ${datasets} d where d.id = ${id} and ${readableBy(caller)}`,
  );
  return row && foundDataset(row);
}

/** A dataset as everybody may see it, and what to answer it from. */
interface EmbeddedDataset extends Pick<Dataset, 'name' | 'description' | 'feature_count' | 'bbox'> {
  readonly contents: Contents;
  /** What its features count for the quota. */
  readonly bytes: number;
  /** `map_style` of its metadata, as JSON; null where there is none. */
  readonly style: string | null;
  /** It changes with every member of the dataset, and with its features. */
  readonly version: string;
}

/** A dataset that everybody may read. */
export async function findEmbedded(
  db: Database,
  { caller, id }: { caller: 'everyone'; id: string },
): Promise<EmbeddedDataset | undefined> {
  const [row] = await db.rows<
    Omit<EmbeddedDataset, 'contents'> & { version_id: string }
  >(sql`select d.name, d.description, d.feature_count, d.bbox, d.feature_bytes::float8 as bytes, d.version_id,
        (d.metadata->'map_style')::text as style,
        d.version_id || '-' || to_hex((extract(epoch from d.updated_at) * 1000000)::bigint) as version
      from ${datasets} d
      where d.id = ${id} and ${readableBy(caller)}`);
  if (!row) return undefined;
  const { version_id: versionId, ...dataset } = row;
  return { ...dataset, contents: { datasetId: id, versionId, count: dataset.feature_count } };
}

/** A dataset that the caller may read, with the names of members of its features' properties. */
export async function findDatasetForExport(
  db: Database,
  { caller, id }: OneDataset,
): Promise<{ found: FoundDataset; propertyNames: string[] } | undefined> {
  const [row] = await db.rows<DatasetRow & { property_names: string[] }>(
    sql`select ${datasetColumns(caller)}, d.property_names from ${datasets} d where d.id = ${id} and ${readableBy(caller)}`,
  );
  if (!row) return undefined;
  const { property_names: propertyNames, ...columns } = row;
  return { found: foundDataset(columns), propertyNames };
}

/** Max characters of a description in a catalogue, and max datasets there of one owner other than the reader. */
const MAX_DESCRIPTION = 500;
const MAX_OF_OTHERS = 20;

/** A dataset in a catalogue. */
export type ListedDataset = Pick<Dataset, 'id' | 'name' | 'description' | 'bbox'>;

/**
 * The newest datasets with features that a reader may read: first those of their own, then some of each other owner, so that
 * nobody crowds the list. Descriptions are cut.
 *
 * @param list `opened`: ids of datasets that are listed too, where an account may read them
 */
export function listReadable(
  db: Database,
  {
    caller,
    opened,
    limit,
  }: { caller: Reader; opened?: { ids: readonly string[]; reader: Reader } | undefined; limit: number },
): Promise<ListedDataset[]> {
  const isOpened = opened
    ? sql`(d.id = any(${sql.param(opened.ids)}::uuid[]) and ${readableBy(opened.reader)})`
    : sql`false`;
  return db.rows(sql`select id, name, left(description, ${MAX_DESCRIPTION}) as description, bbox from (
        select d.*, ${ownedBy(caller)} or ${isOpened} as is_own,
          row_number() over (partition by coalesce(d.user_id::text, d.user_email) order by d.created_at desc, d.id) as position
        from ${datasets} d where (${readableBy(caller)} or ${isOpened}) and d.feature_count > 0
      ) d where is_own or position <= ${MAX_OF_OTHERS}
      order by is_own desc, created_at desc, id limit ${limit}`);
}

/** The stored file of a dataset. */
export interface DatasetFile {
  /** Its key in the bucket. Nothing else is ever stored under the same key. */
  readonly key: string;
  readonly name: string;
  readonly bytes: number;
  readonly versionId: string;
  /** When it became the file of the dataset, RFC 3339. */
  readonly since: string;
}

/** The stored file of a dataset that the caller may read; `file` is null where the dataset has none. */
export async function findDatasetFile(
  db: Database,
  { caller, id }: OneDataset,
): Promise<{ file: DatasetFile | null } | undefined> {
  const [row] = await db.rows<{
    [K in keyof DatasetFile]: DatasetFile[K] | null;
  }>(sql`select v.storage_key as key, d.file_name as name, d.file_bytes::float8 as bytes, v.id as "versionId",
        ${iso(sql`v.touched_at`)} as since
      from ${datasets} d join dataset_versions v on v.id = d.version_id
      where d.id = ${id} and ${readableBy(caller)}`);
  if (!row) return undefined;
  return { file: row.key === null || row.name === null ? null : (row as DatasetFile) };
}

/** The contents of all datasets of the caller that have features, oldest first. */
export async function listOwnContents(db: Database, { caller }: { caller: Caller }): Promise<Contents[]> {
  return db.rows(sql`select d.id as "datasetId", d.version_id as "versionId", d.feature_count as count from ${datasets} d
      where ${ownedBy(caller)} and d.feature_count > 0 order by d.created_at, d.id`);
}

/** Whether the database knows a reference system. */
export async function isKnownSrid(db: Database, srid: number): Promise<boolean> {
  return (await db.rows(sql`select from spatial_ref_sys where srid = ${srid}`)).length > 0;
}

/** The reference systems whose well-known text a regular expression fits: those of EPSG first, and with easting before northing. */
export async function listSystems(
  db: Database,
  { pattern }: { pattern: string },
): Promise<{ srid: number; text: string }[]> {
  return db.rows(sql`select srid, srtext as text from spatial_ref_sys where srtext ~ ${pattern} 
      order by auth_name, srtext ~ 'NORTH\\].*EAST\\]', srid limit 1000`);
}
