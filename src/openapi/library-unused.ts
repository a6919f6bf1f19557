import { ZodType } from 'zod';

// wrangler.toml bundles this in place of the library that makes the OpenAPI document of the routes: the build of the pages
// makes it, and the Worker never does. It is 8 kB of the compressed bundle, and every `.openapi()` made another schema when the
// Worker started.
export function extendZodWithOpenApi(): void {
  ZodType.prototype.openapi = function () {
    return this;
  };
}

/** It is given the routes, and asked for them where a router is put into another one. */
export class OpenAPIRegistry {
  readonly definitions = [];
  registerPath(): void {}
}

export const OpenApiGeneratorV3 = undefined;
export const OpenApiGeneratorV31 = undefined;
export const getOpenApiMetadata = undefined;
