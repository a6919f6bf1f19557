import type { ServiceContext } from './context.ts';
import { type Claim, claimRequest, isOvertaken, releaseRequest } from './db/idempotency.ts';
import { DomainError } from './errors.ts';

/** How long an attempt that reads its body into memory can be at work, seconds. */
const LEASE_SECONDS = 20;
/** Max wait for the claim to be released before an error is thrown, milliseconds. */
const RELEASE_MS = 500;

interface Creation<T> {
  /** Creates the thing. Its statement includes `completed(claim, …)`. */
  make(claim: Claim | undefined): Promise<T>;
  /** Finds what the attempt with a UUID created, by the id of the thing. @throws DomainError `…_not_found` where it is gone */
  find(id: string, attempt: string): Promise<T>;
  /** SHA-256 of what is sent, where the operation reads its body by itself. */
  fingerprint?(): Promise<string>;
  /** How long no other attempt can take the place of this one, seconds. */
  leaseSeconds?: number;
}

/**
 * Creates a thing. Where the request has an Idempotency-Key, the thing is created once, however often the request is sent in a
 * day: other attempts are answered with what the first one created, as it is now. An attempt that creates nothing leaves no trace.
 *
 * @throws DomainError `idempotency_key_in_use`, `idempotency_key_reused`, and what `make` and `find` throw
 */
export async function once<T>(
  ctx: ServiceContext,
  { make, find, leaseSeconds, ...operation }: Creation<T>,
): Promise<T> {
  const { requestKey, db } = ctx;
  if (!requestKey) return make(undefined);
  const { id, fingerprint } = requestKey;
  const claim = { id, fingerprint, attempt: crypto.randomUUID() };
  const known = await claimRequest(db, claim, leaseSeconds ?? LEASE_SECONDS);
  if (known.attempt === claim.attempt) {
    const making = make(claim).catch(async (error) => {
      // If the release fails, other attempts wait until the lease ends. It has its own time, because the request's may be used up.
      const release = releaseRequest(ctx.afterAnswer.db, claim).catch(() => undefined);
      ctx.waitUntil(release);
      await ctx.deadline.within(RELEASE_MS, () => release).catch(() => undefined);
      throw isOvertaken(error) ? inUse({ cause: error }) : error;
    });
    // The attempt goes on if the caller disconnects, so that its claim is completed or released.
    ctx.waitUntil(making.catch(() => undefined));
    return making;
  }
  if (known.subjectId === null) throw inUse({ retryAfter: known.secondsLeft });
  if ((fingerprint ?? (await operation.fingerprint?.())) !== known.fingerprint) {
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

/** @param retryAfter seconds after which another attempt can claim the request, at the latest */
function inUse({ retryAfter = 1, ...options }: { retryAfter?: number; cause?: unknown }): DomainError {
  return new DomainError(
    'idempotency_key_in_use',
    'Idempotency-Key: a request with the same key is under way. Send this one again to learn what it made.',
    { ...options, retryAfter },
  );
}
