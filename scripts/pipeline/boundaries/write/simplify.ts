import type pg from 'pg';
import type { Resolution } from '../../../../src/areas/store.ts';
import type { AreaLevel } from '../../psgc/area.ts';
import { tidyGeometry } from '../read/geometry.ts';
import type { BoundaryWriter } from './writer.ts';

type Coarser = Exclude<Resolution, 'detailed'>;

/**
 * Metres: the size of the corners that simplification removes. It is a distance and not a share of the vertices, so
 * that the result doesn't depend on how finely the source was drawn. Of the COD-AB boundaries at a tenth of their
 * vertices, these values keep about a tenth and a fiftieth.
 */
const INTERVAL_M: Readonly<Record<Coarser, number>> = { medium: 100, simple: 1000 };

/** About how many characters of GeoJSON are read from the database at once. */
const PAGE_BYTES = 4_000_000;

/**
 * Makes coarser boundaries of a level from its detailed ones, which must be written. The whole country is simplified as
 * one topology (weighted Visvalingam), so that borders which neighbours share stay shared. The largest part of every
 * area is kept. The level is in memory, which takes up to about twenty times the size of its GeoJSON.
 */
export async function simplifyLevel(
  client: pg.ClientBase,
  releaseId: string,
  { level, resolutions, writer }: { level: AreaLevel; resolutions: readonly Coarser[]; writer: BoundaryWriter },
): Promise<void> {
  const features = await readDetailed(client, releaseId, level);
  if (features === null || resolutions.length === 0) return;
  const { default: mapshaper } = await import('mapshaper');
  for (const resolution of resolutions) {
    const { [OUTPUT]: text } = await mapshaper.applyCommands(
      `-i ${INPUT} -simplify weighted keep-shapes interval=${INTERVAL_M[resolution]} -o ${OUTPUT} format=geojson ndjson`,
      { [INPUT]: features },
    );
    for (const line of String(text).split('\n')) {
      if (line.trim() === '') continue;
      const { properties, geometry } = JSON.parse(line) as { properties: { code: string }; geometry: unknown };
      const tidied = tidyGeometry(geometry);
      // Where nothing is left, the next finer boundary is used, as where a source has no polygon at this resolution.
      if (tidied === null) continue;
      const { code } = properties;
      const geojson = JSON.stringify(tidied.geometry);
      await writer.add({ level, resolution, code, geojson, at: `${code} simplified to ${resolution}` });
    }
    await writer.flush();
  }
}

const INPUT = 'level.json';
const OUTPUT = 'simplified.json';

/**
 * Reads the detailed boundaries of a level as one FeatureCollection with the property `code`; null where there are
 * none.
 */
async function readDetailed(client: pg.ClientBase, releaseId: string, level: AreaLevel): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  for (let after = ''; ; ) {
    const { rows } = await client.query<{ code: string; geojson: string }>(
      `select code, geojson from (
         select code, geojson, sum(bytes) over (order by code) - bytes as before from boundaries
         where release_id = $1 and level = $2 and resolution = 'detailed' and code > $3
       ) page where before < $4 order by code`,
      [releaseId, level, after, PAGE_BYTES],
    );
    if (rows.length === 0) break;
    for (const { code, geojson } of rows) {
      const opening = parts.length === 0 ? '{"type":"FeatureCollection","features":[' : ',';
      parts.push(Buffer.from(`${opening}{"type":"Feature","properties":{"code":"${code}"},"geometry":${geojson}}`));
      after = code;
    }
  }
  return parts.length === 0 ? null : Buffer.concat([...parts, Buffer.from(']}')]);
}
