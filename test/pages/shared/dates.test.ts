import { describe, expect, it, vi } from 'vitest';
import { day, moment } from '../../../pages/shared/dates.ts';

describe('a date on a page', () => {
  it('has the day first, and a month of three letters', () => {
    expect(day('2026-11-30')).toBe('30 Nov 2026');
    expect(day('2026-09-05')).toBe('5 Sep 2026');
    expect(day('2026-09-05T12:00:00Z')).toBe('5 Sep 2026');
    // As the browser of whoever looks at it has it.
    const local = new Date(2026, 8, 5, 15, 4).toISOString();
    expect(moment(local)).toBe('5 Sep 2026, 15:04');
  });

  it.each(['America/Los_Angeles', 'Asia/Manila'])('without a time is the same day in %s', async (zone) => {
    vi.stubEnv('TZ', zone);
    vi.resetModules();
    const { day: dayThere } = await import('../../../pages/shared/dates.ts');
    vi.unstubAllEnvs();
    expect(dayThere('2026-11-30')).toBe('30 Nov 2026');
  });
});
