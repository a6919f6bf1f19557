import type { AppContext } from '../context.ts';
import { shareDeadline } from '../deadline.ts';
import type { Router } from '../operation.ts';

type Value = string | number | readonly string[] | undefined;

/** A request to an operation of the service. */
interface Question {
  readonly path: string;
  readonly query?: Readonly<Record<string, Value>>;
  /** Sent as JSON with POST. */
  readonly body?: unknown;
}

/** What an operation has answered. */
export interface Reply {
  // biome-ignore lint/suspicious/noExplicitAny: each tool says what the members of its operation's answer are
  readonly data: any;
  readonly meta: { readonly total?: number; readonly notices?: readonly { readonly message: string }[] };
  /** The data release that the answer was made from. */
  readonly release: string | null;
}

/** Where the operations are asked. */
export interface Service {
  /** The origin of the addresses in answers. */
  readonly origin: string;
  /** @throws Refusal where the operation does not answer with success */
  ask(question: Question): Promise<Reply>;
}

/** What an operation has answered in place of success, in words for whoever called the tool. */
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

/** The entry of the service for a request of any client. */
export type Entry = Router['fetch'];

/** Headers of the caller that their questions are asked with: who asks, and from where. */
const FROM_CALLER = ['Authorization', 'CF-Connecting-IP'];

/** Headers of answers that tell callers what is left of their limits: those of the answer that left the least. */
const TO_CALLER = ['RateLimit', 'RateLimit-Policy', 'Retry-After'];

/**
 * The service as the caller of a request sees it. Each question goes through the entry as a request of the same caller: it
 * is authenticated, counted, logged and answered as if they had sent it themselves.
 *
 * @param onRefused gets the response to a caller whose credentials are refused
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
    async ask({ path, query = {}, body }) {
      const asked = new Request(addressOf(origin, path, query), {
        headers: body === undefined ? headers : { ...Object.fromEntries(headers), 'Content-Type': 'application/json' },
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      });
      shareDeadline(asked, c.get('deadline'));
      const response = await entry(asked, c.env, c.executionCtx);
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

/** How many requests an answer says are left (`r` of RateLimit); without end where it does not say. */
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
