import pg from 'pg';
import type { PreparedBoundaries } from '../boundaries/load.ts';
import type { BoundaryReport } from '../boundaries/report.ts';
import type { Release } from './area.ts';
import { checkRelease, LoadRefused, type Report } from './checks.ts';
import { EDITION } from './publication.ts';

export type Client = pg.ClientBase | pg.Pool;

interface WriteOptions {
  /** The release id; by default the edition and the next free number: `2025-2q-1`. */
  id?: string | undefined;
  /** The boundaries to write with the areas; without them the release has none. */
  boundaries?: PreparedBoundaries | undefined;
  /** Called with the share of the work done, 0 to 1, and what is being done. */
  onProgress?: ((fraction: number, label: string) => void) | undefined;
}

/** A release that was written, and what `data_releases.report` says of it. */
export interface Written {
  id: string;
  report: Report & { boundaries?: BoundaryReport };
}

/** A table's rows, column by column: what `unnest` takes. */
interface Batchable {
  table: string;
  /** Column name → PostgreSQL type of its values. */
  columns: Record<string, string>;
  rows: readonly unknown[][];
}

const BATCH = 4000;

/** Share of the time that the areas take where boundaries are written too. */
const AREAS = 0.05;

/**
 * Writes a release, inactive, in one transaction over one connection, which must not be in a transaction already.
 * Throws `LoadRefused` before anything is written when the checks find problems; after any error the database is as
 * it was. After an error from the database close the connection: pglite-socket answers a failed statement once too
 * often, so that every later answer is the one before it (https://github.com/electric-sql/pglite/issues/958).
 */
export async function writeRelease(client: Client, release: Release, options: WriteOptions = {}): Promise<Written> {
  const { problems, report } = checkRelease(release);
  if (problems.length > 0) throw new LoadRefused(problems);
  return writeChecked(client, release, report, options);
}

/** The same for a release whose checks have found nothing; `report` is what they say of it. */
export async function writeChecked(
  client: Client,
  release: Release,
  report: Report,
  options: WriteOptions = {},
): Promise<Written> {
  if (client instanceof pg.Pool) {
    const connection = await client.connect();
    try {
      const written = await writeChecked(connection, release, report, options);
      connection.release();
      return written;
    } catch (error) {
      connection.release(true);
      throw error;
    }
  }
  const { boundaries, onProgress } = options;
  const areasShare = boundaries ? AREAS : 1;
  await client.query('begin');
  let id: string;
  let boundaryReport: BoundaryReport | undefined;
  try {
    id = await open(client, release, report, options.id);
    await fill(client, id, tables(release), (fraction) => onProgress?.(areasShare * fraction, 'Loading the areas'));
    if (boundaries) {
      boundaryReport = await addBoundaries(client, id, boundaries, (fraction, label) =>
        onProgress?.(areasShare + (1 - areasShare) * fraction, label),
      );
    }
    await client.query('update data_releases set checked_at = now() where id = $1', [id]);
    await client.query('commit');
  } catch (error) {
    // When the connection is gone the server has rolled back already; what went wrong is the first error.
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
  await client.query('analyze areas, area_names, former_names, code_aliases');
  if (boundaries) await client.query('analyze boundaries, boundary_pieces, area_neighbors');
  return { id, report: boundaryReport ? { ...report, boundaries: boundaryReport } : report };
}

/** Writes the boundaries and what the release's row says of them. */
async function addBoundaries(
  client: pg.ClientBase,
  id: string,
  boundaries: PreparedBoundaries,
  onProgress: (fraction: number, label: string) => void,
): Promise<BoundaryReport> {
  const { boundarySet, source, report } = await boundaries.write(client, id, onProgress);
  await client.query(
    `update data_releases set boundary_set = $2, sources = sources || $3::jsonb, report = report || $4::jsonb
     where id = $1`,
    [id, boundarySet, JSON.stringify([source]), JSON.stringify({ boundaries: report })],
  );
  return report;
}

/**
 * Makes a release the one that is served, in one statement. Throws when there is no such release or it isn't checked;
 * the active one then stays.
 */
export async function activate(client: Client, releaseId: string): Promise<void> {
  const { rows } = await client.query<{ checked: boolean }>(
    `with candidate as (select id, checked_at is not null as checked from data_releases where id = $1),
     activated as (
       insert into active_release (singleton, release_id, activated_at)
       select true, id, now() from candidate where checked
       on conflict (singleton) do update set release_id = excluded.release_id, activated_at = excluded.activated_at
     )
     select checked from candidate`,
    [releaseId],
  );
  const [candidate] = rows;
  if (!candidate) throw new Error(`There is no release ${releaseId}`);
  if (!candidate.checked) throw new Error(`Release ${releaseId} can't be activated: its load was never completed`);
}

/** Inserts the row of the release and gives its id. */
async function open(client: pg.ClientBase, release: Release, report: Report, id: string | undefined): Promise<string> {
  const [, quarter, year] = EDITION.exec(release.edition) ?? [];
  if (quarter === undefined) throw new Error(`"${release.edition}" is no edition such as "2Q 2025"`);
  // Two loads of one edition would choose the same number: the second waits here until the first has committed.
  await client.query(`select pg_advisory_xact_lock(hashtext('data_releases'))`);
  const { rows } = await client.query<{ id: string }>(
    `insert into data_releases (id, edition, sources, report)
     select coalesce($1, $2 || (
         select coalesce(max(substring(id from length($2) + 1)::int), 0) + 1 from data_releases
         where starts_with(id, $2) and substring(id from length($2) + 1) ~ '^\\d{1,6}$'
       )), $3, $4, $5
     on conflict (id) do nothing
     returning id`,
    [
      id ?? null,
      `${year}-${quarter}q-`,
      release.edition,
      JSON.stringify(release.sources),
      JSON.stringify({ ...report }),
    ],
  );
  const [row] = rows;
  if (!row) throw new Error(`There is a release ${id} already`);
  return row.id;
}

function tables(release: Release): Batchable[] {
  return [
    {
      table: 'areas',
      columns: {
        level: 'area_level',
        code: 'text',
        name: 'text',
        name_key: 'text',
        type: 'text',
        city_class: 'text',
        r_code: 'text',
        p_code: 'text',
        host_province_code: 'text',
        m_code: 'text',
        sm_code: 'text',
        urban_rural: 'text',
        population: 'int',
        province_count: 'int',
        municity_count: 'int',
        hosted_municity_count: 'int',
        barangay_count: 'int',
      },
      rows: release.areas.map((it) => [
        it.level,
        it.code,
        it.name,
        it.nameKey,
        it.type,
        it.cityClass,
        it.rCode,
        it.pCode,
        it.hostProvinceCode,
        it.mCode,
        it.smCode,
        it.urbanRural,
        it.population,
        it.provinceCount,
        it.municityCount,
        it.hostedMunicityCount,
        it.barangayCount,
      ]),
    },
    {
      table: 'area_names',
      columns: { level: 'area_level', code: 'text', key: 'text', former: 'boolean' },
      rows: release.names.map((it) => [it.level, it.code, it.key, it.former]),
    },
    {
      table: 'former_names',
      columns: { code: 'text', name: 'text' },
      rows: release.formerNames.map((it) => [it.code, it.name]),
    },
    {
      table: 'code_aliases',
      columns: { level: 'area_level', alias: 'text', code: 'text', change: 'code_change' },
      rows: release.aliases.map((it) => [it.level, it.alias, it.code, it.change]),
    },
  ];
}

async function fill(client: pg.ClientBase, id: string, all: Batchable[], onProgress: (fraction: number) => void) {
  const total = all.reduce((sum, { rows }) => sum + rows.length, 0);
  let written = 0;
  for (const { table, columns, rows } of all) {
    const arrays = Object.values(columns).map((type, i) => `$${i + 2}::${type}[]`);
    const statement = `insert into ${table} (release_id, ${Object.keys(columns).join(', ')})
      select $1, * from unnest(${arrays.join(', ')})`;
    for (let start = 0; start < rows.length; start += BATCH) {
      const batch = rows.slice(start, start + BATCH);
      await client.query(statement, [id, ...arrays.map((_, column) => batch.map((row) => row[column]))]);
      written += batch.length;
      onProgress(written / total);
    }
  }
}
