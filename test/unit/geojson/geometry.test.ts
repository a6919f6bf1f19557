import { describe, expect, it } from 'vitest';
import { checkGeometry, GeometryFault, pathText, withoutForeignMembers } from '../../../src/geojson/geometry.ts';

const ring = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 0],
];

function faultOf(value: unknown, srid = 4326): string | undefined {
  try {
    checkGeometry(value, ['geometry'], { srid });
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
    [{ type: 'Point', coordinates: [1, 2], bbox: [179, 2, 5, -179, 2, 5] }],
    [{ type: 'Point', coordinates: [1, 2], bbox: null }],
    [{ type: 'Point', coordinates: [1, 2], bbox: [-180.00001, -90.00001, -9000, 180.00001, 90.00001, 9000] }],
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
    [line([[], [1, 2]]), 'geometry.coordinates[0]: must have two or three numbers (got 0)'],
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
    [polygon([], [[1, 2]]), 'geometry.coordinates[1]: must have 4 positions or more'],
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
    [{ type: 'Point', coordinates: [1, 2], bbox: [500, 0, 600, 3] }, 'geometry.bbox[0]: must be a longitude'],
    [
      { type: 'Point', coordinates: [1, 2], bbox: [0, 0, 180.0001, 3] },
      'must be a longitude from -180 to 180 (got 180.0001)',
    ],
    [
      { type: 'Point', coordinates: [1, 2], bbox: [1, -200, 2, 3] },
      'geometry.bbox[1]: must be a latitude from -90 to 90',
    ],
    [{ type: 'Point', coordinates: [1, 2], bbox: [1, 2, 0, 2, 91, 5] }, 'geometry.bbox[4]: must be a latitude'],
    [{ type: 'MultiPolygon', coordinates: [ring] }, 'geometry.coordinates[0][0]: must have 4 positions'],
    [{ type: 'GeometryCollection' }, 'geometry.geometries: must be an array of geometries (got nothing)'],
    [{ type: 'GeometryCollection', geometries: [null] }, 'geometry.geometries[0]: must be a GeoJSON geometry object'],
    [{ type: 'GeometryCollection', geometries: [], coordinates: [] }, 'geometry.coordinates: must not be'],
    [{ type: 'Point', coordinates: [180.000012, 0] }, 'must be a longitude from -180 to 180 (got 180.000012)'],
    [{ type: 'Point', coordinates: [0, -90.000012] }, 'must be a latitude from -90 to 90 (got -90.000012'],
    [JSON.parse('{"type":"Point","coordinates":[14.5,1e999]}'), 'geometry.coordinates[1]: must be a finite number'],
    ...[
      'Manila',
      {},
      [],
      [1, 2],
      [1, 2, 3],
      [1, 2, 3, 4, 5],
      [1, '2', 3, 4],
      [1, null, 3, 4],
      [1, 4, 3, 2],
      [1, 2, 9, 3, 4, 5],
    ].map((bbox): [unknown, string] => [{ type: 'Point', coordinates: [1, 2], bbox }, 'geometry.bbox: must be a box']),
    [
      { type: 'GeometryCollection', geometries: [{ type: 'Point', coordinates: [1, 2], bbox: [1] }] },
      'geometry.geometries[0].bbox: must be a box',
    ],
  ])('%j is not', (value, fault) => {
    expect(faultOf(value)).toContain(fault);
  });

  it.each([
    ...['Point', 'MultiPoint', 'LineString', 'MultiLineString', 'Polygon', 'MultiPolygon'].map((type) => ({
      type,
      coordinates: [],
    })),
    { type: 'MultiPoint', coordinates: [[], []] },
    { type: 'MultiLineString', coordinates: [[]] },
    polygon([]),
    polygon([], ring),
    { type: 'MultiPolygon', coordinates: [[]] },
    { type: 'MultiPolygon', coordinates: [[], [[], ring], [[]]] },
  ])('%j is none (RFC 7946, 3.1)', (value) => {
    expect(checkGeometry(value, [])).toMatchObject({ type: 0 });
    const collection = { type: 'GeometryCollection', geometries: [value, { type: 'Point', coordinates: [1, 2] }] };
    expect(checkGeometry(collection, [])).toEqual({ type: 7, plain: false });
    expect(withoutForeignMembers(collection).geometries).toEqual([{ type: 'Point', coordinates: [1, 2] }]);
  });

  it.each<[number, number[], number[]]>([
    [4326, [180.00001, -90.00001], [180, -90]],
    [4326, [-180.0000000001, 90.000009, 5], [-180, 90, 5]],
    [4326, [180, 90], [180, 90]],
    [4683, [180.00001, 1], [180, 1]],
    [4253, [-180.00001, 1], [-180, 1]],
    [3857, [20037508.3428, 1], [20037508.342789244, 1]],
    [3857, [-20037508.44, -20048966.19], [-20037508.342789244, -20048966.1]],
    [3857, [20037508.45, 1], [20037508.45, 1]],
    [32651, [500_000.00001, 1], [500_000.00001, 1]],
  ])('in %d is on the edge of the world where rounding has led it beyond: %j', (srid, position, moved) => {
    for (const [value, kept] of [
      [{ type: 'Point', coordinates: position.slice() }, moved],
      [line([[1, 2, ...position.slice(2)], position.slice()]), [[1, 2, ...position.slice(2)], moved]],
    ] as const) {
      const { plain } = checkGeometry(value, [], { srid });
      expect(value.coordinates).toEqual(kept);
      expect(plain).toBe(JSON.stringify(position) === JSON.stringify(moved));
    }
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
    expect(faultOf({ type: 'Point', coordinates: [500_000, 1_600_000] }, 32651)).toBeUndefined();
    expect(faultOf({ type: 'Point', coordinates: [Number.POSITIVE_INFINITY, 0] }, 32651)).toContain('finite');
  });
});
