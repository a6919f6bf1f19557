import { describe, expect, it } from 'vitest';
import { type Extent, farWords, isNear, whereabouts } from '../../../pages/shared/far-away.ts';

describe('where features lie', () => {
  const at = (x: number, y: number): Extent => [x, y, x, y];
  const CEBU = [at(123.8, 10.3), at(123.9, 10.4), [123.7, 10.2, 124, 10.35]] as const satisfies readonly Extent[];
  const LONDON = at(-0.1, 51.5);

  it('is where most of them lie in the Philippines, without those far away', () => {
    expect(whereabouts([...CEBU, LONDON])).toEqual({ main: [123.7, 10.2, 124, 10.4], far: 1 });
    expect(whereabouts([LONDON, LONDON, ...CEBU])).toMatchObject({ main: [123.7, 10.2, 124, 10.4], far: 2 });
  });

  it('is all of them where none is far away, or most are', () => {
    expect(whereabouts(CEBU)).toEqual({ main: undefined, far: 0 });
    expect(whereabouts([])).toEqual({ main: undefined, far: 0 });
    expect(whereabouts([LONDON, at(2.3, 48.9), CEBU[0]])).toEqual({ main: undefined, far: 2 });
    expect(whereabouts([LONDON, CEBU[0]])).toEqual({ main: undefined, far: 1 });
  });

  it('is not far away where a part lies in the Philippines', () => {
    const track: Extent = [122, 14, 140, 15];
    expect(whereabouts([...CEBU, track])).toEqual({ main: undefined, far: 0 });
    expect(whereabouts([...CEBU, track, LONDON])).toEqual({ main: [123.7, 10.2, 124, 10.4], far: 1 });
  });

  it('is near with the seas of the country, and not where a part lies elsewhere', () => {
    expect([at(114, 8), at(127, 17), at(119.3, 4.6)].map(isNear)).toEqual([true, true, true]);
    expect([at(121.5, 25), at(10.3, 123.9), [120, 14, 140, 15] as const].map(isNear)).toEqual([false, false, false]);
  });

  it('is said in the same words for points and features', () => {
    expect(farWords(1, ['feature', 'features'])).toBe('1 feature lies far outside of the Philippines');
    expect(farWords(1200, ['point', 'points'])).toBe('1,200 points lie far outside of the Philippines');
  });
});
