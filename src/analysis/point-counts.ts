import type { Area, AreaStore, Location, Point } from '../areas/store.ts';
import type { Database } from '../db/client.ts';
import { DomainError } from '../errors.ts';
import type { Contents } from '../features/feature.ts';
import { positionPages } from '../features/repo/positions.ts';
import { turn } from '../turn.ts';

/** Max features of a dataset: a hundred thousand points take some ten seconds of the processor. */
export const MAX_COUNTED = 200_000;

/** How many points are looked up before other requests of the instance have a turn. */
const BATCH_POINTS = 500;

/** @throws DomainError `too_many_features` */
export function requireCountable({ count }: Contents): void {
  if (count <= MAX_COUNTED) return;
  const message = `The dataset must have at most ${MAX_COUNTED} features to be counted (got ${count}). Count a part of them, or a file of points with POST /v1/geocode/reverse.`;
  throw new DomainError('too_many_features', message);
}

export interface PointCounts {
  /** The areas with points, in the order of their codes. */
  readonly areas: readonly { readonly area: Area; readonly count: number }[];
  /** Points that no area of the level contains. */
  readonly outside: number;
  /** Features that are no points. */
  readonly others: number;
}

/**
 * Counts the points of a dataset by the areas of a level that contain them, as reverse geocoding finds these: on a border
 * the area with the lowest code. Cities that belong to no province count for the one that they lie in.
 *
 * @throws DomainError as `positionPages` and `AreaStore.reverseGeocode`
 */
export async function countPoints(
  db: Database,
  areas: AreaStore,
  { contents, level }: { contents: Contents; level: Area['level'] },
): Promise<PointCounts> {
  const found = new Map<string, { area: Area; count: number }>();
  let outside = 0;
  let others = 0;
  for await (const { positions, count } of positionPages(db, contents)) {
    others += count - positions.length;
    const points = inPlace(positions.map(([lon, lat]) => ({ lon, lat })));
    for (let i = 0; i < points.length; i += BATCH_POINTS) {
      await turn();
      const { value } = await areas.reverseGeocode(points.slice(i, i + BATCH_POINTS), { level, within: 0 });
      db.deadline.partDone();
      for (const location of value.locations) {
        const area = areaAt(location, level);
        if (!area) outside += 1;
        else {
          const known = found.get(area.code) ?? { area, count: 0 };
          known.count += 1;
          found.set(area.code, known);
        }
      }
    }
  }
  const counted = [...found.values()].sort((a, b) => (a.area.code < b.area.code ? -1 : 1));
  return { areas: counted, outside, others };
}

/** Points in an order in which neighbours stand beside each other, so that each part of the country is read once. */
function inPlace(points: readonly Point[]): Point[] {
  const key = ({ lat, lon }: Point) => Math.floor(4 * lat) * 10_000 + Math.floor(4 * lon);
  return [...points].sort((a, b) => key(a) - key(b));
}

function areaAt(location: Location, level: Area['level']): Area | null {
  return level === 'province' ? (location.province ?? location.hostProvince) : location[level];
}
