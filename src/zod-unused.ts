// What wrangler.toml puts into the Worker in place of parts of zod that it never asks for: the translations, which are
// 40 kB of the packed bundle, the reader of JSON Schemas and the older writer of them, and the compiler, which makes code
// from text as no Worker may. zod brings them along for whoever might use them.
export const fromJSONSchema = undefined;
export const JSONSchemaGenerator = undefined;
export const INVALID = undefined;
export const compile = undefined;
export const withParser = undefined;
export const ZodCompileAsyncError = undefined;
export const ZodCompileUnsupportedError = undefined;
