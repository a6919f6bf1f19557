import { BoundedMap } from '../bounded-map.ts';
import { CachedValue, type CachePolicy } from '../cached-value.ts';
import { type Counters, callCounter } from '../rate-limits/counter.ts';
import { callWithRetries } from './changed-keys.ts';

/** How long a request waits for the state of an account, milliseconds. */
const ANSWER_WAIT_MS = 500;

/** An instance notices a deletion as late as the TTL. */
const POLICY: CachePolicy = {
  ttl: 30_000,
  maxStale: Number.POSITIVE_INFINITY,
  backoff: 5000,
  abandonAfter: ANSWER_WAIT_MS,
};

/** The last state of an account that the identity provider sent, or that was set here. */
export interface AccountState {
  readonly deleted: boolean;
  /** Of two states the one with the greater text is the newer. */
  readonly order: string;
}

/** By subject: whether the account was deleted. */
const cached = new BoundedMap<string, CachedValue<boolean>>(1000);

/** The name of the object that knows whether the account of a subject was deleted. */
function accountName(subject: string): string {
  return `subject:${subject}`;
}

/**
 * Whether the account of a session was deleted. A Durable Object knows it without the database, because the event of the deletion
 * is noted there. If it does not answer, the cached state counts, or without one the account as not deleted.
 */
export function isDeleted(counters: Counters, subject: string): Promise<boolean> {
  const account = cached.get(subject) ?? new CachedValue<boolean>(POLICY);
  cached.set(subject, account);
  const load = async () => {
    const name = accountName(subject);
    const isDeleted = await callCounter<unknown>(counters, name, async (it) => it.isDeleted(), ANSWER_WAIT_MS);
    if (typeof isDeleted !== 'boolean') throw new TypeError('The object of an account gave no state');
    return isDeleted;
  };
  return account.get({ deadline: counters.deadline, load }).catch(() => false);
}

/**
 * Notes that an account was deleted, or that it is there.
 *
 * @param state `isSet`: it counts whatever was noted before
 * @throws DomainError `counter_unavailable`
 */
export function noteAccount(
  counters: Counters,
  subject: string,
  state: AccountState & { readonly isSet?: boolean },
): Promise<void> {
  return callWithRetries(counters, accountName(subject), async (account) => account.noteAccount(state));
}
