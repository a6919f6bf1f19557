import { ATTRIBUTES, type Attribute, attributesOf, VERSION_ATTRIBUTES } from '../areas/attributes.ts';
import { THROUGH_TIME_RESOLUTION } from '../areas/snapshot/layout.ts';
import {
  type Area,
  type AreaFilter,
  type Level,
  RESOLUTIONS,
  type Resolution,
  SUB_MUNICIPALITY,
} from '../areas/store.ts';
import type { Queryables } from '../cql2/expression.ts';

/** The areas of a level at one resolution, or all of their versions, as a collection of OGC API. */
export interface AreaCollection {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly level: Area['level'];
  /** The list that has them. */
  readonly listed: Level;
  readonly filter: AreaFilter;
  readonly resolution: Resolution;
  /** The properties that filters can name, by name. */
  readonly attributes: Readonly<Record<string, Attribute>>;
  /** Whether its features are all versions of the areas, in place of the areas of one edition. */
  readonly isThroughTime: boolean;
  /** The tile archive that draws them. */
  readonly tiles: string | undefined;
}

const LEVELS = [
  { level: 'region', name: 'regions', title: 'Regions' },
  { level: 'province', name: 'provinces', title: 'Provinces' },
  { level: 'municity', name: 'municities', title: 'Cities and municipalities' },
  { level: 'submunicipality', name: 'submunicipalities', title: 'Sub-municipalities of Manila' },
  { level: 'barangay', name: 'barangays', title: 'Barangays' },
] as const satisfies readonly { level: Area['level']; name: string; title: string }[];

const DRAWN: Readonly<Record<Resolution, string>> = {
  detailed: 'Boundaries as they were published.',
  medium: 'Boundaries for maps of a region or a province.',
  simple: 'Boundaries for maps of the country.',
};

/** What areas have at a census, and not in an edition. */
const OF_CENSUSES: ReadonlySet<string> = new Set(['population', 'population_year', 'density_km2']);

/**
 * The collections of areas by their ids: `provinces` has detailed boundaries, `provinces-simple` simple ones, and
 * `provinces-history` every version of a province with medium ones.
 */
export const AREA_COLLECTIONS: ReadonlyMap<string, AreaCollection> = new Map(
  LEVELS.flatMap(({ level, name, title }) => {
    const isPart = level === 'submunicipality';
    const common = {
      level,
      listed: isPart ? 'municity' : level,
      filter: isPart ? { type: SUB_MUNICIPALITY } : {},
    } as const;
    const names = attributesOf(level);
    const attributes = Object.fromEntries(names.map((it): [string, Attribute] => [it, ATTRIBUTES[it]]));
    const lasting = Object.entries(attributes).filter(([it]) => !OF_CENSUSES.has(it));
    const ofEdition = RESOLUTIONS.toReversed().map((resolution): AreaCollection => {
      const isDetailed = resolution === 'detailed';
      return {
        ...common,
        id: isDetailed ? name : `${name}-${resolution}`,
        title: isDetailed ? title : `${title}, ${resolution} boundaries`,
        description: DRAWN[resolution],
        resolution,
        attributes,
        isThroughTime: false,
        tiles: isPart ? undefined : name,
      };
    });
    const throughTime: AreaCollection = {
      ...common,
      id: `${name}-history`,
      title: `${title} through time`,
      description: `Every version of an area, with the days from which and to which the lists of the PSA have it, and the boundary in the last of these lists that has one. ${DRAWN[THROUGH_TIME_RESOLUTION]}`,
      resolution: THROUGH_TIME_RESOLUTION,
      attributes: { ...Object.fromEntries(lasting), ...VERSION_ATTRIBUTES },
      isThroughTime: true,
      tiles: undefined,
    };
    return [...ofEdition, throughTime].map((collection) => [collection.id, collection] as const);
  }),
);

/** What filters can name of the features of a collection. The cells that geometries are compared with are of one edition. */
export function queryablesOf({ attributes, isThroughTime }: AreaCollection): Queryables {
  return new Map([
    ...Object.entries(attributes).map(([name, { type }]) => [name, type] as const),
    ...(isThroughTime ? [] : [['geometry', 'geometry'] as const]),
  ]);
}
