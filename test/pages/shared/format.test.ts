import { describe, expect, it } from 'vitest';
import { amountWith } from '../../../pages/shared/format.ts';

describe('a measure with its unit', () => {
  it('has decimals where it is small, so that a density can be recalculated from it', () => {
    expect([18.2834, 99.94, 100.4, 2244.9, 9.876, 12].map((value) => amountWith(value, 'km²'))).toEqual([
      ...['18.3 km²', '99.9 km²', '100 km²', '2,245 km²', '9.88 km²', '12 km²'],
    ]);
    expect([null, undefined].map((value) => amountWith(value, 'km²'))).toEqual([undefined, undefined]);
  });
});
