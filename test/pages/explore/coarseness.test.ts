import type { Polygon } from 'geojson';
import { describe, expect, it } from 'vitest';
import { areCoarse } from '../../../pages/explore/coarseness.ts';

/** A circle of some ten kilometres with a number of corners. */
function circleOf(corners: number): Polygon {
  const ring = Array.from({ length: corners + 1 }, (_, index) => {
    const angle = ((index % corners) / corners) * 2 * Math.PI;
    return [121 + 0.1 * Math.cos(angle), 15 + 0.1 * Math.sin(angle)];
  });
  return { type: 'Polygon', coordinates: [ring] };
}

describe('areas of a dataset', () => {
  it('are drawn as coarsely as the coarse map where the sides of their borders are long', () => {
    expect(areCoarse([circleOf(30)])).toBe(true);
    expect(areCoarse([circleOf(300)])).toBe(false);
    expect(areCoarse([{ type: 'MultiPolygon', coordinates: [circleOf(30).coordinates] }, null])).toBe(true);
    // A few fine ones decide among coarse ones, which have fewer corners.
    expect(areCoarse([circleOf(30), circleOf(300)])).toBe(false);
  });

  it('are not where there are none', () => {
    expect(areCoarse([])).toBe(false);
    expect(areCoarse([null, { type: 'Point', coordinates: [121, 15] }])).toBe(false);
  });
});
