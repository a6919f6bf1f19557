import type { Area, AreaStore } from '../areas/store.ts';

export const LAND_POPULATION =
  'Residents of the land: for a province also those of the highly urbanized cities on it, which `population` leaves out';

/** Which of the cities and municipalities that belong to no province are on the land of the one that hosts them. */
type IsOnLand = (hosted: Area, host: Area) => boolean;

/** The boundary of a province includes those of its region: neither Isabela City in Basilan nor the Special Geographic Area. */
export const isWithinBoundary: IsOnLand = (hosted, host) => hosted.regionCode === host.regionCode;

/**
 * The residents of the land of areas. Censuses count those of highly urbanized cities in no province, and those of independent
 * component cities in some: the land of a province has the residents of all cities and municipalities on it. Land of another
 * level has the published residents of its area.
 *
 * @param isOnLand without it all that a province hosts is on its land
 * @returns by code; null where they are not known
 */
export async function landPopulations(
  areas: AreaStore,
  found: readonly Area[],
  isOnLand: IsOnLand = () => true,
): Promise<ReadonlyMap<string, number | null>> {
  const populations = new Map(found.map(({ code, population }) => [code, population]));
  const provinces = found.filter(({ level }) => level === 'province');
  if (provinces.length === 0) return populations;
  const { value } = await areas.list('municity', {}, {});
  const municities = Map.groupBy(value.areas, ({ provinceCode, hostProvinceCode }) => provinceCode ?? hostProvinceCode);
  for (const province of provinces) {
    const within = municities.get(province.code) ?? [];
    const onLand = within.filter((area) => area.provinceCode !== null || isOnLand(area, province));
    populations.set(province.code, sumOf(onLand.map(({ population }) => population)));
  }
  return populations;
}

/** null if a number is missing, or there is none. */
function sumOf(numbers: readonly (number | null)[]): number | null {
  if (numbers.length === 0) return null;
  return numbers.reduce((sum, number) => (sum === null || number === null ? null : sum + number), 0);
}
