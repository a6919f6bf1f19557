import { zipCodesOf } from '../zip-codes.ts';
import { islandGroupOf, iso31662Of, pcodeOf } from './identifiers.ts';
import { type Area, type Level, type Lookup, SUB_MUNICIPALITY } from './store.ts';

type Json = Record<string, unknown>;

/** The members that only the records of a level have. */
const LEVEL_MEMBERS: Readonly<Record<Level, (area: Area) => Json>> = {
  region: () => ({}),
  province: (area) => ({ r_code: area.regionCode }),
  municity: (area) => ({
    type: area.level === 'submunicipality' ? SUB_MUNICIPALITY : area.type,
    city_class: area.cityClass,
    m_code: area.municityCode,
    p_code: area.provinceCode,
    host_province_code: area.hostProvinceCode,
    r_code: area.regionCode,
    zip_codes: zipCodesOf(area.code),
  }),
  barangay: (area) => ({
    sm_code: area.submunicipalityCode,
    m_code: area.municityCode,
    p_code: area.provinceCode,
    r_code: area.regionCode,
  }),
};

/** The counts of an area's children that a single record of a level shows. */
const COUNTS: Readonly<Record<Level, (area: Area) => Json>> = {
  region: (area) => ({
    province_count: area.provinceCount,
    municity_count: area.municityCount,
    barangay_count: area.barangayCount,
  }),
  province: (area) => ({
    municity_count: area.municityCount,
    hosted_municity_count: area.hostedMunicityCount,
    barangay_count: area.barangayCount,
  }),
  municity: (area) => ({ barangay_count: area.barangayCount }),
  barangay: () => ({}),
};

/** The record of an area as lists have it, without its geometry. */
export function recordOf(level: Level, area: Area): Json {
  return {
    id: area.id,
    name: area.name,
    code: area.code,
    ...LEVEL_MEMBERS[level](area),
    population: area.population,
    population_year: area.populationYear,
    income_class: area.incomeClass,
    urban_rural: area.urbanRural,
    area_km2: area.areaKm2,
    density_km2: area.densityKm2,
    iso_3166_2: iso31662Of(area),
    island_group: islandGroupOf(area.code),
    pcode: pcodeOf(area),
    centroid: area.centroid,
    bbox: area.bbox,
  };
}

/** The member `requested_code`, where the area was requested by another code than its current one. */
export function requestedAs(code: string, { code: current }: Pick<Area, 'code'>): Json {
  return code === current ? {} : { requested_code: code };
}

/** The record of an area that is answered alone. */
export function singleOf(
  level: Level,
  area: Area,
  { formerNames, populationHistory, notes }: Pick<Lookup, 'formerNames' | 'populationHistory' | 'notes'>,
): Json {
  const history = { former_names: formerNames, population_history: populationHistory, notes };
  return { ...recordOf(level, area), ...history, ...COUNTS[level](area) };
}

/** The JSON text of a record or Feature, without the geometry. The stored boundary is put between, and never parsed. */
export interface Item {
  readonly before: string;
  readonly after: string;
}

/** A record with a geometry. */
export function withGeometry(record: Json): Item {
  return { before: `${JSON.stringify(record).slice(0, -1)},"geometry":`, after: '}' };
}

/**
 * A GeoJSON Feature with the record of the area as its properties. These have no arrays, because the tables of desktop tools
 * have none: the box is a member of the Feature (RFC 7946, 5), and the centroid is `lon` and `lat`.
 */
export function featureOf(
  area: Area,
  { centroid: _, bbox: __, zip_codes: ___, ...record }: Json,
  id = area.code,
): Item {
  const bbox = area.bbox ? `"bbox":${JSON.stringify(area.bbox)},` : '';
  const [lon, lat] = area.centroid ?? [null, null];
  const properties = JSON.stringify({ ...record, lon, lat });
  return { before: `{"type":"Feature","id":"${id}",${bbox}"properties":${properties},"geometry":`, after: '}' };
}

/** The text of an item with the boundary of its area. */
export function textOf({ before, after }: Item, area: Area): string {
  return before + (area.boundary ?? 'null') + after;
}

/** The texts before and after the features of a FeatureCollection. */
export const COLLECTION = { head: '{"type":"FeatureCollection","features":[', tail: ']}' } as const;

/** An area and its ancestors, each under the name of its level. */
export function hierarchyOf(area: Area, ancestors: Area[]): Json {
  const lineage = [...ancestors, area];
  const recordAt = (level: Level, code: string | null = null) => {
    const found = lineage.find((candidate) => candidate.level === level && (code === null || candidate.code === code));
    return found ? recordOf(level, found) : null;
  };
  const subMunicipality = lineage.find(({ level }) => level === 'submunicipality');
  return {
    region: recordAt('region'),
    province:
      area.level === 'province' ? recordAt('province') : area.provinceCode && recordAt('province', area.provinceCode),
    host_province: area.hostProvinceCode && recordAt('province', area.hostProvinceCode),
    municity: recordAt('municity'),
    sub_municipality: subMunicipality ? { name: subMunicipality.name, code: subMunicipality.code } : null,
    barangay: recordAt('barangay'),
  };
}
