import { expect, it } from 'vitest';
import { type LossRow, lossesInWords, lossOf } from '../../../src/db/release-loss.ts';

const counts = (areas: number, population: number) => ({ areas, population });

const row: LossRow = {
  active: '2025-2q-1',
  from: 'none',
  to: 'none',
  before: { province: counts(82, 82), barangay: counts(42_000, 42_000) },
  after: { province: counts(82, 82), barangay: counts(42_000, 41_700) },
  drawn_before: {},
  drawn_after: {},
};

it('a release loses what one level of it loses, however many areas the others have', () => {
  expect(lossOf(row)).toBeNull();
  const loss = lossOf({ ...row, after: { ...row.after, province: counts(82, 0) } });
  expect(loss?.attributes).toEqual([{ attribute: 'population', count: 82 }]);
});

it('a loss is never without words', () => {
  const loss = lossOf({ ...row, from: 'display' });
  expect(loss && lossesInWords(loss)).toEqual(['the boundaries for display']);
});
