import type { Boundary, Feature, FeatureCollection } from './geojson.ts';
import type { CallOptions } from './options.ts';
import { type Page, Pages } from './pages.ts';
import { segment, type Transport } from './transport.ts';
import type { Hierarchy, Levels, Resolution } from './types.ts';

/** Records in a page of a list unless `limit` is given: the maximum. */
const PAGE = 100;

/** The member of a batch that has the codes, and how many there may be. */
const BATCHES = {
  regions: ['ids', 100],
  provinces: ['codes', 100],
  municities: ['codes', 1000],
  barangays: ['codes', 1000],
} as const;

/** The areas of a list of codes. */
export interface Batch<T> {
  /** In the order asked, each once. `requested_code` is there where it was asked for by another code than its own. */
  readonly areas: T[];
  /** Codes that name nothing today. */
  readonly missing: string[];
  /** Those of them that were abolished, with the codes of their successors. */
  readonly abolished: Map<string, string[]>;
}

/** The resolution of boundaries. Default: `simple`. */
export interface BoundaryOptions extends CallOptions {
  readonly resolution?: Resolution | undefined;
}

/** The areas of one level. */
export class Level<Name extends keyof Levels> {
  readonly #transport: Transport;
  readonly #name: Name;

  constructor(transport: Transport, name: Name) {
    this.#transport = transport;
    this.#name = name;
  }

  /**
   * Areas by filters, in pages of 100. Cities and municipalities need `province`, `province_code` or `region`, barangays
   * one of these or `municity` or `municity_code`. A name that several areas have is the error `ambiguous_name`, whose
   * `details.candidates` are their codes and names. A list of no codes has no areas.
   */
  list(filter: Levels[Name]['filter'] = {}, options?: CallOptions): Pages<Levels[Name]['record']> {
    if (Object.values(filter).some((value) => Array.isArray(value) && value.length === 0)) return Pages.ofNothing();
    return new Pages((page) =>
      this.#transport.json<Page<Levels[Name]['record']>>(this.#call('', { limit: PAGE, ...filter, page }, options)),
    );
  }

  /** One area by its code, or by one that it had. An abolished one is the error `area_abolished`, with `details.successors`. */
  get(code: string, options?: CallOptions): Promise<Levels[Name]['detail']> {
    return this.#transport.data(this.#call(`/${segment(code)}`, {}, options));
  }

  /** Many areas by their codes, with boundaries. Needs a key. */
  async batch(codes: readonly string[], options: BoundaryOptions = {}): Promise<Batch<Levels[Name]['record']>> {
    const [member, most] = BATCHES[this.#name];
    const areas: (Levels[Name]['record'] & { requested_code?: string })[] = [];
    const abolished = new Map<string, string[]>();
    const asked = [...new Set(codes)];
    for (let start = 0; start < asked.length; start += most) {
      const { body, headers } = await this.#transport.answer<typeof areas>({
        ...this.#call('/search', {}, options),
        method: 'POST',
        json: { [member]: asked.slice(start, start + most), geometry: options.resolution ?? 'simple' },
      });
      areas.push(...body);
      for (const move of headers.get('X-Abolished-Codes')?.split(',') ?? []) {
        const [code = '', successors] = move.trim().split('=');
        if (successors !== undefined) abolished.set(code, successors.split('+').filter(Boolean));
      }
    }
    const found = new Set(areas.flatMap(({ code, requested_code }) => [code, requested_code]));
    return { areas, missing: asked.filter((code) => !found.has(code)), abolished };
  }

  /** Areas by their names, best first; near misses come last. */
  search(q: string, filter: Levels[Name]['search'] = {}, options?: CallOptions): Promise<Levels[Name]['found'][]> {
    return this.#transport.data(this.#call('/search', { ...filter, q }, options));
  }

  /** The boundary of one area. Needs a key. */
  boundary(code: string, options: BoundaryOptions = {}): Promise<Feature<Boundary, Levels[Name]['detail']>> {
    const query = { format: 'geojson', geometry: options.resolution ?? 'simple' };
    return this.#transport.json(this.#call(`/${segment(code)}`, query, options));
  }

  /** The boundaries of all areas that the filters let through, at once. Needs a key. */
  boundaries(
    filter: Omit<Levels[Name]['filter'], 'limit' | 'geometry'>,
    options: BoundaryOptions = {},
  ): Promise<FeatureCollection<Boundary, Levels[Name]['properties']>> {
    const query = { ...filter, format: 'geojson', geometry: options.resolution ?? 'simple' };
    return this.#transport.json(this.#call('', query, options));
  }

  /** An area with all its ancestors. One that it does not have is null. */
  hierarchy(code: string, options?: CallOptions): Promise<Hierarchy> {
    return this.#transport.data(this.#call(`/${segment(code)}/hierarchy`, {}, options));
  }

  /** The areas of the same level that touch one. */
  neighbors(code: string, options?: CallOptions): Promise<Levels[Name]['record'][]> {
    return this.#transport.data(this.#call(`/${segment(code)}/neighbors`, {}, options));
  }

  #call(rest: string, query: object, options: CallOptions | undefined) {
    return { path: `/v1/${this.#name}${rest}`, query: { ...query }, options, hasEdition: true };
  }
}
