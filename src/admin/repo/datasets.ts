import { sql } from 'drizzle-orm';
import { hasAddress } from '../../datasets/repo/conditions.ts';
import { type DatasetRow, datasetColumns, foundDataset } from '../../datasets/repo/rows.ts';
import type { Dataset } from '../../datasets/schemas.ts';
import type { Database } from '../../db/client.ts';
import { datasets } from '../../db/schema/datasets.ts';
import { type Listed, type Paging, pageOf, when } from './page.ts';

export interface AllDatasetsFilter {
  readonly userId?: string | undefined;
  /** In lower case. */
  readonly userEmail?: string | undefined;
  readonly isPublic?: boolean | undefined;
  readonly dataType?: Dataset['data_type'] | undefined;
  readonly status?: string | undefined;
}

/** Datasets of all owners, newest first. */
export async function listAllDatasets(db: Database, input: AllDatasetsFilter & Paging): Promise<Listed<Dataset>> {
  const { userId, userEmail, isPublic, dataType, status, page, limit } = input;
  const { rows, total } = await pageOf<DatasetRow>(
    db,
    {
      fields: datasetColumns('master'),
      from: sql`${datasets} d`,
      where: [
        when(userId, (it) => sql`d.user_id = ${it}`),
        when(userEmail, hasAddress),
        when(isPublic, (it) => (it ? sql`d.is_public` : sql`not d.is_public`)),
        when(dataType, (it) => sql`d.data_type = ${it}`),
        when(status, (it) => sql`d.status = ${it}`),
      ],
      order: sql`d.created_at desc, d.id desc`,
    },
    { page, limit },
  );
  return { rows: rows.map((row) => foundDataset(row).dataset), total };
}
