import { Webhook } from 'standardwebhooks';
import { findActiveVersion } from '../areas/postgis/releases.ts';
import { readActiveVersion } from '../areas/snapshot/pointers.ts';
import type { ServiceContext } from '../context.ts';
import { replaceControlCharacters } from '../control-characters.ts';
import { DomainError } from '../errors.ts';
import { logFailure } from '../log.ts';
import { faultOfAddress } from './address.ts';
import { findChanges } from './changes.ts';
import { TEST_TYPE } from './events.ts';
import {
  type ClaimedDelivery,
  claimAttempts,
  type Data,
  deleteClaimed,
  findNextWait,
  type Outcome,
  updateData,
  updateDelivered,
  updateFailed,
  updateSlowAccount,
} from './repo/attempts.ts';

// Deliveries by the Standard Webhooks specification:
// https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md

/** How many attempts run at once: the platform opens six connections at the same time. */
const AT_ONCE = 6;
/** At most so many of them are of slow accounts, so that prompt endpoints don't wait for slow ones. */
const SLOW_AT_ONCE = 2;
/** An answer that takes longer is slow, milliseconds. */
const SLOW_MS = 2000;
/** How long an account counts as slow after an endpoint of it was. */
const SLOW_MINUTES = 60;
/** How often a run looks for due deliveries while it waits for answers, milliseconds. */
const POLL_MS = 1000;
/** How many attempts one run makes. A look that finds no due delivery counts as one. */
const MAX_ATTEMPTS = 120;
/** The last attempts of a run go to accounts that are not slow, because the run ends only when all its attempts have. */
const PROMPT_AT_END = 30;
/** How long an endpoint may take to answer, milliseconds. */
const TIMEOUT_MS = 10_000;
/** An attempt without a recorded outcome counts as lost after this many seconds or later. */
const LEASE_SECONDS = 60;
/** Max bytes that are read of an answer. */
const MAX_EXCERPT = 1024;

/** Seconds between one attempt and the next. The last one is three days after the first. */
const RETRIES = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 73_495] as const;
/** A wait is lengthened by up to this share, and never shortened. */
const MAX_JITTER = 0.1;
/** An endpoint is disabled after this many days of failures. */
const DISABLE_AFTER_DAYS = 3;

const HTTP_GONE = 410;

interface RunningAttempt {
  readonly isSlow: boolean;
  /** Milliseconds since the epoch. */
  readonly begun: number;
  readonly ended: Promise<void>;
}

/**
 * Sends due deliveries, at most `MAX_ATTEMPTS` in a run and one at a time to each account. Accounts take turns. Concurrent runs
 * never claim the same attempt.
 *
 * @returns seconds until the next delivery is due, zero or less if one is due now; undefined if none is pending
 */
export async function sendDueDeliveries(ctx: ServiceContext): Promise<number | undefined> {
  const running = new Map<string, RunningAttempt>();
  const served = new Set<string>();
  for (let left = MAX_ATTEMPTS; left > 0; ) {
    const busy = [...running.keys()];
    const attempts = await claimAttempts(ctx.db, {
      limit: Math.min(left, AT_ONCE - running.size),
      slowLimit: left > PROMPT_AT_END ? SLOW_AT_ONCE - countSlow(running) : 0,
      slowMinutes: SLOW_MINUTES,
      busy,
      served: [...served],
      leaseSeconds: LEASE_SECONDS,
      retries: RETRIES,
    });
    left -= Math.max(1, attempts.length);
    for (const attempt of attempts) {
      const { id, user_id: userId, is_slow: isSlow } = attempt;
      const ended = attemptDelivery(ctx, attempt)
        // The lease ends without an outcome, so the delivery is due again.
        .catch((error) => logFailure('notification_not_noted', error, { delivery: id }))
        .finally(() => running.delete(userId));
      running.set(userId, { isSlow, begun: Date.now(), ended });
      served.delete(userId);
      served.add(userId);
    }
    // `busy` is from before the claim: an attempt that ended since then may have made another delivery of its account claimable.
    if (attempts.length === 0 && busy.length === 0) break;
    await waitForOne(running);
  }
  await Promise.all([...running.values()].map(({ ended }) => ended));
  return findNextWait(ctx.db);
}

function countSlow(running: ReadonlyMap<string, RunningAttempt>): number {
  const now = Date.now();
  return [...running.values()].filter(({ isSlow, begun }) => isSlow || now - begun > SLOW_MS).length;
}

/** Waits until one of the attempts has ended, or if there may be more of them, until it is time to look for due deliveries. */
async function waitForOne(running: ReadonlyMap<string, RunningAttempt>): Promise<void> {
  if (running.size === 0) return;
  const ended = Promise.race([...running.values()].map((it) => it.ended));
  if (running.size === AT_ONCE) return ended;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, POLL_MS);
    ended.finally(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

async function attemptDelivery(ctx: ServiceContext, attempt: ClaimedDelivery): Promise<void> {
  const { db } = ctx;
  const found = await dataOf(ctx, attempt);
  if (found === 'nothing') return deleteClaimed(db, attempt);
  if (typeof found === 'string') return recordFailure(ctx, attempt, NOT_YET[found]);
  const data = found === attempt.data ? found : await updateData(db, attempt, found);
  // The delivery was stopped while its data was read.
  if (data === undefined) return;
  const begun = Date.now();
  const outcome = await send(ctx, { ...attempt, data });
  const isSlow = Date.now() - begun > SLOW_MS;
  await (outcome.error === null ? updateDelivered(db, attempt, outcome) : recordFailure(ctx, attempt, outcome));
  if (isSlow) await updateSlowAccount(db, attempt);
}

/** Why nothing is sent yet. These failures don't count against the endpoint. */
const NOT_YET = {
  unknown: { status: null, error: 'The changes of the edition can not be read yet.', excerpt: null },
  unserved: { status: null, error: 'The release is not served yet.', excerpt: null },
} as const satisfies Record<string, Outcome>;

type Found = Data | 'nothing' | keyof typeof NOT_YET;

/** The data to send; `nothing` if there is nothing to tell any more. Data that was sent once is sent again unchanged. */
async function dataOf(ctx: ServiceContext, attempt: ClaimedDelivery): Promise<Found> {
  const { type, data, areas, last_status: status, last_error: error } = attempt;
  if (type === 'release.activated') {
    // Compares stored texts: a reworded NOT_YET sentence no longer matches deliveries that are waiting.
    const isNew = status === null && (error === null || error === NOT_YET.unserved.error);
    return isNew ? checkActivation(ctx, attempt) : data;
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

/** Whether the release is still active and already served from the bucket. */
async function checkActivation({ db, bucket }: ServiceContext, { data }: ClaimedDelivery): Promise<Found> {
  const active = await findActiveVersion(db);
  if (!active?.startsWith(`${data.release}-`)) return 'nothing';
  const served = await readActiveVersion(bucket).catch(() => undefined);
  // Without a snapshot it is served by PostGIS.
  return served === null || served === active ? data : 'unserved';
}

function recordFailure(ctx: ServiceContext, attempt: ClaimedDelivery, outcome: Outcome): Promise<void> {
  const isGone = outcome.status === HTTP_GONE;
  const isTest = attempt.type === TEST_TYPE;
  const retry = isTest ? undefined : RETRIES[attempt.attempts - 1];
  return updateFailed(ctx.db, attempt, {
    ...outcome,
    actor: ctx.actor,
    // Receivers that failed at the same time are not all called again at the same time.
    retrySeconds: retry === undefined ? null : retry * (1 + Math.random() * MAX_JITTER),
    // A failed test doesn't count against the endpoint, unless it answered 410.
    countsAgainstEndpoint: isGone || (!isTest && !Object.values<Outcome>(NOT_YET).includes(outcome)),
    disabledReason: isGone ? `It answered ${HTTP_GONE}: it is gone.` : null,
    disableAfterDays: DISABLE_AFTER_DAYS,
    failingReason: `No delivery succeeded for ${DISABLE_AFTER_DAYS} days. The last one: ${outcome.error}`,
  });
}

/**
 * Sends one attempt. A refused, late or unreachable endpoint is an `Outcome`.
 *
 * @throws Error if the request can't be signed
 */
async function send(
  { outbound, config }: ServiceContext,
  { id, type, data, created_at: timestamp, url, secrets }: ClaimedDelivery,
): Promise<Outcome> {
  const fault = faultOfAddress(url, { allowsLoopback: config.ENVIRONMENT === 'development' });
  if (fault !== undefined) return { status: null, error: `Its address ${fault}.`, excerpt: null };
  const body = JSON.stringify({ type, timestamp, data });
  const now = new Date();
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': 'PSGC-Webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, now, body)).join(' '),
  };
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await outbound(url, { method: 'POST', headers, body, redirect: 'manual', signal });
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
