import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError, sentenceFor } from '../../../pages/shared/api.ts';

let token: string | null = null;
beforeEach(() => vi.stubGlobal('sessionStorage', { getItem: () => token }));
afterEach(() => {
  vi.unstubAllGlobals();
  token = null;
});

const sentence = (status: number, message: string | undefined, retryAfter?: number) =>
  sentenceFor(new ApiError(status, { message }, retryAfter));

describe('the sentence for a refusal', () => {
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
    // What stands before the service has words of its own, or none.
    expect(sentence(429, undefined, 7)).toBe('The service answered with status 429. Try again in 7 seconds.');
  });
});
