import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Psgc, PsgcError } from '../../clients/typescript/src/index.ts';

// The TypeScript client against a server that answers as it is told to, as the service may on a bad day.

type Answer = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

interface Asked {
  method: string;
  path: string;
  key: string | undefined;
  at: number;
}

let server: Server;
let baseUrl: string;
let answers: Answer[];
let asked: Asked[];

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const { method = '', url: path = '', headers } = request;
    asked.push({ method, path, key: headers['idempotency-key']?.toString(), at: performance.now() });
    const answer = answers.shift();
    if (!answer) throw new Error(`${method} ${path} was not expected.`);
    await answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());
beforeEach(() => {
  answers = [];
  asked = [];
});

const json =
  (status: number, body: object, headers: Record<string, string> = {}): Answer =>
  (_, response) => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
const ok = (data: unknown, headers = {}) => json(200, { data, error: null }, headers);
const refused = (status: number, code: string, headers = {}) => json(status, { message: code, code }, headers);
const page = (data: number[], next: number | null) => json(200, { data, meta: { next }, error: null });
const hangUp: Answer = (request) => void request.socket.destroy();

/** The milliseconds between the first and the last request. */
const waited = () => (asked.at(-1)?.at ?? 0) - (asked[0]?.at ?? 0);

async function failureOf(promise: Promise<unknown>): Promise<PsgcError> {
  const failure = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(PsgcError);
  return failure as PsgcError;
}

describe('a request that failed in passing', () => {
  it('is sent again after what Retry-After says', async () => {
    answers = [refused(429, 'rate_limit_exceeded', { 'Retry-After': '1' }), ok({ name: 'Cebu' })];
    expect(await new Psgc({ baseUrl }).provinces.get('0702200000')).toEqual({ name: 'Cebu' });
    expect(waited()).toBeGreaterThan(990);
    expect(waited()).toBeLessThan(3000);
  });

  it('is sent again after a while where nothing is said, also where the connection broke', async () => {
    answers = [refused(503, 'database_timeout'), hangUp, ok([])];
    expect(await new Psgc({ baseUrl }).search('cebu')).toEqual([]);
    expect(waited()).toBeGreaterThan(700);
  });

  it('is an error at once where the wait is longer than allowed, or was repeated often enough', async () => {
    answers = [refused(429, 'rate_limit_exceeded', { 'Retry-After': '90', 'X-Request-Id': 'r-1' })];
    const late = await failureOf(new Psgc({ baseUrl }).search('cebu'));
    expect(late).toMatchObject({ code: 'rate_limit_exceeded', status: 429, retryAfter: 90, requestId: 'r-1' });
    answers = [refused(503, 'database_timeout'), refused(503, 'database_timeout')];
    expect((await failureOf(new Psgc({ baseUrl, retries: 1 }).search('cebu'))).code).toBe('database_timeout');
    expect(asked).toHaveLength(3);
  });

  it('is not sent again where it might do a thing twice', async () => {
    const psgc = new Psgc({ baseUrl });
    answers = [refused(503, 'database_timeout')];
    expect((await failureOf(psgc.datasets.update('1', {}))).status).toBe(503);
    answers = [refused(429, 'rate_limit_exceeded', { 'Retry-After': '0' }), ok({ id: '1' })];
    expect(await psgc.datasets.update('1', {})).toEqual({ id: '1' });
    expect(asked).toHaveLength(3);
  });

  it('is not sent again where no waiting helps, whatever Retry-After says', async () => {
    for (const code of ['boundaries_not_loaded', 'data_not_loaded', 'setting_missing']) {
      answers = [refused(503, code, { 'Retry-After': '0' }), ok([])];
      expect(await failureOf(new Psgc({ baseUrl }).provinces.neighbors('0702200000'))).toMatchObject({ code });
    }
    expect(asked).toHaveLength(3);
  });

  it('says that it is the same one where it creates', async () => {
    answers = [hangUp, ok({ id: '1' }), ok({ id: '2' })];
    const psgc = new Psgc({ baseUrl });
    await psgc.datasets.create({ name: 'Wells' });
    await psgc.datasets.create({ name: 'Wells' });
    const [first, second, third] = asked.map(({ key }) => key);
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });

  it('is not sent again where it sends an event each time, but where the limit refused it', async () => {
    const { webhookEndpoints } = new Psgc({ baseUrl });
    for (const act of [() => webhookEndpoints.test('e'), () => webhookEndpoints.replay('e', 'd')]) {
      answers = [hangUp, ok({})];
      expect((await failureOf(act())).code).toBe('network_error');
      answers = [refused(429, 'rate_limit_exceeded', { 'Retry-After': '0' }), ok({ status: 'pending' })];
      expect(await act()).toEqual({ status: 'pending' });
    }
    const paths = ['test', 'deliveries/d/replay'].flatMap((path) => Array(3).fill(`/v1/webhook-endpoints/e/${path}`));
    expect(asked.map(({ method, path }) => `${method} ${path}`)).toEqual(paths.map((path) => `POST ${path}`));
  });

  it('is done where it was deleted by an attempt whose answer was lost', async () => {
    answers = [hangUp, refused(404, 'feature_not_found')];
    await new Psgc({ baseUrl }).features.delete('1');
    answers = [refused(404, 'feature_not_found')];
    expect((await failureOf(new Psgc({ baseUrl }).features.delete('1'))).code).toBe('feature_not_found');
  });
});

describe('a mistake of the program', () => {
  it.each<[object, string]>([
    [{}, 'baseUrl must be the address of the service, such as https://geo.example (got undefined).'],
    [{ baseUrl: 'geo.example' }, '(got "geo.example")'],
    [{ baseUrl: 'ftp://geo.example' }, '(got "ftp://geo.example")'],
    [{ baseUrl: 'https://geo.example/?key=1' }, 'baseUrl must be'],
    [{ baseUrl: 'https://maria:secret@geo.example' }, 'baseUrl must have no user and no password'],
    ...['http://geo.example', 'http://127.0.0.1.geo.example', 'http://localhost@geo.example:80', 'http://10.0.0.1'].map(
      (address): [object, string] => [{ baseUrl: address, key: 'word' }, 'baseUrl must '],
    ),
    [{ baseUrl: 'http://geo.example', key: () => 'word' }, 'must begin with https:// where a key is given (got "http:'],
    [{ baseUrl: 'https://geo.example', key: 'one\ntwo' }, 'key must be one word of ASCII (got a text with other'],
    [{ baseUrl: 'https://geo.example', key: '' }, 'key must be one word of ASCII (got an empty text).'],
    [{ baseUrl: 'https://geo.example', timeout: 0 }, 'timeout must be a whole number from 1 to 2147483647 (got 0).'],
    [{ baseUrl: 'https://geo.example', timeout: Number.POSITIVE_INFINITY }, '(got Infinity)'],
    [{ baseUrl: 'https://geo.example', retries: -1 }, 'retries must be a whole number from 0'],
    [{ baseUrl: 'https://geo.example', maxWait: '5' }, 'maxWait must be a whole number from 0'],
    [{ baseUrl: 'https://geo.example', fetch: {} }, 'fetch must be a function (got object).'],
  ])('is told when the client is made: %j', (options, message) => {
    const made = () => new Psgc(options as ConstructorParameters<typeof Psgc>[0]);
    expect(made).toThrow(TypeError);
    expect(made).toThrow(message);
    expect(made).not.toThrow(/secret|two/);
  });

  it('is none to give a key to this machine, or to give none', () => {
    for (const address of [
      'http://127.0.0.1:8787',
      'http://[::1]:8787',
      'http://api.localhost',
      'https://geo.example',
    ]) {
      expect(() => new Psgc({ baseUrl: address, key: 'word' })).not.toThrow();
    }
    expect(() => new Psgc({ baseUrl: 'http://geo.example' })).not.toThrow();
  });

  it('is told at once by a call, as what it is, and nothing is sent', async () => {
    const broken = new Error('the store of keys is locked');
    const locked = new Psgc({ baseUrl, key: () => Promise.reject(broken) });
    await expect(locked.search('cebu')).rejects.toBe(broken);
    const none = new Psgc({ baseUrl, key: (() => undefined) as unknown as () => string });
    await expect(none.search('cebu')).rejects.toThrow('key must be one word of ASCII (got undefined).');
    class Binding {
      readonly #send = fetch;
      fetch(...given: Parameters<typeof fetch>) {
        return this.#send(...given);
      }
    }
    const unbound = new Psgc({ baseUrl, fetch: new Binding().fetch });
    await expect(unbound.search('cebu')).rejects.toThrow(TypeError);
    const psgc = new Psgc({ baseUrl });
    for (const id of ['', '.', '..']) {
      await expect(async () => psgc.datasets.delete(id)).rejects.toThrow('The id or code is empty, or no name');
    }
    await expect(psgc.datasets.create({ name: 1n as unknown as string })).rejects.toThrow(TypeError);
    await expect(psgc.search('cebu', {}, { timeout: Number.NaN })).rejects.toThrow('timeout must be');
    expect(asked).toEqual([]);
  });

  it('is none where a key has the end of the line that it was read from', async () => {
    answers = [(request, response) => void response.end(JSON.stringify({ data: [request.headers.authorization] }))];
    expect(await new Psgc({ baseUrl, key: 'svc_1\n' }).search('cebu')).toEqual(['Bearer svc_1']);
  });
});

it('waits where the service says that no request is left', async () => {
  answers = [ok([], { RateLimit: '"key";r=0;t=1, "account";r=5;t=0' }), ok([], { RateLimit: '"key";r=3;t=9' }), ok([])];
  const psgc = new Psgc({ baseUrl });
  for (let i = 0; i < 3; i += 1) await psgc.search('cebu');
  const [first = 0, second = 0, third = 0] = asked.map(({ at }) => at);
  expect(second - first).toBeGreaterThan(900);
  expect(third - second).toBeLessThan(800);
});

describe('an error', () => {
  it('has what the service said', async () => {
    const candidates = [{ code: '1', name: 'San Juan' }];
    answers = [json(400, { message: 'Which?', code: 'ambiguous_name', candidates })];
    const error = await failureOf(new Psgc({ baseUrl }).municities.list({ province: 'San Juan' }).all());
    expect(error).toMatchObject({ message: 'Which?', code: 'ambiguous_name', status: 400, details: { candidates } });
    const issues = [{ code: 'custom', path: ['query', 'limit'], message: 'limit: too large' }];
    answers = [json(422, { success: false, error: { name: 'ZodError', issues } })];
    expect(await failureOf(new Psgc({ baseUrl }).regions.list().page())).toMatchObject({
      code: 'validation_failed',
      message: 'limit: too large',
      issues,
    });
  });

  it('tells an answer of somebody else, and none at all', async () => {
    const html: Answer = (_, response) => void response.writeHead(200).end('<html>');
    answers = [html];
    expect((await failureOf(new Psgc({ baseUrl }).search('cebu'))).code).toBe('unexpected_answer');
    answers = [() => undefined];
    expect((await failureOf(new Psgc({ baseUrl, timeout: 100, retries: 0 }).search('cebu'))).code).toBe('timeout');
    const nowhere = new Psgc({ baseUrl: 'http://127.0.0.1:1', retries: 0 });
    expect(await failureOf(nowhere.search('cebu'))).toMatchObject({ code: 'network_error', status: undefined });
  });

  it('is the reason of a signal that ends a call, also while it waits', async () => {
    const reason = new Error('enough');
    const controller = new AbortController();
    answers = [refused(429, 'rate_limit_exceeded', { 'Retry-After': '30' })];
    const call = new Psgc({ baseUrl }).search('cebu', {}, { signal: controller.signal });
    await sleep(200);
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
    await expect(new Psgc({ baseUrl }).search('cebu', {}, { signal: controller.signal })).rejects.toBe(reason);
    expect(asked).toHaveLength(1);
  });
});

it('reads a list only as far as it is gone through, and asks as it was told', async () => {
  answers = [page([1, 2], 2), page([3], null), page([1], 2)];
  const psgc = new Psgc({ baseUrl: `${baseUrl}/`, edition: '2025-2q' });
  const list = psgc.regions.list({ codes: ['1', '2'], limit: 2 });
  expect(await list.all()).toEqual([1, 2, 3]);
  for await (const _ of list) break;
  const query = 'edition=2025-2q&limit=2&codes=1&codes=2&page=';
  expect(asked.map(({ path }) => path)).toEqual(['1', '2', '1'].map((number) => `/v1/regions?${query}${number}`));
});

it('has nothing where nothing is asked for, and asks for no list of nothing', async () => {
  const psgc = new Psgc({ baseUrl });
  const none = psgc.regions.list({ codes: [] });
  expect(await none.all()).toEqual([]);
  expect((await none.page()).meta).toMatchObject({ total: 0, totalPages: 0, next: null });
  const wrong = 'level must have at least one value (got an empty list). Leave it out for all.';
  await expect(psgc.search('cebu', { level: [] })).rejects.toThrow(wrong);
  await expect(psgc.regions.boundaries({ codes: [] })).rejects.toThrow('codes must have at least one value');
  expect(asked).toEqual([]);
});

it('lists the files of its edition, unless another is asked for', async () => {
  answers = [ok([]), ok([]), ok([]), ok([])];
  const { downloads } = new Psgc({ baseUrl, edition: '2025-2q' });
  await downloads.list({ level: 'region' });
  await downloads.list({}, { edition: '2023-4q' });
  await downloads.list({ edition: '2024-1q' });
  await downloads.list({ edition: undefined } as object);
  const paths = ['edition=2025-2q&level=region', 'edition=2023-4q', 'edition=2024-1q', 'edition=2025-2q'];
  expect(asked.map(({ path }) => path)).toEqual(paths.map((query) => `/v1/downloads?${query}`));
});

it('gets what a release consists of, as it is and as it was signed, with its signature', async () => {
  const text = '{ "release": "2026-3q-1" }\n';
  const verbatim =
    (body: string): Answer =>
    (_, response) =>
      void response.end(body);
  answers = [verbatim(text), verbatim(text), verbatim('untrusted comment: \n'), refused(404, 'signature_not_found')];
  const { releases } = new Psgc({ baseUrl, edition: '2025-2q' });
  expect(await releases.get('2026-3q-1')).toEqual({ release: '2026-3q-1' });
  expect(await releases.document('2026-3q-1')).toBe(text);
  expect(await releases.signature('2026-3q-1')).toBe('untrusted comment: \n');
  expect((await failureOf(releases.signature('2026-3q-1'))).code).toBe('signature_not_found');
  const path = '/v1/releases/2026-3q-1';
  expect(asked.map((one) => one.path)).toEqual([path, path, `${path}/signature`, `${path}/signature`]);
});

it('asks for webhook endpoints and their deliveries, and makes each secret once', async () => {
  const { webhookEndpoints } = new Psgc({ baseUrl });
  const [url, secret] = ['https://hooks.example/', 'whsec_1'];
  answers = [ok([{ id: 'a/b' }]), ok({ url }), ok({ enabled: false }), page([1], 2), page([2], null), ok({})];
  expect(await webhookEndpoints.list()).toEqual([{ id: 'a/b' }]);
  expect(await webhookEndpoints.get('a/b')).toEqual({ url });
  expect(await webhookEndpoints.update('a/b', { enabled: false })).toEqual({ enabled: false });
  expect(await webhookEndpoints.deliveries('a/b').all()).toEqual([1, 2]);
  await webhookEndpoints.delete('a/b');
  const one = '/v1/webhook-endpoints/a%2Fb';
  expect(asked.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /v1/webhook-endpoints',
    ...['GET', 'PATCH'].map((method) => `${method} ${one}`),
    ...[1, 2].map((number) => `GET ${one}/deliveries?limit=100&page=${number}`),
    `DELETE ${one}`,
  ]);
  asked = [];
  answers = [hangUp, ok({ secret }), hangUp, ok({ secret })];
  expect(await webhookEndpoints.create({ url, events: ['dataset.processed'] })).toEqual({ secret });
  expect(await webhookEndpoints.rotateSecret('a/b', { grace_seconds: 0 })).toEqual({ secret });
  const [created, again, rotated, once] = asked.map(({ key }) => key ?? 'none');
  expect([created, rotated]).toEqual([again, once]);
  expect(new Set([created, rotated, 'none']).size).toBe(3);
  const paths = asked.map(({ method, path }) => `${method} ${path}`);
  expect([paths[1], paths[3]]).toEqual(['POST /v1/webhook-endpoints', `POST ${one}/rotate-secret`]);
});

it('asks for many codes in parts, and says which name nothing', async () => {
  const codes = Array.from({ length: 130 }, (_, i) => String(1000 + i));
  const areas = (from: number, to: number) => codes.slice(from, to).map((code) => ({ code }));
  const moved = { code: '9999', requested_code: '1001' };
  answers = [
    json(200, [{ code: '1000' }, moved, ...areas(3, 100)], { 'X-Abolished-Codes': '1002=7+8' }),
    json(200, areas(100, 130)),
  ];
  const found = await new Psgc({ baseUrl, key: async () => 'k' }).provinces.batch([...codes, '1000']);
  expect(found.areas).toHaveLength(129);
  expect([found.missing, found.abolished]).toEqual([['1002'], new Map([['1002', ['7', '8']]])]);
});

describe('rows that come one by one', () => {
  /** Answers each row with its own text. */
  const echo: Answer = async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { rows } = JSON.parse(text) as { rows: { text: string }[] };
    response.end(JSON.stringify({ data: rows.map((row) => ({ id: row.text, of: rows.length })) }));
  };
  let taken = 0;
  let isClosed = false;
  const rows = async function* (count: number) {
    [taken, isClosed] = [0, false];
    try {
      for (; taken < count; taken += 1) yield { text: String(taken) };
    } finally {
      isClosed = true;
    }
  };

  it('are matched in their order, in parts, each of which is sent again', async () => {
    answers = [echo, refused(429, 'rate_limit_exceeded', { 'Retry-After': '0' }), hangUp, echo, echo];
    const found: unknown[] = [];
    for await (const row of new Psgc({ baseUrl }).match(rows(45))) found.push(row);
    const part = (i: number) => (i < 40 ? 20 : 5);
    expect(found).toEqual(Array.from({ length: 45 }, (_, i) => ({ id: String(i), of: part(i) })));
    answers = [echo, echo];
    const keyed = new Psgc({ baseUrl, key: 'k' }).match(
      Array.from({ length: 1001 }, (_, i) => ({ text: `${i}` })).values(),
    );
    const sizes: number[] = [];
    for await (const row of keyed) sizes.push((row as unknown as { of: number }).of);
    expect([sizes.length, sizes[999], sizes[1000]]).toEqual([1001, 1000, 1]);
  });

  it('are taken only as far as the answers are read', async () => {
    answers = [echo, echo];
    const matched = new Psgc({ baseUrl }).match(rows(100));
    expect((await matched.next()).value).toMatchObject({ id: '0' });
    expect([taken < 21, asked.length]).toEqual([true, 1]);
    await matched.return();
    expect([isClosed, asked.length]).toEqual([true, 1]);
  });
});

describe('a table', () => {
  const csv =
    (parts: string[], end: (response: ServerResponse) => void): Answer =>
    async (_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/csv; charset=utf-8' });
      for (const part of parts) {
        response.write(part);
        await sleep(20);
      }
      end(response);
    };
  const finish = (response: ServerResponse) => void response.end();
  const read = async (table = 'a\n1\n') => new Response(await new Psgc({ baseUrl }).matchCsv(table)).text();

  it('comes back as it was answered, however it is cut', async () => {
    const text = 'a,b\n1,"x\ny"\n2,é\n3,last';
    answers = [csv([text], finish), csv(text.split(/(?<=[\n1])/), finish), csv([], finish)];
    expect([await read(), await read(), await read()]).toEqual([text, text, '']);
  });

  it('ends with the error that its last line tells of, or with one of its own where it breaks off', async () => {
    const line = '#error;invalid_csv;"Line 7; a ""quote"" is open."\n';
    answers = [
      csv(['a;b\n1;2\n', line.slice(0, 9), line.slice(9)], finish),
      csv(['a;b\n', line], (response) => void response.destroy()),
      csv(['a;b\n', line, '\n'], (response) => void response.destroy()),
      csv(['a;b\n', '1;2'], (response) => void response.destroy()),
      csv(['a\n', '#error,of mine,too\n', '1\n'], finish),
    ];
    const failure = { code: 'invalid_csv', message: 'Line 7; a "quote" is open.' };
    for (let answer = 1; answer <= 3; answer += 1) expect(await failureOf(read())).toMatchObject(failure);
    expect((await failureOf(read())).code).toBe('broken_answer');
    expect(await read()).toBe('a\n#error,of mine,too\n1\n');
  });

  it('is answered while it is sent, and is not sent twice where it comes in chunks', async () => {
    let release = () => {};
    const first = new Promise<void>((resolve) => {
      release = resolve;
    });
    const chunks = async function* () {
      yield 'a\n1\n2\n';
      await first;
      yield '3\n';
    };
    answers = [(request, response) => void request.pipe(response)];
    const reader = (await new Psgc({ baseUrl }).matchCsv(chunks())).getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('a\n1\n');
    release();
    const { value } = await reader.read();
    expect(new TextDecoder().decode(value)).toBe('2\n');
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('3\n');
    expect((await reader.read()).done).toBe(true);
    answers = [refused(429, 'rate_limit_exceeded', { 'Retry-After': '0' })];
    expect((await failureOf(new Psgc({ baseUrl }).matchCsv(chunks()))).status).toBe(429);
  });

  it('is sent again from its beginning where a function gives its chunks anew, and what was refused is closed', async () => {
    let opened = 0;
    let closed = 0;
    const table = async function* () {
      opened += 1;
      try {
        yield 'a\n1\n';
        // More than is taken before it is refused.
        for (let row = 0; row < 1000; row += 1) yield `${'x'.repeat(10_000)}\n`;
      } finally {
        closed += 1;
      }
    };
    const length: Answer = async (request, response) => {
      let bytes = 0;
      for await (const chunk of request) bytes += (chunk as Buffer).length;
      response.end(String(bytes));
    };
    answers = [refused(429, 'rate_limit_exceeded', { 'Retry-After': '0' }), hangUp, length];
    const answer = await new Response(await new Psgc({ baseUrl }).matchCsv(table)).text();
    expect([answer, opened]).toEqual([String(4 + 1000 * 10_001), 3]);
    await expect.poll(() => closed).toBe(3);
  });

  it('fails with what its own source throws, and is not sent again then', async () => {
    const broken = new Error('the disk is gone');
    const chunks = async function* () {
      yield 'a\n';
      throw broken;
    };
    answers = [(request) => void request.resume(), (request) => void request.resume()];
    await expect(new Psgc({ baseUrl }).matchCsv(chunks)).rejects.toBe(broken);
    await expect(new Psgc({ baseUrl }).matchCsv(chunks())).rejects.toBe(broken);
    const nothing = () => {
      throw broken;
    };
    await expect(new Psgc({ baseUrl }).matchCsv(nothing)).rejects.toBe(broken);
    expect(asked.length).toBeLessThanOrEqual(2);
  });
});
