import type { AppContext } from '../context.ts';
import { shareDeadline } from '../deadline.ts';
import { readText } from '../http/texts.ts';
import type { Router } from '../operation.ts';

type Value = string | number | readonly string[] | undefined;

/** A request to an operation of the service. */
interface Question {
  readonly path: string;
  readonly query?: Readonly<Record<string, Value>>;
  /** Sent as JSON with POST. */
  readonly body?: unknown;
}

export interface Reply {
  // biome-ignore lint/suspicious/noExplicitAny: each tool declares the members of its operation's response
  readonly data: any;
  readonly meta: { readonly total?: number; readonly notices?: readonly { readonly message: string }[] };
  /** The data release of the response. */
  readonly release: string | null;
}

/** Client of the service's operations. */
export interface Service {
  /** The origin of URLs in results. */
  readonly origin: string;
  /** @throws Refusal if the operation does not succeed */
  ask(question: Question): Promise<Reply>;
  /** A text of the service, by the name of its file. */
  readText(name: string): Promise<string>;
}

/** The error of an operation, in words for the caller of the tool. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** The service's own entry point for HTTP requests. */
export type Entry = Router['fetch'];

/** Headers of the caller passed on to operations: credentials and address. */
const FROM_CALLER = ['Authorization', 'CF-Connecting-IP'];

/** Headers about rate limits passed back to the caller: those of the response with the least left. */
const TO_CALLER = ['RateLimit', 'RateLimit-Policy', 'Retry-After'];

/**
 * The service as seen by the caller of a request. Each question is a request of the same caller through the entry
 * point: authenticated, counted and logged as if they had sent it themselves.
 *
 * @param onRefused receives the response if the caller's credentials are refused
 */
export function serviceFor(c: AppContext, entry: Entry, onRefused: (response: Response) => void): Service {
  const { origin } = new URL(c.req.url);
  const headers = new Headers({ 'X-Request-Id': c.get('requestId') });
  for (const name of FROM_CALLER) {
    const value = c.req.header(name);
    if (value !== undefined) headers.set(name, value);
  }
  let least = Number.POSITIVE_INFINITY;
  return {
    origin,
    readText: (name) => readText(c.env.ASSETS, name, c.req.url),
    async ask({ path, query = {}, body }) {
      const request = new Request(addressOf(origin, path, query), {
        headers: body === undefined ? headers : { ...Object.fromEntries(headers), 'Content-Type': 'application/json' },
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      });
      shareDeadline(request, c.get('deadline'));
      const response = await entry(request, c.env, c.executionCtx);
      const left = leftOf(response.headers);
      if (left <= least) {
        least = left;
        for (const name of TO_CALLER) c.header(name, response.headers.get(name) ?? undefined);
      }
      if (response.status === 401 && headers.has('Authorization')) onRefused(response.clone());
      const answered = await response.json();
      if (!response.ok) throw refusalOf(response.status, answered as Failure);
      const { data, meta = {} } = answered as { data: unknown; meta?: Reply['meta'] };
      return { data, meta, release: response.headers.get('X-Data-Release') };
    },
  };
}

/** Remaining requests by a response (`r` of RateLimit); infinity if it does not say. */
function leftOf(headers: Headers): number {
  const found = /;r=(\d+)/.exec(headers.get('RateLimit') ?? '');
  return found ? Number(found[1]) : Number.POSITIVE_INFINITY;
}

function addressOf(origin: string, path: string, query: NonNullable<Question['query']>): URL {
  const address = new URL(path, origin);
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const each of [value].flat()) address.searchParams.append(name, String(each));
  }
  return address;
}

/** The body of an error, or of parameters that do not fit. */
type Failure = { code: string; message: string } | { error: { issues: { message: string }[] } };

function refusalOf(status: number, body: Failure): Refusal {
  if ('error' in body) {
    return new Refusal(status, 'invalid_arguments', body.error.issues.map(({ message }) => message).join('\n'));
  }
  const { code, message } = body;
  const hint = code === 'authentication_required' ? ' It is set in the configuration of the MCP client.' : '';
  return new Refusal(status, code, `${message}${hint}`);
}
