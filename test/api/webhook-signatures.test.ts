import { afterEach, describe, expect, it, vi } from 'vitest';
import { signatureHeaders, verifyDelivery } from '../../src/webhooks/signature.ts';
import { api, get, undeclared, workerWith } from '../support/api.ts';
import { bodiesOf } from '../support/requests.ts';
import {
  deliver,
  EMAIL_SECRETS,
  fromEmail,
  fromIdentity,
  IDENTITY_SECRET,
  newDeliveryId,
  signed,
} from '../support/webhooks.ts';

/** The vector that Standard Webhooks and Svix publish. */
const VECTOR = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: 1614265330,
  body: '{"test": 2432232314}',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};

/** Verifies as the receiver does. */
function verify(headers: Record<string, string>, body: string | Uint8Array, secrets = [VECTOR.secret]) {
  const { data: found } = signatureHeaders.safeParse(headers);
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  return found && verifyDelivery(found, bytes, secrets);
}

function vector(family: string, change: Partial<Record<'id' | 'timestamp' | 'signature', string>> = {}) {
  const { id, timestamp, signature } = { ...VECTOR, ...change };
  return { [`${family}-id`]: id, [`${family}-timestamp`]: String(timestamp), [`${family}-signature`]: signature };
}

/** Runs something as if it were a moment, in seconds since the epoch, which it stays until the end of the test. */
function at<T>(seconds: number, work: () => T): T {
  vi.useFakeTimers({ now: seconds * 1000, toFake: ['Date'] });
  return work();
}
afterEach(() => void vi.useRealTimers());

describe('a signature', () => {
  it.each(['svix', 'webhook'])('is good in the published vector, with headers that begin with %s-', (family) => {
    at(VECTOR.timestamp, () => {
      expect(verify(vector(family), VECTOR.body)).toEqual({
        id: VECTOR.id,
        sentAt: new Date(VECTOR.timestamp * 1000),
        bytes: 20,
        body: VECTOR.body,
      });
    });
  });

  it.each([
    [-301, false],
    [-300, true],
    [-299, true],
    [0, true],
    [299, true],
    [300, true],
    [301, false],
  ])('that is %i seconds from our clock is accepted: %s', (skew, good) => {
    at(VECTOR.timestamp - skew, () => {
      expect(verify(vector('webhook'), VECTOR.body) !== undefined).toBe(good);
    });
  });

  it('may be one of several', () => {
    const other = 'v1,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc=';
    at(VECTOR.timestamp, () => {
      const signature = [other, other.replace('v1', 'v2'), VECTOR.signature, other].join(' ');
      expect(verify(vector('svix', { signature }), VECTOR.body)).toBeDefined();
      expect(verify(vector('svix', { signature: [other, other].join(' ') }), VECTOR.body)).toBeUndefined();
    });
  });

  it.each([
    ['of another version', { signature: VECTOR.signature.replace('v1', 'v2') }],
    ['without a version', { signature: VECTOR.signature.slice(3) }],
    ['cut off', { signature: VECTOR.signature.slice(0, 8) }],
    ['empty', { signature: 'v1,' }],
    ['with something after it', { signature: `${VECTOR.signature},x` }],
    ['with a comma after it', { signature: `${VECTOR.signature},` }],
    ['with a timestamp that only begins as one', { timestamp: `${VECTOR.timestamp}x` }],
    ['with a timestamp with a fraction', { timestamp: `${VECTOR.timestamp}.0` }],
    ['with a timestamp with a zero before it', { timestamp: `0${VECTOR.timestamp}` }],
    ['with a timestamp that is none', { timestamp: 'hello' }],
    ['with another id', { id: `${VECTOR.id}x` }],
    ['with an id that takes over part of the rest', { id: `${VECTOR.id}.${VECTOR.timestamp}` }],
  ])('is refused %s', (_, change) => {
    at(VECTOR.timestamp, () => expect(verify(vector('svix', change), VECTOR.body)).toBeUndefined());
  });

  it('of one family of headers is not completed by the other', () => {
    at(VECTOR.timestamp, () => {
      const { 'svix-id': _, ...rest } = vector('svix');
      expect(verify({ ...rest, 'webhook-id': VECTOR.id }, VECTOR.body)).toBeUndefined();
    });
  });

  it('covers the bytes, not the text that they decode to', () => {
    const body = '{"name":"\ufffd"}';
    const headers = signed(body);
    const bytes = new TextEncoder().encode(body);
    expect(verify(headers, bytes)).toBeDefined();
    const start = bytes.indexOf(0xef);
    const broken = Uint8Array.from([...bytes.slice(0, start), 0xff, ...bytes.slice(start + 3)]);
    expect(verify(headers, broken)).toBeUndefined();
    expect(verify(headers, Uint8Array.from([0xef, 0xbb, 0xbf, ...bytes]))).toBeUndefined();
  });

  it('is found wrong after any change of one byte of body, id, timestamp or signature', () => {
    const body = JSON.stringify({ type: 'user.created', data: { id: 'user_1', name: 'Peña' } });
    const id = newDeliveryId();
    const headers = signed(body, { id, family: 'webhook' });
    const parts = {
      body,
      id,
      timestamp: headers['webhook-timestamp'] as string,
      signature: headers['webhook-signature'] as string,
    };
    expect(verify(headers, body)).toBeDefined();
    const accepted: string[] = [];
    for (let tried = 0; tried < 10_000; ) {
      const part = (Object.keys(parts) as (keyof typeof parts)[])[tried % 4] as keyof typeof parts;
      const bytes = mutated(new TextEncoder().encode(parts[part]), part === 'body' ? [0, 255] : [0x20, 0x7e]);
      const text = String.fromCharCode(...bytes);
      // HTTP strips white space from the ends of a header, so that is no change of it.
      if (part !== 'body' && text.trim() === parts[part]) continue;
      tried += 1;
      const found = part === 'body' ? verify(headers, bytes) : verify({ ...headers, [`webhook-${part}`]: text }, body);
      if (found) accepted.push(`${part}: ${text}`);
    }
    expect(accepted).toEqual([]);
  });
});

/** A text with one byte replaced, removed or put in, from a range. */
function mutated(bytes: Uint8Array, [least, most]: [number, number]): Uint8Array {
  const random = (below: number) => Math.floor(Math.random() * below);
  const place = random(bytes.length);
  const before = bytes[place] as number;
  const others = Array.from({ length: most - least + 1 }, (_, i) => least + i).filter((byte) => byte !== before);
  const byte = others[random(others.length)] as number;
  const [head, tail] = [bytes.slice(0, place), bytes.slice(place + 1)];
  const middle = [[byte], [], [byte, before]][random(3)] as number[];
  return Uint8Array.from([...head, ...middle, ...tail]);
}

describe('POST /v1/webhooks/{provider}', () => {
  const body = '{"type":"session.created","data":{}}';

  it.each(['svix', 'webhook'] as const)('takes what is signed with the headers %s-*', async (family) => {
    const { status, body: answer, headers } = await fromIdentity(body, { family });
    expect([status, answer]).toEqual([200, { data: { received: true }, error: null }]);
    expect(headers.get('Cache-Control')).toBe('no-store');
  });

  it.each([
    [-299, 200, undefined],
    [299, 200, undefined],
    [-301, 401, 'invalid_signature'],
    [301, 401, 'invalid_signature'],
  ])('with a time that is %i seconds off is %i', async (skew, status, code) => {
    const now = Math.floor(Date.now() / 1000);
    const answer = await at(now, () => fromIdentity(body, { timestamp: now + skew }));
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  it('is 401 without a signature, and says what is asked for', async () => {
    for (const missing of ['svix-id', 'svix-timestamp', 'svix-signature']) {
      const headers = signed(body);
      delete headers[missing];
      const answer = await deliver('clerk', body, headers);
      expect([answer.status, answer.body.code]).toEqual([401, 'invalid_signature']);
      expect(answer.headers.get('WWW-Authenticate')).toBe('Webhook-Signature');
    }
  });

  it('is 401 for a body or header with one byte changed', async () => {
    const headers = signed(body);
    expect((await deliver('clerk', `${body} `, headers)).status).toBe(401);
    expect((await deliver('clerk', body.replace('s', 't'), headers)).status).toBe(401);
    expect((await deliver('clerk', body, { ...headers, 'svix-id': newDeliveryId() })).status).toBe(401);
    const later = String(Number(headers['svix-timestamp']) + 1);
    expect((await deliver('clerk', body, { ...headers, 'svix-timestamp': later })).status).toBe(401);
  });

  it('never parses what is not signed', async () => {
    const parse = vi.spyOn(JSON, 'parse');
    expect((await deliver('clerk', '{"seen":', signed('{}'))).status).toBe(401);
    expect(parse.mock.calls.filter(([text]) => String(text).includes('seen'))).toEqual([]);
    parse.mockRestore();
  });

  it("does not take one provider's secret for the other's", async () => {
    expect((await deliver('resend', body, signed(body))).status).toBe(401);
    expect((await deliver('clerk', body, signed(body, { secret: EMAIL_SECRETS[0] as string }))).status).toBe(401);
  });

  it('takes the new and the old secret while one takes the place of the other', async () => {
    for (const secret of EMAIL_SECRETS) expect((await fromEmail({ type: 'email.sent' }, { secret })).status).toBe(200);
    expect((await fromEmail({ type: 'email.sent' }, { secret: IDENTITY_SECRET })).status).toBe(401);
  });

  it('takes a delivery that is signed with two secrets, of which it knows one', async () => {
    const sent = { id: newDeliveryId(), timestamp: Math.floor(Date.now() / 1000) };
    const unknown = 'whsec_dGhpcyBzZWNyZXQgaXMgbm90IG91cnMgYXQgYWxs';
    const signatures = [unknown, IDENTITY_SECRET].map((secret) => signed(body, { ...sent, secret })['svix-signature']);
    for (const order of [signatures, signatures.toReversed()]) {
      const headers = { ...signed(body, sent), 'svix-signature': order.join(' ') };
      expect((await deliver('clerk', body, headers)).status).toBe(200);
    }
    const headers = { ...signed(body, sent), 'svix-signature': `${signatures[0]} ${signatures[0]}` };
    expect((await deliver('clerk', body, headers)).status).toBe(401);
  });

  it.each([
    ['clerk', 'IDENTITY_WEBHOOK_SECRET'],
    ['resend', 'EMAIL_WEBHOOK_SECRET'],
  ])('of %s is 500 while %s is not set, whatever is sent', async (provider, name) => {
    for (const unset of [undefined, '']) {
      const ask = workerWith({ [name]: unset });
      const answer = await ask(`/v1/webhooks/${provider}`, { method: 'POST', body, headers: signed(body) });
      expect([answer.status, answer.body.code]).toEqual([500, 'webhook_secret_missing']);
    }
  });

  it('has the names that the configuration gives, and no others', async () => {
    const renamed = workerWith({ IDENTITY_PROVIDER: 'workos' });
    const event = { method: 'POST', body, headers: signed(body) };
    expect((await renamed('/v1/webhooks/workos', event)).status).toBe(200);
    expect((await renamed('/v1/webhooks/clerk', event)).status).toBe(404);
    for (const headers of [signed(body), {}]) {
      const answer = await deliver('stripe', body, headers);
      expect([answer.status, answer.body.code]).toEqual([404, 'route_not_found']);
    }
    expect((await undeclared('/v1/webhooks/clerk')).status).toBe(405);
  });

  it.each([
    { IDENTITY_WEBHOOK_SECRET: 'whsec_this is not base64!' },
    { IDENTITY_WEBHOOK_SECRET: 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
    { EMAIL_WEBHOOK_SECRET: 'whsec_c2hvcnQ=' },
    { EMAIL_PROVIDER: 'clerk' },
    { EMAIL_PROVIDER: 'ping' },
    { IDENTITY_PROVIDER: 'a/b' },
  ])('is not there with the configuration %o, which is named in the log and not to the caller', async (wrong) => {
    const [name = '', value = ''] = Object.entries(wrong)[0] ?? [];
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { status, body } = await workerWith(wrong)('/v1/webhooks/ping');
    expect([status, body.code]).toEqual([500, 'internal_error']);
    const line = String(logged.mock.calls[0]?.[0]);
    logged.mockRestore();
    expect(line).toContain(name);
    if (name.endsWith('SECRET')) expect(line).not.toContain(value);
  });

  it('is 413 beyond a mebibyte, also where no length is announced', async () => {
    const big = 'x'.repeat(1024 * 1024 + 1);
    const announced = await deliver('clerk', big, signed('{}'));
    expect([announced.status, announced.body.code]).toEqual([413, 'payload_too_large']);
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1;
        controller.enqueue(new Uint8Array(64 * 1024));
      },
    });
    const init = { method: 'POST', headers: signed('{}'), body: endless };
    expect((await api('/v1/webhooks/clerk', init)).status).toBe(413);
    expect(sent).toBeLessThan(64);
    const lying = {
      method: 'POST',
      headers: { ...signed('{}'), 'Content-Length': '2' },
      body: new Blob([big]).stream(),
    };
    expect((await api('/v1/webhooks/clerk', lying)).status).toBe(413);
  });

  it('takes a mebibyte, and sends one small statement to the database', async () => {
    const empty = JSON.stringify({ type: 'session.created', data: { padding: '' } });
    const large = empty.replace('""', `"${'x'.repeat(1024 * 1024 - empty.length)}"`);
    expect(large.length).toBe(1024 * 1024);
    const fetched = vi.spyOn(globalThis, 'fetch');
    expect((await deliver('clerk', large, signed(large))).status).toBe(200);
    const asked = bodiesOf(fetched);
    fetched.mockRestore();
    expect(asked).toHaveLength(1);
    expect(asked[0]?.length).toBeLessThan(10_000);
  });
});

describe('GET /v1/webhooks/ping', () => {
  it('says that webhooks can be reached', async () => {
    const { status, body } = await get('/v1/webhooks/ping', { Authorization: 'Bearer nonsense' });
    expect(status).toBe(200);
    expect(body).toEqual({ data: { ok: true, message: expect.any(String) }, error: null });
  });
});
