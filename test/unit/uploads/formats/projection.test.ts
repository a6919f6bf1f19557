import { describe, expect, it } from 'vitest';
import { sridOfProjection } from '../../../../src/uploads/formats/projection.ts';
import { CLEARLY_BELOW_SQUARE, growthPerDoubling } from '../../../support/growth.ts';

const ZONES = ['I', 'II', 'III', 'IV', 'V'];

/** Degrees as Esri writes them. */
const esriDegrees = (name: string, datum: string, spheroid: string, more = '') =>
  `GEOGCS["${name}",DATUM["${datum}",SPHEROID[${spheroid}]${more}],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]`;
const CLARKE = '"Clarke_1866",6378206.4,294.978698213898';
const WGS_SPHEROID = '"WGS_1984",6378137.0,298.257223563';
const ESRI = {
  wgs84: esriDegrees('GCS_WGS_1984', 'D_WGS_1984', WGS_SPHEROID),
  prs92: esriDegrees('GCS_PRS_1992', 'D_Philippine_Reference_System_1992', CLARKE),
  luzon: esriDegrees('GCS_Luzon_1911', 'D_Luzon_1911', CLARKE),
};

/** Transverse Mercator as Esri writes it. */
const esriZone = (name: string, degrees: string, { meridian, scale = 0.99995, northing = 0 }: Record<string, number>) =>
  `PROJCS["${name}",${degrees},PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",500000.0],PARAMETER["False_Northing",${northing}.0],PARAMETER["Central_Meridian",${meridian}.0],PARAMETER["Scale_Factor",${scale}],PARAMETER["Latitude_Of_Origin",0.0],UNIT["Meter",1.0]]`;

/** The same as GDAL writes it in WKT 1, with its authorities or without them. */
const gdalZone = (name: string, degrees: string, meridian: number, authority = '') =>
  `PROJCS["${name}",\n    ${degrees},\n    PROJECTION["Transverse_Mercator"],\n    PARAMETER["latitude_of_origin",0],\n    PARAMETER["central_meridian",${meridian}],\n    PARAMETER["scale_factor",0.99995],\n    PARAMETER["false_easting",500000],\n    PARAMETER["false_northing",0],\n    UNIT["metre",1,\n        AUTHORITY["EPSG","9001"]],\n    AXIS["Easting",EAST],\n    AXIS["Northing",NORTH]${authority}]\n`;
const gdalDegrees = (name: string, datum: string, code: number) =>
  `GEOGCS["${name}",DATUM["${datum}",SPHEROID["Clarke 1866",6378206.4,294.978698213898,AUTHORITY["EPSG","7008"]],AUTHORITY["EPSG","6253"]],PRIMEM["Greenwich",0,AUTHORITY["EPSG","8901"]],UNIT["degree",0.0174532925199433,AUTHORITY["EPSG","9122"]],AUTHORITY["EPSG","${code}"]]`;

/** The same as GDAL and QGIS write it in WKT 2. */
const wkt2Zone = (name: string, base: string, meridian: number, id = '') =>
  `PROJCRS["${name}",BASEGEOGCRS["${base}",DATUM["${base}",ELLIPSOID["Clarke 1866",6378206.4,294.978698213898,LENGTHUNIT["metre",1]]],PRIMEM["Greenwich",0,ANGLEUNIT["degree",0.0174532925199433]],ID["EPSG",4000]],CONVERSION["a zone",METHOD["Transverse Mercator",ID["EPSG",9807]],PARAMETER["Latitude of natural origin",0,ANGLEUNIT["degree",0.0174532925199433],ID["EPSG",8801]],PARAMETER["Longitude of natural origin",${meridian},ANGLEUNIT["degree",0.0174532925199433],ID["EPSG",8802]],PARAMETER["Scale factor at natural origin",0.99995,SCALEUNIT["unity",1],ID["EPSG",8805]],PARAMETER["False easting",500000,LENGTHUNIT["metre",1],ID["EPSG",8806]],PARAMETER["False northing",0,LENGTHUNIT["metre",1],ID["EPSG",8807]]],CS[Cartesian,2],AXIS["easting (X)",east,ORDER[1],LENGTHUNIT["metre",1]],AXIS["northing (Y)",north,ORDER[2],LENGTHUNIT["metre",1]],USAGE[SCOPE["Engineering survey, topographic mapping."],AREA["Philippines - onshore approximately between 120°E and 122°E."],BBOX[4.99,119.7,19.45,122.21]]${id}]`;

describe('the reference system of a .prj file', () => {
  it('is that of a zone of the Philippines, whoever wrote it and whatever it is called', () => {
    ZONES.forEach((zone, i) => {
      const meridian = 117 + 2 * i;
      const texts: [string, number][] = [
        [esriZone(`Philippines_Zone_${zone}`, ESRI.luzon, { meridian }), 25391],
        [esriZone(`Luzon_1911_Philippines_Zone_${zone}`, ESRI.luzon, { meridian }), 25391],
        [esriZone(`Philippines_Zone_${zone}`, ESRI.prs92, { meridian }), 3121],
        [esriZone(`PRS_1992_Philippines_Zone_${zone}`, ESRI.prs92, { meridian }), 3121],
        [esriZone('PTM', ESRI.prs92, { meridian }), 3121],
        [
          gdalZone(`Luzon 1911 / Philippines zone ${zone}`, gdalDegrees('Luzon 1911', 'Luzon_1911', 4253), meridian),
          25391,
        ],
        [
          gdalZone(
            `PRS92 / Philippines zone ${i + 1}`,
            gdalDegrees('PRS92', 'Philippine_Reference_System_1992', 4683),
            meridian,
          ),
          3121,
        ],
        [gdalZone('x', gdalDegrees('x', 'y', 4253), meridian, `,\n    AUTHORITY["EPSG","${25391 + i}"]`), 25391],
        [wkt2Zone(`Luzon 1911 / Philippines zone ${zone}`, 'Luzon 1911', meridian), 25391],
        [wkt2Zone('unknown', 'Philippine Reference System 1992', meridian), 3121],
        [wkt2Zone('unknown', 'unknown', meridian, `,ID["EPSG",${3121 + i}]`), 3121],
        [`BOUNDCRS[SOURCECRS[${wkt2Zone('a', 'PRS92', meridian)}],TARGETCRS[GEOGCRS["WGS 84",ID["EPSG",4326]]]]`, 3121],
        [
          `COMPD_CS["a",${esriZone('b', ESRI.luzon, { meridian })},VERT_CS["c",AUTHORITY["EPSG","5773"]],AUTHORITY["EPSG","9999"]]`,
          25391,
        ],
        // Named after nothing, but shifted to WGS 84 as the one or the other.
        [esriZone('a', esriDegrees('b', 'c', CLARKE, ',TOWGS84[-133,-77,-51,0,0,0,0]'), { meridian }), 25391],
        [
          esriZone('a', esriDegrees('b', 'c', CLARKE, ',TOWGS84[-127.62,-67.24,-47.04,-3.068,4.903,1.578,-1.06]'), {
            meridian,
          }),
          3121,
        ],
        // Named and not described.
        [`PROJCS["Philippines_Zone_${zone}",GEOGCS["GCS_Luzon_1911"]]`, 25391],
        [`PROJCS["PRS92 / Philippines zone ${i + 1}",GEOGCS["PRS92"]]`, 3121],
      ];
      for (const [text, first] of texts) expect([text, sridOfProjection(text)]).toEqual([text, first + i]);
    });
  });

  const mercator = (name: string, method: string, more = '') =>
    `PROJCS["${name}",${ESRI.wgs84},PROJECTION["${method}"],PARAMETER["False_Easting",0.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",0.0],PARAMETER["Standard_Parallel_1",0.0],UNIT["Meter",1.0]${more}]`;

  it.each<[string, number]>([
    [ESRI.wgs84, 4326],
    [ESRI.prs92, 4683],
    [ESRI.luzon, 4253],
    [
      'GEOGCS["WGS 84 (CRS84)",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],AUTHORITY["OGC","CRS84"]]',
      4326,
    ],
    ['GEOGCS["unknown",DATUM["unknown",SPHEROID["WGS84",6378137,298.257223563]],PRIMEM["Greenwich",0]]', 4326],
    [
      'GEOGCRS["WGS 84",ENSEMBLE["World Geodetic System 1984 ensemble",ELLIPSOID["WGS 84",6378137,298.257223563]],CS[ellipsoidal,2],ANGLEUNIT["degree",0.0174532925199433]]',
      4326,
    ],
    ['GEOGCS["Geographic Coordinate System",DATUM["x"]]', 4326],
    ['GEOGCS["GCS_ITRF_2014",DATUM["D_ITRF_2014",SPHEROID["GRS_1980",6378137.0,298.257222101]]]', 4326],
    [esriZone('WGS_1984_UTM_Zone_50N', ESRI.wgs84, { meridian: 117, scale: 0.9996 }), 32650],
    [esriZone('Taga_Davao', ESRI.wgs84, { meridian: 129, scale: 0.9996 }), 32652],
    [esriZone('x', ESRI.wgs84, { meridian: 123, scale: 0.9996, northing: 10_000_000 }), 32751],
    [mercator('WGS_1984_Web_Mercator_Auxiliary_Sphere', 'Mercator_Auxiliary_Sphere'), 3857],
    [mercator('x', 'Mercator_Auxiliary_Sphere'), 3857],
    [mercator('Popular Visualisation CRS / Mercator', 'Mercator_1SP'), 3857],
    [mercator('x', 'Mercator_1SP', ',EXTENSION["PROJ4","+proj=merc +a=6378137 +b=6378137 +lat_ts=0"]'), 3857],
    [mercator('x', 'Mercator', ',AUTHORITY["ESRI","102100"]'), 3857],
    [mercator('x', 'Mercator', ',AUTHORITY["EPSG","900913"]'), 3857],
    [mercator('WGS_1984_World_Mercator', 'Mercator'), 3395],
  ])('is that of %s', (text, srid) => {
    expect(sridOfProjection(`\ufeff${text}\n`)).toBe(srid);
  });

  it.each<[string]>([
    [esriZone('WGS_1984_UTM_Zone_51N', ESRI.wgs84, { meridian: 123, scale: 0.9999 })],
    [esriZone('PTM_on_WGS_1984', ESRI.wgs84, { meridian: 121 })],
    [esriZone('Philippines_Zone_III', ESRI.luzon, { meridian: 120 })],
    [esriZone('Philippines_Zone_III', ESRI.luzon, { meridian: 121 }).replace('"Meter",1.0', '"Foot_US",0.3048006096')],
    [ESRI.luzon.replace('"Greenwich",0.0', '"Manila",120.97')],
    [esriDegrees('GCS_North_American_1927', 'D_North_American_1927', CLARKE)],
    [esriDegrees('GCS_PRS_1992', 'D_PRS_1992', CLARKE).replace('"Degree",0.0174532925199433', '"Grad",0.0157079632')],
    ['LOCAL_CS["a quarry",UNIT["Meter",1.0]]'],
    ['a"'.repeat(8000)],
    ['[('.repeat(8000)],
    ['A[],'.repeat(4000)],
  ])('is not guessed: $0', (text) => {
    expect(() => sridOfProjection(text)).toThrow(/not known here, .*; send its EPSG number as srid/);
  });

  it.each(['a', '_9', 'a ', ' ', '1.', '"', '"a"'])('is sought in time in proportion to a text of %j', (part) => {
    const refusal = (size: number) => {
      const text = part.repeat(size / part.length);
      return () => expect(() => sridOfProjection(text)).toThrow(/not known here/);
    };
    expect(growthPerDoubling(refusal)).toBeLessThan(CLEARLY_BELOW_SQUARE);
  });

  it('is not sought in a text that is nested too deep', () => {
    expect(() => sridOfProjection('A['.repeat(100))).toThrow(/nested too deep/);
  });
});
