import { describe, expect, it } from 'vitest';
import { ringOf } from '../../../pages/explore/sketch.ts';

describe('the ring of what is drawn', () => {
  it('is that of a box between two corners, counterclockwise wherever they are', () => {
    const ring = [
      [120, 10],
      [122, 10],
      [122, 11],
      [120, 11],
      [120, 10],
    ];
    const corners = ring.slice(0, 4);
    for (const [one, other] of [
      [corners[0], corners[2]],
      [corners[2], corners[0]],
      [corners[1], corners[3]],
      [corners[3], corners[1]],
    ])
      expect(ringOf('box', [one ?? [], other ?? []])).toEqual(ring);
  });

  it('is that of a polygon, closed', () => {
    const corners = [
      [120, 10],
      [122, 10],
      [121, 11],
    ];
    expect(ringOf('polygon', corners)).toEqual([...corners, [120, 10]]);
  });

  it('is none before there are enough corners, and none of a box without an inside', () => {
    const [a, b] = [
      [120, 10],
      [122, 10],
    ];
    expect([ringOf('box', []), ringOf('box', [a]), ringOf('box', [a, b])]).toEqual([undefined, undefined, undefined]);
    expect([ringOf('polygon', [a, b])]).toEqual([undefined]);
  });
});
