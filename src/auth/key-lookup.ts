import { Patience } from '../patience.ts';
import { askCounter, tellCounter } from '../rate-limits/counter.ts';
import { type Allowance, keyCounter, requireAllowance } from '../rate-limits/limit.ts';
import type { StoredKey } from './accounts.ts';
import type { Admission, Credential, KeyFacts, KeyRecord } from './known-key.ts';
import type { User } from './principal.ts';
import { sameText } from './same-text.ts';
import type { AuthContext } from './variables.ts';

/** How long a request with a key that its counter knows waits for the database, milliseconds. */
const PATIENCE_MS = 500;

const ADMISSIONS: ReadonlySet<unknown> = new Set<Admission['status']>([
  'unknown',
  'unlearned',
  'active',
  'revoked',
  'expired',
]);

/** What was found of a key. */
export type FoundKey = KeyFacts & {
  /** The owner, where the account was asked for. */
  readonly user?: User;
  /** What the key's counter said, where it has counted the request. */
  readonly allowance?: Allowance | undefined;
};

/** The key and its owner, by the database. */
export async function lookUpAccount(c: AuthContext, credential: Credential): Promise<FoundKey | undefined> {
  const key = await storedKey(c, credential);
  if (!key) return undefined;
  const { userId, email, isAdmin } = key;
  return { ...key, user: { userId, email, isAdmin } };
}

/**
 * The key as its counter knows it, which counts the request too. The database is asked where the counter knows too little
 * or doesn't answer.
 */
export async function lookUpCredential(c: AuthContext, credential: Credential): Promise<FoundKey | undefined> {
  const admission = await admissionOf(c, credential);
  if (admission?.status === 'unknown') return undefined;
  if (!admission || admission.status === 'unlearned') {
    const key = await storedKey(c, credential);
    if (key && admission) teach(c, credential, { key, epoch: admission.epoch });
    return key;
  }
  const newer = admission.epoch === undefined ? undefined : await lookUpAgain(c, credential, admission.epoch);
  return newer ? newer.key && { ...newer.key, allowance: admission.allowance } : admission;
}

/** What the counter says; undefined where it doesn't answer, which leaves the request uncounted. */
async function admissionOf(c: AuthContext, credential: Credential): Promise<Admission | undefined> {
  try {
    const name = keyCounter(credential.prefix);
    const counters = { meters: c.env.METER, patience: c.get('patience') };
    const said = await askCounter<Admission>(counters, name, (counter, uses) => counter.admit(credential, uses));
    if (!ADMISSIONS.has(said?.status)) throw new TypeError('The counter gave no admission');
    if (said.status === 'active') requireAllowance(said.allowance);
    return said;
  } catch (error) {
    c.set('uncounted', error);
    return undefined;
  }
}

/** What the database says of a key that its counter knows from before; undefined where it doesn't say it soon. */
async function lookUpAgain(
  c: AuthContext,
  credential: Credential,
  epoch: string,
): Promise<{ key: StoredKey | undefined } | undefined> {
  const looking = storedKey(c, credential).then(
    (key) => {
      teach(c, credential, { key, epoch });
      return { key };
    },
    () => undefined,
  );
  // What comes late is learned all the same.
  c.executionCtx.waitUntil(looking);
  return Promise.race([looking, scheduler.wait(PATIENCE_MS).then(() => undefined)]);
}

/** Tells the counter what the database says, after the answer. Where it can't be told, the next request asks again. */
function teach(c: AuthContext, { prefix }: Credential, said: { key: StoredKey | undefined; epoch: string }): void {
  const key = said.key && recordOf(said.key);
  const telling = tellCounter({ meters: c.env.METER, patience: new Patience('each') }, keyCounter(prefix), (counter) =>
    counter.learn(key, said.epoch),
  );
  c.executionCtx.waitUntil(telling.catch(() => undefined));
}

function recordOf({ status, keyId, scopes, rateLimitRpm, hash, expiresAt }: StoredKey): KeyRecord {
  return { status, keyId, scopes, rateLimitRpm, hash, expiresAt };
}

/** The key as it is stored; undefined where there is none with this prefix and hash. */
async function storedKey(c: AuthContext, { prefix, hash }: Credential): Promise<StoredKey | undefined> {
  const key = await c.var.accounts.findKey(prefix);
  return key && sameText(hash, key.hash) ? key : undefined;
}
