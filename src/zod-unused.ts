// What wrangler.toml puts into the Worker in place of parts of zod that it never asks for: the translations, which are
// 40 kB of the packed bundle, the reader of JSON Schemas, and the compiler of schemas, which needs the evaluation of text
// that the platform forbids. zod brings them along for whoever might use them.
export const fromJSONSchema = undefined;
export const compile = undefined;
export const withParser = undefined;
export const INVALID = undefined;
export const ZodCompileAsyncError = undefined;
export const ZodCompileUnsupportedError = undefined;
