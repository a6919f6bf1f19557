import { finestOf } from './location.ts';
import { recordOf, textOf, withGeometry } from './records.ts';
import type { Area, Level, Location, Point } from './store.ts';

// `hierarchyOf` writes sub_municipality; both names are public.
/** By member, from coarse to fine: its name in JSON, in `Location`, and the level whose record it has. */
const PARTS = [
  ['region', 'region', 'region'],
  ['province', 'province', 'province'],
  ['host_province', 'hostProvince', 'province'],
  ['municity', 'municity', 'municity'],
  ['submunicipality', 'submunicipality', 'municity'],
  ['barangay', 'barangay', 'barangay'],
] as const satisfies [string, keyof Location, Level][];

/** What lies at a point as JSON text; `withBoundary`, the finest area has its boundary. */
export function placeText(point: Point, location: Location, withBoundary: boolean): string {
  const finest = finestOf(location);
  const parts = PARTS.map(([name, part, level]) => {
    const area = location[part];
    const text = area === null ? 'null' : areaText(level, area, withBoundary && area === finest);
    return `"${name}":${text}`;
  });
  return `${headOf(point, location)},${parts.join(',')}}`;
}

/** The finest area at a point as the text of a GeoJSON Feature; its properties are the answer in JSON. */
export function placeFeature(point: Point, location: Location): string {
  const finest = finestOf(location);
  const id = finest ? `"id":"${finest.code}",` : '';
  return `{"type":"Feature",${id}"geometry":${finest?.boundary ?? 'null'},"properties":${placeText(point, location, false)}}`;
}

/** The records of areas without boundaries as JSON text: many points of a request have the same region. */
const texts = new WeakMap<Area, string>();

function areaText(level: Level, area: Area, withBoundary: boolean): string {
  if (withBoundary) return textOf(withGeometry(recordOf(level, area)), area);
  const text = texts.get(area) ?? JSON.stringify(recordOf(level, area));
  texts.set(area, text);
  return text;
}

/** The beginning of the answer, without its closing brace. */
function headOf({ lat, lon }: Point, { match, distance }: Location): string {
  return JSON.stringify({ lat, lon, match, distance_m: distance }).slice(0, -1);
}
