import { WGS84 } from '../../geojson/domains.ts';
import { FileFault } from './format.ts';
import { descriptionOf, type SystemDescription } from './same-system.ts';
import { DEGREE, FRAME, isProjection, keyOf, type Part, partsIn, partsOf, systemIn } from './system-text.ts';

const WEB_MERCATOR = 3857;
/** Other codes of the Web Mercator projection. */
const WEB_MERCATOR_NUMBERS = new Set([3785, 900913, 102100, 102113]);
const WEB_MERCATOR_NAME = /webmercator|pseudomercator|globalmercator|popularvisuali[sz]ation/;
const ZONES = ['i', 'ii', 'iii', 'iv', 'v'];

/** Datums used in the Philippines: patterns of their names, and the SRIDs of degrees and of the first zone. */
const DATUMS = [
  { name: /wgs(?:19)?84|worldgeodeticsystem1984|itrf|crs84/, degrees: WGS84, firstZone: undefined },
  { name: /prs(?:19)?92|philippinereferencesystem/, degrees: 4683, firstZone: 3121 },
  { name: /luzon/, degrees: 4253, firstZone: 25391 },
] as const;

type Datum = (typeof DATUMS)[number];

const [ON_WGS84, ON_PRS92, ON_LUZON] = DATUMS;

/** A file's description of its reference system. */
interface SystemNames {
  /** The authority of its code. */
  readonly authority: string;
  /** The code, or another short name; empty: none. */
  readonly code: string;
  /** Well-known text; empty: none. */
  readonly definition: string;
}

/**
 * The SRID of a reference system named by code or described in well-known text; undefined if neither.
 *
 * @param source what names it, for messages
 * @throws FileFault if it is unknown
 */
export function sridOfSystem({ authority, code, definition }: SystemNames, source: string): number | undefined {
  if (/^OGC$/i.test(authority) && /^CRS84h?$/i.test(code)) return WGS84;
  const srid = sridOfNumber(authority, code);
  if (srid !== undefined) return srid;
  if (definition.trim() !== '') return sridOfProjection(definition, source);
  if (code === '') return undefined;
  throw new UnknownSystem(source, `${authority}:${code}`);
}

/**
 * The SRID of the reference system that a `.prj` file describes in well-known text (WKT 1 of the OGC or Esri, or WKT
 * 2): by its authority's code, or by its datum and parameters, or by its name if it has no parameters.
 *
 * @param source what describes it, for messages
 * @throws FileFault if it is unknown
 */
export function sridOfProjection(text: string, source = 'the .prj file'): number {
  const parts = partsOf(text, source);
  const system = systemIn(parts);
  const [authority = '', code = ''] = (system && partsIn(system, parts).find(/^\/(?:AUTHORITY|ID)$/)) ?? [];
  const numbered = sridOfNumber(authority, code);
  if (numbered !== undefined) return numbered;
  const srid = system && sridOf(system, parts);
  const description = descriptionOf(parts);
  if (srid !== undefined && !isOnOtherDatum(description)) return srid;
  throw new UnknownSystem(source, (system ?? parts[0])?.values[0] ?? '', description, srid);
}

/** Thrown for a described reference system that is not a common one. The database may have it. */
export class UnknownSystem extends FileFault {
  readonly description: SystemDescription | undefined;
  /** The nearest common one, used if the database doesn't have it. */
  readonly nearest: number | undefined;

  constructor(source: string, name: string, description?: SystemDescription, nearest?: number) {
    const got = JSON.stringify(name.slice(0, 100));
    super(`${source} names a reference system that is not known here, ${got}; send its EPSG number as srid`);
    this.description = description;
    this.nearest = nearest;
  }
}

const USUAL_DATUMS = /wgs84|worldgeodetic|itrf|crs84|prs92|philippine|luzon|unknown/;

/** Whether a system has the ellipsoid of WGS 84 and another datum, such as NAD83 or VN-2000, which may be far from it. */
function isOnOtherDatum({ datums = [], numbers }: Partial<SystemDescription> = {}): boolean {
  return isNear(numbers?.get('axis'), 6378137) && datums.length > 0 && !datums.some((name) => USUAL_DATUMS.test(name));
}

/** The SRID of an authority's code; undefined for an unknown authority. */
function sridOfNumber(authority: string, code: string): number | undefined {
  if (!/^(?:EPSG|ESRI)$/i.test(authority) || !/^\d{4,6}$/.test(code)) return undefined;
  return WEB_MERCATOR_NUMBERS.has(Number(code)) ? WEB_MERCATOR : Number(code);
}

function sridOf(system: Part, parts: readonly Part[]): number | undefined {
  const [title = ''] = system.values;
  const { inside, find } = partsIn(system, parts);
  const name = keyOf(title);
  const frame = keyOf(find(FRAME)?.[0]);
  const datum = datumOf([keyOf(find(/\/(?:DATUM|ENSEMBLE)$/)?.[0]), frame, name], find);
  if (Number(find(/\/PRIMEM$/)?.[1] ?? 0) !== 0) return undefined;
  if (!isProjection(system)) {
    if (name === 'geographiccoordinatesystem') return WGS84;
    const [, degree = '0.0174532925'] = find(/\/(?:ANGLE)?UNIT$/) ?? [];
    return isNear(Number(degree), DEGREE) ? datum?.degrees : undefined;
  }
  const method = keyOf(find(/\/(?:PROJECTION|METHOD)$/)?.[0]);
  if (method === '') return sridOfName(name, datum);
  const isMetres = [find(/^\/UNIT$/), find(/\/(?:CS|AXIS)\/LENGTHUNIT$/), find(/^\/LENGTHUNIT$/)].every(
    (unit) => unit === undefined || Number(unit[1]) === 1,
  );
  const given = inside.filter(({ path: inner }) => inner.endsWith('/PARAMETER'));
  const parameter = (pattern: RegExp, defaultValue: number) =>
    Number(given.find(({ values }) => pattern.test(keyOf(values[0])))?.values[1] ?? defaultValue);
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

/** The datum by names, the most specific first; else by its ellipsoid or its shift to WGS 84. */
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

/** Parameters of a map projection: degrees and metres. */
interface Projection {
  readonly method: string;
  /** Whether it treats the ellipsoid as a sphere, as Web Mercator does. */
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

/** The system of a projection with a name only. Esri calls the zones on Luzon 1911 `Philippines_Zone_I`. */
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

function isNear(number: number | undefined, expected: number): boolean {
  return number !== undefined && Math.abs(number - expected) <= Math.abs(expected) * 1e-7;
}
