import type { AppContext, ServiceContext } from '../context.ts';
import { setCaching, type Validator, validatorOf } from '../http/conditional.ts';
import { COPIED_HEADERS, type EdgeCache, edgeCacheOf } from '../http/edge-cache.ts';
import { edgeCopyOf } from './portions.ts';
import type { Area, AreaStore, PackedCollection, Read } from './store.ts';

/**
 * The reply to a request for geography: its validator, the release that it is made from, and its copy at the edge. A
 * handler asks for the edge's copy, reads, says what it read with `from`, refuses what must fail even where nothing
 * changed, and answers.
 */
export class Reply {
  readonly #c: AppContext;
  readonly #ctx: ServiceContext;
  readonly #validator: Validator;
  #edge: EdgeCache | undefined;
  #made: Pick<Read<unknown>, 'release' | 'version' | 'unchanged'> | undefined;

  constructor(c: AppContext, ctx: ServiceContext, validator: Validator) {
    this.#c = c;
    this.#ctx = ctx;
    this.#validator = validator;
  }

  /** The versions of releases of which the caller has this answer. */
  get knownVersions(): readonly string[] {
    return this.#validator.knownVersions;
  }

  /**
   * The copy that the edge has of this answer, or 304 where the caller has it. All that is read is which release is
   * active. Undefined where there is no copy of the active release.
   */
  async edgeCopy(areas: AreaStore): Promise<Response | undefined> {
    this.#edge = edgeCacheOf(this.#c, this.#ctx.config);
    const copy = await this.#edge?.find();
    if (!copy) return undefined;
    const active = this.#c.var.activeVersion ?? (await areas.activeVersion());
    if (active !== copy.version) return undefined;
    this.#c.set('release', copy.release);
    this.#setCaching(copy.version);
    for (const name of COPIED_HEADERS) {
      const value = copy.response.headers.get(name);
      if (value !== null) this.#c.header(name, value);
    }
    const { body } = copy.response;
    return this.#validator.matches(copy.version) || !body ? this.#c.body(null, 304) : this.#c.body(body);
  }

  /** Notes which release a read was made from. Gives what was read. */
  from<T>({ value, ...made }: Read<T>): T {
    this.#made = made;
    this.#c.set('release', made.release);
    return value;
  }

  /** Sets the headers that caches need. Gives 304 where the caller has this answer. */
  unchanged(): Response | undefined {
    const { version, unchanged } = this.#read;
    this.#setCaching(version);
    return unchanged || this.#validator.matches(version) ? this.#c.body(null, 304) : undefined;
  }

  /** The id of the release that was read. */
  get release(): string {
    return this.#read.release;
  }

  /**
   * An answer of which the edge gets a copy, unless it is too large or has no boundary.
   *
   * @param shown the areas whose boundaries the answer has
   * @param make makes the answer, once or twice
   */
  copied(shown: readonly Area[], make: () => Response): Response {
    const response = make();
    const copy = edgeCopyOf(shown);
    // The clone of a stream holds in memory what the client has not taken yet, so the edge gets a stream of its own.
    if (copy) this.#edge?.store(copy === 'clone' ? response.clone() : make(), this.#read);
    return response;
  }

  /** The answer with a collection as it is stored, or 304. Undefined where it can't be read. */
  async packed({ encoding, read, ...made }: PackedCollection): Promise<Response | undefined> {
    const isHeld = this.#validator.matches(made.version);
    const hasBody = !isHeld && this.#c.req.method !== 'HEAD';
    const body = hasBody ? await read() : null;
    if (body === undefined) return undefined;
    this.#c.set('release', made.release);
    this.#setCaching(made.version, isHeld ? undefined : encoding);
    if (isHeld) return this.#c.body(null, 304);
    this.#c.header('Content-Type', 'application/geo+json');
    this.#c.header('Content-Encoding', encoding);
    // Without `manual` the runtime would pack the body a second time.
    return new Response(body, { headers: this.#c.res.headers, encodeBody: 'manual' });
  }

  get #read() {
    if (!this.#made) throw new Error('Nothing was read for this reply');
    return this.#made;
  }

  #setCaching(version: string, encoding?: string): void {
    const audience = this.#ctx.principal.kind === 'anonymous' ? 'public' : 'private';
    setCaching(this.#c, this.#validator.etag(version, encoding), audience);
  }
}

export async function replyTo(c: AppContext, ctx: ServiceContext): Promise<Reply> {
  return new Reply(c, ctx, await validatorOf(c, ctx.config));
}
