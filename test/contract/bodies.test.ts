import { beforeAll, describe, expect, it } from 'vitest';
import { administrator } from '../support/admin.ts';
import { api, type Body, openApi, workerWith } from '../support/api.ts';
import type { Headers } from '../support/people.ts';
import { some } from '../support/some.ts';

/** Every operation that takes JSON, except the one for providers' events, whose signature is checked first. */
const operations = Object.entries<Body>((await openApi()).paths).flatMap(([path, methods]) =>
  Object.entries<Body>(methods)
    .filter(([, { operationId, requestBody }]) => operationId !== 'receive_webhook' && takesJson(requestBody))
    .map(([method]): [string, string] => [method.toUpperCase(), path.replaceAll(/\{\w+\}/g, '1')]),
);

function takesJson(requestBody: Body): boolean {
  return requestBody?.content['application/json'] !== undefined;
}

/** Somebody who may do everything. */
let admin: Headers;

beforeAll(async () => {
  admin = (await administrator()).session;
});

const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

describe('a JSON body', () => {
  it('is taken by many operations', () => {
    expect(operations.length).toBeGreaterThan(12);
  });

  it.each(some(operations))('of %s %s is UTF-8, in no other encoding and not packed', async (method, path) => {
    const send = async (body: Uint8Array<ArrayBuffer> | string, headers: Headers = {}) => {
      const init = { method, body, headers: { ...admin, 'Content-Type': 'application/json', ...headers } };
      const { status, body: answer } = await api(path, init);
      return [status, answer.code, answer.message];
    };
    const notUtf8 = [400, 'invalid_json', expect.stringContaining('UTF-8')];
    expect(await send(latin1('{"name":"Para\xf1aque"}'))).toEqual(notUtf8);
    // Half of a surrogate pair, and a character cut short.
    expect(await send(latin1('{"name":"\xed\xa0\x80"}'))).toEqual(notUtf8);
    expect(await send(latin1('{"name":"Para\xc3'))).toEqual(notUtf8);
    const unsupported = (got: string) => [415, 'unsupported_media_type', expect.stringContaining(got)];
    for (const charset of ['latin1', 'ISO-8859-1', '"windows-1252"', 'utf-16']) {
      const type = `application/json; charset=${charset}`;
      expect(await send('{}', { 'Content-Type': type })).toEqual(unsupported(charset.replaceAll('"', '')));
    }
    for (const encoding of ['gzip', 'br', 'deflate, gzip']) {
      expect(await send('{}', { 'Content-Encoding': encoding })).toEqual(unsupported(encoding));
    }
  });

  it.each(some(operations))('of %s %s is application/json and nothing that is only similar', async (method, path) => {
    for (const type of [
      'application/vnd.api+json',
      'application/geo+json',
      'application/merge-patch+json; charset=utf-8',
      'application/jsonp',
      'application/json-seq',
      'text/json',
      'text/plain',
    ]) {
      const { status, body } = await api(path, { method, body: '{}', headers: { ...admin, 'Content-Type': type } });
      expect([type, status, body.code]).toEqual([type, 415, 'unsupported_media_type']);
      expect(body.message).toContain(`(got "${type}")`);
    }
  });

  it.each(['application/json; v', 'application/json; =1'])(
    'is refused with a type whose parameters can not be read: %s',
    async (type) => {
      const headers = { ...admin, 'Content-Type': type };
      const { status, body } = await api('/v1/datasets', { method: 'POST', body: '{"name":"Wells"}', headers });
      expect([status, body.code, body.message]).toEqual([
        415,
        'unsupported_media_type',
        expect.stringContaining('JSON'),
      ]);
    },
  );

  it.each(some(operations))('of %s %s has each member once', async (method, path) => {
    const ask = (body: string) =>
      api(path, { method, body, headers: { ...admin, 'Content-Type': 'application/json' } });
    for (const [text, name, place] of [
      ['{"a":1,"a":1}', 'a', 'line 1, column 8'],
      ['{"x":{"a":"a\\"a\\":"},\n "y":[{"b":1},{"b":2,"\\u0062" :3}]}', 'b', 'line 2, column 22'],
      [`{"x":${'['.repeat(20_000)}{"":0,"":0}${']'.repeat(20_000)}}`, '', 'line 1, column 20012'],
    ]) {
      const { status, body } = await ask(text as string);
      expect([status, body.code]).toEqual([400, 'invalid_json']);
      expect(body.message).toBe(`The body has the member "${name}" twice in one object (${place}).`);
    }
    expect((await ask('{"a":{"a":[{"a":1},{"a":1}]},"__proto__":"a"}')).body.code).not.toBe('invalid_json');
  });

  it.each(some(operations))('of %s %s that is announced as too long is not read', async (method, path) => {
    let asked = 0;
    const pull = () => {
      asked += 1;
      return new Promise<void>(() => undefined);
    };
    const body = new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 });
    const headers = { ...admin, 'Content-Type': 'application/json', 'Content-Length': '99999999999' };
    const answer = await workerWith({})(path, { method, body, headers });
    expect([answer.status, answer.body.code, asked]).toEqual([413, 'payload_too_large', 0]);
  });

  it.each(['utf-8', 'UTF-8', '"utf-8"', 'utf8'])('may say that it is: charset=%s', async (charset) => {
    const { status, body } = await api('/v1/datasets', {
      method: 'POST',
      body: '\ufeff{"name":"Parañaque"}',
      headers: {
        ...admin,
        'Content-Type': `application/json; charset=${charset}`,
        'Content-Encoding': 'identity',
      },
    });
    expect([status, body.data?.name]).toEqual([200, 'Parañaque']);
  });
});
