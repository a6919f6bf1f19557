import { sql } from 'drizzle-orm';
import { lowerAscii } from '../../ascii.ts';
import { hasAddress } from '../../datasets/repo/conditions.ts';
import { type DatasetRow, datasetColumns, foundDataset } from '../../datasets/repo/rows.ts';
import type { Dataset } from '../../datasets/schemas.ts';
import type { Database } from '../../db/client.ts';
import { datasets } from '../../db/schema/datasets.ts';
import type { DatasetQuery } from '../queries.ts';
import { type Listed, pageOf } from './page.ts';

/** Datasets of all owners, newest first. */
export async function listAllDatasets(db: Database, query: DatasetQuery): Promise<Listed<Dataset>> {
  const { rows, total }: Listed<DatasetRow> = await pageOf(db, query, {
    fields: datasetColumns('master'),
    from: sql`${datasets} d`,
    where: {
      user_id: (it) => sql`d.user_id = ${it}`,
      user_email: (it) => hasAddress(lowerAscii(it)),
      is_public: (it) => (it ? sql`d.is_public` : sql`not d.is_public`),
      data_type: (it) => sql`d.data_type = ${it}`,
      status: (it) => sql`d.status = ${it}`,
    },
    order: sql`d.created_at desc, d.id desc`,
  });
  return { rows: rows.map((row) => foundDataset(row).dataset), total };
}
