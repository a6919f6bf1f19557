import { Level } from './levels.ts';
import type { CallOptions, PsgcOptions } from './options.ts';
import { Datasets, Features } from './own-data.ts';
import { allOf, type Page, Pages } from './pages.ts';
import { type Table, TableBody, tableOf } from './tables.ts';
import { segment, Transport } from './transport.ts';
import type {
  AreaChange,
  CrosswalkRow,
  DataOf,
  Download,
  Edition,
  FilterOf,
  LevelName,
  MatchedRow,
  MatchRow,
  ParsedAddress,
  Place,
  PostalCode,
  QueryOf,
  ReleaseDocument,
  SearchHit,
  Sources,
  Suggestion,
} from './types.ts';
import { WebhookEndpoints } from './webhook-endpoints.ts';

/** Rows of a match in one request, with a key and without. */
const MATCH_ROWS = { keyed: 1000, free: 20 };

/** Points in one request. */
const POINTS = 100;

type Items<T> = AsyncIterable<T> | Iterable<T>;
type Answers<T> = AsyncGenerator<T, void, undefined>;

/** Degrees, WGS 84. */
export interface Point {
  readonly lat: number;
  readonly lon: number;
}

export interface ReverseOptions extends CallOptions {
  /** The finest level to look for. Default: barangay. */
  readonly level?: Exclude<LevelName, 'submunicipality'> | undefined;
  /** Metres around the point in which the nearest area counts. Default: 0. */
  readonly within?: number | undefined;
}

export interface MatchOptions extends CallOptions {
  /** The wanted level. Default: that of the finest filled column. */
  readonly level?: LevelName | undefined;
}

/** The headings of columns whose names the service doesn't recognize. An empty heading means that there is none. */
export type MatchColumns = Omit<QueryOf<'match_places'>, 'level' | 'edition'>;
/** The headings of the columns of coordinates. */
export type PointColumns = { readonly lat?: string; readonly lon?: string };

/** A session that opens files to anybody who has its URLs. */
export type DownloadSession = DataOf<'create_download_session'>;

/**
 * The Philippine Geographic Data Service. A failed request rejects with `PsgcError`. A wrong argument is a TypeError, which may be
 * thrown synchronously. An aborted call rejects with the reason of its signal. An error of your own rows or chunks is passed on as
 * it is.
 */
export class Psgc {
  readonly regions: Level<'regions'>;
  readonly provinces: Level<'provinces'>;
  readonly municities: Level<'municities'>;
  readonly barangays: Level<'barangays'>;
  readonly changes: Changes;
  readonly downloads: Downloads;
  readonly releases: Releases;
  readonly datasets: Datasets;
  readonly features: Features;
  readonly webhookEndpoints: WebhookEndpoints;
  readonly #transport: Transport;

  constructor(options: PsgcOptions) {
    const transport = new Transport(options);
    this.#transport = transport;
    this.regions = new Level(transport, 'regions');
    this.provinces = new Level(transport, 'provinces');
    this.municities = new Level(transport, 'municities');
    this.barangays = new Level(transport, 'barangays');
    this.changes = new Changes(transport);
    this.downloads = new Downloads(transport);
    this.releases = new Releases(transport);
    this.datasets = new Datasets(transport);
    this.features = new Features(transport);
    this.webhookEndpoints = new WebhookEndpoints(transport);
  }

  /** Places of all levels by their names, best first. */
  search(
    q: string,
    filter: Omit<QueryOf<'search_places'>, 'q' | 'edition'> = {},
    options?: CallOptions,
  ): Promise<SearchHit[]> {
    const call = { path: '/v1/search', query: { ...filter, q }, options, hasEdition: true };
    return this.#transport.data<DataOf<'search_places'>>(call);
  }

  /** Places while a name is typed, best first. `near` is a latitude and a longitude with a comma between them. */
  suggest(
    q: string,
    filter: Omit<QueryOf<'suggest_places'>, 'q' | 'edition'> = {},
    options?: CallOptions,
  ): Promise<Suggestion[]> {
    const call = { path: '/v1/suggest', query: { ...filter, q }, options, hasEdition: true };
    return this.#transport.data<DataOf<'suggest_places'>>(call);
  }

  /** The areas of a ZIP code of four digits. */
  postalCode(zip: string, options?: CallOptions): Promise<PostalCode> {
    const call = { path: `/v1/postal-codes/${segment(zip)}`, options, hasEdition: true };
    return this.#transport.data<DataOf<'get_postal_code'>>(call);
  }

  /**
   * The parts of addresses, with their codes, in the order of the texts. An array is answered with a promise of an array, any other
   * iterable with an async generator. Requests have at most 1000 texts, 20 without a key.
   */
  parse(texts: readonly string[], options?: CallOptions): Promise<ParsedAddress[]>;
  parse(texts: Items<string>, options?: CallOptions): Answers<ParsedAddress>;
  parse(texts: Items<string>, options?: CallOptions): Promise<ParsedAddress[]> | Answers<ParsedAddress> {
    const maxItems = this.#transport.hasKey ? MATCH_ROWS.keyed : MATCH_ROWS.free;
    const call = { path: '/v1/parse', method: 'POST', options, hasEdition: true } as const;
    const parsed = this.#inBatches<string, ParsedAddress>(texts, maxItems, (batch) => ({
      ...call,
      json: { texts: batch },
    }));
    return Array.isArray(texts) ? allOf(parsed) : parsed;
  }

  /**
   * The codes of places as people typed them, in the order of the rows. An array is answered with a promise of an array, any other
   * iterable with an async generator. Requests have at most 1000 rows, 20 without a key.
   */
  match(rows: readonly MatchRow[], options?: MatchOptions): Promise<MatchedRow[]>;
  match(rows: Items<MatchRow>, options?: MatchOptions): Answers<MatchedRow>;
  match(rows: Items<MatchRow>, { level, ...options }: MatchOptions = {}): Promise<MatchedRow[]> | Answers<MatchedRow> {
    const maxItems = this.#transport.hasKey ? MATCH_ROWS.keyed : MATCH_ROWS.free;
    const call = { path: '/v1/match', method: 'POST', options, hasEdition: true } as const;
    const matched = this.#inBatches<MatchRow, MatchedRow>(rows, maxItems, (batch) => ({
      ...call,
      json: { rows: batch, level },
    }));
    return Array.isArray(rows) ? allOf(matched) : matched;
  }

  /**
   * Matches the rows of a CSV table of any length and returns it as a stream with six more columns. Needs a key. Memory use doesn't
   * grow with the table. A table of chunks is sent again after a failure only if it is a function.
   */
  async matchCsv(
    table: Table,
    { columns, level, ...options }: MatchOptions & { readonly columns?: MatchColumns } = {},
  ): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
    return this.#table({ path: '/v1/match', table, query: { ...columns, level }, options });
  }

  /** The areas at a point, or at each point in their order. Needs a key. Requests have at most 100 points. */
  reverse(point: Point, options?: ReverseOptions): Promise<Place>;
  reverse(points: readonly Point[], options?: ReverseOptions): Promise<Place[]>;
  reverse(
    points: Point | readonly Point[],
    { level, within, ...options }: ReverseOptions = {},
  ): Promise<Place | Place[]> {
    const path = '/v1/geocode/reverse';
    if (!isMany(points)) {
      const query = { lat: points.lat, lon: points.lon, level, within };
      return this.#transport.data<DataOf<'reverse_geocode'>>({ path, query, options, hasEdition: true });
    }
    const call = { path, method: 'POST', options, hasEdition: true } as const;
    return allOf(
      this.#inBatches<Point, Place>(points, POINTS, (batch) => ({ ...call, json: { points: batch, level, within } })),
    );
  }

  /** Reverse-geocodes a CSV table with columns of latitudes and longitudes. Needs a key. It streams like `matchCsv`. */
  async reverseCsv(
    table: Table,
    { columns, level, within, ...options }: ReverseOptions & { readonly columns?: PointColumns } = {},
  ): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
    return this.#table({ path: '/v1/geocode/reverse', table, query: { ...columns, level, within }, options });
  }

  /** The codes of one edition in another, with weights of area and residents. */
  crosswalk(
    query: QueryOf<'get_crosswalk'> & { readonly format?: never },
    options?: CallOptions,
  ): Promise<CrosswalkRow[]> {
    return this.#transport.data<DataOf<'get_crosswalk'>>({ path: '/v1/crosswalk', query, options });
  }

  /** The editions of the PSGC, newest first. */
  editions(options?: CallOptions): Promise<Edition[]> {
    return this.#transport.data<DataOf<'list_editions'>>({ path: '/v1/editions', options });
  }

  /** Source, licence and attribution of the served data. */
  sources(options?: CallOptions): Promise<Sources> {
    return this.#transport.data<DataOf<'list_sources'>>({ path: '/v1/sources', options, hasEdition: true });
  }

  async *#inBatches<In, Out>(
    items: Items<In>,
    maxItems: number,
    callOf: (batch: readonly In[]) => Parameters<Transport['data']>[0],
  ): Answers<Out> {
    for await (const batch of batchesOf(items, maxItems)) yield* await this.#transport.data<Out[]>(callOf(batch));
  }

  async #table({ path, table, query, options }: { path: string; table: Table; query: object; options: CallOptions }) {
    const headers = { 'Content-Type': 'text/csv' };
    const call = { path, method: 'POST', query: { ...query }, headers, hasEdition: true } as const;
    return tableOf(await this.#transport.open({ ...call, body: new TableBody(table), options }));
  }
}

/** Changes between editions. */
class Changes {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Changes between editions, in pages of 100 unless `limit` is given. */
  list(filter: FilterOf<'list_changes'> = {}, options?: CallOptions): Pages<AreaChange> {
    return new Pages((page) =>
      this.#transport.json<Page<AreaChange>>({ path: '/v1/changes', query: { limit: 100, ...filter, page }, options }),
    );
  }

  /** The history of one code over all editions. */
  of(code: string, options?: CallOptions): Promise<AreaChange[]> {
    return this.#transport.data<DataOf<'get_changes_of_code'>>({
      path: `/v1/changes/${segment(code)}`,
      options,
    });
  }
}

/** Whole levels as files. */
class Downloads {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The files of the client's edition; without one, of every edition, those of the served one first. */
  list(filter: QueryOf<'list_downloads'> = {}, options?: CallOptions): Promise<Download[]> {
    const call = { path: '/v1/downloads', query: filter, options, hasEdition: true };
    return this.#transport.data<DataOf<'list_downloads'>>(call);
  }

  /** Opens a file, whose body is still to be read. Tables are free, layers need a key. An unknown id is the error `download_not_found`. */
  open(id: string, options?: CallOptions): Promise<Response> {
    return this.#transport.open({ path: `/v1/downloads/${segment(id)}`, options });
  }

  /** All areas without their boundaries in one packed file, from which the command `psgc` answers without the network. */
  snapshot(options?: CallOptions): Promise<Response> {
    return this.#transport.open({ path: '/v1/downloads/snapshot', options, hasEdition: true });
  }

  /** Creates a session with URLs that open layers to tools which send no headers. */
  session(
    wanted: { readonly ids?: readonly string[]; readonly ttl_seconds?: number } = {},
    options?: CallOptions,
  ): Promise<DownloadSession> {
    return this.#transport.data({ path: '/v1/downloads/sessions', method: 'POST', json: wanted, options });
  }
}

/** The documents of published releases. */
class Releases {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The document of a release, which has the SHA-256 of each of its files. */
  get(id: string, options?: CallOptions): Promise<ReleaseDocument> {
    return this.#transport.json({ path: `/v1/releases/${segment(id)}`, options });
  }

  /** The text of a release's document, byte for byte as it was signed. */
  document(id: string, options?: CallOptions): Promise<string> {
    return this.#transport.text({ path: `/v1/releases/${segment(id)}`, options });
  }

  /** The signature of the document, for `minisign -V`; the error `signature_not_found` if the operator doesn't sign. */
  signature(id: string, options?: CallOptions): Promise<string> {
    return this.#transport.text({ path: `/v1/releases/${segment(id)}/signature`, options });
  }
}

function isMany(points: Point | readonly Point[]): points is readonly Point[] {
  return Array.isArray(points);
}

async function* batchesOf<T>(items: Items<T>, maxItems: number): Answers<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    if (batch.push(item) < maxItems) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
