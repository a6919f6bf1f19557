import type { FeatureCollection } from 'geojson';
import type { MunicityOverview, Overview } from '../../shared/overview.ts';
import type { Choices } from './address.ts';
import { type CountLevel, type ExactCounts, POINTS_PROPERTY } from './count-levels.ts';
import type { Features } from './features.ts';
import { byPlace, type Gathering, propertiesOfPlace, sharesAmong } from './gathering.ts';
import { openFeatures } from './open-features.ts';
import type { ProvinceLand } from './populations.ts';
import { columnsOf } from './rows.ts';

interface CoarseMaps {
  readonly overview: () => Promise<Overview | undefined>;
  readonly municities: () => Promise<MunicityOverview>;
}

export interface FeaturesOfMap {
  readonly features: Features;
  /** How many points lie in none of the areas that they are counted in. */
  readonly outside: number;
  /** Whether they are counted by detailed boundaries. */
  readonly isExact: boolean;
}

/**
 * The features of a map: those that were read, or what was chosen to be drawn in place of them.
 *
 * @param exact the exact counts. Without them, and where they can't be read, points are counted by coarse boundaries
 */
export async function featuresFor(
  { areas: level, gathering }: Pick<Choices, 'areas' | 'gathering'>,
  read: Features,
  maps: CoarseMaps,
  exact?: Promise<ExactCounts>,
): Promise<FeaturesOfMap> {
  const areas = level && (await areasOf(level, maps));
  if (areas) return countedIn(areas, read, await exact?.catch(() => undefined));
  return { features: gathering ? await gathered(read, gathering) : read, outside: 0, isExact: false };
}

/** What lies on the land of the provinces of a map that points are counted in; undefined for other maps. */
export function landOf(
  { areas }: Pick<Choices, 'areas'>,
  { isExact }: Pick<FeaturesOfMap, 'isExact'>,
): ProvinceLand | undefined {
  if (areas !== 'province') return undefined;
  return isExact ? 'hosted' : 'boundary';
}

/** The coarse areas of a level; undefined where there are none. */
async function areasOf(level: CountLevel, maps: CoarseMaps): Promise<FeatureCollection | undefined> {
  if (level === 'municity') return (await maps.municities()).municities;
  const overview = await maps.overview();
  return level === 'region' ? overview?.regions : overview?.provinces;
}

/** Areas in place of points, each with how many lie in it. The points are closed. */
async function countedIn(
  { features: areas }: FeatureCollection,
  points: Features,
  exact: ExactCounts | undefined,
): Promise<FeaturesOfMap> {
  const byCode = new Map(exact?.data.map(({ code, count }) => [code, count]));
  const { counts, outside } = exact
    ? {
        counts: areas.map(({ properties }) => byCode.get(String(properties?.code)) ?? 0),
        outside: exact.meta.outside ?? 0,
      }
    : await points.countIn(areas.map(({ geometry }) => geometry));
  points.close();
  const features = areas.map(({ geometry, properties }, index) => ({
    type: 'Feature',
    id: String(properties?.code),
    geometry,
    properties: { name: properties?.name, [POINTS_PROPERTY]: counts[index] ?? 0, code: properties?.code },
  }));
  return { features: await opened(features), outside, isExact: exact !== undefined };
}

/** Places in place of rows, each with the amounts of its rows as one. The rows are closed. */
async function gathered(read: Features, gathering: Gathering): Promise<Features> {
  const columns = columnsOf(read.rows);
  const shares = sharesAmong(read.rows, columns);
  const features = await Promise.all(
    [...byPlace(read.rows)].map(async ([id, rows]) => ({
      type: 'Feature',
      id,
      geometry: rows[0] ? await read.geometryOf(rows[0]) : null,
      properties: propertiesOfPlace(rows, columns, { gathering, shares }),
    })),
  );
  read.close();
  return opened(features);
}

function opened(features: readonly object[]): Promise<Features> {
  const bytes = new TextEncoder().encode(JSON.stringify({ type: 'FeatureCollection', features }));
  return openFeatures(bytes.buffer);
}
