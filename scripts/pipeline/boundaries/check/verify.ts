import type pg from 'pg';
import type { Resolution } from '../../../../src/areas/store.ts';
import type { AreaLevel } from '../../psgc/area.ts';
import type { Problem } from '../../psgc/publication.ts';
import { FINEST_FIRST, type Plan } from '../plan/level-plan.ts';
import type { WrittenBoundaries } from '../write/levels.ts';

/** What was stored of a level at a resolution. */
export interface Stored {
  level: AreaLevel;
  resolution: Resolution;
  count: number;
  bytes: number;
}

/**
 * Checks what is stored: every area that was planned to have a boundary must have one at all three resolutions, and
 * PostGIS must call each of them valid. What is wrong is returned as problems.
 */
export async function verifyStored(
  client: pg.ClientBase,
  releaseId: string,
  { plan, vanished, broken }: { plan: Plan } & Pick<WrittenBoundaries, 'vanished' | 'broken'>,
): Promise<{ stored: Stored[]; problems: Problem[] }> {
  // No autovacuum sees rows of a transaction that is still open. Without this the planner would expect few of them.
  await client.query('analyze areas, boundaries');
  const { rows } = await client.query<Stored & { invalid: string[] | null }>(
    `select level, resolution, count(*)::int as count, sum(bytes)::float8 as bytes,
       array_agg(code) filter (where not st_isvalid(geom)) as invalid
     from boundaries where release_id = $1 group by level, resolution order by level, resolution`,
    [releaseId],
  );
  const problems: Problem[] = rows.flatMap(({ level, resolution, invalid }) =>
    (invalid ?? []).map((code) => ({
      at: `${level} ${code}`,
      what: `its ${resolution} boundary could not be made valid`,
    })),
  );
  problems.push(
    ...broken.map((what) => ({ at: 'boundaries', what: `a polygon of the topology is not valid: ${what}` })),
  );
  const absent = new Set(plan.flatMap(({ missing }) => missing.map(({ area }) => area.code)));
  const { rows: incomplete } = await client.query<{ code: string; name: string }>(
    `with drawn as materialized (
       select level, code, count(*) from boundaries where release_id = $1 group by level, code
     )
     select code, name from areas left join drawn using (level, code)
     where release_id = $1 and code not in (select unnest($2::text[])) and coalesce(count, 0) < $3 order by code`,
    [releaseId, [...absent], FINEST_FIRST.length],
  );
  for (const { code, name } of incomplete) {
    const cause = vanished.find((repair) => repair.code === code);
    const why = cause ? `what the source has encloses no area (${cause.reason})` : 'nothing is left of it';
    problems.push({ at: cause?.at ?? code, what: `${code} ${name} has no boundary: ${why}` });
  }
  const stored = rows.map(({ level, resolution, count, bytes }) => ({ level, resolution, count, bytes }));
  return { stored, problems };
}
