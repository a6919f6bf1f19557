import type pg from 'pg';
import type { boundarySet } from '../../../src/db/schema/geography.ts';
import { type AreaLevel, countInWords } from '../psgc/area.ts';

type BoundarySet = (typeof boundarySet.enumValues)[number];

/** What users would lose if a release took the place of the active one. */
export interface Loss {
  /** Id of the active release. */
  active: string;
  /** The boundary set of the active release, and that of the other one. */
  from: BoundarySet;
  to: BoundarySet;
  /** How many fewer areas have a boundary, by level from regions down. */
  fewer: { level: AreaLevel; count: number }[];
}

/**
 * Finds what users would lose by the activation of a release; null where its boundaries are as good as the active ones.
 */
export async function findLoss(client: pg.ClientBase, releaseId: string): Promise<Loss | null> {
  const { rows } = await client.query<Omit<Loss, 'fewer'>>(
    `select served.id as active, served.boundary_set as "from", other.boundary_set as "to"
     from active_release join data_releases served on served.id = release_id join data_releases other on other.id = $1
     where other.boundary_set < served.boundary_set`,
    [releaseId],
  );
  const [worse] = rows;
  if (!worse) return null;
  const { rows: fewer } = await client.query<Loss['fewer'][number]>(
    `select level, sum(case release_id when $1 then 1 else -1 end)::int as count from boundaries
     where release_id in ($1, $2) and resolution = 'simple' group by level
     having sum(case release_id when $1 then 1 else -1 end) > 0 order by level`,
    [worse.active, releaseId],
  );
  return { ...worse, fewer };
}

/** Tells people why a release was not activated and what they can do. Pure. */
export function describeLoss(releaseId: string, { active, from, to, fewer }: Loss): string {
  const lost = [
    ...(from === 'full' ? ['reverse geocoding and neighbours'] : []),
    ...(fewer.length > 0
      ? [`the boundaries of ${fewer.map(({ level, count }) => countInWords(count, level)).join(', ')}`]
      : []),
  ];
  const has = to === 'none' ? 'has no boundaries' : 'has boundaries for display only';
  return [
    `Release ${releaseId} is loaded and not activated: it ${has}, and with it users would lose`,
    ...lost.map((it) => `  ${it}`),
    `that ${active}, which stays active, gives them. To serve it nevertheless: npm run geo:activate -- ${releaseId}`,
    'To load it with detailed boundaries: npm run geo:load -- … --boundaries <directory>',
  ].join('\n');
}
