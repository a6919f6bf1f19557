import { errorOf, PsgcError } from './errors.ts';
import { type CallOptions, type PsgcOptions, requireOptions, requireWhole, tokenOf } from './options.ts';
import { Pace, sleep, waitAfter } from './pace.ts';
import { TableBody } from './tables.ts';

type Query = Readonly<Record<string, unknown>>;

/** A request to the service. */
export interface Call {
  readonly path: string;
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly query?: Query;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is. */
  readonly body?: FormData | TableBody;
  readonly headers?: Readonly<Record<string, string>>;
  readonly options?: CallOptions | undefined;
  /** Whether it is answered from an edition. */
  readonly hasEdition?: boolean;
  /** Whether it creates something, once, however often it is sent. */
  readonly creates?: boolean;
  /** Whether it has an effect each time that it is sent, so it is sent again only if the limit refused it. */
  readonly acts?: boolean;
}

/**
 * A part of a path. No part can leave its place in it.
 *
 * @throws TypeError if it is empty, or a name that URLs resolve: `.` or `..`
 */
export function segment(part: string): string {
  if (['', '.', '..'].includes(part)) throw new TypeError(`The id or code is empty, or no name (got "${part}").`);
  return encodeURIComponent(part);
}

/** Sends requests, and sends them again if that may help. */
export class Transport {
  readonly #options: PsgcOptions;
  readonly #pace = new Pace();

  /** @throws TypeError if an option is wrong */
  constructor(options: PsgcOptions) {
    requireOptions(options);
    this.#options = options;
  }

  get hasKey(): boolean {
    return this.#options.key !== undefined;
  }

  /** The body of an answer, parsed. */
  json<T>(call: Call): Promise<T> {
    return this.#send(call, (response) => response.json() as Promise<T>);
  }

  /** The body of an answer, as it was sent and parsed. */
  verbatim<T>(call: Call): Promise<{ text: string; body: T }> {
    return this.#send(call, async (response) => {
      const text = await response.text();
      return { text, body: JSON.parse(text) as T };
    });
  }

  /** The body of an answer, as it was sent. */
  text(call: Call): Promise<string> {
    return this.#send(call, (response) => response.text());
  }

  /** The member `data` of an answer. */
  async data<T>(call: Call): Promise<T> {
    return (await this.json<{ data: T }>(call)).data;
  }

  /** An answer with its headers, and its body parsed. */
  answer<T>(call: Call): Promise<{ body: T; headers: Headers }> {
    return this.#send(call, async (response) => ({ body: (await response.json()) as T, headers: response.headers }));
  }

  /** An answer whose body is still to be read. The timeout ends with its headers; the signal ends the body too. */
  open(call: Call): Promise<Response> {
    return this.#send(call, async (response) => response);
  }

  async #send<T>(call: Call, read: (response: Response) => Promise<T>): Promise<T> {
    const { retries = 4, maxWait = 60_000 } = this.#options;
    const { method = 'GET', creates = false, acts = method === 'PATCH', body, options } = call;
    const isTaken = body instanceof TableBody && !body.isRepeatable;
    const id: Record<string, string> = creates ? { 'Idempotency-Key': crypto.randomUUID() } : {};
    for (let attempt = 0; ; attempt += 1) {
      const free = this.#pace.wait;
      if (free > 0 && free <= maxWait) await sleep(free, options?.signal);
      try {
        return await this.#attempt({ ...call, headers: { ...call.headers, ...id } }, read);
      } catch (error) {
        if (!(error instanceof PsgcError) || isTaken) throw error;
        // It was deleted by an attempt whose answer was lost.
        if (method === 'DELETE' && attempt > 0 && error.status === 404) return undefined as T;
        if (attempt >= retries) throw error;
        const wait = waitAfter(error, { attempt, repeatable: !acts });
        if (wait === undefined || wait > maxWait) throw error;
        await sleep(wait, options?.signal);
      }
    }
  }

  async #attempt<T>(call: Call, read: (response: Response) => Promise<T>): Promise<T> {
    const { fetch: send = fetch } = this.#options;
    const { signal, timeout = this.#options.timeout ?? 30_000 } = call.options ?? {};
    requireWhole('timeout', timeout, 1);
    signal?.throwIfAborted();
    // A wrong argument throws here, and its error is passed on unchanged.
    const address = this.#addressOf(call);
    const request = await this.#requestOf(call);
    const late = new AbortController();
    const ends = signal ? AbortSignal.any([signal, late.signal]) : late.signal;
    // A `fetch` that is not bound to its object throws before it returns a promise.
    const sent = send(address, { ...request, signal: ends });
    const timer = setTimeout(() => late.abort(), timeout);
    try {
      const response = await sent;
      this.#pace.note(response.headers);
      if (!response.ok) throw await errorOf(response);
      return await read(response);
    } catch (cause) {
      const isLate = late.signal.aborted;
      // What is left of a table is not sent to a service that has refused it.
      late.abort();
      if (cause instanceof PsgcError) throw cause;
      if (signal?.aborted) throw signal.reason;
      if (call.body instanceof TableBody && call.body.thrown) throw call.body.thrown.error;
      if (isLate) {
        throw new PsgcError({ code: 'timeout', message: `No answer within ${timeout} ms.`, cause });
      }
      if (cause instanceof SyntaxError) {
        throw new PsgcError({ code: 'unexpected_answer', message: 'The answer is not JSON.', cause });
      }
      throw new PsgcError({ code: 'network_error', message: `The service can not be reached: ${cause}`, cause });
    } finally {
      clearTimeout(timer);
    }
  }

  #addressOf({ path, query = {}, options, hasEdition }: Call): string {
    const { baseUrl, edition } = this.#options;
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    const own = hasEdition ? { edition: options?.edition ?? edition } : {};
    const params = new URLSearchParams();
    for (const [name, value] of Object.entries({ ...own, ...Object.fromEntries(given) })) {
      const values = [value].flat();
      // Without a value, the service would take it for left out.
      if (values.length === 0) {
        throw new TypeError(`${name} must have at least one value (got an empty list). Leave it out for all.`);
      }
      for (const one of values) if (one !== undefined) params.append(name, String(one));
    }
    const text = params.toString();
    return `${baseUrl.replace(/\/+$/, '')}${path}${text && `?${text}`}`;
  }

  async #requestOf({ method = 'GET', json, body, headers }: Call): Promise<RequestInit> {
    const { key } = this.#options;
    const token = key === undefined ? undefined : tokenOf(typeof key === 'function' ? await key() : key);
    const given = body instanceof TableBody ? body.open() : body;
    const sent = json === undefined ? given : JSON.stringify(json);
    return {
      method,
      headers: {
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(sent === undefined ? {} : { body: sent }),
      // A body that is a stream is sent before its answer is read.
      ...(sent instanceof ReadableStream ? ({ duplex: 'half' } as RequestInit) : {}),
    };
  }
}
