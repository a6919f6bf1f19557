import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import type { Level, Resolution } from '../../src/areas/store.ts';
import type { Body } from './api.ts';
import { database } from './sql.ts';

const RESOLUTIONS = ['simple', 'medium', 'detailed'] as const satisfies readonly Resolution[];

/** The boundaries of a level as the active release has them, by code. */
export async function storedBoundaries(level: Level, resolution: Resolution): Promise<Record<string, Body>> {
  const { rows } = await database.execute<{ code: string; geojson: string }>(
    sql`select code, geojson from boundaries join active_release using (release_id)
      where level = ${level} and resolution = ${resolution}`,
  );
  return Object.fromEntries(rows.map(({ code, geojson }) => [code, JSON.parse(geojson)]));
}

/** A geometry is the boundary of an area at a resolution. The area must lie on a coast, where resolutions differ. */
export async function expectResolution(
  geometry: Body,
  resolution: Resolution,
  { level, code }: { level: Level; code: string },
): Promise<void> {
  const { rows } = await database.execute<{ resolution: Resolution; geojson: string }>(
    sql`select resolution, geojson from boundaries join active_release using (release_id)
      where level = ${level} and code = ${code}`,
  );
  const found = new Map(rows.map((row) => [row.resolution, JSON.parse(row.geojson)]));
  const [simple = 0, medium = 0, detailed = 0] = RESOLUTIONS.map((it) => positions(found.get(it)));
  expect([simple < medium, medium < detailed], `${code} has ${simple}, ${medium}, ${detailed}`).toEqual([true, true]);
  expect(geometry).toEqual(found.get(resolution));
}

/** How many positions a Polygon or MultiPolygon has. */
function positions(geometry: Body): number {
  return geometry.coordinates.flat(geometry.type === 'Polygon' ? 1 : 2).length;
}
