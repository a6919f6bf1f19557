import { PgDialect } from 'drizzle-orm/pg-core';
import type pg from 'pg';
import { activation } from '../../../src/db/activation.ts';
import type { Actor } from '../../../src/db/audit.ts';
import type { BoundaryReport } from '../boundaries/check/report.ts';
import type { PreparedBoundaries } from '../boundaries/load.ts';
import type { Release } from '../psgc/area.ts';
import { checkRelease, LoadRefused, type Report } from '../psgc/checks.ts';
import { EDITION } from '../psgc/publication.ts';

interface WriteOptions {
  /** The boundaries to write with the areas; without them the release has none. */
  boundaries?: PreparedBoundaries | undefined;
  /** Called with the share of the work done, 0 to 1, and what is being done. */
  onProgress?: ((fraction: number, label: string) => void) | undefined;
}

/** A release that was written, and what `data_releases.report` says of it. */
export interface Written {
  /** The edition and the next free number: `2025-2q-1`. */
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

/** Whoever runs a command, for the audit log. */
const COMMAND: Actor = { kind: 'command', userId: null, keyId: null, requestId: null };

/** Share of the time that the areas take where boundaries are written too. */
const AREAS = 0.05;

/**
 * Writes a release, inactive, in one transaction on a connection that is in none. Others see all of it or nothing.
 * @throws LoadRefused before anything is written when the checks find problems. After any error the database is as it
 * was; only a connection that is lost at the very end can leave the release whole instead.
 */
export async function writeRelease(
  client: pg.ClientBase,
  release: Release,
  options: WriteOptions = {},
): Promise<Written> {
  const { problems, report } = checkRelease(release);
  if (problems.length > 0) throw new LoadRefused(problems);
  return writeChecked(client, release, report, options);
}

/** The same for a release whose checks have found nothing; `report` is what they say of it. */
export async function writeChecked(
  client: pg.ClientBase,
  release: Release,
  report: Report,
  { boundaries, onProgress }: WriteOptions = {},
): Promise<Written> {
  const areasShare = boundaries ? AREAS : 1;
  await client.query('begin');
  try {
    const id = await open(client, release, report);
    await fill(client, id, tables(release), (fraction) => onProgress?.(areasShare * fraction, 'Loading the areas'));
    const boundaryReport =
      boundaries &&
      (await addBoundaries(client, id, boundaries, (fraction, label) =>
        onProgress?.(areasShare + (1 - areasShare) * fraction, label),
      ));
    await client.query('analyze data_releases, areas, area_names, former_names, code_aliases');
    if (boundaries) await client.query('analyze boundaries, boundary_pieces, area_neighbors');
    // now() would be when the transaction began, before PostGIS had looked at any boundary.
    await client.query('update data_releases set checked_at = clock_timestamp() where id = $1', [id]);
    await client.query('commit');
    return { id, report: boundaryReport ? { ...report, boundaries: boundaryReport } : report };
  } catch (error) {
    // When the connection is gone the server rolls back by itself; what went wrong is the first error.
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
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
 * Makes a release the one that is served, in one statement: readers have one release or the other, at any moment.
 * @returns the id of the release that was served until then, the same one where nothing changes, null for the first
 * @throws when there is no such release, or its checks were never completed; what is served then stays
 */
export async function activate(client: pg.ClientBase, releaseId: string): Promise<string | null> {
  const { sql, params } = new PgDialect().sqlToQuery(activation(releaseId, COMMAND));
  const { rows } = await client.query<{ checked: boolean; previous: string | null }>(sql, params);
  const [candidate] = rows;
  if (!candidate) throw new Error(`There is no release ${releaseId}.`);
  if (!candidate.checked) {
    throw new Error(`Release ${releaseId} can't be activated: the checks of its load were never completed.`);
  }
  // A table of one row never reaches autovacuum's threshold, and one that was never analyzed is taken for a thousand
  // rows: everything joined to it is then planned for a thousand releases.
  await client.query('analyze active_release');
  return candidate.previous;
}

/** Inserts the row of the release and gives its id. */
async function open(client: pg.ClientBase, release: Release, report: Report): Promise<string> {
  const [, quarter, year] = EDITION.exec(release.edition) ?? [];
  if (quarter === undefined) throw new Error(`"${release.edition}" is no edition such as "2Q 2025"`);
  // Two loads of one edition would choose the same number: the second waits here until the first has committed.
  await client.query(`select pg_advisory_xact_lock(hashtext('data_releases'))`);
  const { rows } = await client.query<{ id: string }>(
    `insert into data_releases (id, edition, sources, report)
     select $1::text || (
         select coalesce(max(substring(id from length($1) + 1)::int), 0) + 1 from data_releases
         where starts_with(id, $1) and substring(id from length($1) + 1) ~ '^\\d{1,6}$'
       ), $2, $3, $4
     returning id`,
    [`${year}-${quarter}q-`, release.edition, JSON.stringify(release.sources), JSON.stringify(report)],
  );
  const [row] = rows;
  if (!row) throw new Error('The release was not inserted');
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
