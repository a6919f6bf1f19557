import type { MiddlewareHandler } from 'hono';
import type { AppContext, AppEnv } from '../context.ts';
import { DomainError } from '../errors.ts';
import { replacementResponse } from '../http/error-responses.ts';
import { clientNetwork } from './client-address.ts';
import { knownExhaustion, rememberExhaustion } from './exhausted.ts';
import { type Allowance, type Limit, limitHeaders, secondsOf, WINDOW_SECONDS } from './limit.ts';
import type { Meter } from './meter.ts';

/** How long the counter may take to answer before a request goes through uncounted, milliseconds. */
const PATIENCE_MS = 1000;

const READS = new Set(['GET', 'HEAD']);

/**
 * Holds callers to their limits. The counter is asked while a read is worked on, whose answer is thrown away where it
 * is refused; what writes waits for it. Where the counter can't be reached the request goes through and the log says so.
 */
export function enforceLimit(): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const limit = limitOf(c);
    if (!limit) return next();
    const exhausted = knownExhaustion(callerOf(c, limit));
    if (exhausted) refuse(c, limit, exhausted.allowance);
    const started = Date.now();
    const asked = askedFor(c, limit);
    if (!READS.has(c.req.method)) {
      const allowance = await asked;
      if (allowance?.allowed === false) refuse(c, limit, allowance);
    }
    await next();
    const allowance = await asked;
    if (allowance?.allowed === false) {
      replaceAnswer(c, limit, allowance);
      return;
    }
    if (allowance) for (const [name, value] of Object.entries(limitHeaders(limit, allowance))) c.header(name, value);
    recordUse(c, limit, Date.now() - started);
  };
}

const WHO: Readonly<Record<Limit['policy'], string>> = {
  key: 'This API key',
  'free-tier': 'This address, without an API key,',
  'unknown-keys': 'This address, with API keys that do not exist,',
};

/** What a caller is told of a request beyond their limit, and the headers that go with it. */
function refusalOf(limit: Limit, allowance: Allowance): { error: DomainError; headers: Record<string, string> } {
  const seconds = secondsOf(allowance.resetMs);
  const who = WHO[limit.policy];
  const message = `${who} may make ${limit.perMinute} requests in ${WINDOW_SECONDS} seconds. Try again in ${seconds}.`;
  return {
    error: new DomainError('rate_limit_exceeded', message),
    headers: { ...limitHeaders(limit, allowance), 'Retry-After': String(seconds) },
  };
}

/** @throws DomainError `rate_limit_exceeded`, always */
export function refuse(c: AppContext, limit: Limit, allowance: Allowance): never {
  const { error, headers } = refusalOf(limit, allowance);
  for (const [name, value] of Object.entries(headers)) c.header(name, value);
  throw error;
}

/** Headers of every answer, whatever it is. */
const KEPT = /^(x-request-id|x-content-type-options|access-control-.*)$/;

/** Puts a refusal in the place of what the handler has answered. Headers of the middleware before it stay. */
function replaceAnswer(c: AppContext, limit: Limit, allowance: Allowance): void {
  const { headers: given, body } = c.res;
  // A body that is also being kept at the edge is cancelled only when that has read it.
  c.executionCtx.waitUntil(Promise.resolve(body?.cancel()).catch(() => undefined));
  const { error, headers } = refusalOf(limit, allowance);
  const kept = [...given].filter(([name]) => KEPT.test(name));
  c.set('release', undefined);
  // Hono merges the headers of the answer before into one that follows it, unless there was none.
  c.res = undefined;
  c.res = replacementResponse(error, new Headers([...kept, ...Object.entries(headers)]));
}

/** The network that a request comes from, as Cloudflare tells it; this machine where nobody does. */
export function networkOf(c: AppContext): string {
  return clientNetwork(c.req.header('CF-Connecting-IP') ?? '127.0.0.1');
}

/** The limit of the caller: of their key, or of their address where they have none; nobody else has one. */
function limitOf(c: AppContext): Limit | undefined {
  if (c.var.principal.kind === 'key') return c.var.keyLimit;
  if (c.var.principal.kind !== 'anonymous') return undefined;
  return { policy: 'free-tier', counter: `address:${networkOf(c)}`, perMinute: c.var.config.FREE_TIER_RPM };
}

/** Who is remembered as exhausted: a key by its hash, so that its next request need not be looked up. */
function callerOf(c: AppContext, limit: Limit): string {
  return c.var.keyHash ?? limit.counter;
}

function meterOf(c: AppContext, { counter }: Limit): DurableObjectStub<Meter> {
  const meters = c.env.METER as DurableObjectNamespace<Meter>;
  return meters.get(meters.idFromName(counter));
}

/** What the counter says; undefined where it says nothing in time. Never throws. */
async function askedFor(c: AppContext, limit: Limit): Promise<Allowance | undefined> {
  try {
    const allowance = await Promise.race([meterOf(c, limit).take(limit.perMinute), scheduler.wait(PATIENCE_MS)]);
    if (!allowance) throw new Error(`The counter did not answer in ${PATIENCE_MS} ms`);
    if (!allowance.allowed) rememberExhaustion(callerOf(c, limit), limit, allowance);
    return allowance;
  } catch (error) {
    c.set('uncounted', error);
    return undefined;
  }
}

/** Tells the counter what the request was, after it has been answered. */
function recordUse(c: AppContext, limit: Limit, durationMs: number): void {
  if (c.var.principal.kind !== 'key') return;
  const use = { keyId: c.var.principal.keyId, path: c.var.route ?? c.req.path, status: c.res.status, durationMs };
  const recorded = async () => meterOf(c, limit).record(use);
  // Usage is worth no failure, of this request or any other.
  c.executionCtx.waitUntil(recorded().catch(() => undefined));
}
