// What zod/v4/classic/external.js exports, but for the messages in fifty languages, which are a sixth of the bundle and
// can't be shaken out of a namespace. See [alias] in wrangler.toml.
export * from '../../node_modules/zod/v4/classic/checks.js';
export * as coerce from '../../node_modules/zod/v4/classic/coerce.js';
export * from '../../node_modules/zod/v4/classic/compat.js';
export * from '../../node_modules/zod/v4/classic/errors.js';
export * as iso from '../../node_modules/zod/v4/classic/iso.js';
export { ZodISODate, ZodISODateTime, ZodISODuration, ZodISOTime } from '../../node_modules/zod/v4/classic/iso.js';
export * from '../../node_modules/zod/v4/classic/parse.js';
export * from '../../node_modules/zod/v4/classic/schemas.js';
export { config, globalRegistry, NEVER, registry } from '../../node_modules/zod/v4/core/index.js';
