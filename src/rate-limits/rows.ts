import type { Context } from 'hono';
import type { Deadline } from '../deadline.ts';
import { DomainError, STATUS } from '../errors.ts';
import { logFailure } from '../log.ts';
import type { AddressTaken } from './address-windows.ts';
import { callCounter } from './counter.ts';
import { refuse, setLimitHeaders } from './enforce.ts';
import { accountLimit, type Count, type Limit, requireAllowance, type Taken } from './limit.ts';

/** Rows that count as one request. */
const ROWS_PER_REQUEST = 100;

/** Rows of what the service sends that count as one request of a caller without a key, and features of a page. */
const ROWS_PER_FREE_REQUEST = 1000;

/** Text of boundaries that counts as one request where it is not sent as it is stored: in another format or `crs`. Characters. */
const TEXT_PER_REQUEST = 1024 * 1024;

/** For how many requests `RowPace` asks a counter at once at most. */
const MAX_BATCH = 10;

/** What counting rows reads of a request. Callers with neither `limit` nor `weighed` may have as many rows as they like. */
interface RowCaller {
  /** The limit of the caller's key; undefined without one. */
  readonly limit: Limit | undefined;
  /** The limit of a signed-in person's work that counts as several requests; undefined for other callers. */
  readonly weighed: Limit | undefined;
  readonly accountPerMinute: number;
  readonly meters: Env['METER'];
  /** Of the request. */
  readonly deadline: Deadline;
}

function callerOf(c: Context): RowCaller {
  const limit: Limit | undefined = c.get('limit');
  return {
    limit: limit?.policy === 'key' ? limit : undefined,
    weighed: limit ? undefined : c.get('weighedLimit'),
    accountPerMinute: limit?.accountPerMinute ?? c.get('config').ACCOUNT_RPM,
    meters: c.env.METER,
    deadline: c.get('deadline'),
  };
}

function requestsOf(rows: number): number {
  return Math.ceil(rows / ROWS_PER_REQUEST);
}

/**
 * Counts the rows of a request, a hundred as one request. The first request of them was counted when the caller was
 * admitted. No request counts as more than the limit of a minute, so that a key with a small limit can make it too.
 *
 * @param before rows of the same request that were counted before
 * @returns a function that throws an error, and stops counting these rows if the error is a fault of ours
 * @throws DomainError `rate_limit_exceeded`: then the request does not count
 */
export function countRows(c: Context, rows: number, before = 0): Promise<(error: unknown) => never> {
  return countRequests(c, requestsOf(before + rows), Math.max(1, requestsOf(before)));
}

/**
 * Counts a file that is made of rows and boundaries: a hundred rows as one request of a key and a thousand as one without a key, or
 * the text of the boundaries where that is more. A caller without a key is answered while one request is free.
 *
 * @returns and throws as `countRows`
 */
export function countFile(
  c: Context,
  { rows, text }: { rows: number; text: number },
): Promise<(error: unknown) => never> {
  const perRequest = callerOf(c).limit ? ROWS_PER_REQUEST : ROWS_PER_FREE_REQUEST;
  return countRequests(c, Math.ceil(Math.max(rows / perRequest, text / TEXT_PER_REQUEST)));
}

/**
 * Counts a page of features, a thousand as one request.
 *
 * @param page `text`: characters of the boundaries, where these are transformed
 * @throws as `countRows`
 */
export async function countFeatures(c: Context, { rows, text = 0 }: { rows: number; text?: number }): Promise<void> {
  await countRequests(c, Math.ceil(Math.max(rows / ROWS_PER_FREE_REQUEST, text / TEXT_PER_REQUEST)));
}

/**
 * Counts a request as several whose work is not measured in rows: it makes the service send requests to other servers.
 *
 * @throws as `countRows`
 */
export async function countWork(c: Context, requests: number): Promise<void> {
  await countRequests(c, requests);
}

/** @param counted how many of the requests were counted before: at least one, when the caller was admitted */
async function countRequests(c: Context, requests: number, counted = 1): Promise<(error: unknown) => never> {
  const caller = callerOf(c);
  const { limit, accountPerMinute } = caller;
  if (!limit) await c.get('countAs')?.(requests, counted);
  const count = Math.min(requests, limit?.perMinute ?? 0, accountPerMinute) - counted;
  if (!limit || count < 1) return rethrow;
  const answer = await takeMore(caller, limit, { count, isWhole: true });
  if (!answer) return rethrow;
  const counts: Count[] = [{ limit, allowance: answer.allowance }];
  if (answer.account) counts.push({ limit: accountLimit(limit, accountPerMinute), allowance: answer.account });
  if (answer.taken < count) refuse(c, counts);
  setLimitHeaders(c, counts);
  return (error) => {
    if (isOurFault(error)) {
      const failed = {
        taken: count,
        at: answer.at,
        perMinute: limit.perMinute,
        isOfAccount: answer.account !== undefined,
      };
      const asking = { meters: caller.meters, deadline: caller.deadline.unhurried };
      const takingBack = callCounter(asking, limit.counter, async (meter) => meter.takeBack(failed));
      c.executionCtx.waitUntil(takingBack.catch((failure) => logFailure('rows_not_taken_back', failure, {})));
    }
    throw error;
  };
}

function rethrow(error: unknown): never {
  throw error;
}

function isOurFault(error: unknown): boolean {
  return !(error instanceof DomainError) || STATUS[error.code] >= 500;
}

/**
 * Counts rows as they come, where nobody knows how many there will be. The counter of the caller is asked for one request, then for
 * two, four and eight, and then once for every thousand rows. So many are answered before they are counted. The first steps are
 * small, so that tables that begin at once exceed a small limit by little.
 *
 * Where the limit is used up, `add` and `end` wait until the window has moved on: whoever sends many rows gets them at the pace of
 * their limit, and nobody has to cut a table into pieces.
 */
export class RowPace {
  readonly #caller: RowCaller;
  readonly #requireActive: () => Promise<void>;
  #rows = 0;
  /** Requests that have been counted. The first was when the caller was admitted. */
  #counted = 1;
  /** For how many requests the counter is asked the next time. */
  #atOnce = 1;

  /** @param requireActive throws if the caller's key is no longer active; called where its counter does not know that it is */
  constructor(c: Context, requireActive: () => Promise<void>) {
    this.#caller = callerOf(c);
    this.#requireActive = requireActive;
  }

  /**
   * Counts more rows, and waits until they may be answered.
   *
   * @throws what `requireActive` throws
   */
  async add(rows: number): Promise<void> {
    this.#rows += rows;
    if (requestsOf(this.#rows) - this.#counted >= this.#atOnce) await this.#settle();
  }

  /**
   * Counts what is left of the rows, and waits until they may be answered.
   *
   * @throws what `requireActive` throws
   */
  async end(): Promise<void> {
    await this.#settle();
  }

  /** Counts what is left of the rows, as far as the limit lets it, without waiting: nobody waits for the answer any more. */
  async leave(): Promise<void> {
    await this.#settle('once');
  }

  async #settle(how: 'all' | 'once' = 'all'): Promise<void> {
    const { limit, weighed, accountPerMinute } = this.#caller;
    const perMinute = (limit ?? weighed)?.perMinute;
    if (perMinute === undefined) return;
    const most = Math.min(MAX_BATCH, perMinute, accountPerMinute);
    while (requestsOf(this.#rows) > this.#counted) {
      const count = Math.min(most, requestsOf(this.#rows) - this.#counted);
      // After an answer nobody waits for what is counted.
      const deadline = how === 'once' ? this.#caller.deadline.unhurried : this.#caller.deadline;
      const caller = { ...this.#caller, deadline };
      const answer = limit
        ? await takeMore(caller, limit, { count, isWhole: false })
        : await takeWork(caller, weighed as Limit, count);
      this.#counted += answer?.taken ?? count;
      if (how === 'once') return;
      if (answer?.isActive === false) await this.#requireActive();
      if (!answer || answer.taken === count) {
        this.#atOnce = Math.min(2 * this.#atOnce, most);
        continue;
      }
      const refusal = answer.allowance.allowed ? answer.account : answer.allowance;
      await scheduler.wait(Math.max(1, refusal?.resetMs ?? 1000));
    }
  }
}

/** Gives undefined where the counter does not answer: the rows go through uncounted, and the log says so. */
async function takeMore(
  { meters, deadline, accountPerMinute }: RowCaller,
  { counter, perMinute }: Limit,
  { count, isWhole }: { count: number; isWhole: boolean },
): Promise<Taken | undefined> {
  const more = { counter, count, perMinute, accountPerMinute, isWhole };
  try {
    return await callCounter({ meters, deadline }, counter, async (meter): Promise<Taken> => meter.takeMore(more));
  } catch (error) {
    logFailure('rows_uncounted', error, {});
    return undefined;
  }
}

/**
 * Counts work of a signed-in person: all of it while one request is free, else nothing. Gives undefined where the counter does not
 * answer: the rows go through uncounted, and the log says so.
 */
async function takeWork(
  { meters, deadline }: RowCaller,
  { counter, holder, perMinute }: Limit,
  count: number,
): Promise<Taken | undefined> {
  const request = { limits: [{ network: holder, perMinute }], count, receipts: [] };
  try {
    const { allowances } = await callCounter<AddressTaken>({ meters, deadline }, counter, (it) => it.take(request));
    const allowance = requireAllowance(allowances[0]);
    return { taken: allowance.allowed ? count : 0, isActive: true, allowance, account: undefined, at: Date.now() };
  } catch (error) {
    logFailure('rows_uncounted', error, {});
    return undefined;
  }
}
