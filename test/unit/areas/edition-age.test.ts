import { describe, expect, it } from 'vitest';
import { ageOf } from '../../../src/areas/edition-age.ts';

const at = (time: string) => Date.parse(`${time}Z`);

describe('the age of a list', () => {
  it.each([
    ['2026-3q', '2026-09-30'],
    ['2026-1q', '2026-03-31'],
    ['2023-4q', '2023-12-31'],
    ['2025-07', '2025-07-31'],
    ['2024-02', '2024-02-29'],
    ['2024-12', '2024-12-31'],
  ])('of %s counts from %s', (id, day) => {
    expect(ageOf({ id, day: null }, at(`${day}T12:00`))).toMatchObject({
      as_of: day,
      age_days: 0,
      newer_likely: false,
    });
  });

  it.each([
    ['2026-08-01T00:00', 0, false, 'less than a month old.'],
    ['2026-10-01T00:00', 1, false, 'less than a month old.'],
    ['2026-10-29T23:59', 29, false, 'less than a month old.'],
    ['2026-10-30T00:00', 30, false, '1 month old.'],
    ['2026-11-30T00:00', 61, false, '2 months old.'],
    ['2026-12-29T23:59', 90, false, '2 months old.'],
    ['2026-12-31T23:59', 92, false, '3 months old.'],
    ['2027-01-01T00:00', 93, true, '3 months old; a newer one is likely.'],
    ['2028-01-15T08:00', 472, true, '15 months old; a newer one is likely.'],
  ])('is in words at %s, and from the fourth month on a newer one is likely', (time, days, isOld, words) => {
    expect(ageOf({ id: '2026-3q', day: null }, at(time))).toEqual({
      as_of: '2026-09-30',
      age_days: days,
      newer_likely: isOld,
      newer_edition: null,
      notice: `PSGC list of 30 Sep 2026, ${words}`,
    });
  });

  it('of an older edition names the newest one, and calls none likely', () => {
    expect(ageOf({ id: '2025-07', day: null, newest: '2026-3q' }, at('2026-11-24T00:00'))).toMatchObject({
      newer_likely: false,
      newer_edition: '2026-3q',
      notice: 'PSGC list of 31 Jul 2025, 15 months old; 2026-3q is newer.',
    });
  });

  it('counts from the day that the list says', () => {
    const { as_of, age_days, notice } = ageOf({ id: '2026-10', day: '2026-10-12' }, at('2026-11-01T00:00'));
    expect([as_of, age_days, notice]).toEqual(['2026-10-12', 20, 'PSGC list of 12 Oct 2026, less than a month old.']);
  });

  it.each([
    ['2026-11-11', 'less than a month old.'],
    ['2026-11-12', '1 month old.'],
    ['2026-12-01', '1 month old.'],
    ['2027-01-11', '2 months old.'],
    ['2027-01-12', '3 months old.'],
    ['2027-01-13', '3 months old; a newer one is likely.'],
  ])('of a day within a month counts months from that day: at %s', (day, words) => {
    expect(ageOf({ id: '2026-10', day: '2026-10-12' }, at(`${day}T00:00`)).notice).toBe(
      `PSGC list of 12 Oct 2026, ${words}`,
    );
  });

  it.each([
    ['2024-12', '2025-02-27', '1 month old.'],
    ['2024-12', '2025-02-28', '2 months old.'],
    ['2024-02', '2024-03-28', 'less than a month old.'],
    ['2024-02', '2024-03-29', '1 month old.'],
  ])('of %s has a month more on the last day of a shorter month: at %s', (id, day, words) => {
    expect(ageOf({ id, day: null }, at(`${day}T00:00`)).notice).toMatch(new RegExp(` ${words}$`));
  });

  it.each(['2026', '2026-5q', '3Q 2026', ''])('is none of what is no edition: %j', (id) => {
    expect(() => ageOf({ id, day: null }, 0)).toThrow(RangeError);
  });
});
