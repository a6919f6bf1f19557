export { type Failure, type Issue, PsgcError } from './errors.ts';
export type * from './geojson.ts';
export type { Batch, BoundaryOptions, Level } from './levels.ts';
export type { components, operations, paths } from './openapi.ts';
export type { CallOptions, PsgcOptions } from './options.ts';
export type { Datasets, Features, Geometry, UploadFields } from './own-data.ts';
export { type Notice, type Page, Pages } from './pages.ts';
export {
  type DownloadSession,
  type MatchColumns,
  type MatchOptions,
  type Point,
  type PointColumns,
  Psgc,
  type ReverseOptions,
} from './psgc.ts';
export type { Chunks, Table } from './tables.ts';
export type * from './types.ts';
export type { WebhookEndpoints } from './webhook-endpoints.ts';
