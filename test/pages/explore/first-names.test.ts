import { describe, expect, it } from 'vitest';
import { type Name, placeNames } from '../../../pages/explore/first-names.ts';

const FIELD = [200, 100] as const;

/** Letters that are as wide as their size. */
const widthOf = (line: string, { size }: Name) => line.length * size;

function name(text: string, x: number, y: number, sides: Name['sides'] = ['over']): Name {
  return { text, x, y, size: 10, weight: 400, longest: 6, sides };
}

describe('names on the first map', () => {
  it('stand over their points, in lines between words that are not longer than is allowed', () => {
    const [placed] = placeNames([name('one two three4567', 100, 50)], FIELD, widthOf);
    expect(placed?.lines).toEqual(['one', 'two', 'three4567']);
    const [short] = placeNames([name('a b c d e', 100, 50)], FIELD, widthOf);
    expect(short?.lines).toEqual(['a b c', 'd e']);
    expect(short).toMatchObject({ middle: 100, top: 50 - 11.5 });
  });

  it('take the next side where the first is taken or outside, and are left out where none is free', () => {
    const placed = placeNames(
      [
        name('first', 100, 50),
        name('second', 100, 56, ['over', 'below']),
        name('third', 100, 50),
        name('fourth', 195, 90, ['right', 'left']),
      ],
      FIELD,
      widthOf,
    );
    expect(placed.map(({ text, middle, top }) => [text, middle, top])).toEqual([
      ['first', 100, 44.25],
      ['second', 100, 60.5],
      ['fourth', 160.5, 84.25],
    ]);
  });
});
