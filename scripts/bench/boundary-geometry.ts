import { geometryOf } from '../pipeline/boundaries/write/geometry-sql.ts';

/** SQL: the geometry of a row of `boundaries`. A release of the repository's data has only its text. */
export function boundaryGeometry(row: string): string {
  return `coalesce(${row}.geom, ${geometryOf(`${row}.geojson`)})`;
}
