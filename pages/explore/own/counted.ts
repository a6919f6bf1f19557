import type { Overview } from '../../shared/overview.ts';
import { type CountLevel, POINTS } from './count-levels.ts';
import { type Features, openFeatures } from './features.ts';

/**
 * The areas of a level in place of points, each with how many lie in it. The points are closed.
 *
 * @returns also how many points lie in no area
 */
export async function countedIn(
  level: CountLevel,
  points: Features,
  overview: Overview,
): Promise<{ features: Features; outside: number }> {
  const areas = (level === 'region' ? overview.regions : overview.provinces).features;
  const { counts, outside } = await points.countIn(areas.map(({ geometry }) => geometry));
  points.close();
  const features = areas.map(({ geometry, properties }, index) => ({
    ...{ type: 'Feature', id: String(properties?.code), geometry },
    properties: { name: properties?.name, [POINTS]: counts[index] ?? 0, code: properties?.code },
  }));
  const bytes = new TextEncoder().encode(JSON.stringify({ type: 'FeatureCollection', features }));
  return { features: await openFeatures(bytes.buffer), outside };
}
