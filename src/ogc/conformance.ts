const FEATURES_1 = 'http://www.opengis.net/spec/ogcapi-features-1/1.0/conf';
const FEATURES_2 = 'http://www.opengis.net/spec/ogcapi-features-2/1.0/conf';
const FEATURES_3 = 'http://www.opengis.net/spec/ogcapi-features-3/1.0/conf';
const FEATURES_5 = 'http://www.opengis.net/spec/ogcapi-features-5/1.0/conf';
const COMMON = 'http://www.opengis.net/spec/ogcapi-common-1/1.0/conf';
const TILES = 'http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf';
const CQL2 = 'http://www.opengis.net/spec/cql2/1.0/conf';

/** The conformance classes: 17-069r4, 18-058r1, 19-079r2, 23-058r2, 20-057 and 21-065r2. */
export const CONFORMANCE: readonly string[] = [
  ...['core', 'landing-page', 'oas30', 'json', 'html'].map((name) => `${COMMON}/${name}`),
  ...['core', 'geojson', 'html', 'oas30'].map((name) => `${FEATURES_1}/${name}`),
  `${FEATURES_2}/crs`,
  ...['queryables', 'queryables-query-parameters', 'filter', 'features-filter'].map((name) => `${FEATURES_3}/${name}`),
  ...['schemas', 'core-roles-features'].map((name) => `${FEATURES_5}/${name}`),
  ...['core', 'tileset', 'tilesets-list', 'geodata-tilesets', 'mvt'].map((name) => `${TILES}/${name}`),
  ...['cql2-text', 'cql2-json', 'basic-cql2', 'advanced-comparison-operators'].map((name) => `${CQL2}/${name}`),
  ...['case-insensitive-comparison', 'accent-insensitive-comparison', 'basic-spatial-functions'].map(
    (name) => `${CQL2}/${name}`,
  ),
];
