// wrangler.toml bundles this in place of examples.ts here, in src/join and in src/match: only the OpenAPI document shows examples, and the build of the pages
// makes it. They are 1 kB of the compressed bundle.
export const EXAMPLES = {};
export const SINGLE_EXAMPLES = {};
export const PLACE_EXAMPLE = undefined;
export const NEIGHBOR_EXAMPLES = { region: {}, province: {}, municity: {}, barangay: {} };
export const POINT_TABLE = '';
export const JOINED_TABLE = '';
export const MATCHED_TABLE = '';
export const MATCHED_ROWS = undefined;
