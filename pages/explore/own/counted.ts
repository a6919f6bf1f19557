import type { FeatureCollection } from 'geojson';
import type { MunicityOverview, Overview } from '../../shared/overview.ts';
import { type CountLevel, POINTS_PROPERTY } from './count-levels.ts';
import { type Features, openFeatures } from './features.ts';

interface CoarseMaps {
  readonly overview: () => Promise<Overview | undefined>;
  readonly municities: () => Promise<MunicityOverview>;
}

/** The coarse areas of a level; undefined where there are none. */
export async function areasOf(level: CountLevel, maps: CoarseMaps): Promise<FeatureCollection | undefined> {
  if (level === 'municity') return (await maps.municities()).municities;
  const overview = await maps.overview();
  return level === 'region' ? overview?.regions : overview?.provinces;
}

/**
 * Areas in place of points, each with how many lie in it. The points are closed.
 *
 * @returns also how many points lie in no area
 */
export async function countedIn(
  { features: areas }: FeatureCollection,
  points: Features,
): Promise<{ features: Features; outside: number }> {
  const { counts, outside } = await points.countIn(areas.map(({ geometry }) => geometry));
  points.close();
  const features = areas.map(({ geometry, properties }, index) => ({
    type: 'Feature',
    id: String(properties?.code),
    geometry,
    properties: { name: properties?.name, [POINTS_PROPERTY]: counts[index] ?? 0, code: properties?.code },
  }));
  const bytes = new TextEncoder().encode(JSON.stringify({ type: 'FeatureCollection', features }));
  return { features: await openFeatures(bytes.buffer), outside };
}
