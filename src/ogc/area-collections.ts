import { ATTRIBUTES, attributesOf } from '../areas/attributes.ts';
import {
  type Area,
  type AreaFilter,
  type Level,
  RESOLUTIONS,
  type Resolution,
  SUB_MUNICIPALITY,
} from '../areas/store.ts';
import type { Queryables } from '../cql2/expression.ts';

/** The areas of a level at one resolution, as a collection of OGC API. */
export interface AreaCollection {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly level: Area['level'];
  /** The list that has them. */
  readonly listed: Level;
  readonly filter: AreaFilter;
  readonly resolution: Resolution;
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

/** The collections of areas by their ids: `provinces` has detailed boundaries, `provinces-simple` simple ones. */
export const AREA_COLLECTIONS: ReadonlyMap<string, AreaCollection> = new Map(
  LEVELS.flatMap(({ level, name, title }) =>
    RESOLUTIONS.toReversed().map((resolution) => {
      const isDetailed = resolution === 'detailed';
      const isPart = level === 'submunicipality';
      const collection: AreaCollection = {
        id: isDetailed ? name : `${name}-${resolution}`,
        title: isDetailed ? title : `${title}, ${resolution} boundaries`,
        description: DRAWN[resolution],
        level,
        listed: isPart ? 'municity' : level,
        filter: isPart ? { type: SUB_MUNICIPALITY } : {},
        resolution,
        tiles: isPart ? undefined : name,
      };
      return [collection.id, collection] as const;
    }),
  ),
);

/** What filters can name of the areas of a level. */
export function queryablesOf(level: Area['level']): Queryables {
  return new Map([
    ...attributesOf(level).map((name) => [name, ATTRIBUTES[name].type] as const),
    ['geometry', 'geometry'] as const,
  ]);
}

/** The JSON Schema of the properties that can be filtered by, by name. */
export function attributeSchemas(level: Area['level']): Record<string, object> {
  return Object.fromEntries(
    attributesOf(level).map((name) => {
      const { type, title } = ATTRIBUTES[name];
      return [name, { type, title }];
    }),
  );
}
