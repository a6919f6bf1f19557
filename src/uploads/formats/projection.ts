import { WGS84 } from '../../geojson/domains.ts';
import { FileFault } from './format.ts';

const ZONES = ['I', 'II', 'III', 'IV', 'V'];

/** SRIDs by the names that `.prj` files give reference systems, in lower case, with letters and digits only. */
const NAMES: ReadonlyMap<string, number> = new Map<string, number>([
  ...['gcswgs1984', 'wgs84', 'wgs1984', 'geographiccoordinatesystem', 'gcsitrf2008'].map((name): [string, number] => [
    name,
    WGS84,
  ]),
  ...['gcsprs1992', 'prs92', 'prs1992'].map((name): [string, number] => [name, 4683]),
  ...['gcsluzon1911', 'luzon1911'].map((name): [string, number] => [name, 4253]),
  ...[
    'wgs1984webmercatorauxiliarysphere',
    'wgs1984webmercator',
    'wgs84pseudomercator',
    'popularvisualisationcrsmercator',
  ].map((name): [string, number] => [name, 3857]),
  ...ZONES.flatMap((zone, i): [string, number][] => [
    [`prs1992philippineszone${zone.toLowerCase()}`, 3121 + i],
    [`prs92philippineszone${i + 1}`, 3121 + i],
    [`prs92philippineszone${zone.toLowerCase()}`, 3121 + i],
    [`luzon1911philippineszone${zone.toLowerCase()}`, 25391 + i],
    [`luzonphilippineszone${zone.toLowerCase()}`, 25391 + i],
    [`luzon1911philippineszone${i + 1}`, 25391 + i],
  ]),
]);

/**
 * The SRID of the reference system that a `.prj` file describes in well-known text: the number of its EPSG authority, or
 * the one that belongs to its name.
 *
 * @throws FileFault where neither is known
 */
export function sridOfProjection(text: string): number {
  const wkt = text.replace(/^\ufeff/, '').trim();
  const [, name = ''] = /^(?:PROJCS|GEOGCS|PROJCRS|GEOGCRS|GEODCRS)\s*[[(]\s*"([^"]{1,100})"/i.exec(wkt) ?? [];
  const authority = /(?:AUTHORITY|ID)\s*[[(]\s*"EPSG"\s*,\s*"?(\d{4,6})"?\s*[\])]\s*[\])]\s*$/i.exec(wkt)?.[1];
  if (authority !== undefined && name !== '') return Number(authority);
  const key = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  const known = NAMES.get(key);
  if (known !== undefined) return known;
  const [, zone, half] = /^wgs(?:1984|84)utmzone(\d{1,2})([ns])$/.exec(key) ?? [];
  if (zone !== undefined && Number(zone) >= 1 && Number(zone) <= 60) {
    return (half === 'n' ? 32600 : 32700) + Number(zone);
  }
  throw new FileFault(
    `the .prj file names a reference system that is not known here, ${JSON.stringify(name)}; send its EPSG number as srid`,
  );
}
