import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { errorOf } from '../../../clients/typescript/src/errors.ts';
import { PsgcError, requestJson, sentenceFor } from '../../../pages/shared/api.ts';

let token: string | null = null;
beforeEach(() => vi.stubGlobal('sessionStorage', { getItem: () => token }));
afterEach(() => {
  vi.unstubAllGlobals();
  token = null;
});

const sentence = (status: number, message: string, retryAfter?: number) =>
  sentenceFor(new PsgcError({ code: 'x', status, message, retryAfter }));

describe('the sentence for a refusal', () => {
  it('is that of the status where something that is not the service refuses', async () => {
    token = 'pgds_key';
    const response = new Response('Slow down', { status: 429, headers: { 'Retry-After': '7' } });
    expect(sentenceFor(await errorOf(response))).toBe('The service answered 429. Try again in 7 seconds.');
  });

  it('says to whoever has not signed in what lifts the limit, in one sentence', () => {
    const sentenceAfter = (seconds?: number) => sentence(429, 'This address may make 30 requests.', seconds);
    expect(sentenceAfter(1)).toBe(
      'Too many requests came from here without signing in: try again in 1 second, or sign in to go on now.',
    );
    expect(sentenceAfter()).toContain(': try again in a moment, ');
  });

  it('says once when to try again, also where the service says it itself', () => {
    const away = 'The database did not answer in time. Try again in a few seconds.';
    expect(sentence(503, away, 5)).toBe(away);
    expect(sentence(503, 'The counter does not answer.', 1)).toBe(
      'The counter does not answer. Try again in 1 second.',
    );
    expect(sentence(503, 'The counter does not answer.')).toBe('The counter does not answer. Try again in a moment.');
    token = 'pgds_key';
    const tooMany = 'This API key may make 30 requests in 60 seconds. Try again in 53 seconds.';
    expect(sentence(429, tooMany, 53)).toBe(tooMany);
  });
});

describe('an answer that breaks off', () => {
  const broken = () =>
    vi.stubGlobal(
      'fetch',
      async () => new Response(new ReadableStream({ start: (it) => it.error(new TypeError('x')) })),
    );

  it('is told as a service that can’t be reached', async () => {
    broken();
    const failed = await requestJson('/v1/regions', { isAnonymous: true }).catch((error: unknown) => error);
    expect([failed instanceof PsgcError, sentenceFor(failed)]).toEqual([
      true,
      expect.stringContaining('can’t be reached'),
    ]);
  });

  it('is what aborted it where the page did so', async () => {
    broken();
    const signal = AbortSignal.abort();
    const failed = await requestJson('/v1/regions', { isAnonymous: true, signal }).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(TypeError);
  });
});
