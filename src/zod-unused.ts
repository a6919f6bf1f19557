// What wrangler.toml puts into the Worker in place of parts of zod that it never asks for: the translations, which are
// 40 kB of the packed bundle, and the reader of JSON Schemas. zod brings both along for whoever might use them.
export const fromJSONSchema = undefined;
