import type pg from 'pg';
import { compareEditions, editionId } from '../../../src/areas/edition-id.ts';
import type { BoundaryReport } from '../boundaries/check/report.ts';
import type { PreparedBoundaries } from '../boundaries/load.ts';
import type { Release } from '../psgc/area.ts';
import { checkRelease, LoadRefused, type ReferenceCounts, type Report } from '../psgc/checks.ts';
import { measureAreas } from './measure.ts';

interface WriteOptions {
  /** The boundaries to write with the areas; without them the release has none. */
  boundaries?: PreparedBoundaries | undefined;
  /** Called with the share of the work done, 0 to 1, and what is being done. */
  onProgress?: ((fraction: number, label: string) => void) | undefined;
}

/** A release that was written, and its `data_releases.report`. */
export interface WrittenRelease {
  /** The edition and the next free number: `2026-3q-1`. */
  id: string;
  report: Report & { boundaries?: BoundaryReport };
}

/** Rows of a table that are inserted in batches. */
export interface TableRows {
  table: string;
  /** Column name → PostgreSQL type of its values; `text → float8[]` where they are given in another type. */
  columns: Record<string, string>;
  rows: readonly unknown[][];
}

const BATCH = 4000;

/** Share of the time that writing the areas takes where boundaries are written too. */
const AREAS = 0.05;

/**
 * Checks a release and writes it, inactive, in one transaction on a connection that has none open. Others see all of it
 * or nothing.
 * @throws LoadRefused before anything is written when the checks find problems. After any error the database is
 *   unchanged, with one exception: where the connection is lost during the commit, the release may be complete.
 */
export async function writeRelease(
  client: pg.ClientBase,
  release: Release,
  options: WriteOptions = {},
): Promise<WrittenRelease> {
  const { problems, report } = checkRelease(release, await findReference(client, release.edition));
  if (problems.length > 0) throw new LoadRefused(problems);
  return writeChecked(client, { release, report }, options);
}

/** The counts of the newest edition that is loaded and older than another one, else of the oldest one that is newer. */
export async function findReference(client: pg.ClientBase, edition: string): Promise<ReferenceCounts | null> {
  const { rows } = await client.query<ReferenceCounts>(
    `select edition, report -> 'counts' as counts from data_releases
     where checked_at is not null and edition <> $1 and report -> 'counts' <> '{}' order by created_at desc`,
    [edition],
  );
  const byAge = rows
    .map((row) => ({ row, age: compareEditions(editionId(row.edition), editionId(edition)) }))
    .sort((a, b) => compareEditions(editionId(a.row.edition), editionId(b.row.edition)));
  return (byAge.findLast(({ age }) => age < 0) ?? byAge[0])?.row ?? null;
}

/** Writes a release whose checks have found no problems; `report` is the report of these checks. */
export async function writeChecked(
  client: pg.ClientBase,
  { release, report }: { release: Release; report: Report },
  { boundaries, onProgress }: WriteOptions = {},
): Promise<WrittenRelease> {
  const areasShare = boundaries ? AREAS : 1;
  await client.query('begin');
  try {
    const id = await insertRelease(client, release, report);
    await insertRows(client, id, {
      tables: tablesOf(release),
      onProgress: (fraction) => onProgress?.(areasShare * fraction, 'Loading the areas'),
    });
    const boundaryReport =
      boundaries &&
      (await addBoundaries(client, id, {
        boundaries,
        onProgress: (fraction, label) => onProgress?.(areasShare + (1 - areasShare) * fraction, label),
      }));
    await client.query('analyze data_releases, areas, area_names, former_names, code_aliases');
    if (boundaries) await client.query('analyze boundaries, boundary_pieces, area_neighbors');
    // now() would be the start of the transaction, before PostGIS had checked any boundary.
    await client.query('update data_releases set checked_at = clock_timestamp() where id = $1', [id]);
    await client.query('commit');
    return { id, report: { ...report, ...(boundaryReport && { boundaries: boundaryReport }) } };
  } catch (error) {
    // Where the connection is lost, the server rolls back by itself. The first error is the one to throw.
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/** Writes the boundaries, and what the row of the release says about them. */
async function addBoundaries(
  client: pg.ClientBase,
  id: string,
  { boundaries, onProgress }: { boundaries: PreparedBoundaries; onProgress: (fraction: number, label: string) => void },
): Promise<BoundaryReport> {
  const { boundarySet, source, report } = await boundaries.write(client, id, onProgress);
  if (boundarySet === 'full') await measureAreas(client, id);
  await client.query(
    `update data_releases set boundary_set = $2, sources = sources || $3::jsonb, report = report || $4::jsonb
     where id = $1`,
    [id, boundarySet, JSON.stringify([source]), JSON.stringify({ boundaries: report })],
  );
  return report;
}

/** Inserts the row of the release and returns its id. */
async function insertRelease(client: pg.ClientBase, release: Release, report: Report): Promise<string> {
  // Two loads of one edition would choose the same number, so the second waits here until the first has committed.
  await client.query(`select pg_advisory_xact_lock(hashtext('data_releases'))`);
  const { rows } = await client.query<{ id: string }>(
    `insert into data_releases (id, edition, published_on, sources, report)
     select $1::text || (
         select coalesce(max(substring(id from length($1) + 1)::int), 0) + 1 from data_releases
         where starts_with(id, $1) and substring(id from length($1) + 1) ~ '^\\d{1,6}$'
       ), $2, $5, $3, $4
     returning id`,
    [
      `${editionId(release.edition)}-`,
      release.edition,
      JSON.stringify(release.sources),
      JSON.stringify(report),
      release.publishedOn,
    ],
  );
  const [row] = rows;
  if (!row) throw new Error('The release was not inserted');
  return row.id;
}

function jsonOrNull(list: readonly unknown[]): string | null {
  return list.length === 0 ? null : JSON.stringify(list);
}

/** The rows of every table that a release has, without boundaries. */
export function tablesOf(release: Release): TableRows[] {
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
        population_year: 'int',
        population_history: 'jsonb',
        income_class: 'text',
        notes: 'jsonb',
        correspondence: 'text',
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
        it.regionCode,
        it.provinceCode,
        it.hostProvinceCode,
        it.municityCode,
        it.submunicipalityCode,
        it.urbanRural,
        it.population,
        it.populationYear,
        jsonOrNull(it.populations),
        it.incomeClass,
        jsonOrNull(it.notes),
        it.correspondence,
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
      columns: { code: 'text', name: 'text', until: 'text', since: 'text' },
      rows: release.formerNames.map((it) => [it.code, it.name, it.until ?? null, it.since ?? null]),
    },
    {
      table: 'code_aliases',
      columns: { level: 'area_level', alias: 'text', code: 'text', change: 'code_change' },
      rows: release.aliases.map((it) => [it.level, it.alias, it.code, it.change]),
    },
  ];
}

export async function insertRows(
  client: pg.ClientBase,
  id: string,
  { tables, onProgress }: { tables: TableRows[]; onProgress: (fraction: number) => void },
): Promise<void> {
  const total = tables.reduce((sum, { rows }) => sum + rows.length, 0);
  let written = 0;
  for (const { table, columns, rows } of tables) {
    const names = Object.keys(columns);
    const types = Object.values(columns).map((type) => type.split(' → '));
    const arrays = types.map(([given], i) => `$${i + 2}::${given}[]`);
    const values = types.map(([, cast], i) => `it.${names[i]}${cast === undefined ? '' : `::${cast}`}`);
    const statement = `insert into ${table} (release_id, ${names.join(', ')})
      select $1, ${values.join(', ')} from unnest(${arrays.join(', ')}) as it (${names.join(', ')})`;
    for (let start = 0; start < rows.length; start += BATCH) {
      const batch = rows.slice(start, start + BATCH);
      await client.query(statement, [id, ...arrays.map((_, column) => batch.map((row) => row[column]))]);
      written += batch.length;
      onProgress(written / total);
    }
  }
}
