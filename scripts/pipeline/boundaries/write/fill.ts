import type pg from 'pg';
import type { Resolution } from '../../../../src/areas/store.ts';
import type { AreaLevel } from '../../psgc/area.ts';

/** A boundary that stands in at a resolution at which the source has none. */
export interface Filled {
  resolution: Resolution;
  /** The resolution from which it was taken. */
  from: Resolution;
  code: string;
}

/**
 * Gives every area of a level that has a boundary at one of the resolutions a boundary at all of them. A missing one is
 * copied from the next finer resolution, and where that has none, from the next coarser.
 * @param input `resolutions`: from the finest to the coarsest
 */
export async function fillResolutions(
  client: pg.ClientBase,
  releaseId: string,
  { level, resolutions }: { level: AreaLevel; resolutions: readonly Resolution[] },
): Promise<Filled[]> {
  const finer = resolutions.slice(1).map((resolution, i) => [resolution, resolutions[i]] as const);
  const coarser = resolutions.slice(0, -1).map((resolution, i) => [resolution, resolutions[i + 1]] as const);
  const filled: Filled[] = [];
  for (const [resolution, from] of [...finer, ...coarser.reverse()]) {
    if (from === undefined) continue;
    const { rows } = await client.query<{ code: string }>(
      `insert into boundaries (release_id, level, resolution, code, geojson, bytes, geom)
       select release_id, level, $3, code, geojson, bytes, geom from boundaries
       where release_id = $1 and level = $2 and resolution = $4
       on conflict do nothing returning code`,
      [releaseId, level, resolution, from],
    );
    filled.push(...rows.map(({ code }) => ({ resolution, from, code })));
  }
  return filled;
}
