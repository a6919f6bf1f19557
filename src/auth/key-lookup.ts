import { BoundedMap } from '../bounded-map.ts';
import { steadyTime } from '../clock.ts';
import type { Deadline } from '../deadline.ts';
import { DomainError } from '../errors.ts';
import { type Counters, callCounter } from '../rate-limits/counter.ts';
import { type Allowance, keyCounter, requireGranted } from '../rate-limits/limit.ts';
import { receiptsOf, storeReceipt } from '../rate-limits/receipts.ts';
import { returnUses, takeUses } from '../rate-limits/waiting-uses.ts';
import type { StoredKey } from './accounts.ts';
import {
  type Admission,
  type Credential,
  type KeyFacts,
  type Leased,
  LOOK_UP_MS,
  type LookupResult,
} from './cached-key.ts';
import { type AdmissionOfOne, type AdmittedOne, permitsOf } from './key-permits.ts';
import type { Identity, User } from './principal.ts';
import { sameText } from './same-text.ts';
import type { AuthContext } from './variables.ts';

/** How long a request with a key that its counter has cached waits for the database, milliseconds. */
const ANSWER_WAIT_MS = 500;

/** How long the counter of a key may take to answer, milliseconds. Without an answer the database is asked, which must be rare. */
const ADMISSION_MS = 1500;

/** How often a request waits for what another one finds, where the key changes meanwhile or the other takes long. */
const MAX_WAITS = 3;

/** How many look-ups of a key an instance makes in a second by itself, where the counter of the key does not answer. */
const UNCOUNTED_PER_SECOND = 20;

/** By the hash of a key: the second of its last look-up without its counter, and how many there were in it. */
const uncounted = new BoundedMap<string, { readonly second: number; readonly count: number }>(1000);

const ADMISSIONS: ReadonlySet<unknown> = new Set<Admission['status']>([
  'unknown',
  'unavailable',
  'unlearned',
  'active',
  'revoked',
  'expired',
]);

/** What was found of a key. */
export interface FoundKey extends KeyFacts {
  /** The owner, where the account was requested. */
  readonly user?: User | undefined;
  /** What the counter of the key answered, where it has counted the request; and what that of the account answered. */
  readonly allowance?: Allowance | undefined;
  readonly account?: Allowance | undefined;
}

/**
 * The key as its counter knows it, which counts the request too. The database is asked where the counter lets the request
 * through and knows too little, where the account is wanted, and where the counter doesn't answer. Of several requests
 * with a key that the counter does not know, one asks the database for all.
 *
 * @throws DomainError as the look-up does
 */
export async function lookUpKey(
  c: AuthContext,
  credential: Credential,
  identity: Identity,
): Promise<FoundKey | undefined> {
  const admission = await admissionOf(c, credential);
  if (!admission) {
    requireRoom(credential);
    return lookUpUncounted(c, credential);
  }
  if (!('keyId' in admission)) {
    if (admission.status === 'unknown') return undefined;
    throw unavailable();
  }
  if (admission.uncounted !== undefined) c.set('uncounted', new Error(admission.uncounted));
  const isRefused = admission.status !== 'active' || !isAllowed(admission);
  if (isRefused || admission.user) return admission;
  const { epoch, allowance, account } = admission;
  const counted = { allowance, account };
  if (identity === 'account') {
    const key = await storedKey(c, credential);
    if (epoch !== undefined) updateCounter(c, credential, { result: { key }, epoch });
    return key && { ...withUser(key), ...counted };
  }
  const newer = epoch === undefined ? undefined : await lookUpAgain(c, credential, epoch);
  return newer ? newer.key && { ...newer.key, ...counted } : admission;
}

/** The key and its owner, by the database alone. The request is not counted. */
export async function lookUpUncounted(c: AuthContext, credential: Credential): Promise<FoundKey | undefined> {
  const key = await storedKey(c, credential);
  return key && withUser(key);
}

/**
 * Keeps a counter that is late or overloaded from making every request of its key a statement.
 *
 * @throws DomainError `counter_unavailable`
 */
function requireRoom({ hash }: Credential): void {
  const second = Math.floor(steadyTime() / 1000);
  const last = uncounted.get(hash);
  const count = last?.second === second ? last.count + 1 : 1;
  uncounted.set(hash, { second, count });
  if (count <= UNCOUNTED_PER_SECOND) return;
  const message = 'The counter of the API key does not answer. Try again in a second.';
  throw new DomainError('counter_unavailable', message, { retryAfter: 1 });
}

function isAllowed({ allowance, account }: AdmittedOne): boolean {
  return allowance?.allowed !== false && account?.allowed !== false;
}

function withUser(key: StoredKey): FoundKey {
  const { userId, email, isAdmin, accountRpm } = key;
  return { ...key, user: { userId, email, isAdmin, accountRpm } };
}

/**
 * What the counter says, once somebody has looked the key up; undefined where it doesn't answer, which leaves the request
 * uncounted.
 */
async function admissionOf(c: AuthContext, credential: Credential): Promise<AdmissionOfOne | undefined> {
  try {
    return await c.get('deadline').count(() =>
      permitsOf(credential).take((join, more) => {
        const asking = askCounter(c, credential, { join, ...more });
        // Others wait for it, also where the client of this request has gone.
        c.executionCtx.waitUntil(asking.catch(() => undefined));
        return asking;
      }),
    );
  } catch (error) {
    if (error instanceof LookUpFailed) throw error.cause;
    c.set('uncounted', error);
    return undefined;
  }
}

/** Asks the counter for requests with a key. Where it does not know the key, one request looks the key up for all. */
async function askCounter(
  c: AuthContext,
  credential: Credential,
  { join, ...wanting }: { join: () => number; ahead: number; unused: Leased | undefined },
): Promise<Admission | undefined> {
  const name = keyCounter(credential.prefix);
  const counters = { meters: c.env.METER, deadline: c.get('deadline') };
  const uses = takeUses(name);
  const asked = { ...wanting, accountPerMinute: c.get('config').ACCOUNT_RPM, receipts: receiptsOf(credential.hash) };
  let admission = await callCounter<Admission>(
    counters,
    name,
    (counter) => counter.admit(credential, { ...asked, wanted: join(), uses }),
    ADMISSION_MS,
  )
    .then(requireAdmission)
    .catch((error: unknown) => {
      returnUses(name, uses);
      throw error;
    });
  // Those that come while the key is looked up are counted with the first. Nothing was counted before.
  const again = () => ({ ...asked, wanted: join(), uses: [] });
  for (let waits = 0; admission.status === 'unlearned' && waits < MAX_WAITS; waits += 1) {
    const { epoch, isFirst } = admission;
    const result = isFirst
      ? await lookUpForAll(c, credential, { epoch, asked: again })
      : await callCounter<Admission>(
          counters,
          name,
          (counter) => counter.admitLater(credential, again()),
          LOOK_UP_MS + ANSWER_WAIT_MS,
        );
    if (isFirst && !result) return undefined;
    admission = requireAdmission(result);
  }
  if ('keyId' in admission) storeReceipt(credential.hash, admission.receipt);
  return admission;
}

/** @throws TypeError if what a counter says is no admission, as that of another version of the Worker may be */
function requireAdmission(result: Admission | undefined): Admission {
  if (!result || !ADMISSIONS.has(result.status)) throw new TypeError('The counter gave no admission');
  if (result.status === 'active') requireGranted(result.own);
  return result;
}

/** The counters, for work that goes on where nobody waits for it. */
function unhurried(c: AuthContext): Counters {
  return { meters: c.env.METER, deadline: c.get('deadline').unhurried };
}

/** The database did not say what the key is. */
class LookUpFailed extends Error {
  override readonly name = 'LookUpFailed';
}

type AdmissionRequest = Parameters<ReturnType<Env['METER']['get']>['admitLater']>[1];

/**
 * Looks the key up for all requests that wait for it. It goes on where the client has gone or has no time left, because
 * they are still there.
 */
function lookUpForAll(
  c: AuthContext,
  credential: Credential,
  { epoch, asked }: { epoch: string; asked: () => AdmissionRequest },
): Promise<Admission | undefined> {
  const { prefix } = credential;
  const send = (result: LookupResult) =>
    callCounter<Admission | undefined>(unhurried(c), keyCounter(prefix), (counter) =>
      counter.learn(result, epoch, { credential, asked: asked() }),
    );
  const lookingUp = c.var.accounts.findKey(prefix, c.get('deadline').unhurried).then(
    (key) => send({ key }),
    (cause) => {
      // The answer does not wait for this.
      c.executionCtx.waitUntil(send('nothing').catch(() => undefined));
      throw new LookUpFailed('The key was not looked up', { cause });
    },
  );
  c.executionCtx.waitUntil(lookingUp.catch(() => undefined));
  return c.get('deadline').within(Number.POSITIVE_INFINITY, () => lookingUp);
}

function unavailable(): DomainError {
  return new DomainError(
    'database_unavailable',
    'The database could not be asked for the API key. Try again in a few seconds.',
  );
}

/** Looks up a key whose TTL in its counter has ended; undefined where the database does not answer soon. */
async function lookUpAgain(
  c: AuthContext,
  credential: Credential,
  epoch: string,
): Promise<{ key: StoredKey | undefined } | undefined> {
  const looking = storedKey(c, credential, c.get('deadline').unhurried).then(
    (key) => {
      updateCounter(c, credential, { result: { key }, epoch });
      return { key };
    },
    () => undefined,
  );
  // The counter gets a late answer too.
  c.executionCtx.waitUntil(looking);
  const deadline = c.get('deadline');
  return deadline.within(deadline.scaled(ANSWER_WAIT_MS), () => looking).catch(() => undefined);
}

/** Sends the counter what the database says, after the answer. Where that fails, the next request asks again. */
function updateCounter(
  c: AuthContext,
  { prefix }: Credential,
  { result, epoch }: { result: LookupResult; epoch: string },
): void {
  const updating = callCounter(unhurried(c), keyCounter(prefix), async (counter) => counter.learn(result, epoch));
  c.executionCtx.waitUntil(updating.catch(() => undefined));
}

/** The key as it is stored; undefined where there is none with this prefix and hash. */
async function storedKey(
  c: AuthContext,
  { prefix, hash }: Credential,
  deadline?: Deadline,
): Promise<StoredKey | undefined> {
  const key = await c.var.accounts.findKey(prefix, deadline);
  return key && sameText(hash, key.hash) ? key : undefined;
}
