import { type SQL, sql } from 'drizzle-orm';
import { iso } from '../../db/columns.ts';
import { profiles } from '../../db/schema/accounts.ts';
import type { Caller } from '../access.ts';
import type { Dataset } from '../dataset.ts';
import { ownedBy } from './conditions.ts';

/** What the features say their type is: one, the many of it, or GEOMETRY where they are of several. */
export const FOUND_TYPE = sql`case
  when d.type_counts[2:8] = '{0,0,0,0,0,0,0}' then null
  when d.type_counts[4:8] = '{0,0,0,0,0}' then case d.type_counts[3] when 0 then 'POINT' else 'MULTIPOINT' end
  when d.type_counts[2:3] = '{0,0}' and d.type_counts[6:8] = '{0,0,0}'
    then case d.type_counts[5] when 0 then 'LINESTRING' else 'MULTILINESTRING' end
  when d.type_counts[2:5] = '{0,0,0,0}' and d.type_counts[8] = 0
    then case d.type_counts[7] when 0 then 'POLYGON' else 'MULTIPOLYGON' end
  when d.type_counts[2:7] = '{0,0,0,0,0,0}' then 'GEOMETRYCOLLECTION'
  else 'GEOMETRY' end`;

/**
 * The columns of a `DatasetRow`, of a row `d` of datasets.
 *
 * @param isNamed whether the address of the owner is shown; by default to those who own the dataset
 */
export function record(caller: Caller, isNamed = ownedBy(caller)): SQL {
  return sql`d.id, d.user_id, case when ${isNamed} then coalesce(d.user_email, (
      select email from ${profiles} p where p.id = d.user_id)) end as user_email,
    d.name, d.description, d.is_public, d.data_type, d.srid,
    coalesce(d.declared_geometry_type, ${FOUND_TYPE}) as geometry_type, d.status, d.metadata::text as metadata,
    d.storage_ref, d.feature_count, d.bbox, coalesce(d.file_bytes, d.feature_bytes)::float8 as size_bytes,
    ${iso(sql`d.created_at`)} as created_at, ${iso(sql`d.updated_at`)} as updated_at, d.version_id,
    ${ownedBy(caller)} as owned`;
}

export type DatasetRow = Omit<Dataset, 'metadata'> & {
  metadata: string | null;
  version_id: string;
  owned: boolean;
};

/** A dataset and the contents that it has at the moment. */
export interface Found {
  readonly dataset: Dataset;
  readonly versionId: string;
  /** Whether it belongs to the caller. */
  readonly owned: boolean;
}

export function foundOf({ version_id: versionId, metadata, owned, ...dataset }: DatasetRow): Found {
  return { dataset: { ...dataset, metadata: metadata === null ? null : JSON.parse(metadata) }, versionId, owned };
}
