import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { errorOf } from '../../../clients/typescript/src/errors.ts';
import { PsgcError, sentenceFor } from '../../../pages/shared/api.ts';

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
    const response = new Response('Slow down', { status: 429, headers: { 'Retry-After': '7' } });
    expect(sentenceFor(await errorOf(response))).toBe(
      'The service answered 429. Try again in 7 seconds. With a key you may ask more often.',
    );
  });

  it('says once when to try again, also where the service says it itself', () => {
    const tooMany = 'This address, without an API key, may make 30 requests in 60 seconds. Try again in 53 seconds.';
    expect(sentence(429, tooMany, 53)).toBe(`${tooMany} With a key you may ask more often.`);
    const away = 'The database did not answer in time. Try again in a few seconds.';
    expect(sentence(503, away, 5)).toBe(away);
    expect(sentence(503, 'The counter does not answer.', 1)).toBe(
      'The counter does not answer. Try again in 1 second.',
    );
    expect(sentence(503, 'The counter does not answer.')).toBe('The counter does not answer. Try again in a moment.');
    token = 'pgds_key';
    expect(sentence(429, tooMany, 53)).toBe(tooMany);
  });
});
