import { describe, expect, it } from 'vitest';
import { EDGES_LAYER, edgeSquares } from '../../../pages/explore/map-edges.ts';

describe('the edges of a map', () => {
  const layout = EDGES_LAYER.layout as { 'icon-padding': number; 'icon-allow-overlap': boolean };
  const reach = layout['icon-padding'] + 0.5;

  it.each([
    [1280, 800],
    [390, 844],
    [300, 200],
    [31, 17],
  ])('have squares beside one another outside of it, and none inside: %i × %i', (width, height) => {
    const squares = edgeSquares(width, height).map(({ at: [x, y], offset: [right, down] }) => {
      return { left: x + right - reach, right: x + right + reach, top: y + down - reach, bottom: y + down + reach };
    });
    const isTaken = (x: number, y: number) =>
      squares.some(({ left, right, top, bottom }) => left <= x && x <= right && top <= y && y <= bottom);
    for (let x = 0; x <= width; x += 1) expect([x, isTaken(x, -1), isTaken(x, height + 1)]).toEqual([x, true, true]);
    for (let y = 0; y <= height; y += 1) expect([y, isTaken(-1, y), isTaken(width + 1, y)]).toEqual([y, true, true]);
    for (let x = 1; x < width; x += 1)
      for (const y of [1, height / 2, height - 1]) expect([x, y, isTaken(x, y)]).toEqual([x, y, false]);
    for (const { at } of edgeSquares(width, height)) {
      expect(at[0]).toBeGreaterThan(0);
      expect(at[0]).toBeLessThan(width);
      expect(at[1]).toBeGreaterThan(0);
      expect(at[1]).toBeLessThan(height);
    }
    expect(layout['icon-allow-overlap']).toBe(true);
  });
});
