import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { findFreePort } from '../../scripts/dev/port.ts';
import { clientOf, proxiesFrom } from '../../scripts/start/addresses.ts';
import { startFront } from '../../scripts/start/front.ts';
import { isDue } from '../../scripts/start/schedule.ts';

describe('the address that a request comes from', () => {
  const local = proxiesFrom('127.0.0.0/8, ::1 10.1.0.0/16');
  it.each([
    ['9.9.9.9', undefined, '9.9.9.9'],
    // Whoever is no proxy is not believed.
    ['9.9.9.9', '1.1.1.1', '9.9.9.9'],
    ['127.0.0.1', '1.1.1.1', '1.1.1.1'],
    ['::ffff:127.0.0.1', '1.1.1.1', '1.1.1.1'],
    ['::1', '2001:db8::1', '2001:db8::1'],
    // What is before the last address that is no proxy's, the client may have written.
    ['127.0.0.1', '8.8.8.8, 1.1.1.1', '1.1.1.1'],
    ['127.0.0.1', '8.8.8.8, 1.1.1.1, 10.1.2.3', '1.1.1.1'],
    ['127.0.0.1', '1.1.1.1, unknown', '127.0.0.1'],
    ['127.0.0.1', '', '127.0.0.1'],
    ['10.1.2.3', '127.0.0.5', '127.0.0.5'],
  ])('from %s with X-Forwarded-For %s is %s', (connection, forwardedFor, client) => {
    expect(clientOf(connection, forwardedFor, local)).toBe(client);
  });

  it.each(['nonsense', '10.0.0.0/33', '10.0.0/8', '::1/129'])('refuses %s as a proxy', (entry) => {
    expect(() => proxiesFrom(`127.0.0.1, ${entry}`)).toThrow(`(got ${entry})`);
  });
});

describe('a schedule', () => {
  it.each([
    ['*/10 18-19 * * *', '2026-11-29T18:00:30Z', true],
    ['*/10 18-19 * * *', '2026-11-29T19:50:00Z', true],
    ['*/10 18-19 * * *', '2026-11-29T19:55:00Z', false],
    ['*/10 18-19 * * *', '2026-11-29T20:00:00Z', false],
    ['5/20 * * * *', '2026-11-29T20:45:00Z', true],
    ['5/20 * * * *', '2026-11-29T20:20:00Z', false],
    ['0 0 1,15 * *', '2026-11-15T00:00:00Z', true],
    ['0 0 * 12 *', '2026-11-15T00:00:00Z', false],
    ['0 0 * * 0', '2026-11-29T00:00:00Z', true],
  ])('%s names %s: %s', (cron, at, isNamed) => {
    expect(isDue(cron, new Date(at))).toBe(isNamed);
  });

  it.each(['* * * *', '@daily', '* * * * MON'])('refuses %s', (cron) => {
    expect(() => isDue(cron, new Date(0))).toThrow();
  });
});

it('requests get 503 with a code of their own while the runtime starts', async () => {
  const port = await findFreePort();
  const front = await startFront({ host: '127.0.0.1', port, proxies: proxiesFrom(''), worker: () => undefined });
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/v1/regions`);
    expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '2']);
    expect(await answer.json()).toEqual({ message: expect.stringContaining('starting'), code: 'service_restarting' });
  } finally {
    await front.close();
  }
});

it.each([
  [199, 200, 'OK'],
  [200, 431, 'A request may have 200 headers at most (got 201).'],
  [2500, 431, 'A request may have 200 headers at most (got 2501).'],
])('a request with %s headers beside Host gets %s', async (count, status, said) => {
  const runtime = createServer((_, answer) => answer.end('OK')).listen(0, '127.0.0.1');
  await once(runtime, 'listening');
  const worker = new URL(`http://127.0.0.1:${(runtime.address() as AddressInfo).port}`);
  const port = await findFreePort();
  const front = await startFront({ host: '127.0.0.1', port, proxies: proxiesFrom(''), worker: () => worker });
  try {
    const headers = ['Connection: close', ...Array.from({ length: count - 1 }, (_, n) => `X-${n}: 1`)];
    const socket = connect(port, '127.0.0.1');
    socket.write(`GET /v1/provinces HTTP/1.1\r\nHost: a.example\r\n${headers.join('\r\n')}\r\n\r\n`);
    const answer = await text(socket);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toContain(said);
    expect(answer.includes('"code":"too_many_headers"')).toBe(status === 431);
  } finally {
    await front.close();
    runtime.close();
  }
});
