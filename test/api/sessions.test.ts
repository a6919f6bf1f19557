import { sql } from 'drizzle-orm';
import { base64url, exportJWK, exportSPKI, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import { afterEach, describe, expect, inject, it, vi } from 'vitest';
import { api, get, instanceWith, post, workerWith } from '../support/api.ts';
import { bearer, newKey, person, sessionToken } from '../support/people.ts';
import { bodiesOf } from '../support/requests.ts';
import { publish, SNAPSHOTS } from '../support/snapshot.ts';
import { database } from '../support/sql.ts';
import { fromIdentity, minutes, userDeleted, userEvent } from '../support/webhooks.ts';

const { d: _, ...PUBLIC } = inject('sessionKey') as JWK;
const ISSUER = 'https://identity.example';
const HEADER = { alg: 'ES256', kid: 'test' };

const ES256 = { name: 'ECDSA', hash: 'SHA-256' };
const ours = (await importJWK(inject('sessionKey') as JWK, 'ES256')) as CryptoKey;
const theirs = (await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
  'sign',
  'verify',
])) as CryptoKeyPair;
const theirPublic = (await crypto.subtle.exportKey('jwk', theirs.publicKey)) as JWK;
const ourPublic = (await importJWK(PUBLIC, 'ES256', { extractable: true })) as CryptoKey;
const pem = await exportSPKI(ourPublic);
const spki = new Uint8Array((await crypto.subtle.exportKey('spki', ourPublic)) as ArrayBuffer);

const now = () => Math.floor(Date.now() / 1000);
const good = (claims: object = {}) => ({ iss: ISSUER, sub: 'user_attacked', exp: now() + 300, ...claims });
const part = (value: unknown) => base64url.encode(typeof value === 'string' ? value : JSON.stringify(value));
const bytes = (text: string) => new TextEncoder().encode(text);

/** A token of any header and payload; texts are taken for JSON as they are. */
async function token(header: unknown, payload: unknown, key: CryptoKey = ours): Promise<string> {
  const text = `${part(header)}.${part(payload)}`;
  const algorithm = key.algorithm.name === 'HMAC' ? 'HMAC' : ES256;
  return `${text}.${base64url.encode(new Uint8Array(await crypto.subtle.sign(algorithm, key, bytes(text))))}`;
}

async function withHmac(alg: string, secret: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const raw = typeof secret === 'string' ? bytes(secret) : secret;
  const hash = `SHA-${alg.slice(2)}`;
  const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash }, false, ['sign']);
  return token({ ...HEADER, alg }, good(), key);
}

/** A token with one of its three parts changed. */
async function changed(index: number, change: (part: string) => string): Promise<string> {
  const parts = (await token(HEADER, good())).split('.');
  return parts.with(index, change(parts[index] as string)).join('.');
}

/** An ECDSA signature in the form of X.509 instead of that of JOSE. */
function der(signature: string): string {
  const raw = base64url.decode(signature);
  const integers = [raw.slice(0, 32), raw.slice(32)].flatMap((half) => [2, 33, 0, ...half]);
  return base64url.encode(new Uint8Array([48, integers.length, ...integers]));
}

/** The same bytes in base64 as it is without "url". */
const base64 = (text: string) => text.replaceAll('-', '+').replaceAll('_', '/');

/** The same bytes, with a last letter that has one of the bits that do not count. */
function lastBits(text: string): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return text.slice(0, -1) + letters[letters.indexOf(text.at(-1) as string) + 1];
}

/** A token whose signature fits, changed. Signatures differ each time. */
async function changedUntil(fits: (signature: string) => boolean, change: (part: string) => string): Promise<string> {
  for (;;) {
    const parts = (await token(HEADER, good())).split('.');
    if (fits(parts[2] as string)) return parts.with(2, change(parts[2] as string)).join('.');
  }
}

const flipped = (text: string) => text.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'));
const ask = (given: string) => get('/v1/regions?limit=1', bearer(given));

const fetched = vi.spyOn(globalThis, 'fetch');
afterEach(() => fetched.mockClear());

describe('a forged session', () => {
  const forged: [string, () => Promise<string>][] = [
    ...['none', 'None', 'NONE', 'nOnE', ''].map((alg): [string, () => Promise<string>] => [
      `algorithm "${alg}"`,
      async () => `${part({ ...HEADER, alg })}.${part(good())}.`,
    ]),
    ['algorithm none, with a signature', () => token({ ...HEADER, alg: 'none' }, good())],
    ['no algorithm', () => token({ kid: 'test' }, good())],
    ['an algorithm that is a list', () => token({ ...HEADER, alg: ['ES256'] }, good())],
    ['HS256 with the public key as JSON', () => withHmac('HS256', JSON.stringify(PUBLIC))],
    ['HS256 with the public key as PEM', () => withHmac('HS256', pem)],
    ['HS256 with the public key as PEM and a line feed', () => withHmac('HS256', `${pem}\n`)],
    ['HS256 with the public key as DER', () => withHmac('HS256', spki)],
    ['HS384 with a coordinate of the public key', () => withHmac('HS384', PUBLIC.x as string)],
    ['HS512 with the id of the key', () => withHmac('HS512', 'test')],
    ['RS256 for a key of ES256', () => token({ ...HEADER, alg: 'RS256' }, good())],
    ['ES384 for a key of ES256', () => token({ ...HEADER, alg: 'ES384' }, good())],
    ['another key under our key’s id', () => token(HEADER, good(), theirs.privateKey)],
    ...[
      'other',
      '',
      '../../../dev/null',
      "' or 1=1 --",
      '__proto__',
      'constructor',
      'a'.repeat(3000),
      ['test'],
      {},
      0,
      null,
    ].map((kid): [string, () => Promise<string>] => [
      `another key, under the id ${JSON.stringify(kid).slice(0, 30)}`,
      () => token({ ...HEADER, kid }, good(), theirs.privateKey),
    ]),
    ['another key, without an id', () => token({ alg: 'ES256' }, good(), theirs.privateKey)],
    ['another key, which comes with it', () => token({ ...HEADER, jwk: theirPublic }, good(), theirs.privateKey)],
    [
      'another key, which comes with it and has the id',
      () => token({ alg: 'ES256', kid: 'own', jwk: { ...theirPublic, kid: 'own' } }, good(), theirs.privateKey),
    ],
    ...['jku', 'x5u'].map((name): [string, () => Promise<string>] => [
      `another key, to be had by ${name}`,
      () => token({ ...HEADER, kid: 'own', [name]: 'https://evil.example/keys' }, good(), theirs.privateKey),
    ]),
    ['another key, with a certificate', () => token({ ...HEADER, x5c: [part('x')] }, good(), theirs.privateKey)],
    ['an extension that must be understood', () => token({ ...HEADER, crit: ['x'], x: 1 }, good())],
    ['an empty list of extensions', () => token({ ...HEADER, crit: [] }, good())],
    ['a payload that is not encoded', () => token({ ...HEADER, crit: ['b64'], b64: false }, good())],
    ['another payload', () => changed(1, () => part(good({ sub: 'user_other' })))],
    ['another header', () => changed(0, () => part({ ...HEADER, typ: 'JWT' }))],
    ['another signature', () => changed(2, flipped)],
    ['no signature', () => changed(2, () => '')],
    ['half a signature', () => changed(2, (signature) => signature.slice(0, 43))],
    ['a signature of zeros', () => changed(2, () => base64url.encode(new Uint8Array(64)))],
    ['a signature in the form of X.509', () => changed(2, der)],
    ['more than a signature', () => changed(2, (signature) => `${signature}AAAA`)],
    ['a header that is no JSON', () => token('{', good())],
    ['a header that is a list', () => token([HEADER], good())],
    ['a payload that is no JSON', () => token(HEADER, 'sub')],
    ['a payload that is a list', () => token(HEADER, [good()])],
    ['no payload', () => token(HEADER, '')],
    ['a padded signature', () => changed(2, (signature) => `${signature}==`)],
    ['a padded payload', () => changed(1, () => `${part(good({ padded: true }))}=`)],
    ['the alphabet of base64', () => changedUntil((text) => /[-_]/.test(text), base64)],
    ['bits behind the last letter', () => changed(2, lastBits)],
    ['three words', async () => 'eyJ.eyJ.eyJ'],
    ['three dots', async () => 'a.b.c.d'],
    ['an encrypted token', async () => [part({ alg: 'dir', enc: 'A256GCM' }), '', 'a', 'b', 'c'].join('.')],
    ['two parts', async () => (await token(HEADER, good())).replace(/\.[^.]+$/, '')],
  ];

  it.each(forged)('is refused: %s', async (_, forge) => {
    const { status, body } = await ask(await forge());
    expect([status, body.code]).toEqual([401, 'invalid_token']);
    // Neither the database nor any address that the token names is asked.
    expect(bodiesOf(fetched)).toEqual([]);
  });
});

describe('a session of the provider', () => {
  it.each([
    ['nobody else’s', () => ({})],
    ['good from now on', () => ({ nbf: now() })],
    ['expired by less than clocks may differ', () => ({ exp: now() - 2 })],
    ['with a subject of 255 characters', () => ({ sub: `user_${'x'.repeat(250)}` })],
    [
      'with a claim twice, of which the last counts',
      () => `{"iss":"evil","iss":"${ISSUER}","sub":"user_twice","exp":${now() + 300}}`,
    ],
  ])('is taken: %s', async (_, claimed) => {
    const claims = claimed();
    const given = typeof claims === 'string' ? claims : good(claims);
    expect((await ask(await token(HEADER, given))).status).toBe(200);
  });

  it.each([
    ['expired', { exp: now() - 30 }, 'session_expired'],
    ['expired long ago', { exp: 0 }, 'session_expired'],
    ['not good yet', { nbf: now() + 3600 }, 'nbf'],
    ['without an end', { exp: undefined }, 'exp'],
    ['with an end in words', { exp: `${now() + 300}` }, 'exp'],
    ['with no end at all', { exp: null }, 'exp'],
    ['of another issuer', { iss: 'https://evil.example' }, 'iss'],
    ['of nearly the issuer', { iss: `${ISSUER}/` }, 'iss'],
    ['of several issuers', { iss: [ISSUER, 'https://evil.example'] }, 'iss'],
    ['of no issuer', { iss: undefined }, 'iss'],
    ['of nobody', { sub: undefined }, 'sub'],
    ['of an empty subject', { sub: '' }, 'sub'],
    ['of a number', { sub: 1 }, 'sub'],
    ['of an object', { sub: { toString: 'x' } }, 'sub'],
    ['of a subject of 256 characters', { sub: 'x'.repeat(256) }, 'sub'],
    ['of a subject that no database takes', { sub: 'user\u0000' }, 'sub'],
    ['of half a character', { sub: '\ud800' }, 'sub'],
  ])('is refused: %s', async (_, claims, fault) => {
    const { status, body } = await ask(await token(HEADER, good(claims)));
    const code = fault === 'session_expired' ? fault : 'invalid_token';
    expect([status, body.code]).toEqual([401, code]);
    if (code === 'invalid_token') expect(body.message).toContain(`"${fault}"`);
    expect(bodiesOf(fetched)).toEqual([]);
  });

  it('is refused where it is longer than any credentials', async () => {
    const { status, body } = await ask(await token(HEADER, good({ more: 'x'.repeat(9000) })));
    expect([status, body.code]).toEqual([401, 'invalid_authorization_header']);
  });

  it.each([
    ['RS256', 200],
    ['EdDSA', 200],
    ['PS256', 401],
    ['RS512', 401],
    ['ES384', 401],
  ])('must be signed in a way that was agreed on: %s is %i', async (alg, status) => {
    const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
    // The provider's key names no algorithm, so that only the service decides.
    const SESSION_JWKS = JSON.stringify({ keys: [await exportJWK(publicKey)] });
    const ask = workerWith({ SESSION_JWKS });
    const session = await new SignJWT(good()).setProtectedHeader({ alg }).sign(privateKey);
    expect((await ask('/v1/regions?limit=1', { headers: bearer(session) })).status).toBe(status);
  });

  it('must be for one of the authorized parties, where there are any', async () => {
    const ask = workerWith({ SESSION_AUTHORIZED_PARTIES: 'https://dashboard.example, https://admin.example' });
    const statusFor = async (claims: object) =>
      (await ask('/v1/regions?limit=1', { headers: bearer(await token(HEADER, good(claims))) })).status;
    for (const azp of ['https://dashboard.example', 'https://admin.example'])
      expect(await statusFor({ azp })).toBe(200);
    for (const azp of [
      undefined,
      '',
      'https://evil.example',
      'https://dashboard.example, https://admin.example',
      ['https://admin.example'],
    ]) {
      expect([azp, await statusFor({ azp })]).toEqual([azp, 401]);
    }
  });
});

describe('the person of a session', () => {
  const claimed = async (claims: object) => {
    const session = bearer(await sessionToken({ sub: `user_${crypto.randomUUID()}`, ...claims }));
    return (await newKey(session)).user_email;
  };

  it('has an address that differs from others in more than the case of ASCII letters', async () => {
    const name = crypto.randomUUID().slice(0, 13);
    const email = (letter: string) => `${letter}im.${name}@example.com`;
    const { body } = await post('/v1/datasets', { name: 'Of Kim', user_email: email('k') });
    const read = async (address: string, subject: string) => {
      const claims = { sub: `user_${subject}.${name}`, email: address, email_verified: true };
      return (await get(`/v1/datasets/${body.data.id}`, bearer(await sessionToken(claims)))).status;
    };
    // The Kelvin sign is k, and the dotted I is i with a dot, to everything that folds all of Unicode.
    expect(await read(email('\u212a'), 'kelvin')).toBe(404);
    expect(await claimed({ email: `\u212a\u0130.${name}@Example.com`, email_verified: true })).toBe(
      `\u212a\u0130.${name}@example.com`,
    );
    const event = userEvent('user.created', { id: `user_event.${name}`, email: email('\u212a') });
    expect((await fromIdentity(event)).status).toBe(200);
    const session = await sessionToken({ sub: `user_event.${name}` });
    expect((await get(`/v1/datasets/${body.data.id}`, bearer(session))).status).toBe(404);
    expect(await read(email('K'), 'capital')).toBe(200);
  });

  it('has the address that the provider has verified, in lower case', async () => {
    expect(await claimed({ email: 'Maria.Clara@Example.com', email_verified: true })).toBe('maria.clara@example.com');
  });

  it.each([
    [{ email: 'maria@example.com' }],
    [{ email: 'maria@example.com', email_verified: false }],
    [{ email: 'maria@example.com', email_verified: 'true' }],
    [{ email: 'maria@example.com', email_verified: 1 }],
    [{ email: ['maria@example.com'], email_verified: true }],
    [{ email: 'maria\u0000@example.com', email_verified: true }],
    [{ email: '', email_verified: true }],
    [{ email_verified: true }],
  ])('has no address where its claims are %j', async (claims) => {
    expect(await claimed(claims)).toBeNull();
  });

  it('is created once, however many first requests come at the same time', async () => {
    const { session } = await person();
    const keys = await Promise.all(Array.from({ length: 8 }, () => newKey(session)));
    expect(new Set(keys.map((key) => key.user_id)).size).toBe(1);
  });

  it('is refused once the account is deleted, for geography within a minute and without the database', async () => {
    await publish({ active: true });
    const settings = { FILES: SNAPSHOTS, DATABASE_URL: inject('faultyDatabases').fails };
    const [before, after] = [await instanceWith(settings), await instanceWith(settings)];
    const { subject, session } = await person();
    const outcome = async (ask: typeof api, path: string) => {
      const { status, body } = await ask(path, { headers: session });
      return `${path} ${body.code ?? status}`;
    };
    const geography = [
      '/v1/regions',
      '/v1/provinces?format=geojson',
      '/v1/search?q=cebu',
      '/v1/editions',
      '/v1/downloads',
    ];
    const expectAll = async (instances: (typeof api)[], expected: string) => {
      for (const ask of instances) {
        for (const path of geography) expect(await outcome(ask, path)).toBe(`${path} ${expected}`);
      }
    };
    expect(await outcome(api, '/v1/datasets')).toBe('/v1/datasets 200');
    await expectAll([before], '200');
    await fromIdentity(userDeleted(subject, minutes(2)));
    expect(await outcome(api, '/v1/datasets')).toBe('/v1/datasets account_deleted');
    await expectAll([after], 'account_deleted');
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime(Date.now() + 31_000);
    await expectAll([before, after], 'account_deleted');
    // An older event that comes late changes nothing, and a newer one brings the account back.
    await fromIdentity(userEvent('user.updated', { id: subject, updatedAt: minutes(1) }));
    vi.setSystemTime(Date.now() + 31_000);
    await expectAll([before, after], 'account_deleted');
    await fromIdentity(userEvent('user.updated', { id: subject, updatedAt: minutes(3) }));
    vi.setSystemTime(Date.now() + 31_000);
    await expectAll([before, after], '200');
    vi.useRealTimers();
  });

  it('is let in for geography where nobody says whether the account was deleted, and asks again soon', async () => {
    const { subject, session } = await person();
    let isSilent = true;
    const isDeleted = async () => {
      if (isSilent) throw new Error('Network connection lost.');
      return true;
    };
    const METER = {
      idFromName: (name: string) => name,
      get: (name: string) => (name === `subject:${subject}` ? { isDeleted } : {}),
    };
    const ask = await instanceWith({ METER });
    const status = async () => (await ask('/v1/regions', { headers: session })).status;
    vi.useFakeTimers({ toFake: ['Date'] });
    expect(await status()).toBe(200);
    isSilent = false;
    expect(await status()).toBe(200);
    vi.setSystemTime(Date.now() + 5000);
    expect(await status()).toBe(401);
    // What was said once holds.
    isSilent = true;
    vi.setSystemTime(Date.now() + 31_000);
    expect(await status()).toBe(401);
    vi.useRealTimers();
  });

  it('is not looked up for geography, not even who has none yet', async () => {
    const stranger = await person();
    expect((await get('/v1/provinces?format=geojson', stranger.session)).status).toBe(200);
    const found = sql`select 1 from profiles where subject = ${stranger.subject}`;
    expect((await database.execute(found)).rows).toEqual([]);
  });
});
