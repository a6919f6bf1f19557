import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { type Answer, workerWith } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { bearer } from '../support/people.ts';

const { d: _, ...PUBLIC } = inject('sessionKey') as JWK;
const ours = (await importJWK(inject('sessionKey') as JWK, 'ES256')) as CryptoKey;
const OUR_KEYS = { keys: [{ ...PUBLIC, kid: 'first', alg: 'ES256' }] };
/** Seconds since the epoch that no test reaches. */
const FAR = Date.UTC(2100, 0) / 1000;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Stand-ins for identity providers, by address. Requests to other addresses go there. */
const providers = new Map<string, (init: RequestInit) => Response | Promise<Response>>();
const original = globalThis.fetch;
vi.spyOn(globalThis, 'fetch').mockImplementation((input, init = {}) => {
  const provider = providers.get(String(input));
  return provider ? Promise.resolve(provider(init as RequestInit)) : original(input, init);
});

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());
const wait = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);

interface Provider {
  /** What it answers. */
  answers: (init: RequestInit) => Response | Promise<Response>;
  /** When it was asked, milliseconds. */
  readonly asked: number[];
  /** An instance of the Worker that has asked it nothing yet. */
  instance(): (given: string) => Promise<Answer>;
}

const ok = () => Response.json(OUR_KEYS);
const down = () => new Response('Bad Gateway', { status: 502 });

function newProvider(answers: Provider['answers'] = ok): Provider {
  const url = `https://identity.example/${crypto.randomUUID()}/jwks`;
  const provider: Provider = {
    answers,
    asked: [],
    instance: () => {
      const ask = workerWith({ SESSION_JWKS: undefined, SESSION_JWKS_URL: url });
      return (given) => ask('/v1/regions?limit=1', { headers: bearer(given) });
    },
  };
  providers.set(url, (init) => {
    provider.asked.push(Date.now());
    expect(new Headers(init.headers).has('Authorization')).toBe(false);
    return provider.answers(init);
  });
  return provider;
}

function session(kid = 'first', key: CryptoKey = ours): Promise<string> {
  return new SignJWT({ iss: 'https://identity.example', sub: 'user_of_keys', exp: FAR })
    .setProtectedHeader({ alg: 'ES256', kid })
    .sign(key);
}
const SESSION = await session();

/** The outcome in short: a status, with the code of an error. */
const outcome = ({ status, body }: Answer) => [status, body.code].filter(Boolean).join(' ');
const UNAVAILABLE = '503 identity_provider_unavailable';

describe('known keys', () => {
  it('go on verifying through an outage of 24 hours, and no longer', async () => {
    const provider = newProvider();
    const ask = provider.instance();
    expect(outcome(await ask(SESSION))).toBe('200');
    provider.answers = down;
    for (const pause of [11 * MINUTE, 12 * HOUR, 11 * HOUR + 48 * MINUTE]) {
      wait(pause);
      expect(outcome(await ask(SESSION))).toBe('200');
    }
    wait(2 * MINUTE);
    const refused = await ask(SESSION);
    expect(outcome(refused)).toBe(UNAVAILABLE);
    expect(refused.headers.get('Retry-After')).toBe('30');
    wait(10 * SECOND);
    expect((await ask(SESSION)).headers.get('Retry-After')).toBe('20');
    // However long the outage has been, keys are fetched again after 30 seconds at the latest.
    provider.answers = ok;
    wait(20 * SECOND);
    expect(outcome(await ask(SESSION))).toBe('200');
  });

  it('are fetched again after ten minutes, and after failures in growing pauses', async () => {
    const provider = newProvider();
    const ask = provider.instance();
    await ask(SESSION);
    provider.answers = down;
    for (let passed = 0; passed < 50 * MINUTE; passed += 30 * SECOND) {
      wait(30 * SECOND);
      expect(outcome(await ask(SESSION))).toBe('200');
    }
    const pauses = provider.asked.slice(1).map((time, i) => (time - (provider.asked[i] as number)) / SECOND);
    expect(pauses).toEqual([630, 30, 60, 120, 240, 480, 600, 600].slice(0, pauses.length));
    expect(pauses.length).toBeGreaterThan(5);
  });

  it('are used without waiting while another request fetches newer ones', async () => {
    const provider = newProvider();
    const ask = provider.instance();
    await ask(SESSION);
    wait(11 * MINUTE);
    provider.answers = ({ signal }) =>
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    const answered: string[] = [];
    const asking = ['the first', 'the second'].map(async (which) => {
      expect(outcome(await ask(SESSION))).toBe('200');
      answered.push(which);
    });
    await Promise.all(asking);
    expect(provider.asked).toHaveLength(2);
    expect(answered).toEqual(['the second', 'the first']);
  });

  it('are fetched again where the request that fetched them was broken off', async () => {
    const provider = newProvider(() => new Promise(() => undefined));
    const ask = provider.instance();
    void ask(SESSION);
    await eventually(() => expect(provider.asked).toHaveLength(1));
    provider.answers = ok;
    // As long as a fetch may take; the request had no time to say that it has ended.
    wait(4 * SECOND);
    expect(outcome(await ask(SESSION))).toBe('200');
    expect(provider.asked).toHaveLength(2);
  });

  it('are fetched after a pause where a request found none', async () => {
    const provider = newProvider(() => new Promise(() => undefined));
    const ask = provider.instance();
    void ask(SESSION);
    await eventually(() => expect(provider.asked).toHaveLength(1));
    provider.answers = down;
    wait(4 * SECOND);
    const refused = await ask(SESSION);
    expect([outcome(refused), refused.headers.get('Retry-After')]).toEqual([UNAVAILABLE, '30']);
    wait(29 * SECOND);
    expect(outcome(await ask(SESSION))).toBe(UNAVAILABLE);
    expect(provider.asked).toHaveLength(2);
  });
});

describe('a key that is not known', () => {
  it('costs no more fetches where the requests that fetch are broken off', async () => {
    const provider = newProvider();
    const ask = provider.instance();
    await ask(SESSION);
    wait(31 * SECOND);
    provider.answers = () => new Promise(() => undefined);
    void ask(await session('unknown'));
    await eventually(() => expect(provider.asked).toHaveLength(2));
    provider.answers = ok;
    for (const [pause, fetches] of [
      [4 * SECOND, 2],
      [25 * SECOND, 2],
      [2 * SECOND, 3],
    ] as const) {
      wait(pause);
      expect(outcome(await ask(await session('unknown')))).toBe('401 invalid_token');
      expect([pause, provider.asked.length]).toEqual([pause, fetches]);
    }
  });

  it('costs one fetch in 30 seconds, however many ask at once', async () => {
    const provider = newProvider();
    const ask = provider.instance();
    await ask(SESSION);
    const strangers = async () =>
      Promise.all(Array.from({ length: 40 }, async (_, i) => outcome(await ask(await session(`unknown-${i}`)))));
    for (const [pause, fetches] of [
      [0, 1],
      [29 * SECOND, 1],
      [2 * SECOND, 2],
      [20 * SECOND, 2],
      [10 * SECOND, 3],
    ] as const) {
      wait(pause);
      expect(new Set(await strangers())).toEqual(new Set(['401 invalid_token']));
      expect([pause, provider.asked.length]).toEqual([pause, fetches]);
      expect(outcome(await ask(SESSION))).toBe('200');
    }
  });

  it('is found once the provider has it, and the key that it replaced is not', async () => {
    const provider = newProvider();
    const ask = provider.instance();
    await ask(SESSION);
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
    const renewed = await session('second', privateKey);
    provider.answers = async () => Response.json({ keys: [{ ...(await exportJWK(publicKey)), kid: 'second' }] });
    wait(31 * SECOND);
    const outcomes = await Promise.all([renewed, renewed, renewed].map(async (given) => outcome(await ask(given))));
    expect(outcomes).toEqual(['200', '200', '200']);
    expect(provider.asked).toHaveLength(2);
    expect(outcome(await ask(SESSION))).toBe('401 invalid_token');
  });

  it('is refused where the provider has it in a form that can not be read', async () => {
    const broken = { kty: 'EC', crv: 'P-256', x: 'AAAA', y: 'AAAA', kid: 'broken', alg: 'ES256' };
    const provider = newProvider(() => Response.json({ keys: [...OUR_KEYS.keys, broken] }));
    const ask = provider.instance();
    expect(outcome(await ask(await session('broken')))).toBe('401 invalid_token');
    expect(outcome(await ask(SESSION))).toBe('200');
  });
});

describe('a provider that answers nonsense', () => {
  const endless = () =>
    new Response(new ReadableStream({ pull: (body) => body.enqueue(new Uint8Array(16_384).fill(32)) }));
  it.each<[string, Provider['answers']]>([
    ['an error', down],
    ['nothing', () => new Response(null, { status: 204 })],
    ['an empty body', () => new Response('')],
    ['another address', () => Response.redirect('https://evil.example/jwks')],
    ['a page', () => new Response('<h1>It works!</h1>', { headers: { 'Content-Type': 'text/html' } })],
    ['no set', () => Response.json({})],
    ['a set without keys', () => Response.json({ keys: [] })],
    ['keys that are none', () => Response.json({ keys: [null, 'key'] })],
    ['half a set', () => new Response(JSON.stringify(OUR_KEYS).slice(0, -5))],
    ['too much', () => Response.json({ ...OUR_KEYS, more: 'x'.repeat(300_000) })],
    ['without end', endless],
    ['never', () => Promise.reject(new TypeError('Network connection lost.'))],
  ])('(%s) neither gives keys nor takes away known ones', async (_, answers) => {
    const provider = newProvider(answers);
    const ask = provider.instance();
    expect(outcome(await ask(SESSION))).toBe(UNAVAILABLE);
    // During the pause the provider is not asked.
    expect(outcome(await ask(SESSION))).toBe(UNAVAILABLE);
    expect(provider.asked).toHaveLength(1);
    provider.answers = ok;
    wait(31 * SECOND);
    expect(outcome(await ask(SESSION))).toBe('200');
    provider.answers = answers;
    wait(11 * MINUTE);
    expect(outcome(await ask(SESSION))).toBe('200');
    expect(provider.asked).toHaveLength(3);
  });
});

describe('an instance that starts during an outage', () => {
  it('uses the keys that another instance has fetched, for 24 hours', async () => {
    const provider = newProvider();
    await provider.instance()(SESSION);
    provider.answers = down;
    wait(23 * HOUR);
    expect(outcome(await provider.instance()(SESSION))).toBe('200');
    wait(2 * HOUR);
    expect(outcome(await provider.instance()(SESSION))).toBe(UNAVAILABLE);
  });

  it('verifies no session where no instance has keys, and accepts other credentials all the same', async () => {
    const ask = newProvider(down).instance();
    const forged = `${SESSION.split('.').slice(0, 2).join('.')}.AAAA`;
    for (const given of [SESSION, forged]) expect(outcome(await ask(given))).toBe(UNAVAILABLE);
    expect(outcome(await ask('test-master-token-not-secret'))).toBe('200');
  });
});
