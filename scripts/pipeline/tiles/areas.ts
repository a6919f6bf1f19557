import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import type pg from 'pg';
import type { DataSource } from '../../../src/db/columns.ts';
import type { Field, TileLevel } from './levels.ts';

type Properties = Partial<Record<Field, string>>;

/** Properties of an area in tiles. */
export interface TileArea {
  properties: Properties;
  /** west, south, east, north; degrees */
  bbox: [number, number, number, number];
}

export interface ActiveRelease {
  id: string;
  attribution: string;
}

/** About how many characters of GeoJSON are read from the database at once. */
const PAGE_BYTES = 4_000_000;

/** Reads the active release. @throws Error if no release is active */
export async function getActiveRelease(client: pg.ClientBase): Promise<ActiveRelease> {
  const { rows } = await client.query<{ id: string; sources: DataSource[] }>(
    'select id, sources from active_release join data_releases on id = release_id',
  );
  const [row] = rows;
  if (!row) throw new Error('No release is active: npm run geo:load loads one.');
  return { id: row.id, attribution: row.sources.map(({ attribution }) => attribution).join('; ') };
}

export interface ExportOptions {
  level: TileLevel;
  /** The file to write. */
  path: string;
  /** Called with 0 to 1. */
  onProgress?: (fraction: number) => void;
}

/**
 * Writes the detailed boundaries of a level to a file, as one GeoJSON FeatureCollection whose only property is `code`.
 * @returns the areas by code; empty where none has a boundary
 */
export async function exportBoundaries(
  client: pg.ClientBase,
  releaseId: string,
  { level: { level, fields }, path, onProgress }: ExportOptions,
): Promise<Map<string, TileArea>> {
  const areas = new Map<string, TileArea>();
  const { rows: count } = await client.query<{ total: number }>(
    `select count(*)::int as total from boundaries where release_id = $1 and level = $2 and resolution = 'detailed'`,
    [releaseId, level],
  );
  const total = count[0]?.total ?? 0;
  const file = createWriteStream(path);
  file.write('{"type":"FeatureCollection","features":[');
  for (let after = ''; ; ) {
    const { rows } = await client.query<Properties & { bbox: TileArea['bbox']; geojson: string }>(
      `select ${fields.join(', ')}, bbox, geojson
       from (
         select code, geojson, sum(bytes) over (order by code) - bytes as before from boundaries
         where release_id = $1 and level = $2 and resolution = 'detailed' and code > $3
       ) page join areas using (code)
       where areas.release_id = $1 and before < $4 order by code`,
      [releaseId, level, after, PAGE_BYTES],
    );
    if (rows.length === 0) break;
    for (const { bbox, geojson, ...given } of rows) {
      const code = given.code as string;
      const opening = areas.size === 0 ? '' : ',';
      file.write(`${opening}{"type":"Feature","properties":{"code":"${code}"},"geometry":${geojson}}`);
      // Tiles have no null values, so a property that an area doesn't have is left out.
      const properties = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
      areas.set(code, { properties, bbox });
      after = code;
    }
    onProgress?.(areas.size / total);
  }
  file.end(']}');
  await finished(file);
  return areas;
}
