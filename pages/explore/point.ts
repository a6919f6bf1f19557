import { requestJson } from '../shared/api.ts';
import { kindOf, LEVEL_NAMES, type Level } from '../shared/levels.ts';
import { type Area, ofEdition, type Place } from './places.ts';

/** Degrees. */
export interface Point {
  readonly lat: number;
  readonly lon: number;
}

/** The areas at a point, as the service names them. */
type Found = Partial<Record<Level | 'host_province', Pick<Area, 'code' | 'name' | 'type' | 'city_class'> | null>>;

const NUMBER = String.raw`([+-]?\d{1,3}(?:\.\d+)?)\s*°?\s*`;
const COORDINATES = new RegExp(String.raw`^\s*${NUMBER}N?(?:\s*[,;]\s*|\s+)${NUMBER}E?\s*$`, 'i');

/** The point that a text names by its coordinates: `10.3, 123.9` or, where the first can be no latitude, `123.9, 10.3`. */
export function pointIn(text: string): Point | undefined {
  const [, first, second] = COORDINATES.exec(text) ?? [];
  if (first === undefined || second === undefined) return undefined;
  const [a, b] = [Number(first), Number(second)];
  const [lat, lon] = Math.abs(a) > 90 ? [b, a] : [a, b];
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? { lat, lon } : undefined;
}

/**
 * What lies at a point, the smallest area first.
 *
 * @throws PsgcError, or the reason of the signal if it is aborted
 */
export async function readPlacesAt(
  { lat, lon }: Point,
  { edition, signal }: { edition: string | undefined; signal: AbortSignal },
): Promise<{ place: Place; name: string; about: string }[]> {
  const path = ofEdition(`/v1/geocode/reverse?lat=${lat}&lon=${lon}`, edition);
  const { data } = await requestJson<{ data: Found }>(path, { signal });
  const found = LEVEL_NAMES.flatMap((level) => {
    const area = level === 'province' ? (data.province ?? data.host_province) : data[level];
    return area ? [{ place: { level, code: area.code }, name: area.name, about: kindOf(level, area) }] : [];
  });
  return found.reverse();
}
