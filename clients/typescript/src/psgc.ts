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

export interface Point {
  readonly lat: number;
  readonly lon: number;
}

/** What a reverse geocoding looks for: the finest level, and how many metres around the point; `barangay` and 0 unless given. */
export interface ReverseOptions extends CallOptions {
  readonly level?: Exclude<LevelName, 'submunicipality'> | undefined;
  readonly within?: number | undefined;
}

export interface MatchOptions extends CallOptions {
  /** The level that is wanted; that of the finest column which is filled unless given. */
  readonly level?: LevelName | undefined;
}

/** The headings of the columns that are read, where they are not told by themselves; empty for none. */
export type MatchColumns = Omit<QueryOf<'match_places'>, 'level' | 'edition'>;
export type PointColumns = { readonly lat?: string; readonly lon?: string };

/** A session that opens files to whoever has its address. */
export type DownloadSession = DataOf<'create_download_session'>;

/** The Philippine Geographic Data Service. Errors of all methods are `PsgcError`. */
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
   * The parts of addresses, with their codes, in the order of the texts, of which there may be any number. Up to 1000 are asked for
   * at once, 20 without a key.
   */
  parse(texts: readonly string[], options?: CallOptions): Promise<ParsedAddress[]>;
  parse(
    texts: AsyncIterable<string> | Iterable<string>,
    options?: CallOptions,
  ): AsyncGenerator<ParsedAddress, void, undefined>;
  parse(
    texts: AsyncIterable<string> | Iterable<string>,
    options?: CallOptions,
  ): Promise<ParsedAddress[]> | AsyncGenerator<ParsedAddress, void, undefined> {
    const most = this.#transport.hasKey ? MATCH_ROWS.keyed : MATCH_ROWS.free;
    const call = { path: '/v1/parse', method: 'POST', options, hasEdition: true } as const;
    const parsed = this.#inParts<string, ParsedAddress>(texts, most, (part) => ({ ...call, json: { texts: part } }));
    return Array.isArray(texts) ? allOf(parsed) : parsed;
  }

  /**
   * The codes of places as people typed them, in the order of the rows, of which there may be any number. Rows that come one by
   * one are answered so, in the same order: up to 1000 are asked for at once, 20 without a key.
   */
  match(rows: readonly MatchRow[], options?: MatchOptions): Promise<MatchedRow[]>;
  match(
    rows: AsyncIterable<MatchRow> | Iterable<MatchRow>,
    options?: MatchOptions,
  ): AsyncGenerator<MatchedRow, void, undefined>;
  match(
    rows: AsyncIterable<MatchRow> | Iterable<MatchRow>,
    { level, ...options }: MatchOptions = {},
  ): Promise<MatchedRow[]> | AsyncGenerator<MatchedRow, void, undefined> {
    const most = this.#transport.hasKey ? MATCH_ROWS.keyed : MATCH_ROWS.free;
    const call = { path: '/v1/match', method: 'POST', options, hasEdition: true } as const;
    const matched = this.#inParts<MatchRow, MatchedRow>(rows, most, (part) => ({
      ...call,
      json: { rows: part, level },
    }));
    return Array.isArray(rows) ? allOf(matched) : matched;
  }

  /**
   * The same for CSV of any length: its columns come back with six more. Needs a key. It is answered as it is sent, so
   * memory does not grow with it. A table that comes in chunks is sent again after a failure only where a function gives them anew.
   */
  async matchCsv(
    table: Table,
    { columns, level, ...options }: MatchOptions & { readonly columns?: MatchColumns } = {},
  ): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
    return this.#table({ path: '/v1/match', table, query: { ...columns, level }, options });
  }

  /** What lies at a point, or at each of any number of points, in their order. Needs a key. */
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
      this.#inParts<Point, Place>(points, POINTS, (part) => ({ ...call, json: { points: part, level, within } })),
    );
  }

  /** The same for CSV with columns of latitudes and longitudes, as `matchCsv`. */
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

  /** Source, licence and attribution of what is served. */
  sources(options?: CallOptions): Promise<Sources> {
    return this.#transport.data<DataOf<'list_sources'>>({ path: '/v1/sources', options, hasEdition: true });
  }

  async *#inParts<In, Out>(
    items: AsyncIterable<In> | Iterable<In>,
    most: number,
    callOf: (part: readonly In[]) => Parameters<Transport['data']>[0],
  ): AsyncGenerator<Out, void, undefined> {
    for await (const part of partsOf(items, most)) yield* await this.#transport.data<Out[]>(callOf(part));
  }

  async #table({ path, table, query, options }: { path: string; table: Table; query: object; options: CallOptions }) {
    const headers = { 'Content-Type': 'text/csv' };
    const call = { path, method: 'POST', query: { ...query }, headers, hasEdition: true } as const;
    return tableOf(await this.#transport.open({ ...call, body: new TableBody(table), options }));
  }
}

/** What happened between editions. */
class Changes {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

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

  /** The files of the edition of the client; without one, of every edition, first those of the one that is served. */
  list(filter: QueryOf<'list_downloads'> = {}, options?: CallOptions): Promise<Download[]> {
    const call = { path: '/v1/downloads', query: filter, options, hasEdition: true };
    return this.#transport.data<DataOf<'list_downloads'>>(call);
  }

  /** A file. Tables are free, layers need a key. */
  open(id: string, options?: CallOptions): Promise<Response> {
    return this.#transport.open({ path: `/v1/downloads/${segment(id)}`, options });
  }

  /** All areas without their shapes in one packed file, which the command `psgc` answers from without the network. */
  snapshot(options?: CallOptions): Promise<Response> {
    return this.#transport.open({ path: '/v1/downloads/snapshot', options, hasEdition: true });
  }

  /** Addresses that open layers to tools which send no headers. */
  session(
    wanted: { readonly ids?: readonly string[]; readonly ttl_seconds?: number } = {},
    options?: CallOptions,
  ): Promise<DownloadSession> {
    return this.#transport.data({ path: '/v1/downloads/sessions', method: 'POST', json: wanted, options });
  }
}

/** What published releases consist of. */
class Releases {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The document of a release, which has the SHA-256 of each of its files. */
  get(id: string, options?: CallOptions): Promise<ReleaseDocument> {
    return this.#transport.json({ path: `/v1/releases/${segment(id)}`, options });
  }

  /** The same as text, byte for byte what is signed. */
  document(id: string, options?: CallOptions): Promise<string> {
    return this.#transport.text({ path: `/v1/releases/${segment(id)}`, options });
  }

  /** The signature of the document, for `minisign -V`; `signature_not_found` where the operator signs none. */
  signature(id: string, options?: CallOptions): Promise<string> {
    return this.#transport.text({ path: `/v1/releases/${segment(id)}/signature`, options });
  }
}

function isMany(points: Point | readonly Point[]): points is readonly Point[] {
  return Array.isArray(points);
}

/** Items in parts of so many, the last one of what is left. */
async function* partsOf<T>(items: AsyncIterable<T> | Iterable<T>, most: number): AsyncGenerator<T[], void, undefined> {
  let part: T[] = [];
  for await (const item of items) {
    part.push(item);
    if (part.length < most) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}
