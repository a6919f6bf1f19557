import { type SQL, sql } from 'drizzle-orm';
import { type Actor, audited } from '../../db/audit.ts';
import { VISIBILITY } from './conditions.ts';

/**
 * A common table expression `audit` that writes into the audit log what was done to datasets.
 *
 * @param verb `created`, `updated`, `uploaded`, `replaced`, `deleted`
 * @param rows a table of datasets `d`, as it is written behind `from`
 * @param details a jsonb object. It must not have anything of the contents.
 */
export function datasetEvent(actor: Actor, verb: string, { rows, details }: { rows: SQL; details: SQL }): SQL {
  return sql`audit as (${audited(
    actor,
    sql`select ${`dataset.${verb}`}::text as action, 'dataset' as subject_type, d.id::text as subject_id,
      ${details} as details from ${rows}`,
  )})`;
}

/**
 * The same for features. The subject of the event is their dataset.
 *
 * @param event `datasetId`: the column of `rows` that has it
 */
export function featureEvent(
  actor: Actor,
  verb: string,
  { datasetId, rows, details }: { datasetId: SQL; rows: SQL; details: SQL },
): SQL {
  return sql`audit as (${audited(
    actor,
    sql`select ${`feature.${verb}`}::text as action, 'dataset' as subject_type, ${datasetId}::text as subject_id,
      ${details} as details from ${rows}`,
  )})`;
}

/** How much a row `d` of datasets has: its features, and the bytes of its file, or of its features where it has none. */
export const AMOUNT = sql`jsonb_build_object('feature_count', d.feature_count,
  'size_bytes', coalesce(d.file_bytes, d.feature_bytes))`;

/** The change of the visibility from the row `old`, which has it as a column, to the row `d`; an empty object where it is the same. */
export const VISIBILITY_CHANGE = sql`case when old.visibility <> ${VISIBILITY}
  then jsonb_build_object('visibility', jsonb_build_object('from', old.visibility, 'to', ${VISIBILITY})) else '{}' end`;

/** The change of the owner from the row `old` to the row `d`; an empty object where the owner is the same. */
export const OWNER_CHANGE = sql`case when (old.user_id, old.user_email) is distinct from (d.user_id, d.user_email)
  then jsonb_build_object('owner', jsonb_build_object(
    'from', jsonb_build_object('user_id', old.user_id, 'user_email', old.user_email),
    'to', jsonb_build_object('user_id', d.user_id, 'user_email', d.user_email)))
  else '{}' end`;
