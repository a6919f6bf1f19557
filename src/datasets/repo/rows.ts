import { type SQL, sql } from 'drizzle-orm';
import { iso } from '../../db/columns.ts';
import { profiles } from '../../db/schema/accounts.ts';
import { parseExactly } from '../../geojson/exact-json.ts';
import type { FoundDataset } from '../dataset.ts';
import type { Reader } from '../owners.ts';
import type { Dataset } from '../schemas.ts';
import { ownedBy, VISIBILITY } from './conditions.ts';

/**
 * The type of geometry that the features of a row `d` have: a simple type, its Multi type where some features have that,
 * GEOMETRY where the features are of several types, and null where none has a geometry.
 */
export const FEATURES_TYPE = sql`case
  when d.type_counts[2:8] = '{0,0,0,0,0,0,0}' then null
  when d.type_counts[4:8] = '{0,0,0,0,0}' then case d.type_counts[3] when 0 then 'POINT' else 'MULTIPOINT' end
  when d.type_counts[2:3] = '{0,0}' and d.type_counts[6:8] = '{0,0,0}'
    then case d.type_counts[5] when 0 then 'LINESTRING' else 'MULTILINESTRING' end
  when d.type_counts[2:5] = '{0,0,0,0}' and d.type_counts[8] = 0
    then case d.type_counts[7] when 0 then 'POLYGON' else 'MULTIPOLYGON' end
  when d.type_counts[2:7] = '{0,0,0,0,0,0}' then 'GEOMETRYCOLLECTION'
  else 'GEOMETRY' end`;

/**
 * The columns of a `DatasetRow`, for a row `d` of datasets. Callers without credentials see neither the owner nor the key of the file.
 *
 * @param showsEmail whether the address of the owner is shown; by default to those who own the dataset
 */
export function datasetColumns(caller: Reader, showsEmail = ownedBy(caller)): SQL {
  const isKnown = sql`${caller !== 'everyone'}::boolean`;
  return sql`d.id, case when ${isKnown} then d.user_id end as user_id, case when ${showsEmail} then coalesce(d.user_email, (
      select email from ${profiles} p where p.id = d.user_id)) end as user_email,
    d.name, d.description, d.is_public, ${VISIBILITY} as visibility,
    d.open_to_everyone is not null as visibility_chosen, d.data_type, d.srid,
    coalesce(d.declared_geometry_type, ${FEATURES_TYPE}) as geometry_type, d.status, d.metadata::text as metadata,
    case when ${isKnown} then d.storage_ref end as storage_ref, d.feature_count, d.bbox, coalesce(d.file_bytes, d.feature_bytes)::float8 as size_bytes,
    stored_bytes(d.file_bytes, d.feature_bytes, d.feature_count, d.description, d.metadata)::float8 as stored_bytes,
    ${iso(sql`d.created_at`)} as created_at, ${iso(sql`d.updated_at`)} as updated_at, d.version_id,
    d.feature_bytes::float8 as feature_bytes, ${ownedBy(caller)} as owned`;
}

export type DatasetRow = Omit<Dataset, 'metadata'> & {
  metadata: string | null;
  version_id: string;
  feature_bytes: number;
  owned: boolean;
};

export function foundDataset(row: DatasetRow): FoundDataset {
  const { version_id: versionId, feature_bytes: featureBytes, metadata: text, owned, ...dataset } = row;
  const metadata = text === null ? null : parseExactly(text);
  return { dataset: { ...dataset, metadata }, versionId, featureBytes, owned };
}
