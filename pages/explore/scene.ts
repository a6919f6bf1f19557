import type { FilterSpecification } from 'maplibre-gl';
import { LEVELS, type Level } from '../shared/levels.ts';
import type { View } from './data.ts';
import type { Place } from './places.ts';

/** One level of boundaries on the map. */
export interface ShownLevel {
  readonly level: Level;
  /** Whether its areas lie inside of the chosen place, and are coloured, or around it, and are pale. */
  readonly role: 'inside' | 'around';
  /** Selects areas of the level. Without it, all are shown. */
  readonly filter?: FilterSpecification;
  /** The list to read the boundaries from if the level has no tiles. It is missing if the list would be too long. */
  readonly list?: string;
}

/** What the map shows. */
export interface Scene {
  readonly shown: readonly ShownLevel[];
  readonly chosen?: Place;
}

const COUNTRY: Scene = { shown: [{ level: 'region', role: 'inside', list: list('region') }] };

/** What the map shows for a place: the areas in it, above those around it. */
export function sceneOf(view: View | undefined): Scene {
  if (!view) return COUNTRY;
  const { place: chosen, area } = view;
  const { code } = chosen;
  const regions: ShownLevel = { level: 'region', role: 'around', list: list('region') };
  switch (chosen.level) {
    case 'region': {
      const outside = view.children.find(({ level }) => level === 'municity')?.areas ?? [];
      const codes = outside.map((municity) => municity.code);
      const noProvinces = !view.children.some(({ level }) => level === 'province');
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
          {
            level: 'municity',
            role: 'inside',
            filter: ['in', ['get', 'code'], ['literal', codes]],
            ...(noProvinces ? { list: list('municity', `region=${code}`, 'medium') } : {}),
          },
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
            filter: ['any', is('p_code', code), is('host_province_code', code)],
            list: list('municity', `province_code=${code}`, 'medium'),
          },
        ],
      };
    case 'municity':
    case 'barangay': {
      const municity = chosen.level === 'municity' ? code : (area.m_code ?? '');
      const province = view.ancestors.find(({ place }) => place?.level === 'province')?.place?.code;
      const siblings = province ? `province_code=${province}` : `region=${area.r_code}`;
      return {
        chosen,
        shown: [
          regions,
          { level: 'municity', role: 'around', list: list('municity', siblings, 'medium') },
          {
            level: 'barangay',
            role: 'inside',
            filter: is('m_code', municity),
            list: list('barangay', `municity_code=${municity}`, 'medium'),
          },
        ],
      };
    }
  }
}

function is(property: string, value: string): ['==', ['get', string], string] {
  return ['==', ['get', property], value];
}

function list(level: Level, filter = '', geometry: 'simple' | 'medium' = 'simple'): string {
  return `/v1/${LEVELS[level].plural}?${filter}${filter ? '&' : ''}format=geojson&geometry=${geometry}`;
}
