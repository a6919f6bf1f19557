import { afterEach, describe, expect, it } from 'vitest';
import { free, noteLimit } from '../../../pages/match/limits.ts';
import { minutesFor } from '../../../pages/match/look-up.ts';

const { requestsPerMinute } = free;
afterEach(() => {
  free.requestsPerMinute = requestsPerMinute;
});

describe('how long a list takes without signing in', () => {
  it('is said in minutes where the limit of one is reached', () => {
    expect([1, 600, 601, 899, 1000].map(minutesFor)).toEqual([0, 0, 1, 1, 1]);
  });

  it('follows the limit of the service', () => {
    noteLimit(new Headers({ 'RateLimit-Policy': '"free-tier";q=10;w=60' }));
    expect([200, 899].map(minutesFor)).toEqual([0, 4]);
    for (const other of [undefined, new Headers(), new Headers({ 'RateLimit-Policy': '"day";q=5;w=86400' })]) {
      noteLimit(other);
      expect(minutesFor(899)).toBe(4);
    }
  });
});
