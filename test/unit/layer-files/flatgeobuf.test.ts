import { describe, expect, it } from 'vitest';
import { flatGeobufFeature } from '../../../src/layer-files/flatgeobuf.ts';
import { shapeOf } from '../../../src/layer-files/shapes.ts';

describe('a feature of FlatGeobuf', () => {
  const written = (type: 'Point' | undefined, hasZ: boolean, geometry: { type: string; coordinates: unknown }) => () =>
    flatGeobufFeature({ values: [], shape: shapeOf(geometry) }, { columns: [], type, hasZ });
  const line = {
    type: 'LineString',
    coordinates: [
      [1, 2],
      [3, 4],
    ],
  };
  const high = { type: 'Point', coordinates: [1, 2, 3] };

  it('is not written under a header that says something else of it', () => {
    expect(written('Point', false, line)).toThrow(/type Point got a LineString/);
    expect(written(undefined, false, line)).not.toThrow();
    expect(written('Point', false, high)).toThrow(/without heights/);
    expect(written('Point', true, high)).not.toThrow();
    expect(written('Point', true, { type: 'Point', coordinates: [1, 2] })).not.toThrow();
  });
});
