import type { Area } from './places.ts';

/** Which of the cities and municipalities in a province that don't belong to it its residents count. */
export interface Counted {
  readonly within: readonly Area[];
  readonly without: readonly Area[];
  /** The area of the province on the same base; null if that is not known. */
  readonly areaKm2: number | null;
}

/**
 * Compares the residents of a province with those of the cities and municipalities in it. Censuses leave out highly urbanised
 * cities, and count independent component cities in most provinces and years.
 *
 * @param municities all of them, also those that don't belong to it
 * @returns undefined where all belong to it, and where no sum is that of the province
 */
export function countedIn(province: Area, municities: readonly Area[]): Counted | undefined {
  const hosted = municities.filter(({ p_code }) => p_code !== province.code);
  if (hosted.length === 0) return undefined;
  const residents = (areas: readonly Area[]) => areas.reduce((sum, { population }) => sum + (population ?? 0), 0);
  const own = residents(municities) - residents(hosted);
  const components = hosted.filter((city) => city.city_class === 'ICC');
  const within = [[], components].find((areas) => own + residents(areas) === province.population);
  if (!within) return undefined;
  const without = hosted.filter((area) => !within.includes(area));
  // The boundary of a province has the cities of its region in it.
  const land = without.filter(({ r_code }) => r_code === province.r_code).map(({ area_km2 }) => area_km2 ?? Number.NaN);
  const areaKm2 = land.reduce((rest, km2) => rest - km2, province.area_km2 ?? Number.NaN);
  return { within, without, areaKm2: Number.isNaN(areaKm2) ? null : areaKm2 };
}
