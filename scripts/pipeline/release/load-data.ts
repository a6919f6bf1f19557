import type pg from 'pg';
import { RESOLUTIONS } from '../../../src/areas/store.ts';
import { RELEASE_VERSION_TEXT } from '../../../src/db/releases.ts';
import { cutPieces, isLookedUp } from '../boundaries/write/derive.ts';
import { type DataRelease, densitiesOf } from '../data/release.ts';
import { checkRelease, type Report } from '../psgc/checks.ts';
import { findReference, insertRows, tablesOf } from './write.ts';

/** Identifies a load of a release. */
export interface Load {
  /** `2026-3q-1` */
  readonly id: string;
  readonly createdAt: Date;
  /** The last id of areas that the database has; its own follow. Zero for a new one. */
  readonly firstId?: number | undefined;
}

/** What tells this load from others, as `RELEASE_VERSION_TEXT` makes it of its row. */
export function versionOf({ id, createdAt }: Load): string {
  return `${id}-${(createdAt.getTime() * 1000).toString(16)}`;
}

interface LoadOptions extends Load {
  /** Whether the database is an embedded one, which writes no checkpoint by itself: its log would grow with the load. */
  isEmbedded?: boolean;
  /** Called with 0 to 1. */
  onProgress?: ((fraction: number) => void) | undefined;
}

/**
 * The id of the next release of an edition in a database.
 *
 * @param edition `2026-3q`
 */
export async function nextReleaseId(client: pg.ClientBase, edition: string): Promise<string> {
  const { rows } = await client.query<{ next: number }>(
    `select coalesce(max(substring(id from length($1) + 2)::int), 0) + 1 as next from data_releases
     where starts_with(id, $1 || '-') and substring(id from length($1) + 2) ~ '^\\d{1,6}$'`,
    [edition],
  );
  return `${edition}-${rows[0]?.next ?? 1}`;
}

/** The id of the release that is served. */
export async function findActiveRelease(client: pg.ClientBase): Promise<string | undefined> {
  const { rows } = await client.query<{ id: string }>('select release_id as id from active_release');
  return rows[0]?.id;
}

/** The last id of areas in a database, zero where it has none. */
export async function lastAreaId(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ id: number | null }>('select max(id) as id from areas');
  return rows[0]?.id ?? 0;
}

/** Characters of boundaries that one statement inserts, about. */
const PORTION = 4_000_000;

/** Shares of the time. */
const AREAS = 0.15;
const BOUNDARIES = 0.65;

/**
 * Writes a release of what the repository has. Each statement takes effect by itself, so that others who share the one
 * session of an embedded database wait for a statement at most; nobody sees the release before all of it is there.
 * Remains of an aborted load are written anew.
 *
 * @returns what is in the list, and what is unusual. Nothing is written where the database has this load already
 * @throws Error if it has another load with this id
 */
export async function loadDataRelease(
  client: pg.ClientBase,
  data: DataRelease,
  { id, createdAt, firstId, isEmbedded = false, onProgress }: LoadOptions,
): Promise<Report> {
  const { release, sources, borders } = data;
  const { report } = checkRelease(release, await findReference(client, release.edition));
  const { rows } = await client.query<{ version: string; checked: boolean }>(
    `select ${RELEASE_VERSION_TEXT} as version, checked_at is not null as checked from data_releases r where id = $1`,
    [id],
  );
  const version = versionOf({ id, createdAt });
  if (rows[0]?.version === version && rows[0].checked) return report;
  if (rows[0] && rows[0].version !== version) throw new Error(`The database has another load of the release ${id}.`);
  // Remains of aborted loads: of this one, and of others older than a day.
  await client.query(
    `delete from data_releases where checked_at is null and (id = $1 or created_at < now() - interval '1 day')`,
    [id],
  );
  await client.query(
    `insert into data_releases (id, edition, published_on, sources, boundary_set, report, created_at)
     values ($1, $2, $3, $4, 'full', $5, $6)`,
    [
      id,
      release.edition,
      release.publishedOn,
      JSON.stringify(sources),
      JSON.stringify({ ...report, borders }),
      createdAt,
    ],
  );
  try {
    await fill(client, data, { id, firstId, isEmbedded, onProgress });
  } catch (error) {
    // Where the connection is lost, a later load does it. The first error is the one to throw.
    await client.query('delete from data_releases where id = $1 and checked_at is null', [id]).catch(() => undefined);
    throw error;
  }
  return report;
}

async function fill(
  client: pg.ClientBase,
  data: DataRelease,
  { id, firstId = 0, isEmbedded, onProgress }: Omit<LoadOptions, 'createdAt'>,
): Promise<void> {
  const { release, drawn } = data;
  // The snapshot has these ids, unless the database had areas that nobody knew of when it was made.
  const isFree = (await lastAreaId(client)) <= firstId;
  await insertRows(client, id, {
    tables: tablesOf(release).map((table) =>
      table.table === 'areas' ? withMeasures(table, data, isFree ? firstId : undefined) : table,
    ),
    onProgress: (fraction) => onProgress?.(AREAS * fraction),
  });
  const checkpoint = async () => {
    if (isEmbedded) await client.query('checkpoint');
  };
  await client.query(`select setval(pg_get_serial_sequence('areas', 'id'), max(id)) from areas`);
  await insertBoundaries(client, id, data, async (fraction) => {
    onProgress?.(AREAS + BOUNDARIES * fraction);
    await checkpoint();
  });
  await insertRows(client, id, {
    tables: [
      {
        table: 'area_neighbors',
        columns: { level: 'area_level', code: 'text', neighbor: 'text' },
        rows: drawn.neighbors.map(({ level, code, neighbor }) => [level, code, neighbor]),
      },
    ],
    onProgress: () => undefined,
  });
  const shapes = release.areas.flatMap(({ level, code }) => {
    const shape = isLookedUp(level) ? drawn.areas.get(code) : undefined;
    return shape ? [{ level, code, bytes: shape.bytes.detailed, polygons: shape.polygons }] : [];
  });
  await cutPieces(client, id, {
    shapes,
    total: shapes.reduce((sum, { bytes }) => sum + bytes, 0),
    onProgress: (fraction) => onProgress?.(AREAS + BOUNDARIES + (1 - AREAS - BOUNDARIES) * fraction),
  });
  await client.query(
    'analyze data_releases, areas, area_names, former_names, code_aliases, boundaries, boundary_pieces, area_neighbors',
  );
  await client.query('update data_releases set checked_at = clock_timestamp() where id = $1', [id]);
  await checkpoint();
}

/**
 * The rows of areas with what their boundaries tell.
 *
 * @param firstId the id that those of the areas follow; undefined: the database numbers them
 */
function withMeasures(
  table: ReturnType<typeof tablesOf>[number],
  data: DataRelease,
  firstId: number | undefined,
): typeof table {
  const { areas: drawn } = data.drawn;
  const densities = densitiesOf(data.release.areas, (code) => drawn.get(code)?.km2);
  return {
    table: table.table,
    columns: {
      ...(firstId === undefined ? {} : { id: 'int' }),
      ...table.columns,
      area_km2: 'float8',
      density_km2: 'float8',
      lon: 'float8',
      lat: 'float8',
      // An array of arrays would be unnested whole.
      bbox: 'text → float8[]',
    },
    rows: table.rows.map((row, i) => {
      const { code } = data.release.areas[i] as DataRelease['release']['areas'][number];
      const shape = drawn.get(code);
      const [lon, lat] = shape?.centre ?? [null, null];
      return [
        ...(firstId === undefined ? [] : [firstId + i + 1]),
        ...row,
        shape?.km2 ?? null,
        densities.get(code) ?? null,
        lon,
        lat,
        shape ? `{${shape.box.join()}}` : null,
      ];
    }),
  };
}

async function insertBoundaries(
  client: pg.ClientBase,
  id: string,
  { release, drawn }: DataRelease,
  onPortion: (fraction: number) => Promise<void>,
): Promise<void> {
  const shapes = release.areas.flatMap(({ level, code }) => {
    const shape = drawn.areas.get(code);
    return shape ? [{ level, code, shape }] : [];
  });
  const total = shapes.reduce(
    (sum, { shape }) => sum + RESOLUTIONS.reduce((bytes, resolution) => bytes + shape.bytes[resolution], 0),
    0,
  );
  let done = 0;
  let rows: { level: string; resolution: string; code: string; start: number; bytes: number }[] = [];
  let texts: Uint8Array[] = [];
  let bytes = 0;
  const flush = async () => {
    if (rows.length === 0) return;
    const column = (name: keyof (typeof rows)[number]) => rows.map((row) => row[name]);
    // One value of bytes is sent as it is. An array of texts would be written as one text and read sign by sign.
    await client.query(
      `insert into boundaries (release_id, level, resolution, code, geojson, bytes)
       select $1, level, resolution, code, convert_from(substring($7::bytea from start for bytes), 'UTF8'), bytes
       from unnest($2::area_level[], $3::resolution[], $4::text[], $5::int[], $6::int[]) as it (level, resolution, code, start, bytes)`,
      [
        id,
        column('level'),
        column('resolution'),
        column('code'),
        column('start'),
        column('bytes'),
        Buffer.concat(texts),
      ],
    );
    done += bytes;
    await onPortion(done / total);
    rows = [];
    texts = [];
    bytes = 0;
  };
  for (const { level, code, shape } of shapes) {
    for (const resolution of RESOLUTIONS) {
      const text = shape.text(resolution);
      rows.push({ level, resolution, code, start: bytes + 1, bytes: text.length });
      texts.push(text);
      bytes += text.length;
      if (bytes > PORTION) await flush();
    }
  }
  await flush();
}
