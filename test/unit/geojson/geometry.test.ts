import { describe, expect, it } from 'vitest';
import { checkGeometry, GeometryFault, pathText } from '../../../src/geojson/geometry.ts';

const ring = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 0],
];

function faultOf(value: unknown, degrees = true): string | undefined {
  try {
    checkGeometry(value, ['geometry'], { degrees });
    return undefined;
  } catch (error) {
    if (!(error instanceof GeometryFault)) throw error;
    return `${pathText(error.path)}: ${error.message}`;
  }
}

const line = (coordinates: unknown) => ({ type: 'LineString', coordinates });
const polygon = (...rings: unknown[]) => ({ type: 'Polygon', coordinates: rings });

describe('a geometry', () => {
  it.each<[object]>([
    [{ type: 'Point', coordinates: [180, -90] }],
    [{ type: 'Point', coordinates: [-180, 90, -11_000] }],
    [{ type: 'MultiPoint', coordinates: [] }],
    [
      {
        type: 'MultiPoint',
        coordinates: [
          [1, 2],
          [1, 2],
        ],
      },
    ],
    [
      line([
        [0, 0],
        [0, 0],
      ]),
    ],
    [
      {
        type: 'MultiLineString',
        coordinates: [
          [
            [0, 0, 1],
            [1, 1, 2],
          ],
        ],
      },
    ],
    [polygon(ring, ring.toReversed())],
    [{ type: 'MultiPolygon', coordinates: [[ring], [ring]] }],
    [{ type: 'MultiPolygon', coordinates: [] }],
    [{ type: 'GeometryCollection', geometries: [] }],
    [
      {
        type: 'GeometryCollection',
        geometries: [
          line([
            [0, 0],
            [1, 1],
          ]),
          { type: 'GeometryCollection', geometries: [] },
        ],
      },
    ],
    [{ type: 'Point', coordinates: [1, 2], bbox: [1, 2, 1, 2], name: 'x' }],
  ])('%j is good', (value) => {
    expect(faultOf(value)).toBeUndefined();
  });

  it.each<[unknown, string]>([
    [null, 'geometry: must be a GeoJSON geometry object (got null)'],
    [[], 'geometry: must be a GeoJSON geometry object (got an array)'],
    ['POINT (1 2)', 'geometry: must be a GeoJSON geometry object (got a string)'],
    [{}, 'geometry.type: must be one of Point'],
    [{ type: 'point', coordinates: [1, 2] }, 'geometry.type: must be one of'],
    [{ type: 'none' }, 'geometry.type'],
    [{ type: 'toString', coordinates: [1, 2] }, 'geometry.type'],
    [{ type: 'Feature', geometry: null }, 'geometry.type'],
    [
      { type: ['Point'], coordinates: [1, 2] },
      'geometry.type: must be one of Point, MultiPoint, LineString, MultiLineString, Polygon, MultiPolygon, GeometryCollection (got an array)',
    ],
    [{ type: 'Point' }, 'geometry.coordinates: must be an array of two or three numbers (got nothing)'],
    [{ type: 'Point', coordinates: null }, 'geometry.coordinates: must be an array'],
    [{ type: 'Point', coordinates: [] }, 'geometry.coordinates: must have two or three numbers (got 0)'],
    [{ type: 'Point', coordinates: [1] }, 'geometry.coordinates: must have two or three numbers (got 1)'],
    [{ type: 'Point', coordinates: [1, 2, 3, 4] }, 'geometry.coordinates: must have two or three numbers (got 4)'],
    [{ type: 'Point', coordinates: ['1', '2'] }, 'geometry.coordinates[0]: must be a number (got a string)'],
    [{ type: 'Point', coordinates: [1, null] }, 'geometry.coordinates[1]: must be a number (got null)'],
    [{ type: 'Point', coordinates: [1, 2, null] }, 'geometry.coordinates[2]: must be a number'],
    [{ type: 'Point', coordinates: [[1, 2]] }, 'geometry.coordinates: must have two or three numbers (got 1)'],
    [{ type: 'Point', coordinates: { 0: 1, 1: 2 } }, 'geometry.coordinates: must be an array'],
    [{ type: 'Point', coordinates: [Number.POSITIVE_INFINITY, 0] }, 'geometry.coordinates[0]: must be a finite number'],
    [{ type: 'Point', coordinates: [Number.NaN, 0] }, 'geometry.coordinates[0]: must be a finite number'],
    [{ type: 'Point', coordinates: [180.0001, 0] }, 'geometry.coordinates[0]: must be a longitude'],
    [{ type: 'Point', coordinates: [0, -90.0001] }, 'geometry.coordinates[1]: must be a latitude'],
    [{ type: 'Point', coordinates: [14, 121] }, '(got 121, as if longitude and latitude were swapped)'],
    [{ type: 'Point', coordinates: [1, 2], crs: { type: 'name' } }, 'geometry.crs: must be left out'],
    [{ type: 'Point', coordinates: [1, 2], geometries: [] }, 'geometry.geometries: must not be in a Point'],
    [line([]), 'geometry.coordinates: must have 2 positions or more'],
    [line([[1, 2]]), 'geometry.coordinates: must have 2 positions or more'],
    [line([[1, 2], [3]]), 'geometry.coordinates[1]: must have two or three numbers (got 1)'],
    [
      line([
        [1, 2],
        [3, 4, 5],
      ]),
      'geometry.coordinates[1]: must have 2 numbers as those before it (got 3)',
    ],
    [line([[1, 2], null]), 'geometry.coordinates[1]: must be an array'],
    [line([1, 2]), 'geometry.coordinates[0]: must be an array'],
    [polygon(), 'geometry.coordinates: must not be empty'],
    [polygon([]), 'geometry.coordinates[0]: must have 4 positions or more'],
    [
      polygon([
        [0, 0],
        [1, 0],
        [0, 0],
      ]),
      'geometry.coordinates[0]: must have 4 positions or more, being a ring (got 3)',
    ],
    [
      polygon(ring, [
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 1],
      ]),
      'geometry.coordinates[1]: must be closed',
    ],
    [
      polygon([
        [0, 0, 1],
        [1, 0, 1],
        [1, 1, 1],
        [0, 0, 2],
      ]),
      'geometry.coordinates[0]: must be closed',
    ],
    [polygon(ring[0]), 'geometry.coordinates[0]: must have 4 positions'],
    [{ type: 'MultiPolygon', coordinates: [[]] }, 'geometry.coordinates[0]: must not be empty'],
    [{ type: 'MultiPolygon', coordinates: [ring] }, 'geometry.coordinates[0][0]: must have 4 positions'],
    [{ type: 'GeometryCollection' }, 'geometry.geometries: must be an array of geometries (got nothing)'],
    [{ type: 'GeometryCollection', geometries: [null] }, 'geometry.geometries[0]: must be a GeoJSON geometry object'],
    [{ type: 'GeometryCollection', geometries: [], coordinates: [] }, 'geometry.coordinates: must not be'],
  ])('%j is not', (value, fault) => {
    expect(faultOf(value)).toContain(fault);
  });

  it('may be nested eight deep and no deeper', () => {
    const nested = (depth: number): object =>
      depth === 1
        ? { type: 'Point', coordinates: [1, 2] }
        : { type: 'GeometryCollection', geometries: [nested(depth - 1)] };
    expect(faultOf(nested(8))).toBeUndefined();
    expect(faultOf(nested(9))).toContain('must not be nested deeper than 8');
    expect(faultOf(nested(5000))).toContain('must not be nested deeper than 8');
  });

  it('may have half a million positions and no more', () => {
    const positions = (count: number) => line(Array.from({ length: count }, () => [0, 0]));
    expect(faultOf(positions(500_000))).toBeUndefined();
    expect(faultOf(positions(500_001))).toContain('geometry.coordinates[500000]: must not be there');
  });

  it('in metres only has to be finite', () => {
    expect(faultOf({ type: 'Point', coordinates: [500_000, 1_600_000] }, false)).toBeUndefined();
    expect(faultOf({ type: 'Point', coordinates: [Number.POSITIVE_INFINITY, 0] }, false)).toContain('finite');
  });
});
