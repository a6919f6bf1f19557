// Names of columns, in lower case, from which an upload reads geometries. Exports and maps know properties by them too.

export const WKT_COLUMNS: ReadonlySet<string> = new Set([
  'wkt',
  'geom',
  'geometry',
  'the_geom',
  'wkt_geom',
  'geometry_wkt',
]);

// The last of each are Filipino.
export const LONGITUDE_COLUMNS: ReadonlySet<string> = new Set([
  'lon',
  'lng',
  'long',
  'longitude',
  'x',
  'longitud',
  'longhitud',
]);

export const LATITUDE_COLUMNS: ReadonlySet<string> = new Set(['lat', 'latitude', 'y', 'latitud']);
