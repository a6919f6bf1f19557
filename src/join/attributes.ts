import { type Area, SUB_MUNICIPALITY } from '../areas/store.ts';

/** What a row can be given of its area, by the names that records have for it. Null where nothing is known. */
const VALUES = {
  type: (area: Area) => (area.level === 'submunicipality' ? SUB_MUNICIPALITY : area.type),
  city_class: (area: Area) => area.cityClass,
  income_class: (area: Area) => area.incomeClass,
  urban_rural: (area: Area) => area.urbanRural,
  population: (area: Area) => area.population,
  population_year: (area: Area) => area.populationYear,
  area_km2: (area: Area) => area.areaKm2,
  density_km2: (area: Area) => area.densityKm2,
  /** Of the centroid, WGS 84 degrees. */
  lat: (area: Area) => area.centroid?.[1] ?? null,
  lon: (area: Area) => area.centroid?.[0] ?? null,
};

export type Attribute = keyof typeof VALUES;

export const ATTRIBUTES = Object.keys(VALUES) as [Attribute, ...Attribute[]];

export function attributeOf(area: Area, attribute: Attribute): string | number | null {
  return VALUES[attribute](area);
}
