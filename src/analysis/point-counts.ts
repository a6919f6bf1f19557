import type { Area, AreaStore, Location, Point } from '../areas/store.ts';
import type { Database } from '../db/client.ts';
import type { Contents } from '../features/feature.ts';
import { featurePages } from '../features/listing.ts';

/** How many points are looked up at once. */
const MAX_AT_ONCE = 1000;

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
 * @throws DomainError as `featurePages` and `AreaStore.reverseGeocode`
 */
export async function countPoints(
  db: Database,
  areas: AreaStore,
  { contents, level }: { contents: Contents; level: Area['level'] },
): Promise<PointCounts> {
  const found = new Map<string, { area: Area; count: number }>();
  let outside = 0;
  let others = 0;
  const pages = featurePages(db, { contents: [contents], form: 'position', separator: '\n', hasBegun: false });
  for await (const page of pages) {
    // Every page but the first begins with the separator.
    const positions = (page.startsWith('\n') ? page.slice(1) : page).split('\n');
    const points = positions.filter((position) => position !== '-').map(pointOf);
    others += positions.length - points.length;
    for (let i = 0; i < points.length; i += MAX_AT_ONCE) {
      const { value } = await areas.reverseGeocode(points.slice(i, i + MAX_AT_ONCE), { level, within: 0 });
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

/** @param position longitude and latitude */
function pointOf(position: string): Point {
  const [lon, lat] = position.split(' ').map(Number) as [number, number];
  return { lon, lat };
}

function areaAt(location: Location, level: Area['level']): Area | null {
  return level === 'province' ? (location.province ?? location.hostProvince) : location[level];
}
