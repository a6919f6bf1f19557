import { zipCodesOf } from '../zip-codes.ts';
import { islandGroupOf, iso31662Of, pcodeOf } from './identifiers.ts';
import { type Area, type Level, type Lookup, SUB_MUNICIPALITY } from './store.ts';

type Json = Record<string, unknown>;

/** The members of a record that are particular to a level. */
const PARTICULARS: Readonly<Record<Level, (area: Area) => Json>> = {
  region: () => ({}),
  province: (area) => ({ r_code: area.rCode }),
  municity: (area) => ({
    type: area.level === 'submunicipality' ? SUB_MUNICIPALITY : area.type,
    city_class: area.cityClass,
    m_code: area.mCode,
    p_code: area.pCode,
    host_province_code: area.hostProvinceCode,
    r_code: area.rCode,
    zip_codes: zipCodesOf(area.code),
  }),
  barangay: (area) => ({
    sm_code: area.smCode,
    m_code: area.mCode,
    p_code: area.pCode,
    r_code: area.rCode,
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
    ...PARTICULARS[level](area),
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

/** What a record has besides where its area was asked for by another code than its own. */
export function requestedAs(code: string, { code: current }: Pick<Area, 'code'>): Json {
  return code === current ? {} : { requested_code: code };
}

/** The record of an area that is answered alone. */
export function singleOf(
  level: Level,
  area: Area,
  { formerNames, populationHistory, notes }: Pick<Lookup, 'formerNames' | 'populationHistory' | 'notes'>,
): Json {
  const told = { former_names: formerNames, population_history: populationHistory, notes };
  return { ...recordOf(level, area), ...told, ...COUNTS[level](area) };
}

/** The texts before and after the boundary of an area in JSON or GeoJSON, where it stands as the database holds it. */
export interface Item {
  readonly before: string;
  readonly after: string;
}

/** A record around its geometry. */
export function withGeometry(record: Json): Item {
  return { before: `${JSON.stringify(record).slice(0, -1)},"geometry":`, after: '}' };
}

/**
 * A GeoJSON Feature around its geometry, with the record of the area as its properties. The box is a member of the Feature
 * (RFC 7946, 5), and the centroid two numbers, because the tables of desktop tools have no lists.
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

/** An item with its boundary. */
export function textOf({ before, after }: Item, area: Area): string {
  return before + (area.boundary ?? 'null') + after;
}

/** Texts around the features of a GeoJSON FeatureCollection. */
export const COLLECTION = { head: '{"type":"FeatureCollection","features":[', tail: ']}' } as const;

/** An area with its ancestors, each under the name of its part. */
export function hierarchyOf(area: Area, ancestors: Area[]): Json {
  const line = [...ancestors, area];
  const at = (level: Level, code: string | null = null) => {
    const found = line.find((candidate) => candidate.level === level && (code === null || candidate.code === code));
    return found ? recordOf(level, found) : null;
  };
  const subMunicipality = line.find(({ level }) => level === 'submunicipality');
  return {
    region: at('region'),
    province: area.level === 'province' ? at('province') : area.pCode && at('province', area.pCode),
    host_province: area.hostProvinceCode && at('province', area.hostProvinceCode),
    municity: at('municity'),
    sub_municipality: subMunicipality ? { name: subMunicipality.name, code: subMunicipality.code } : null,
    barangay: at('barangay'),
  };
}
