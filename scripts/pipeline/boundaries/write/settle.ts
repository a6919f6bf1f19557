/** Degrees: the sixth decimal, the last that is stored. */
export const GRID = 0.000001;

/**
 * SQL: a geometry made by PostGIS as it is stored, as GeoJSON text: a valid Polygon or MultiPolygon on the grid of six
 * decimals, outer rings counter-clockwise; null where no area is left.
 *
 * `structure` takes parts of a MultiPolygon that overlap together, where `linework` would cut out what they share.
 * Reducing the precision keeps geometries valid, rounding the text would not.
 * @param geometry an SQL expression, any geometry
 */
export function settled(geometry: string): string {
  const valid = `st_makevalid(${geometry}, 'method=structure keepcollapsed=false')`;
  const polygons = `st_collectionextract(st_reduceprecision(${valid}, ${GRID}), 3)`;
  const plain = 'case st_numgeometries(it) when 1 then st_geometryn(it, 1) else it end';
  return `(
    select case when st_isempty(it) then null else st_asgeojson(st_forcepolygonccw(${plain}), 6) end
    from ${polygons} it
  )`;
}

/** SQL: the geometry of a GeoJSON text, with the positions exactly as the text has them. */
export function geometryOf(text: string): string {
  return `st_setsrid(st_geomfromgeojson(${text}), 4326)`;
}
