import { Webhook } from 'standardwebhooks';
import { findActiveVersion } from '../areas/postgis/releases.ts';
import { findPointedVersion } from '../areas/snapshot/publication.ts';
import type { ServiceContext } from '../context.ts';
import { replaceControlCharacters } from '../control-characters.ts';
import { DomainError } from '../errors.ts';
import { logFailure } from '../log.ts';
import { faultOfAddress } from './address.ts';
import { findChanges } from './changes.ts';
import { TEST_TYPE } from './events.ts';
import {
  type Attempt,
  claimAttempts,
  deleteAttempt,
  findNextWait,
  type Outcome,
  updateData,
  updateDelivered,
  updateFailed,
  updateSlow,
} from './repo/deliveries.ts';

// Deliveries by the Standard Webhooks specification:
// https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md

/** How many attempts are made at once: the platform opens six connections at the same time. */
const AT_ONCE = 6;
/** How many of them are of accounts that were slow, so that those that answer promptly need not wait for the others. */
const SLOW_AT_ONCE = 2;
/** After how long an answer is slow, milliseconds. */
const SLOW_MS = 2000;
/** For how long the account of an endpoint that was slow counts as slow. */
const SLOW_MINUTES = 60;
/** How often a run looks for more while it waits for answers, milliseconds. */
const LOOK_MS = 1000;
/** How many attempts one run makes. A look that finds nothing counts as one. */
const MAX_ATTEMPTS = 120;
/** How many attempts at its end are of no slow account: everybody waits until all attempts of a run have ended. */
const PROMPT_AT_END = 30;
/** How long an endpoint may take to answer, milliseconds. */
const TIMEOUT_MS = 10_000;
/** After how many seconds an attempt counts as lost, of which nobody has noted what came of it, at the earliest. */
const LEASE_SECONDS = 60;
/** How much is read of an answer, bytes. */
const MAX_EXCERPT = 1024;

/** Seconds between one attempt and the next. The last one is three days after the first. */
const RETRIES = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 73_495] as const;
/** By which part a wait may be longer. None is shorter, so the last attempt is three days after the first, or later. */
const MAX_JITTER = 0.1;
/** After how many days of failures an endpoint is disabled. */
const MAX_DAYS = 3;

const GONE = 410;

/** An attempt that is being made. */
interface UnderWay {
  readonly isSlow: boolean;
  /** Milliseconds since the epoch. */
  readonly begun: number;
  readonly ended: Promise<void>;
}

/**
 * Sends what is due, one thing at a time to each account. Accounts take turns, so that slow ones do not hold up the others. Runs at the
 * same time share the work: no attempt is made twice.
 *
 * @returns in how many seconds something is due again; undefined where there is nothing to send
 */
export async function sendDue(ctx: ServiceContext): Promise<number | undefined> {
  const underWay = new Map<string, UnderWay>();
  const served = new Set<string>();
  for (let left = MAX_ATTEMPTS; left > 0; ) {
    const busy = [...underWay.keys()];
    const attempts = await claimAttempts(ctx.db, {
      limit: Math.min(left, AT_ONCE - underWay.size),
      slowLimit: left > PROMPT_AT_END ? SLOW_AT_ONCE - slowOf(underWay) : 0,
      slowMinutes: SLOW_MINUTES,
      busy,
      served: [...served],
      leaseSeconds: LEASE_SECONDS,
      retries: RETRIES,
    });
    left -= Math.max(1, attempts.length);
    for (const attempt of attempts) {
      const { id, user_id: userId, is_slow: isSlow } = attempt;
      const ended = make(ctx, attempt)
        // It is due again later.
        .catch((error) => logFailure('notification_not_noted', error, { delivery: id }))
        .finally(() => underWay.delete(userId));
      underWay.set(userId, { isSlow, begun: Date.now(), ended });
      served.delete(userId);
      served.add(userId);
    }
    // Something that has ended meanwhile may have let more be due.
    if (attempts.length === 0 && busy.length === 0) break;
    await oneOf(underWay);
  }
  await Promise.all([...underWay.values()].map(({ ended }) => ended));
  return findNextWait(ctx.db);
}

function slowOf(underWay: ReadonlyMap<string, UnderWay>): number {
  const now = Date.now();
  return [...underWay.values()].filter(({ isSlow, begun }) => isSlow || now - begun > SLOW_MS).length;
}

/** Waits until one of the attempts has ended, or until it is time to look for more that can be made beside them. */
async function oneOf(underWay: ReadonlyMap<string, UnderWay>): Promise<void> {
  if (underWay.size === 0) return;
  const ended = Promise.race([...underWay.values()].map((it) => it.ended));
  if (underWay.size === AT_ONCE) return ended;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, LOOK_MS);
    ended.finally(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

async function make(ctx: ServiceContext, attempt: Attempt): Promise<void> {
  const { db } = ctx;
  const found = await dataOf(ctx, attempt);
  if (found === 'nothing') return deleteAttempt(db, attempt);
  if (typeof found === 'string') return fail(ctx, attempt, NOT_YET[found]);
  const data = found === attempt.data ? found : await updateData(db, attempt, found);
  // It was stopped meanwhile.
  if (data === undefined) return;
  const begun = Date.now();
  const outcome = await send(ctx, { ...attempt, data });
  const isSlow = Date.now() - begun > SLOW_MS;
  await (outcome.error === null ? updateDelivered(db, attempt, outcome) : fail(ctx, attempt, outcome));
  if (isSlow) await updateSlow(db, attempt);
}

/** Why nothing is sent yet. None of it says anything of the endpoint. */
const NOT_YET = {
  unknown: { status: null, error: 'The changes of the edition can not be read yet.', excerpt: null },
  unserved: { status: null, error: 'The release is not served yet.', excerpt: null },
} as const satisfies Record<string, Outcome>;

/** What is sent: `nothing` where there is nothing to tell any more. What has been sent once is sent again as it is. */
async function dataOf(
  ctx: ServiceContext,
  attempt: Attempt,
): Promise<Attempt['data'] | 'nothing' | keyof typeof NOT_YET> {
  const { type, data, areas, last_status: status, last_error: error } = attempt;
  if (type === 'release.activated') {
    const isNew = status === null && (error === null || error === NOT_YET.unserved.error);
    return isNew ? stateOf(ctx, attempt) : data;
  }
  if (type !== 'area.changed' || 'changes' in data) return data;
  const { previous_edition: from, edition: to } = data as { previous_edition: string; edition: string };
  const found = await findChanges(ctx, { areas, from, to }).catch((error) => {
    if (error instanceof DomainError) return undefined;
    throw error;
  });
  if (!found) return 'unknown';
  if (found.total === 0) return 'nothing';
  return { ...data, areas, ...found, href: `/v1/changes?from=${from}&to=${to}&within=${areas.join()}` };
}

/** Another release may have been activated since, and the bucket says what is served. */
async function stateOf(
  { db, bucket }: ServiceContext,
  { data }: Attempt,
): Promise<Attempt['data'] | 'nothing' | 'unserved'> {
  const active = await findActiveVersion(db);
  if (!active?.startsWith(`${data.release}-`)) return 'nothing';
  const pointed = await findPointedVersion(bucket).catch(() => null);
  // Without a snapshot it is served by PostGIS.
  return pointed === undefined || pointed === active ? data : 'unserved';
}

function fail(ctx: ServiceContext, attempt: Attempt, outcome: Outcome): Promise<void> {
  const isGone = outcome.status === GONE;
  const isTest = attempt.type === TEST_TYPE;
  const retry = isTest ? undefined : RETRIES[attempt.attempts - 1];
  return updateFailed(ctx.db, attempt, {
    ...outcome,
    actor: ctx.actor,
    // Receivers that were away at the same time are not all asked again at the same time.
    retrySeconds: retry === undefined ? null : retry * (1 + Math.random() * MAX_JITTER),
    // A test that fails says nothing of what is sent otherwise, unless the receiver wants nothing more.
    isOfEndpoint: isGone || (!isTest && !Object.values<Outcome>(NOT_YET).includes(outcome)),
    disabledReason: isGone ? `It answered ${GONE}: it is gone.` : null,
    maxDays: MAX_DAYS,
    lateReason: `No delivery succeeded for ${MAX_DAYS} days. The last one: ${outcome.error}`,
  });
}

/** Sends one attempt. It never throws: whatever happens says something of the endpoint. */
async function send(
  { outbound, config }: ServiceContext,
  { id, type, data, created_at: timestamp, url, secrets }: Attempt,
): Promise<Outcome> {
  const fault = faultOfAddress(url, { allowsLoopback: config.ENVIRONMENT === 'development' });
  if (fault !== undefined) return { status: null, error: `Its address ${fault}.`, excerpt: null };
  const body = JSON.stringify({ type, timestamp, data });
  const now = new Date();
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await outbound(url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'PSGC-Webhooks/1',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
        'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, now, body)).join(' '),
      },
      body,
      redirect: 'manual',
      signal,
    });
    const { status, ok } = response;
    // Only the status of the answer decides.
    const excerpt = await excerptOf(response).catch(() => null);
    const redirected = status >= 300 && status < 400 ? ', and redirects are not followed' : '';
    return { status, error: ok ? null : `It answered ${status}${redirected}.`, excerpt };
  } catch {
    const error = signal.aborted ? `It did not answer in ${TIMEOUT_MS / 1000} seconds.` : 'It could not be reached.';
    return { status: null, error, excerpt: null };
  }
}

/** The beginning of an answer as text without control characters. */
async function excerptOf({ body }: Response): Promise<string | null> {
  if (!body) return null;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let left = MAX_EXCERPT; left > 0; ) {
    const { done, value } = await reader.read();
    if (done) break;
    text += decoder.decode(value.subarray(0, left), { stream: true });
    left -= value.length;
  }
  await reader.cancel();
  return replaceControlCharacters(text, ' ').trim() || null;
}
