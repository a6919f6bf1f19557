import { env } from 'cloudflare:workers';
import { type SQL, sql } from 'drizzle-orm';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { jobs } from '../../src/scheduled.ts';
import { type Answer, api, type Body, get, MASTER, ON_TIME, openApi, send, workerWith } from '../support/api.ts';
import { jobContext } from '../support/context.ts';
import { newDataset, point } from '../support/datasets.ts';
import { list, revoke, statusOf } from '../support/keys.ts';
import { bearer, type Headers, newKey, person } from '../support/people.ts';
import { database } from '../support/sql.ts';
import { formOf, sendForm } from '../support/uploads.ts';

const original = globalThis.fetch;
const fetched = vi.spyOn(globalThis, 'fetch');
afterEach(() => fetched.mockImplementation(original));

/** Replaces the next statement that makes something, and leaves all others as they are. */
function meetCreation(answer: (run: () => Promise<Response>) => Promise<Response>): void {
  let met = false;
  fetched.mockImplementation((input, init) => {
    if (met || !String(init?.body).includes('completed as (')) return original(input, init);
    met = true;
    // The deadline of the Worker must not end what goes on at the database.
    return answer(() => original(input, { ...init, signal: null }));
  });
}

const keyed = (headers: Headers, key: string): Headers => ({ ...headers, 'Idempotency-Key': key });
const newText = () => `"${crypto.randomUUID()}"`;
const create = (headers: Headers, body: object = { name: 'Wells' }) => send('POST', '/v1/datasets', headers, body);
const datasetsOf = async (owner: Headers): Promise<Body[]> => (await get('/v1/datasets', owner)).body.data;
const codeOf = ({ status, body }: Answer) => `${status} ${body.code ?? ''}`.trim();
const uploadForm = (headers: Headers, content: string, boundary: string, fields: [string, string][] = []) =>
  sendForm(headers, formOf([...fields, ['file', 'a.csv', content]], boundary), boundary);
const record = async () => {
  const { rows } = await database.execute<{ id: string; subject_id: string | null; text: string }>(
    sql`select r.*, r::text as text from idempotent_requests r order by created_at desc limit 1`,
  );
  return rows[0] as { id: string; subject_id: string | null; text: string };
};

/** For each operation that creates something: how it is asked, how with another body, and how many things there are. */
const CREATIONS: [string, (owner: Headers) => Promise<{ ask: Ask; other: Ask; count: () => Promise<number> }>][] = [
  [
    'create_dataset',
    async (owner) => ({
      ask: (headers) => create(headers, { name: 'Wells', features: [{ geom: point(121, 14) }] }),
      other: (headers) => create(headers, { name: 'Other' }),
      count: async () => (await datasetsOf(owner)).length,
    }),
  ],
  [
    'create_feature',
    async (owner) => {
      const { id } = await newDataset(owner);
      const ask = (geom: object) => (headers: Headers) =>
        send('POST', '/v1/features', headers, { dataset_id: id, geom });
      return {
        ask: ask(point(121, 14)),
        other: ask(point(121, 15)),
        count: async () => (await get('/v1/features', owner)).body.data.length,
      };
    },
  ],
  [
    'upload_dataset',
    async (owner) => {
      const ask = (lon: number) => (headers: Headers) =>
        // A client that sends a form again chooses another boundary.
        uploadForm(headers, `lat,lon\n14,${lon}\n`, crypto.randomUUID(), [['name', 'Wells']]);
      return {
        ask: ask(121),
        other: ask(122),
        count: async () => (await datasetsOf(owner)).length,
      };
    },
  ],
  [
    'create_api_key',
    async (owner) => ({
      ask: (headers) => send('POST', '/v1/api-keys', headers, { name: 'Map', environment: 'test' }),
      other: (headers) => send('POST', '/v1/api-keys', headers, { name: 'Other' }),
      count: async () => (await list(owner)).length,
    }),
  ],
  [
    'rotate_api_key',
    async (owner) => {
      const [one, two] = [await newKey(owner), await newKey(owner)];
      const rotate = (id: string) => (headers: Headers) => send('POST', `/v1/api-keys/${id}/rotate`, headers);
      return { ask: rotate(one.id), other: rotate(two.id), count: async () => (await list(owner)).length - 2 };
    },
  ],
];

type Ask = (headers: Headers) => Promise<Answer>;

describe('an Idempotency-Key', () => {
  it('is a header of the operations that create something, and pages of other origins may send it', async () => {
    const operations = Object.values<Body>((await openApi()).paths).flatMap((methods) => Object.values<Body>(methods));
    const taking = operations.filter(({ parameters = [] }) =>
      parameters.some(({ name, in: place }: Body) => name === 'Idempotency-Key' && place === 'header'),
    );
    // Those of webhook endpoints are tested beside what they create.
    const others = ['create_webhook_endpoint', 'rotate_webhook_secret'];
    const names = [...CREATIONS.map(([name]) => name), ...others];
    expect(taking.map(({ operationId }) => operationId).sort()).toEqual(names.sort());
    for (const { responses } of taking) {
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(['404', '409', '422']));
      expect(responses[200].headers).toHaveProperty('Idempotent-Replayed');
    }
    const { headers } = await api('/v1/datasets', { method: 'OPTIONS', headers: { Origin: 'https://a.example' } });
    expect(headers.get('Access-Control-Allow-Headers')).toContain('Idempotency-Key');
  });

  it.each(CREATIONS)('%s: the same request makes one thing and is answered the same', async (_, prepare) => {
    const { session } = await person();
    const { ask, other, count } = await prepare(session);
    const headers = keyed(session, newText());
    const first = await ask(headers);
    const second = await ask(headers);
    expect([second.status, second.text]).toEqual([200, first.text]);
    expect([first, second].map(({ headers }) => headers.get('Idempotent-Replayed'))).toEqual([null, 'true']);
    expect(codeOf(await other(headers))).toBe('422 idempotency_key_reused');
    expect(await count()).toBe(1);
    // Without the header, or with another one, every request makes another thing.
    expect((await other(keyed(session, newText()))).status).toBe(200);
    expect(await count()).toBe(2);
  });

  it('belongs to its caller and its operation', async () => {
    const [one, two] = [await person(), await person()];
    const key = await newKey(one.session);
    const text = newText();
    const ids = [];
    for (const caller of [one.session, two.session, bearer(key.key), MASTER]) {
      ids.push((await create(keyed(caller, text))).body.data.id);
    }
    expect(new Set(ids).size).toBe(4);
    expect((await send('POST', '/v1/api-keys', keyed(one.session, text), { name: 'Wells' })).status).toBe(200);
  });

  it('is a quoted or a bare text', async () => {
    const { session } = await person();
    const uuid = crypto.randomUUID();
    for (const [text, same] of [
      [uuid, `"${uuid}"`],
      [`a"b\\c ${uuid}`, `"a\\"b\\\\c ${uuid}"`],
      ['x'.repeat(255), `"${'x'.repeat(255)}"`],
    ] as const) {
      const { body } = await create(keyed(session, same));
      if (/^[\w-]+$/.test(text)) expect((await create(keyed(session, text))).body.data.id).toBe(body.data.id);
    }
    for (const text of ['', '""', '"', '"a', 'a b', 'a, b', '"a", "b"', '"a\\n"', '"ñ"', 'a;b', 'x'.repeat(256)]) {
      const { status, body } = await create(keyed(session, text));
      expect([text, status, body.error?.issues[0].path]).toEqual([text, 422, ['Idempotency-Key']]);
    }
    expect(await datasetsOf(session)).toHaveLength(3);
  });

  it('is refused while the first request is under way, and then answered with what that made', async () => {
    const { session } = await person();
    const headers = keyed(session, newText());
    const go = Promise.withResolvers<void>();
    let isUnderWay = false;
    meetCreation(async (run) => {
      isUnderWay = true;
      await go.promise;
      return run();
    });
    const first = create(headers);
    await expect.poll(() => isUnderWay).toBe(true);
    expect(codeOf(await create(headers))).toBe('409 idempotency_key_in_use');
    const refused = await create(headers, { name: 'Other' });
    expect(codeOf(refused)).toBe('409 idempotency_key_in_use');
    // The try that is under way has twenty seconds.
    const retryAfter = Number(refused.headers.get('Retry-After'));
    expect(retryAfter).toBeGreaterThan(5);
    expect(retryAfter).toBeLessThanOrEqual(20);
    go.resolve();
    const made = await first;
    expect((await create(headers)).text).toBe(made.text);
  });

  it('makes one thing of many requests at once', async () => {
    const { session } = await person();
    const headers = keyed(session, newText());
    const codes = (await Promise.all(Array.from({ length: 6 }, () => create(headers)))).map(codeOf);
    expect(codes).toContain('200');
    for (const code of codes) expect(['200', '409 idempotency_key_in_use']).toContain(code);
    expect(await datasetsOf(session)).toHaveLength(1);
  });

  it('finds what was made where the answer of the database was lost', async () => {
    const { session } = await person();
    for (const ask of [
      (headers: Headers) => create(headers),
      (headers: Headers) => uploadForm(headers, 'lat,lon\n14,121\n', 'boundary-1'),
    ]) {
      const headers = keyed(session, newText());
      meetCreation(async (run) => {
        await (await run()).text();
        throw new TypeError('Network connection lost.');
      });
      expect((await ask(headers)).status).toBeGreaterThanOrEqual(500);
      const { status, headers: given, body } = await ask(headers);
      expect([status, given.get('Idempotent-Replayed')]).toEqual([200, 'true']);
      expect(await datasetsOf(session)).toContainEqual(body.data);
    }
    expect(await datasetsOf(session)).toHaveLength(2);
  });

  it('makes one thing where the statement of the first try arrives after that of the second', async () => {
    const { session } = await person();
    const headers = keyed(session, newText());
    let late: (() => Promise<Response>) | undefined;
    meetCreation(async (run) => {
      late = run;
      throw new TypeError('Network connection lost.');
    });
    expect((await create(headers)).status).toBeGreaterThanOrEqual(500);
    const { status, body } = await create(headers);
    expect(status).toBe(200);
    expect(await (await late?.())?.text()).toContain('lease_until');
    expect((await datasetsOf(session)).map(({ id }) => id)).toEqual([body.data.id]);
    expect((await create(headers)).body.data.id).toBe(body.data.id);
  });

  it('can be used again some seconds after a try that ended without a trace, which then makes nothing', async () => {
    const { session } = await person();
    const headers = keyed(session, newText());
    const go = Promise.withResolvers<void>();
    let isUnderWay = false;
    meetCreation(async (run) => {
      isUnderWay = true;
      await go.promise;
      return run();
    });
    const stuck = create(headers);
    await expect.poll(() => isUnderWay).toBe(true);
    expect(codeOf(await create(headers))).toBe('409 idempotency_key_in_use');
    await database.execute(sql`update idempotent_requests set lease_until = now() where id = ${(await record()).id}`);
    const { body } = await create(headers);
    go.resolve();
    expect(codeOf(await stuck)).toBe('409 idempotency_key_in_use');
    expect((await datasetsOf(session)).map(({ id }) => id)).toEqual([body.data.id]);
  });

  it('is free after a request that made nothing', async () => {
    const { session } = await person();
    const [headers, form] = [keyed(session, newText()), keyed(session, newText())];
    expect(codeOf(await create(headers, { name: 'Wells', srid: 4327 + 90_000 }))).toBe('422 unsupported_srid');
    expect((await create(headers)).status).toBe(200);
    expect(codeOf(await uploadForm(form, 'lat,lon\n14,x\n', 'boundary-1'))).toMatch(/^422/);
    expect((await uploadForm(form, 'lat,lon\n14,121\n', 'boundary-1')).status).toBe(200);
  });

  it('is free after the database did not answer in time', async () => {
    const { session } = await person();
    const headers = keyed(session, newText());
    let met = false;
    fetched.mockImplementation(async (input, init) => {
      if (met) return original(input, init);
      met = String(init?.body).includes('completed as (');
      if (met) {
        return new Promise((_, reject) =>
          init?.signal?.addEventListener('abort', ({ target }) => reject((target as AbortSignal).reason)),
        );
      }
      // What comes before it takes some of the time, so that none is left.
      const answer = await original(input, init);
      await scheduler.wait(700);
      return answer;
    });
    const late = await workerWith(ON_TIME)('/v1/datasets', {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: '{"name":"Wells"}',
    });
    expect(late.status).toBe(503);
    await expect.poll(async () => (await create(headers)).status).toBe(200);
    expect(await datasetsOf(session)).toHaveLength(1);
  });

  it('says so where what was made is gone', async () => {
    const { session } = await person();
    const headers = keyed(session, newText());
    const { id } = (await create(headers)).body.data;
    await api(`/v1/datasets/${id}`, { method: 'DELETE', headers: session });
    const answer = await create(headers);
    expect(codeOf(answer)).toBe('404 dataset_not_found');
    expect(answer.body.message).toContain(id);
    expect(answer.body.message).toContain('Send another key to make another.');
    expect(await datasetsOf(session)).toEqual([]);
  });

  it('tells an API key again that works, of which only the hash is stored', async () => {
    const { session } = await person();
    const text = crypto.randomUUID();
    const ask = (request = api) =>
      request('/v1/api-keys', {
        method: 'POST',
        headers: { ...keyed(session, text), 'Content-Type': 'application/json' },
        body: '{"name":"Map"}',
      });
    await ask();
    const { id, key } = (await ask()).body.data;
    const { rows } = await database.execute<{ text: string }>(
      sql`select k::text as text from api_keys k where id = ${id}`,
    );
    const stored = `${(await record()).text} ${rows[0]?.text}`;
    expect(stored).toContain(id);
    for (const secret of [text, key.slice(-38), key.slice(-38, -6)]) expect(stored).not.toContain(secret);
    // Whoever has the database, and guesses the Idempotency-Key, lacks the master token.
    const changed = await ask(workerWith({ MASTER_TOKEN: 'another-master-token-not-secret' }));
    expect([codeOf(changed), changed.text.includes('svc_sk_')]).toEqual(['404 api_key_not_found', false]);
    expect((await ask()).body.data.key).toBe(key);
    const old = MASTER.Authorization.slice('Bearer '.length);
    const replaced = await ask(workerWith({ MASTER_TOKEN: `another-master-token-not-secret,${old}` }));
    expect(replaced.body.data.key).toBe(key);
    const untold = async () => {
      const answer = await ask();
      expect([codeOf(answer), answer.text.includes('svc_sk_')]).toEqual(['404 api_key_not_found', false]);
      expect(answer.body.message).toContain(id);
    };
    const set = (change: SQL) => database.execute(sql`update api_keys set ${change} where id = ${id}`);
    await set(sql`created_at = now() - interval '11 minutes'`);
    await untold();
    await set(sql`created_at = now(), last_used_at = now()`);
    await untold();
    await set(sql`last_used_at = null, revoked_at = now()`);
    await untold();
    await set(sql`revoked_at = null`);
    expect((await ask()).body.data.key).toBe(key);
    // The database hears of the use only some seconds later.
    expect(await statusOf(key)).toBe('200');
    await untold();
    await revoke(id, session);
    await untold();
  });

  it('is forgotten after a day', async () => {
    const { session } = await person();
    const headers = keyed(session, newText());
    const first = (await create(headers)).body.data.id;
    const { id } = await record();
    const age = (hours: number) =>
      database.execute(
        sql`update idempotent_requests set created_at = now() - make_interval(mins => ${hours * 60}) where id = ${id}`,
      );
    const sweep = () =>
      jobs.find(({ name }) => name === 'delete-old-idempotency-keys')?.run(jobContext(env), new Date());
    await age(23.9);
    await sweep();
    expect((await create(headers)).body.data.id).toBe(first);
    await age(24.1);
    const second = (await create(headers)).body.data.id;
    expect(second).not.toBe(first);
    expect((await create(headers)).body.data.id).toBe(second);
    await age(24.1);
    await sweep();
    expect((await record())?.id).not.toBe(id);
  });
});

describe('a write whose outcome the database does not tell', () => {
  /** Lets the next statement with a text take effect, and loses its answer. */
  const loseAnswerTo = (mark: string) => {
    let isLost = false;
    fetched.mockImplementation(async (input, init) => {
      if (isLost || !String(init?.body).includes(mark)) return original(input, init);
      isLost = true;
      await original(input, { ...init, signal: null });
      throw new DOMException('The operation timed out', 'TimeoutError');
    });
  };
  const UNKNOWN = 'Whether it took effect is not known: ';

  it('says that it is not known, and the same request tells it', async () => {
    const { session } = await person();
    const [key, name] = [newText(), crypto.randomUUID()];
    loseAnswerTo(name);
    const first = await create(keyed(session, key), { name });
    expect([first.status, first.body.code]).toEqual([503, 'database_timeout']);
    expect(first.body.message).toContain(`${UNKNOWN}send it again with the same Idempotency-Key`);
    await vi.waitFor(async () => expect((await create(keyed(session, key), { name })).status).toBe(200), 20_000);
    expect((await datasetsOf(session)).map((it) => it.name)).toEqual([name]);
  });

  it('without a key says where to look', async () => {
    const { session } = await person();
    const [name, changed] = [crypto.randomUUID(), crypto.randomUUID()];
    loseAnswerTo(name);
    expect((await create(session, { name })).body.message).toContain(`${UNKNOWN}look whether it is there`);
    const [{ id } = {}] = await datasetsOf(session);
    loseAnswerTo(changed);
    const { status, body } = await send('PATCH', `/v1/datasets/${id}`, session, { name: changed });
    expect([status, body.message.includes(`${UNKNOWN}read what there is`)]).toEqual([503, true]);
    expect((await get(`/v1/datasets/${id}`, session)).body.data.name).toBe(changed);
  });

  it('is no read', async () => {
    const { session } = await person();
    loseAnswerTo('select');
    const { body } = await get('/v1/datasets', session);
    expect([body.code, body.message]).toEqual(['database_timeout', expect.not.stringContaining(UNKNOWN)]);
  });
});
