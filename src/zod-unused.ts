// What wrangler.toml puts into the Worker in place of parts of zod that it never asks for: the translations, which are
// 40 kB of the packed bundle, the compiler of schemas, which is 8 kB, and the reader of JSON Schemas. zod brings them along
// for whoever might use them.
export const fromJSONSchema = undefined;
export const INVALID = undefined;
export const compile = undefined;
export const withParser = undefined;
export const ZodCompileAsyncError = undefined;
export const ZodCompileUnsupportedError = undefined;
