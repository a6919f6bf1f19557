// The members of `z` that the Worker has: wrangler.toml bundles this in place of all of zod. The library of the routes takes `z`
// as a whole, so a bundler can't know what of it is never used; the rest would be 50 kB of the compressed bundle, of which the
// translations are 40. A test says which member is missing here.

// biome-ignore lint/performance/noBarrelFile: it is the shorter list
export {
  any,
  array,
  boolean,
  coerce,
  email,
  enum,
  guid,
  int,
  iso,
  literal,
  looseObject,
  NEVER,
  null,
  number,
  object,
  preprocess,
  record,
  strictObject,
  string,
  transform,
  tuple,
  union,
  unknown,
  url,
  uuid,
  ZodError,
  ZodType,
} from 'zod/v4';
