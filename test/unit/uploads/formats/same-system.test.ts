import { describe, expect, it } from 'vitest';
import { sridOfProjection, UnknownSystem } from '../../../../src/uploads/formats/projection.ts';
import { patternOf, sridOfSame } from '../../../../src/uploads/formats/same-system.ts';

/** Texts of systems as the database has them. */
const DATABASE = [
  [
    2263,
    'PROJCS["NAD83 / New York Long Island (ftUS)",GEOGCS["NAD83",DATUM["North_American_Datum_1983",SPHEROID["GRS 1980",6378137,298.257222101,AUTHORITY["EPSG","7019"]],TOWGS84[0,0,0,0,0,0,0]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],PROJECTION["Lambert_Conformal_Conic_2SP"],PARAMETER["standard_parallel_1",41.03333333333333],PARAMETER["standard_parallel_2",40.66666666666666],PARAMETER["latitude_of_origin",40.16666666666666],PARAMETER["central_meridian",-74],PARAMETER["false_easting",984250.0000000002],PARAMETER["false_northing",0],UNIT["US survey foot",0.3048006096012192],AUTHORITY["EPSG","2263"]]',
  ],
  [
    3405,
    'PROJCS["VN-2000 / UTM zone 48N",GEOGCS["VN-2000",DATUM["Vietnam_2000",SPHEROID["WGS 84",6378137,298.257223563],TOWGS84[-192.873,-39.382,-111.202,-0.00205,-0.0005,0.00335,0.0188]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["latitude_of_origin",0],PARAMETER["central_meridian",105],PARAMETER["scale_factor",0.9996],PARAMETER["false_easting",500000],PARAMETER["false_northing",0],UNIT["metre",1],AUTHORITY["EPSG","3405"]]',
  ],
  [
    4267,
    'GEOGCS["NAD27",DATUM["North_American_Datum_1927",SPHEROID["Clarke 1866",6378206.4,294.9786982138982]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433],AUTHORITY["EPSG","4267"]]',
  ],
].map(([srid, text]) => ({ srid: Number(srid), text: String(text) }));

const DEGREES_83 =
  'GEOGCS["GCS_North_American_1983",DATUM["D_North_American_1983",SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]';
const DEGREES_27 =
  'GEOGCS["GCS_North_American_1927",DATUM["D_North_American_1927",SPHEROID["Clarke_1866",6378206.4,294.9786982]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]';
const DEGREES_VN =
  'GEOGCS["GCS_VN_2000",DATUM["D_Vietnam_2000",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]';

const longIsland = (degrees: string, foot = 0.3048006096012192) =>
  `PROJCS["a",${degrees},PROJECTION["Lambert_Conformal_Conic"],PARAMETER["False_Easting",984250.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",-74.0],PARAMETER["Standard_Parallel_1",40.66666666666666],PARAMETER["Standard_Parallel_2",41.03333333333333],PARAMETER["Latitude_Of_Origin",40.16666666666666],UNIT["Foot_US",${foot}]]`;
const zone = (degrees: string) =>
  `PROJCS["b",${degrees},PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",500000.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",105.0],PARAMETER["Scale_Factor",0.9996],PARAMETER["Latitude_Of_Origin",0.0],UNIT["Meter",1.0]]`;
const WKT2 =
  'PROJCRS["NAD83 / New York Long Island (ftUS)",BASEGEOGCRS["NAD83",DATUM["North American Datum 1983",ELLIPSOID["GRS 1980",6378137,298.257222101,LENGTHUNIT["metre",1]]],PRIMEM["Greenwich",0,ANGLEUNIT["degree",0.0174532925199433]]],CONVERSION["c",METHOD["Lambert Conic Conformal (2SP)"],PARAMETER["Latitude of false origin",40.1666666666667],PARAMETER["Longitude of false origin",-74],PARAMETER["Latitude of 1st standard parallel",41.0333333333333],PARAMETER["Latitude of 2nd standard parallel",40.6666666666667],PARAMETER["Easting at false origin",984250],PARAMETER["Northing at false origin",0]],CS[Cartesian,2],AXIS["easting",east,LENGTHUNIT["US survey foot",0.304800609601219]]]';

function unknown(text: string): UnknownSystem {
  try {
    sridOfProjection(text);
  } catch (error) {
    if (error instanceof UnknownSystem) return error;
  }
  throw new Error('It is known');
}

/** The SRID among the systems of the database whose texts fit the pattern. */
function sought(text: string): number | undefined {
  const { description } = unknown(text);
  if (!description) return undefined;
  // A bracket within brackets has a backslash in JavaScript.
  const pattern = new RegExp(patternOf(description).replace('[].,]', '[\\].,]'));
  return sridOfSame(
    description,
    DATABASE.filter((system) => pattern.test(system.text)),
  );
}

describe('a reference system that the database knows', () => {
  it.each<[string, number]>([
    [longIsland(DEGREES_83), 2263],
    [WKT2, 2263],
    [zone(DEGREES_VN), 3405],
    [DEGREES_27, 4267],
  ])('is found by its datum and its numbers: %s', (text, srid) => {
    expect(sought(text)).toBe(srid);
  });

  it.each<[string, string]>([
    ['another datum', longIsland(DEGREES_27)],
    ['another unit', longIsland(DEGREES_83, 0.3048)],
    ['another parallel', longIsland(DEGREES_83).replace('40.16666666666666', '40.2')],
    ['another meridian', longIsland(DEGREES_83).replace('-74.0', '-74.01')],
    [
      'a parameter that it has not',
      longIsland(DEGREES_83)
        .replace(']]]', ']]')
        .replace(/UNIT\["Foot/, 'PARAMETER["Azimuth",3],$&'),
    ],
  ])('is not one with %s', (_, text) => {
    expect(sought(text)).toBeUndefined();
  });

  it('is looked up before its ellipsoid is taken for WGS 84', () => {
    expect(unknown(zone(DEGREES_VN)).nearest).toBe(32648);
    expect(unknown(DEGREES_83).nearest).toBe(4326);
  });
});
