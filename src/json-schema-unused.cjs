// wrangler.toml bundles this in place of what writes JSON Schemas in zod, which only the build of the pages does: 7 kB of the
// compressed bundle. It is a CommonJS module, because a bundler warns of names that others lack.
module.exports = {
  // zod calls it for the interface that a schema has for other libraries.
  createStandardJSONSchemaMethod: () => undefined,
};
