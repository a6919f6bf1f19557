// wrangler.toml bundles this in place of a part of the Model Context Protocol library that is never used here: a JSON
// Schema validator for forms that clients show to users, 7 kB of the compressed bundle.
export class DefaultJsonSchemaValidator {}
