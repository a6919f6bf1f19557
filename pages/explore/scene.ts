import type { FilterSpecification } from 'maplibre-gl';
import { LEVEL_NAMES, LEVELS, type Level } from '../shared/levels.ts';
import type { ChangeFilter } from './changes.ts';
import type { View } from './data.ts';
import { ofEdition, type Place } from './places.ts';
import type { FoundAreas } from './sketch.ts';

/** What of areas the page shows: a place, changes between two editions, or else the whole country. */
export interface ShownAreas {
  /** Not optional: else a place itself would pass for what the page shows, and the country would be drawn for it. */
  readonly view: View | undefined;
  readonly changes?: ChangeFilter;
  /** The edition of which the areas are shown; undefined for the current one. */
  readonly edition: string | undefined;
  /** Whether the edition has no boundaries here, so that the land is drawn as it is in the current one. */
  readonly isOnLandOfToday?: boolean;
}

/** One level of boundaries on the map. */
export interface ShownLevel {
  readonly level: Level;
  /** Whether its areas lie inside of the chosen place, and are coloured, or around it, and are pale. */
  readonly role: 'inside' | 'around';
  /** Whether the chosen area is one of them and stands out: the others are paler. */
  readonly hasChosen?: boolean;
  /** Selects areas of the level. Without it, all are shown. */
  readonly filter?: FilterSpecification;
  /** The list to read the boundaries from if the level has no tiles. It is missing if the list would be too long. */
  readonly list?: string;
}

/** What the map shows. */
export interface Scene {
  readonly shown: readonly ShownLevel[];
  readonly chosen?: Place;
  /** Where the chosen place is, and its name: it is marked there if its level is not drawn. */
  readonly mark?: { readonly name: string; readonly at: readonly [number, number] };
  /** The edition whose areas are drawn; undefined for the current one, the only one that has tiles. */
  readonly edition: string | undefined;
  /** Whether this is the land of another edition than the one that is shown: it has no borders and names, and can't be chosen. */
  readonly isLandOnly?: boolean;
}

/**
 * What the map shows: the areas in a place, above those around it.
 *
 * @param isCoarse without a key: there are no barangays
 */
export function sceneOf({ view, changes, edition, isOnLandOfToday }: ShownAreas, isCoarse = false): Scene {
  if (isOnLandOfToday) return landOfToday(view, isCoarse);
  const whole = country(changes && !isCoarse ? 'around' : 'inside');
  const { shown, chosen } = view ? levelsOf(view, isCoarse) : whole;
  const ofIt = shown.map((one) => ({
    ...one,
    ...(one.list !== undefined && { list: ofEdition(one.list, edition) }),
    ...(one.role === 'inside' && one.level === chosen?.level && { hasChosen: true }),
  }));
  const mark = view?.area.centroid && { name: view.area.name, at: view.area.centroid };
  return { shown: ofIt, edition, ...(chosen && { chosen }), ...(mark && { mark }) };
}

/** The land, and the place if its border is that of today. */
function landOfToday(view: View | undefined, isCoarse: boolean): Scene {
  const land: ShownLevel = { level: 'region', role: 'around', list: list('region') };
  const { today, place } = view ?? {};
  if (!today || !place) return { shown: [land], edition: undefined, isLandOnly: true };
  const isDrawn = place.level !== 'region' && !(isCoarse && place.level === 'barangay');
  const own: ShownLevel = { level: place.level, role: 'inside', filter: is('code', place.code) };
  const mark = today.centroid && { name: view?.area.name ?? today.name, at: today.centroid };
  const scene = { shown: isDrawn ? [land, own] : [land], chosen: place, edition: undefined, isLandOnly: true };
  return mark ? { ...scene, mark } : scene;
}

/** The scene with only the found areas of their level, which are coloured, and no smaller ones. */
export function withFound(scene: Scene, found: Pick<FoundAreas, 'level' | 'codes'> | undefined): Scene {
  if (!found) return scene;
  const { level, codes } = found;
  const same = scene.shown.find((one) => one.level === level);
  const larger = scene.shown
    .filter((one) => LEVEL_NAMES.indexOf(one.level) < LEVEL_NAMES.indexOf(level))
    .map(({ hasChosen: _, ...one }) => ({ ...one, role: 'around' as const }));
  const filter: FilterSpecification = ['in', ['get', 'code'], ['literal', [...codes]]];
  const marked: ShownLevel = { level, role: 'inside', filter, ...(same?.list !== undefined && { list: same.list }) };
  return { ...scene, shown: [...larger, marked] };
}

/** Whether regions are all that is shown. */
export function isCountry({ shown }: Scene): boolean {
  return shown.length === 1 && shown[0]?.level === 'region';
}

type Levels = Pick<Scene, 'shown' | 'chosen'>;

function country(role: ShownLevel['role']): Levels {
  return { shown: [{ level: 'region', role, list: list('region') }] };
}

/** @param isCoarse barangays are not drawn: a city is shown among those around it, or by its sub-municipalities */
function levelsOf(view: View, isCoarse: boolean): Levels {
  const { place: chosen, area } = view;
  const { code } = chosen;
  const regions: ShownLevel = { level: 'region', role: 'around', list: list('region') };
  switch (chosen.level) {
    case 'region': {
      const outside = view.children.find(({ level }) => level === 'municity')?.areas ?? [];
      const codes = outside.map((municity) => municity.code);
      const municities: ShownLevel = {
        level: 'municity',
        role: 'inside',
        filter: ['in', ['get', 'code'], ['literal', codes]],
        list: list('municity', `region=${code}`, 'medium'),
      };
      return {
        chosen,
        shown: [
          regions,
          {
            level: 'province',
            role: 'inside',
            filter: is('r_code', code),
            list: list('province', `region=${code}`, 'medium'),
          },
          ...(codes.length > 0 ? [municities] : []),
        ],
      };
    }
    case 'province':
      return {
        chosen,
        shown: [
          regions,
          { level: 'province', role: 'around', list: list('province', `region=${area.r_code}`, 'medium') },
          {
            level: 'municity',
            role: 'inside',
            filter: inProvince(code),
            list: list('municity', `province_code=${code}`, 'medium'),
          },
        ],
      };
    case 'municity':
    case 'submunicipality':
    case 'barangay': {
      const district = chosen.level === 'submunicipality' ? code : area.sm_code;
      const municity = chosen.level === 'municity' ? code : (area.m_code ?? '');
      const hasDistricts = view.children.some(({ level }) => level === 'submunicipality');
      const districts = { level: 'submunicipality', filter: is('m_code', municity), list: DISTRICTS } as const;
      const province = view.ancestors.find(({ place }) => place?.level === 'province')?.place?.code;
      const siblings = province ? `province_code=${province}` : `region=${area.r_code}`;
      if (isCoarse) {
        const near = province ? inProvince(province) : is('r_code', area.r_code ?? '');
        const isDistrict = hasDistricts || typeof district === 'string';
        return {
          chosen,
          shown: [
            regions,
            { level: 'municity', role: isDistrict ? 'around' : 'inside', ...(isDistrict ? {} : { filter: near }) },
            ...(isDistrict ? [{ ...districts, role: 'inside' } as const] : []),
          ],
        };
      }
      return {
        chosen,
        shown: [
          regions,
          { level: 'municity', role: 'around', list: list('municity', siblings, 'medium') },
          ...(district ? [{ ...districts, role: 'around' } as const] : []),
          hasDistricts
            ? { ...districts, role: 'inside' }
            : {
                level: 'barangay',
                role: 'inside',
                filter: district ? is('sm_code', district) : is('m_code', municity),
                list: list('barangay', `municity_code=${district ?? municity}`, 'medium'),
              },
        ],
      };
    }
  }
}

/** The sub-municipalities of Manila. */
const DISTRICTS = list('municity', 'region=1300000000&type=SubMun', 'medium');

/** The cities and municipalities in a province, also those that do not belong to it. */
function inProvince(code: string): FilterSpecification {
  return ['any', is('p_code', code), is('host_province_code', code)];
}

function is(property: string, value: string): ['==', ['get', string], string] {
  return ['==', ['get', property], value];
}

function list(level: Level, filter = '', geometry: 'simple' | 'medium' = 'simple'): string {
  return `/v1/${LEVELS[level].path}?${filter}${filter ? '&' : ''}format=geojson&geometry=${geometry}`;
}
