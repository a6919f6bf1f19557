import { expect, it } from 'vitest';
import { densitiesOf } from '../../../scripts/pipeline/data/release.ts';
import { toRelease } from '../../../scripts/pipeline/psgc/areas.ts';
import { publicationOf, readHistory } from '../../../scripts/pipeline/psgc/history.ts';

const history = await readHistory();
const densities = new Map(
  ['2025-2q', '2025-4q', '2026-3q'].map((edition) => [
    edition,
    densitiesOf(toRelease(publicationOf(history, edition)).areas, () => 1000),
  ]),
);
const densitiesIn = (edition: string) => densities.get(edition) as ReadonlyMap<string, number>;

it('gives a region no density whose residents were counted before it lost or won provinces', () => {
  const before = densitiesIn('2025-2q');
  // Negros and Siquijor had become a region of their own, and the census of 2020 counted them with these two.
  for (const code of ['0600000000', '0700000000']) expect(before.has(code)).toBe(false);
  // The census counted the barangays of the Special Geographic Area with Region XII.
  for (const code of ['1200000000', '1900000000']) expect(before.has(code)).toBe(false);
  expect(before.has('0100000000')).toBe(true);
  expect(before.has('0701200000')).toBe(true);
  const now = densitiesIn('2026-3q');
  for (const code of ['0600000000', '0700000000', '1200000000', '1800000000', '1900000000']) {
    expect([code, now.has(code)]).toEqual([code, true]);
  }
});

it('gives a barangay no density whose residents were counted before another was merged into it', () => {
  // Dacanlao won San Rafael in 1Q 2026, and still has its own residents alone.
  const [before, now] = [densitiesIn('2025-4q'), densitiesIn('2026-3q')];
  expect([before.has('0401007019'), now.has('0401007019')]).toEqual([true, false]);
});

it('gives a city, municipality or province no density whose residents were counted before it lost or won barangays', () => {
  const [before, now] = [densitiesIn('2025-2q'), densitiesIn('2026-3q')];
  // Ten barangays of Makati had become Taguig's, and 63 of Cotabato had become municipalities of BARMM; Payao had lost some.
  for (const code of ['1380300000', '1381500000', '1204700000', '1204712000', '0908311000']) {
    expect([code, before.has(code), now.has(code)]).toEqual([code, false, true]);
  }
  // A city one of whose barangays was divided into six without numbers of their own has all of its land.
  expect(before.has('1380100000')).toBe(true);
});
