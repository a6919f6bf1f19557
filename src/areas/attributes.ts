import { islandGroupOf, iso31662Of, pcodeOf } from './identifiers.ts';
import { type Area, SUB_MUNICIPALITY } from './store.ts';

/** An attribute of areas that a condition can be on. */
export interface Attribute {
  readonly type: 'string' | 'number';
  readonly title: string;
  /** Of a text that is a day. */
  readonly format?: 'date';
  /** What it is among the properties of a feature, as 23-058r2 has it. */
  readonly role?: 'primary-interval-start' | 'primary-interval-end';
  readonly of: (area: Area) => string | number | null;
}

/** The attributes of areas by the names that they have in records. */
export const ATTRIBUTES = {
  code: text('PSGC code, ten digits', ({ code }) => code),
  name: text('Name', ({ name }) => name),
  type: text('City, Municipality, SGU or SubMun', (area) =>
    area.level === 'submunicipality' ? SUB_MUNICIPALITY : area.type,
  ),
  city_class: text('HUC, ICC or CC', ({ cityClass }) => cityClass),
  sm_code: text('Code of the sub-municipality', ({ submunicipalityCode }) => submunicipalityCode),
  m_code: text('Code of the city or municipality', ({ municityCode }) => municityCode),
  p_code: text('Code of the province that it belongs to', ({ provinceCode }) => provinceCode),
  host_province_code: text(
    'Code of the province that it lies in but does not belong to',
    (area) => area.hostProvinceCode,
  ),
  r_code: text('Code of the region', ({ regionCode }) => regionCode),
  population: number('Residents in the newest census of the edition', ({ population }) => population),
  population_year: number('The year of that census', ({ populationYear }) => populationYear),
  income_class: text('Income classification as published', ({ incomeClass }) => incomeClass),
  urban_rural: text('U or R', ({ urbanRural }) => urbanRural),
  area_km2: number('Square kilometres on the WGS 84 ellipsoid', ({ areaKm2 }) => areaKm2),
  density_km2: number('Residents for each square kilometre', ({ densityKm2 }) => densityKm2),
  iso_3166_2: text('ISO 3166-2', iso31662Of),
  island_group: text('luzon, visayas or mindanao', ({ code }) => islandGroupOf(code)),
  pcode: text('P-code of the humanitarian operational datasets', pcodeOf),
  lon: number('Longitude of the centroid, degrees', ({ centroid }) => centroid?.[0] ?? null),
  lat: number('Latitude of the centroid, degrees', ({ centroid }) => centroid?.[1] ?? null),
} as const satisfies Readonly<Record<string, Attribute>>;

export type AttributeName = keyof typeof ATTRIBUTES;

export type VersionAttributeName = keyof typeof VERSION_ATTRIBUTES;

/** The attributes of versions of areas, besides those of areas. */
export const VERSION_ATTRIBUTES = {
  valid_from: {
    ...text('The day of the first list that has it', ({ validity }) => validity?.from ?? null),
    format: 'date',
    role: 'primary-interval-start',
  },
  valid_to: {
    ...text(
      'The day before the first list that does not have it any more; none while the newest has it',
      ({ validity }) => validity?.to ?? null,
    ),
    format: 'date',
    role: 'primary-interval-end',
  },
  first_edition: text('The first edition that has it', ({ validity }) => validity?.firstEdition ?? null),
  last_edition: text('The last edition that has it', ({ validity }) => validity?.lastEdition ?? null),
} as const satisfies Readonly<Record<string, Attribute>>;

/** Those that only areas of some levels have. */
const ONLY_OF: Partial<Record<AttributeName, readonly Area['level'][]>> = {
  type: ['municity', 'submunicipality'],
  city_class: ['municity', 'submunicipality'],
  sm_code: ['barangay'],
  m_code: ['municity', 'submunicipality', 'barangay'],
  p_code: ['municity', 'submunicipality', 'barangay'],
  host_province_code: ['municity', 'submunicipality'],
  r_code: ['province', 'municity', 'submunicipality', 'barangay'],
};

/** The names of the attributes that records of a level have. */
export function attributesOf(level: Area['level']): AttributeName[] {
  const names = Object.keys(ATTRIBUTES) as AttributeName[];
  return names.filter((name) => ONLY_OF[name]?.includes(level) ?? true);
}

function text(title: string, of: (area: Area) => string | null): Attribute {
  return { type: 'string', title, of };
}

function number(title: string, of: (area: Area) => number | null): Attribute {
  return { type: 'number', title, of };
}
