import type { ServiceContext } from './context.ts';
import { type Claim, claimRequest, isOvertaken, releaseRequest } from './db/idempotency.ts';
import { DomainError } from './errors.ts';

/** How long a try that reads its body into memory can be at work, seconds. */
const LEASE_SECONDS = 20;
/** How long a refusal waits until other tries can claim the request, milliseconds. */
const RELEASE_MS = 500;

interface Once<T> {
  /** Makes it. The statement that does so has `completed(claim, …)`. */
  make(claim: Claim | undefined): Promise<T>;
  /** Finds what an earlier try has made, by its id. Throws an error that ends in `_not_found` where it is gone. */
  find(id: string, attempt: string): Promise<T>;
  /** SHA-256 of what is sent, where the operation reads its body by itself. */
  fingerprint?(): Promise<string>;
  /** How long no other try can take the place of this one, seconds. */
  leaseSeconds?: number;
}

/**
 * Makes a thing. Where the request has an Idempotency-Key, it is made once, however often the request is sent in a day:
 * other tries are answered with what the first one made, as it is now. A try that makes nothing leaves no trace.
 *
 * @throws DomainError `idempotency_key_in_use`, `idempotency_key_reused`, and what `make` and `find` throw
 */
export async function once<T>(ctx: ServiceContext, { make, find, leaseSeconds, ...once }: Once<T>): Promise<T> {
  const { requestKey, db } = ctx;
  if (!requestKey) return make(undefined);
  const { id, fingerprint } = requestKey;
  const claim = { id, fingerprint, attempt: crypto.randomUUID() };
  const known = await claimRequest(db, claim, leaseSeconds ?? LEASE_SECONDS);
  if (known.attempt === claim.attempt) {
    const making = make(claim).catch(async (error) => {
      // Where this fails, other tries have to wait until the claim runs out. What has failed may have used up all of the time.
      const release = releaseRequest(ctx.afterAnswer.db, claim).catch(() => undefined);
      ctx.waitUntil(release);
      await ctx.deadline.within(RELEASE_MS, () => release).catch(() => undefined);
      throw isOvertaken(error) ? inUse({ cause: error }) : error;
    });
    // The claim ends also where the caller has gone.
    ctx.waitUntil(making.catch(() => undefined));
    return making;
  }
  if (known.subjectId === null) throw inUse({ retryAfter: known.secondsLeft });
  if ((fingerprint ?? (await once.fingerprint?.())) !== known.fingerprint) {
    throw new DomainError(
      'idempotency_key_reused',
      'Idempotency-Key: you have sent the same key with another path or body in the last 24 hours. Send a new key with each new request.',
    );
  }
  requestKey.isRepeated = true;
  return find(known.subjectId, known.attempt).catch((error) => {
    if (!(error instanceof DomainError && error.code.endsWith('_not_found'))) throw error;
    const remedy = 'An earlier request with this Idempotency-Key made it. Send another key to make another.';
    throw new DomainError(error.code, `${error.message} ${remedy}`);
  });
}

/** @param retryAfter when other tries can claim the request at the latest, seconds */
function inUse({ retryAfter = 1, ...options }: { retryAfter?: number; cause?: unknown }): DomainError {
  return new DomainError(
    'idempotency_key_in_use',
    'Idempotency-Key: a request with the same key is under way. Send this one again to learn what it made.',
    {},
    { ...options, retryAfter },
  );
}
