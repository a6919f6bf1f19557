/** Degrees. The grid on which boundaries are stored: the sixth decimal. */
export const GRID = 0.000001;

/**
 * SQL: snaps a geometry to the grid and gives it as it is stored, as GeoJSON text: a valid Polygon or MultiPolygon of
 * six decimals, outer rings counter-clockwise; null where no area is left.
 *
 * The method `structure` unites the parts of a MultiPolygon that overlap, where `linework` would cut out what they
 * share. `ST_ReducePrecision` keeps geometries valid, which rounding the text would not.
 * @param geometry an SQL expression, any geometry
 */
export function snapped(geometry: string): string {
  const valid = `st_makevalid(${geometry}, 'method=structure keepcollapsed=false')`;
  const polygons = `st_collectionextract(st_reduceprecision(${valid}, ${GRID}), 3)`;
  const plain = 'case st_numgeometries(it) when 1 then st_geometryn(it, 1) else it end';
  return `(
    select case when st_isempty(it) then null else st_asgeojson(st_forcepolygonccw(${plain}), 6) end
    from ${polygons} it
  )`;
}

/** SQL: the geometry of a GeoJSON text, with exactly the positions of the text. */
export function geometryOf(text: string): string {
  return `st_setsrid(st_geomfromgeojson(${text}), 4326)`;
}

/**
 * Degrees, some metres. Neighbours that were simplified in different files don't share their border, so their union has
 * slivers along it. A hole of a union counts as a sliver when it is narrower than this (twice its area divided by its
 * perimeter).
 */
export const SLIVER = 0.00005;

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
