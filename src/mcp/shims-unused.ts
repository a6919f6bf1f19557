// What wrangler.toml puts into the Worker in place of a part of the library of the Model Context Protocol that it never asks
// for: a validator of JSON Schemas, for what users have typed into forms of clients, which is 7 kB of the packed bundle.
export class DefaultJsonSchemaValidator {}
