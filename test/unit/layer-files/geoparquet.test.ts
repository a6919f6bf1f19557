import { parquetMetadata } from 'hyparquet';
import { describe, expect, it } from 'vitest';
import { joinBytes } from '../../../src/bytes.ts';
import { GeoParquet } from '../../../src/layer-files/geoparquet.ts';
import { shapeOf } from '../../../src/layer-files/shapes.ts';

type Written = { type: string; coordinates?: unknown; geometries?: Written[] };

/** What a file of some geometries says about their column. */
function columnOf(...geometries: (Written | null)[]) {
  const limits = { groupBytes: 1000, groupRows: 2, statistics: false, isOriented: false };
  const file = new GeoParquet({ columns: [], ...limits });
  const groups = geometries.flatMap((it) => file.add({ values: [], shape: it && shapeOf(it) }) ?? []);
  const { key_value_metadata: members } = parquetMetadata(joinBytes([...groups, file.end()]).buffer as ArrayBuffer);
  return JSON.parse(members?.find(({ key }) => key === 'geo')?.value ?? '').columns.geometry;
}

describe('the bbox of a GeoParquet column', () => {
  const point = (...coordinates: number[]) => ({ type: 'Point', coordinates });

  it('has the range of each dimension, as the specification wants', () => {
    expect(columnOf(point(121, 14), null, point(120, 15)).bbox).toEqual([120, 14, 121, 15]);
    const line = {
      type: 'LineString',
      coordinates: [
        [120, 15, 70],
        [122, 9, -3],
      ],
    };
    expect(columnOf(point(121, 14, 7.5), line)).toMatchObject({
      geometry_types: ['Point Z', 'LineString Z'],
      bbox: [120, 9, -3, 122, 15, 70],
    });
    expect(columnOf({ type: 'GeometryCollection', geometries: [line] }).bbox).toEqual([120, 9, -3, 122, 15, 70]);
  });

  it('has the heights of those that have one', () => {
    expect(columnOf(point(121, 14, 7), point(120, 15)).bbox).toEqual([120, 14, 7, 121, 15, 7]);
  });

  it('is left out where nothing has a place', () => {
    expect(columnOf(null)).toMatchObject({ geometry_types: [] });
    expect(columnOf(null)).not.toHaveProperty('bbox');
  });
});
