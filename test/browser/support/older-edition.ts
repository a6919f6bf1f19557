import { join } from 'node:path';
import pg from 'pg';
import { openEmbedded } from '../../../scripts/database/embedded.ts';
import { codeThen, OLDER_EDITION } from '../../support/older-edition.ts';

/** The release of the older edition. */
export const OLDER_RELEASE = '2023-4q-1';

/** Boundaries, and the barangays of Bacolod. */
const MORE: readonly string[] = [
  `insert into areas (release_id, level, code, name, name_key, r_code, p_code, m_code)
    select '2023-4q-1', level, ${codeThen('code')}, name, name_key, '0600000000', ${codeThen('p_code')}, ${codeThen('m_code')}
    from areas a where release_id = '2026-3q-1' and level = 'barangay' and m_code = '1830200000'`,
  `insert into boundaries (release_id, level, resolution, code, geojson, bytes, geom)
    select '2023-4q-1', level, resolution, ${codeThen('code')}, geojson, bytes, geom from boundaries a
    where release_id = '2026-3q-1' and resolution <> 'detailed' and level in ('region', 'province', 'municity')
      and code <> '1800000000'`,
  // Where Negros is today was Region VI.
  `update boundaries b set geojson = st_asgeojson(u.geom, 6), bytes = length(st_asgeojson(u.geom, 6)), geom = u.geom
    from (select resolution, st_union(geom) as geom from boundaries
      where release_id = '2026-3q-1' and code in ('0600000000', '1800000000') group by resolution) u
    where b.release_id = '2023-4q-1' and b.code = '0600000000' and b.resolution = u.resolution`,
];

/** Adds the edition 2023-4q to the database of a data directory. */
export async function addOlderEdition(dataDir: string): Promise<void> {
  const database = await openEmbedded(join(dataDir, 'database'));
  const client = new pg.Client({ connectionString: database.url });
  try {
    await client.connect();
    for (const statement of [...OLDER_EDITION, ...MORE]) await client.query(statement);
    await client.end();
  } finally {
    await database.close();
  }
}
