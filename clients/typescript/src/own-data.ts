import type { Feature, FeatureCollection } from './geojson.ts';
import type { components } from './openapi.ts';
import type { CallOptions } from './options.ts';
import { type Page, Pages } from './pages.ts';
import { segment, type Transport } from './transport.ts';
import type {
  Dataset,
  DatasetFeature,
  DatasetPatch,
  FeaturePatch,
  FilterOf,
  NewDataset,
  NewFeature,
  QueryOf,
} from './types.ts';

/** Milliseconds that an upload may take unless the caller says otherwise. */
const UPLOAD_TIMEOUT = 600_000;

/** Features in a page of a list unless `limit` is given: the maximum. */
const FEATURES = 1000;

/** Any geometry of RFC 7946. */
export type Geometry = components['schemas']['Geometry'];

/** The fields of an upload. With `dataset_id` the file replaces the contents of that dataset. */
export interface UploadFields {
  readonly name?: string;
  readonly description?: string;
  readonly data_type?: 'vector' | 'raster' | 'data';
  readonly srid?: number;
  /** Of a GeoPackage or an archive of shapefiles with several. */
  readonly layer?: string;
  /** Of the table of a shapefile, in place of what its `.cpg` says. */
  readonly encoding?: string;
  readonly geometry_type?: string;
  readonly status?: string;
  readonly dataset_id?: string;
  readonly feature_storage?: 'features_and_r2' | 'r2_only';
}

const pathOf = (family: string, id: string) => `/v1/${family}/${segment(id)}`;

/** Your own datasets, and the public ones of others. Needs a key. */
export class Datasets {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Newest first: your own unless `visibility` says otherwise. */
  list(
    filter: Omit<FilterOf<'list_datasets'>, 'includeFeatures' | 'debug'> = {},
    options?: CallOptions,
  ): Pages<Dataset> {
    return new Pages((page) =>
      this.#transport.json<Page<Dataset>>({ path: '/v1/datasets', query: { limit: 100, ...filter, page }, options }),
    );
  }

  get(id: string, options?: CallOptions): Promise<Dataset> {
    return this.#transport.data({ path: pathOf('datasets', id), options });
  }

  /** Creates a dataset, with its features if there are any: either all is stored or nothing. */
  create(dataset: NewDataset, options?: CallOptions): Promise<Dataset> {
    return this.#transport.data({ path: '/v1/datasets', method: 'POST', json: dataset, options, creates: true });
  }

  update(id: string, change: DatasetPatch, options?: CallOptions): Promise<Dataset> {
    return this.#transport.data({ path: pathOf('datasets', id), method: 'PATCH', json: change, options });
  }

  async delete(id: string, options?: CallOptions): Promise<void> {
    await this.#transport.json({ path: pathOf('datasets', id), method: 'DELETE', options });
  }

  /** Creates a dataset from a file. `name` is the name of the file, whose ending says its format. */
  upload(file: Blob, name: string, fields: UploadFields = {}, options?: CallOptions): Promise<Dataset> {
    const body = new FormData();
    for (const [field, value] of Object.entries(fields)) if (value !== undefined) body.append(field, String(value));
    body.append('file', file, name);
    const call = { path: '/v1/datasets/upload', method: 'POST', body, creates: true } as const;
    return this.#transport.data({ ...call, options: { timeout: UPLOAD_TIMEOUT, ...options } });
  }

  /** All features as a file, which is the body. */
  export(
    id: string,
    format: NonNullable<QueryOf<'export_dataset'>['format']>,
    options?: CallOptions,
  ): Promise<Response> {
    return this.#transport.open({ path: `${pathOf('datasets', id)}/export`, query: { format }, options });
  }

  /** The file that the dataset was uploaded as, byte for byte. */
  file(id: string, options?: CallOptions): Promise<Response> {
    return this.#transport.open({ path: `${pathOf('datasets', id)}/file`, options });
  }
}

/** The features of datasets. Needs a key. */
export class Features {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Features of a dataset, in pages of 1000. `bbox` is west, south, east, north. */
  list(
    datasetId: string,
    filter: { readonly limit?: number; readonly bbox?: readonly number[] } = {},
    options?: CallOptions,
  ): Pages<DatasetFeature> {
    const path = pathOf('features/dataset', datasetId);
    const query = { limit: FEATURES, ...filter, bbox: filter.bbox?.join() };
    return new Pages((page) =>
      this.#transport.json<Page<DatasetFeature>>({ path, query: { ...query, page }, options }),
    );
  }

  /** All features of a dataset as GeoJSON, at once. */
  collection(
    datasetId: string,
    options?: CallOptions,
  ): Promise<FeatureCollection<Geometry, Feature<Geometry, Record<string, unknown> | null>['properties']>> {
    return this.#transport.json({ path: pathOf('features/dataset', datasetId), query: { format: 'geojson' }, options });
  }

  get(id: string, options?: CallOptions): Promise<DatasetFeature> {
    return this.#transport.data({ path: pathOf('features', id), options });
  }

  create(feature: NewFeature, options?: CallOptions): Promise<DatasetFeature> {
    return this.#transport.data({ path: '/v1/features', method: 'POST', json: feature, options, creates: true });
  }

  update(id: string, change: FeaturePatch, options?: CallOptions): Promise<DatasetFeature> {
    return this.#transport.data({ path: pathOf('features', id), method: 'PATCH', json: change, options });
  }

  async delete(id: string, options?: CallOptions): Promise<void> {
    await this.#transport.json({ path: pathOf('features', id), method: 'DELETE', options });
  }
}
