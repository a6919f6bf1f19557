import { BoundedMap } from '../bounded-map.ts';
import { steadyTime } from '../clock.ts';
import { type Counters, tellCounter } from '../rate-limits/counter.ts';
import { tellOften } from './changed-keys.ts';

/** How long an instance believes what it was told of an account, milliseconds. So late it notices a deletion. */
const TTL_MS = 30_000;

/** How long a request waits for that, and how long the instance then does not ask again, milliseconds. */
const ANSWER_WAIT_MS = 500;
const BACKOFF_MS = 5000;

/** What the identity provider said last of an account. */
export interface AccountState {
  readonly deleted: boolean;
  /** Of two states the one with the greater text is the newer. */
  readonly order: string;
}

/** By subject: whether the account was deleted, and until when that is believed, by `steadyTime`. */
const known = new BoundedMap<string, { readonly deleted: boolean; readonly until: number }>(1000);

/** The name of the object that knows whether the account of a subject was deleted. */
function accountName(subject: string): string {
  return `subject:${subject}`;
}

/**
 * Whether the account of a session was deleted, without the database: the event that deletes it is told to an object. Where
 * that does not answer, what was known before counts.
 */
export async function isDeleted(counters: Counters, subject: string): Promise<boolean> {
  const before = known.get(subject);
  if (before && steadyTime() < before.until) return before.deleted;
  const asking = tellCounter<unknown>(counters, accountName(subject), async (it) => it.isDeleted(), ANSWER_WAIT_MS);
  const said = await asking.catch(() => undefined);
  const told = typeof said === 'boolean' ? said : undefined;
  const deleted = told ?? before?.deleted ?? false;
  known.set(subject, { deleted, until: steadyTime() + (told === undefined ? BACKOFF_MS : TTL_MS) });
  return deleted;
}

/**
 * Notes that an account was deleted, or that it is there.
 *
 * @throws DomainError `counter_unavailable`
 */
export function noteAccount(counters: Counters, subject: string, state: AccountState): Promise<void> {
  return tellOften(counters, accountName(subject), async (account) => account.noteAccount(state));
}
