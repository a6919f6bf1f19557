import type { Resolution } from '../read/feature.ts';

/**
 * Degrees. Neighbours that were simplified in different files don't share their border, and a union of them has slivers
 * along it. A hole of a union is taken for one when it is narrower than this (twice its area by its perimeter): some
 * metres, tens of metres and a few hundred, a fraction of what the resolution shows.
 */
export const SLIVER: Readonly<Record<Resolution, number>> = { detailed: 0.00005, medium: 0.0003, simple: 0.0025 };

/**
 * SQL: a union without the holes that are slivers.
 * @param geometry an SQL expression, polygons
 * @param sliver an SQL expression, a width in degrees
 */
export function withoutSlivers(geometry: string, sliver: string): string {
  return `(
    select st_collect(st_makepolygon(st_exteriorring(polygon.geom), array(
      select st_exteriorring(ring.geom) from st_dumprings(polygon.geom) ring
      where ring.path[1] > 0 and 2 * st_area(ring.geom) >= ${sliver} * st_perimeter(ring.geom)
    )))
    from st_dump(${geometry}) polygon
  )`;
}
