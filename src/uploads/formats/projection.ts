import { WGS84 } from '../../geojson/domains.ts';
import { FileFault } from './format.ts';

/** A part of well-known text: `KEYWORD["text", 1, OTHER[…]]`. */
interface Part {
  /** Its keyword in upper case, behind those of the parts around it: `/PROJCS/GEOGCS/DATUM`. */
  readonly path: string;
  /** Its texts and numbers. */
  readonly values: string[];
}

const TOKEN = /"((?:[^"]|"")*)"|(?<!\w)([A-Za-z_]\w{0,63})\s{0,64}[[(]|([\])])|([-+]?[\d.]+(?:[eE][-+]?\d+)?)/g;
/** How deep parts may be nested. */
const MAX_DEPTH = 16;

const SYSTEM = /\/(?:PROJCS|PROJCRS|PROJECTEDCRS|GEOGCS|GEOGCRS|GEOGRAPHICCRS|GEODCRS|GEODETICCRS)$/;
const WEB_MERCATOR = 3857;
/** Other numbers of web maps' projection. */
const WEB_MERCATOR_NUMBERS = new Set([3785, 900913, 102100, 102113]);
const WEB_MERCATOR_NAME = /webmercator|pseudomercator|globalmercator|popularvisuali[sz]ation/;
const ZONES = ['i', 'ii', 'iii', 'iv', 'v'];

/** The datums of data of the Philippines: how names have them, and the SRIDs of degrees and of the first zone. */
const DATUMS = [
  { name: /wgs(?:19)?84|worldgeodeticsystem1984|itrf|crs84/, degrees: WGS84, firstZone: undefined },
  { name: /prs(?:19)?92|philippinereferencesystem/, degrees: 4683, firstZone: 3121 },
  { name: /luzon/, degrees: 4253, firstZone: 25391 },
] as const;

type Datum = (typeof DATUMS)[number];

const [ON_WGS84, ON_PRS92, ON_LUZON] = DATUMS;

/** What a file says of its reference system. */
interface SystemNames {
  /** Who has given it its number. */
  readonly authority: string;
  /** The number, or another short name; empty: none. */
  readonly code: string;
  /** Well-known text; empty: none. */
  readonly definition: string;
}

/**
 * The SRID of the reference system that a file names by its number or describes in well-known text; undefined where it
 * does neither.
 *
 * @param source what names it, for a message
 * @throws FileFault where it is not known
 */
export function sridOfSystem({ authority, code, definition }: SystemNames, source: string): number | undefined {
  if (/^OGC$/i.test(authority) && /^CRS84h?$/i.test(code)) return WGS84;
  const srid = sridOfNumber(authority, code);
  if (srid !== undefined) return srid;
  if (definition.trim() !== '') return sridOfProjection(definition, source);
  if (code === '') return undefined;
  throw notKnown(source, `${authority}:${code}`);
}

/**
 * The SRID of the reference system that a `.prj` file describes in well-known text (WKT 1 of the OGC or Esri, or WKT 2):
 * the number of its authority, or what its datum and its parameters say, or its name where it has no parameters.
 *
 * @param source what describes it, for a message
 * @throws FileFault where none is known
 */
export function sridOfProjection(text: string, source = 'the .prj file'): number {
  const parts = partsOf(text, source);
  // In a compound or bound system the horizontal one comes first.
  const system = parts.find(({ path }) => SYSTEM.test(path));
  const srid = system && sridOf(system, parts);
  if (srid !== undefined) return srid;
  throw notKnown(source, (system ?? parts[0])?.values[0] ?? '');
}

function notKnown(source: string, name: string): FileFault {
  const got = JSON.stringify(name.slice(0, 100));
  return new FileFault(
    `${source} names a reference system that is not known here, ${got}; send its EPSG number as srid`,
  );
}

/** The SRID that an authority's number stands for; undefined where the authority is another one. */
function sridOfNumber(authority: string, code: string): number | undefined {
  if (!/^(?:EPSG|ESRI)$/i.test(authority) || !/^\d{4,6}$/.test(code)) return undefined;
  return WEB_MERCATOR_NUMBERS.has(Number(code)) ? WEB_MERCATOR : Number(code);
}

function partsOf(text: string, source: string): Part[] {
  const parts: Part[] = [];
  const open: Part[] = [];
  for (const [, quoted, keyword, close, number] of text.matchAll(TOKEN)) {
    if (keyword !== undefined) {
      const part = { path: `${open.at(-1)?.path ?? ''}/${keyword.toUpperCase()}`, values: [] };
      parts.push(part);
      open.push(part);
      if (open.length > MAX_DEPTH) throw new FileFault(`${source} has a reference system that is nested too deep`);
    } else if (close !== undefined) open.pop();
    else open.at(-1)?.values.push(quoted ?? (number as string));
  }
  return parts;
}

function sridOf({ path, values: [title = ''] }: Part, parts: readonly Part[]): number | undefined {
  const inside = parts.filter((part) => part.path.startsWith(`${path}/`));
  const find = (pattern: RegExp) => inside.find((part) => pattern.test(part.path.slice(path.length)))?.values;
  const [authority = '', code = ''] = find(/^\/(?:AUTHORITY|ID)$/) ?? [];
  const numbered = sridOfNumber(authority, code);
  if (numbered !== undefined) return numbered;
  const name = keyOf(title);
  const frame = keyOf(find(/\/(?:GEOGCS|BASEGEOGCRS|BASEGEODCRS)$/)?.[0]);
  const datum = datumOf([keyOf(find(/\/(?:DATUM|ENSEMBLE)$/)?.[0]), frame, name], find);
  if (Number(find(/\/PRIMEM$/)?.[1] ?? 0) !== 0) return undefined;
  if (!path.slice(path.lastIndexOf('/')).includes('PROJ')) {
    if (name === 'geographiccoordinatesystem') return WGS84;
    const [, degree = '0.0174532925'] = find(/\/(?:ANGLE)?UNIT$/) ?? [];
    return isNear(Number(degree), Math.PI / 180) ? datum?.degrees : undefined;
  }
  const method = keyOf(find(/\/(?:PROJECTION|METHOD)$/)?.[0]);
  if (method === '') return sridOfName(name, datum);
  const isMetres = [find(/^\/UNIT$/), find(/\/(?:CS|AXIS)\/LENGTHUNIT$/), find(/^\/LENGTHUNIT$/)].every(
    (unit) => unit === undefined || Number(unit[1]) === 1,
  );
  const given = inside.filter(({ path: inner }) => inner.endsWith('/PARAMETER'));
  const parameter = (pattern: RegExp, otherwise: number) =>
    Number(given.find(({ values }) => pattern.test(keyOf(values[0])))?.values[1] ?? otherwise);
  if (!isMetres) return undefined;
  return sridOfParameters(datum, {
    method,
    isSphere: find(/\/EXTENSION$/)?.[1]?.includes('+b=6378137') || WEB_MERCATOR_NAME.test(`${name}/${method}`),
    meridian: parameter(/^(?:centralmeridian|longitudeof)/, 0),
    parallel: parameter(/^(?:latitudeof|standardparallel)/, 0),
    scale: parameter(/^scalefactor/, 1),
    easting: parameter(/^falseeasting/, 0),
    northing: parameter(/^falsenorthing/, 0),
  });
}

/** The datum that names tell, the most telling first; else the one that its ellipsoid or its shift to WGS 84 tell. */
function datumOf(names: readonly string[], find: (pattern: RegExp) => string[] | undefined): Datum | undefined {
  for (const name of names) {
    const named = DATUMS.find((datum) => datum.name.test(name));
    if (named) return named;
  }
  const [, axis, flattening] = (find(/\/(?:SPHEROID|ELLIPSOID)$/) ?? []).map(Number);
  if (isNear(axis, 6378137) && isNear(flattening, 298.257223563)) return ON_WGS84;
  if (!isNear(axis, 6378206.4)) return undefined;
  const [shift] = (find(/\/TOWGS84$/) ?? []).map(Number);
  if (isNear(shift, -127.62)) return ON_PRS92;
  return isNear(shift, -133) ? ON_LUZON : undefined;
}

/** How a map projection is defined: degrees and metres. */
interface Projection {
  readonly method: string;
  /** Whether it takes the ellipsoid for a sphere, as web maps do. */
  readonly isSphere: boolean;
  readonly meridian: number;
  readonly parallel: number;
  readonly scale: number;
  readonly easting: number;
  readonly northing: number;
}

function sridOfParameters(datum: Datum | undefined, projection: Projection): number | undefined {
  const { method, isSphere, meridian, parallel, scale, easting, northing } = projection;
  if (parallel !== 0) return undefined;
  if (/^(?:transversemercator|gausskruger)$/.test(method) && easting === 500_000) {
    const zone = (meridian + 183) / 6;
    const isUtm = datum === ON_WGS84 && isNear(scale, 0.9996) && Number.isInteger(zone) && zone >= 1 && zone <= 60;
    if (isUtm && northing === 0) return 32_600 + zone;
    if (isUtm && northing === 10_000_000) return 32_700 + zone;
    const philippine = (meridian - 117) / 2;
    const isPhilippine = isNear(scale, 0.99995) && northing === 0 && ZONES[philippine] !== undefined;
    return isPhilippine && datum?.firstZone !== undefined ? datum.firstZone + philippine : undefined;
  }
  if (!/mercator/.test(method) || /transverse|oblique/.test(method)) return undefined;
  if (meridian !== 0 || easting !== 0 || northing !== 0 || scale !== 1) return undefined;
  if (isSphere || method === 'mercatorauxiliarysphere') return WEB_MERCATOR;
  return datum === ON_WGS84 ? 3395 : undefined;
}

/** The system of a projection that is named and not described. Esri calls the zones on Luzon 1911 `Philippines_Zone_I`. */
function sridOfName(name: string, datum: Datum = ON_LUZON): number | undefined {
  if (WEB_MERCATOR_NAME.test(name)) return WEB_MERCATOR;
  const [, zone, half] = /^wgs(?:1984|84)utmzone(\d{1,2})([ns])$/.exec(name) ?? [];
  if (zone !== undefined && Number(zone) >= 1 && Number(zone) <= 60) {
    return (half === 'n' ? 32_600 : 32_700) + Number(zone);
  }
  const [, roman = ''] = /philippines?zone(.+)/.exec(name) ?? [];
  const index = /^[1-5]$/.test(roman) ? Number(roman) - 1 : ZONES.indexOf(roman);
  return index >= 0 && datum.firstZone !== undefined ? datum.firstZone + index : undefined;
}

/** A name in lower case, with letters and digits only. */
function keyOf(name = ''): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

function isNear(number: number | undefined, expected: number): boolean {
  return number !== undefined && Math.abs(number - expected) <= Math.abs(expected) * 1e-7;
}
