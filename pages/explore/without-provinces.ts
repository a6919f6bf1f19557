// Metro Manila has no provinces. Whoever reads about provinces is told so where it matters.

/**
 * What a reader of counts should know of the points in no area; empty where there is nothing.
 *
 * @param isAnyInCapital whether some of these points lie in Metro Manila, and not all at sea or abroad
 */
export function remarkOnOutside(level: string, outside: number, isAnyInCapital: boolean): string {
  return level === 'province' && outside > 0 && isAnyInCapital
    ? ' Metro Manila has no provinces: its points lie in none.'
    : '';
}

/** What a reader of the provinces around a position should know, within some kilometres; empty where there is nothing. */
export function remarkOnAround(level: string, position: readonly [lon: number, lat: number], km: number): string {
  return level === 'province' && reachesMetroManila(position, km) ? ' Metro Manila has no provinces.' : '';
}

/** West, south, east and north of Metro Manila, degrees. */
const METRO_MANILA = [120.9, 14.34, 121.14, 14.79] as const;
const KM_PER_DEGREE = 111;

/** Whether a circle reaches Metro Manila. */
function reachesMetroManila([lon, lat]: readonly [number, number], km: number): boolean {
  const [west, south, east, north] = METRO_MANILA;
  const x = Math.max(west - lon, 0, lon - east) * Math.cos((lat * Math.PI) / 180);
  const y = Math.max(south - lat, 0, lat - north);
  return Math.hypot(x, y) * KM_PER_DEGREE < km;
}
