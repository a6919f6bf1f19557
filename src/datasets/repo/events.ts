import { type SQL, sql } from 'drizzle-orm';
import { type Actor, audited } from '../../db/audit.ts';

/**
 * A common table expression that writes into the audit log what was done to datasets: `audit`.
 *
 * @param verb `created`, `updated`, `uploaded`, `replaced`, `deleted`
 * @param rows a table of datasets `d`, as it stands behind `from`
 * @param details a jsonb object without anything of the contents
 */
export function datasetEvent(actor: Actor, verb: string, rows: SQL, details: SQL): SQL {
  return sql`audit as (${audited(
    actor,
    sql`select ${`dataset.${verb}`}::text as action, 'dataset' as subject_type, d.id::text as subject_id,
      ${details} as details from ${rows}`,
  )})`;
}

/** The same for features, which are told of as part of their dataset, in rows of `dataset_id`. */
export function featureEvent(actor: Actor, verb: string, dataset: SQL, rows: SQL, details: SQL): SQL {
  return sql`audit as (${audited(
    actor,
    sql`select ${`feature.${verb}`}::text as action, 'dataset' as subject_type, ${dataset}::text as subject_id,
      ${details} as details from ${rows}`,
  )})`;
}

/** How much a row `d` of datasets holds, of which the bytes are those of the file where there is one. */
export const AMOUNT = sql`jsonb_build_object('feature_count', d.feature_count,
  'size_bytes', coalesce(d.file_bytes, d.feature_bytes))`;

/** Who the owner of `d` was, as `old` has it, and is now; an empty object where that is the same. */
export const OWNER_CHANGE = sql`case when (old.user_id, old.user_email) is distinct from (d.user_id, d.user_email)
  then jsonb_build_object('owner', jsonb_build_object(
    'from', jsonb_build_object('user_id', old.user_id, 'user_email', old.user_email),
    'to', jsonb_build_object('user_id', d.user_id, 'user_email', d.user_email)))
  else '{}' end`;
