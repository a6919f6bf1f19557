import mapshaper from 'mapshaper';
import { describe, expect, it } from 'vitest';
import { geojsonOf, readInChunks, readUntilRefused } from '../read.ts';

const topology = (members: object) => JSON.stringify({ type: 'Topology', arcs: [], objects: {}, ...members });
const read = (text: string, cuts: number[] = []) => geojsonOf(readInChunks('a.topojson', text, cuts));
const geometryOf = (object: object, members: object = {}) =>
  read(topology({ ...members, objects: { a: object } })).map(({ geometry }) => geometry);

/** Two arcs that make a square, and one around a hole in it. */
const ARCS = [
  [
    [0, 0],
    [4, 0],
    [4, 4],
  ],
  [
    [4, 4],
    [0, 4],
    [0, 0],
  ],
  [
    [1, 1],
    [1, 2],
    [2, 2],
    [1, 1],
  ],
];
const SQUARE = [
  [0, 0],
  [4, 0],
  [4, 4],
  [0, 4],
  [0, 0],
];
const HOLE = ARCS[2];

describe('TopoJSON', () => {
  it('of any cut is what it was made of, when another program wrote it', async () => {
    const features = [SQUARE, SQUARE.map(([x = 0, y = 0]) => [x + 4, y])].map((ring, i) => ({
      type: 'Feature',
      properties: { i, name: 'Ñ' },
      geometry: { type: 'Polygon', coordinates: [ring] },
    }));
    const input = { 'wells.json': JSON.stringify({ type: 'FeatureCollection', features }) };
    for (const options of ['no-quantization', 'quantization=9']) {
      const command = `-i wells.json -o out.json format=topojson ${options}`;
      const { 'out.json': text } = await mapshaper.applyCommands(command, input);
      const whole = read(String(text));
      expect(whole.map(({ properties }) => properties)).toEqual(features.map(({ properties }) => properties));
      for (const [i, { geometry }] of whole.entries()) {
        const positions = new Set(geometry.coordinates[0].map(String));
        expect(positions).toEqual(new Set(features[i]?.geometry.coordinates[0]?.map(String)));
      }
      const cuts = Array.from({ length: String(text).length }, (_, i) => i + 1);
      expect(read(String(text), cuts)).toEqual(whole);
    }
  });

  it.each<[string, object, unknown]>([
    ['a point', { type: 'Point', coordinates: [1, 2] }, { type: 'Point', coordinates: [1, 2] }],
    [
      'points',
      {
        type: 'MultiPoint',
        coordinates: [
          [1, 2],
          [3, 4],
        ],
      },
      {
        type: 'MultiPoint',
        coordinates: [
          [1, 2],
          [3, 4],
        ],
      },
    ],
    ['a line of two arcs', { type: 'LineString', arcs: [0, 1] }, { type: 'LineString', coordinates: SQUARE }],
    [
      'a line backwards',
      { type: 'LineString', arcs: [-2, -1] },
      { type: 'LineString', coordinates: SQUARE.toReversed() },
    ],
    [
      'lines',
      { type: 'MultiLineString', arcs: [[0], [~1]] },
      { type: 'MultiLineString', coordinates: [ARCS[0], ARCS[1]?.toReversed()] },
    ],
    [
      'a polygon with a hole',
      { type: 'Polygon', arcs: [[0, 1], [2]] },
      { type: 'Polygon', coordinates: [SQUARE, HOLE] },
    ],
    [
      'polygons',
      { type: 'MultiPolygon', arcs: [[[0, 1]], [[2]]] },
      { type: 'MultiPolygon', coordinates: [[SQUARE], [HOLE]] },
    ],
    ['a shape of type null', { type: null }, null],
    ['an empty polygon', { type: 'Polygon', arcs: [] }, null],
  ])('has %s', (_, object, geometry) => {
    expect(geometryOf(object, { arcs: ARCS })).toEqual([geometry]);
    expect(geometryOf({ type: 'GeometryCollection', geometries: [object, object] }, { arcs: ARCS })).toEqual([
      geometry,
      geometry,
    ]);
  });

  it('has the items of collections of every object as features, with ids and properties as they are written', () => {
    const text = `{"objects":{"a":{"type":"GeometryCollection","geometries":[
      {"type":"Point","coordinates":[1,2],"id":12345678901234567890,"properties":{"n":0.10000000000000000001}},
      {"type":"GeometryCollection","id":"x","geometries":[{"type":"Point","coordinates":[1,2]},{"type":null}]}]},
      "__proto__":{"type":"Point","coordinates":[3,4,5],"properties":null}},"arcs" : [ ],"type":"Topology"}`;
    const features = readInChunks('a.topojson', text);
    expect(features.map(({ id, properties }) => [id, properties])).toEqual([
      ['12345678901234567890', '{"n":0.10000000000000000001}'],
      ['"x"', 'null'],
      [null, 'null'],
    ]);
    expect(geojsonOf(features.slice(1)).map(({ geometry }) => geometry)).toEqual([
      { type: 'GeometryCollection', geometries: [{ type: 'Point', coordinates: [1, 2] }] },
      { type: 'Point', coordinates: [3, 4, 5] },
    ]);
  });

  it('is decoded where it is quantized, wherever its transform stands', () => {
    const transform = { scale: [0.5, 2], translate: [100, 10] };
    const arcs = [
      [
        [0, 0],
        [2, 0],
        [0, 1],
      ],
      [
        [2, 1],
        [-2, 0],
        [0, -1],
      ],
      [
        [1, 1],
        [0, 0],
      ],
      [
        [1, 1, 7],
        [1, 0, 8],
      ],
    ];
    const objects = {
      a: { type: 'Polygon', arcs: [[0, 1]] },
      b: { type: 'MultiPoint', coordinates: [[2, 3]] },
      collapsed: { type: 'Polygon', arcs: [[2]] },
      high: { type: 'LineString', arcs: [~3] },
    };
    const expected = [
      {
        type: 'Polygon',
        coordinates: [
          [
            [100, 10],
            [101, 10],
            [101, 12],
            [100, 12],
            [100, 10],
          ],
        ],
      },
      { type: 'MultiPoint', coordinates: [[101, 16]] },
      { type: 'Polygon', coordinates: [Array(4).fill([100.5, 12])] },
      {
        type: 'LineString',
        coordinates: [
          [101, 12, 8],
          [100.5, 12, 7],
        ],
      },
    ];
    for (const members of [
      { transform, objects, arcs },
      { arcs, objects, transform },
    ]) {
      expect(read(JSON.stringify({ type: 'Topology', ...members })).map(({ geometry }) => geometry)).toEqual(expected);
    }
  });

  it('is refused with the location of the fault', () => {
    const object = (value: object, members: object = {}) =>
      topology({
        arcs: ARCS,
        ...members,
        objects: { a: { type: 'GeometryCollection', geometries: [{ type: 'Point', coordinates: [1, 2] }, value] } },
      });
    const cases: [string, string, RegExp, RegExp?][] = [
      ['empty', '', /is empty/],
      ['blank', ' \n', /nothing but white space/],
      ['an array', ' []', /no TopoJSON/, /byte 1/],
      ['GeoJSON', '{"type":"Point","coordinates":[1,2]}', /must have the type "Topology"/],
      ['cut in arcs', topology({ arcs: ARCS }).slice(0, 40), /cut off/, /byte 40/],
      ['cut', topology({}).slice(0, -1), /cut off/],
      ['that goes on', `${topology({})}x`, /goes on behind its end/, /byte 42/],
      ['without objects', topology({ objects: [] }), /"objects"/],
      ['with arcs twice', '{"arcs":[],"arcs":[]}', /"arcs" more than once/, /byte 18/],
      ['with arcs that are none', topology({ arcs: {} }), /"arcs", as an array/],
      ['with a text in arcs', topology({ arcs: [[['1', 2]]] }), /arcs\[0\]: must be an array of positions/, /byte 29/],
      ['with a number for an arc', topology({ arcs: [1] }), /arcs: must be/, /byte 27/],
      ['with arrays too deep', topology({ arcs: [[[[1]]]] }), /arcs\[0\]: must be/, /byte 29/],
      ['with a number that is none', '{"arcs":[[[1e,2]]]}', /arcs\[0\]: must be/, /byte 12/],
      ['with a number without end', `{"arcs":[[[${'1'.repeat(100)}`, /arcs\[0\]: must be/, /byte 11/],
      ['without a comma', '{"arcs":[[[1 2]]]}', /arcs\[0\]: must be/, /byte 13/],
      ['with a comma too many', '{"arcs":[[[1,2],]]}', /arcs\[0\]: must be/, /byte 16/],
      ['with a short position', topology({ arcs: [[[1, 2]], [[1]]] }), /arcs\[1\]: a position must have two numbers/],
      ['with a wrong transform', topology({ transform: { scale: [1] } }), /transform must have/],
      ['that is projected', topology({ crs: { properties: { name: 'EPSG:32651' } } }), /send srid=32651/],
      ['with a member twice', '{"type":"Topology","objects":{"a":{"type":null,"x":1,"x":2}}}', /the member "x" twice/],
      ['with no JSON behind', ' {"arcs":[[[1,2]]],"objects":}', /no valid JSON, apart from its arcs/, /^from byte 1$/],
      ['that is too deep', ` {"objects":${'['.repeat(65)}`, /deeper than 64 levels, apart/, /^from byte 1$/],
      [
        'with an arc that is not there',
        object({ type: 'LineString', arcs: [3] }),
        /the 3 arcs \(got 3\)/,
        /^objects.a.geometries\[1\]$/,
      ],
      ['with half an arc', object({ type: 'LineString', arcs: [0.5] }), /got 0.5/, /geometries\[1\]/],
      [
        'with arcs of another level',
        object({ type: 'Polygon', arcs: [0] }),
        /arcs must be an array/,
        /geometries\[1\]/,
      ],
      ['of another type', object({ type: 'Feature' }), /type must be.*got "Feature"/, /geometries\[1\]/],
      [
        'with a position of texts',
        object({ type: 'Point', coordinates: ['1', '2'] }),
        /positions must be/,
        /geometries\[1\]/,
      ],
      [
        'with properties that are none',
        object({ type: null, properties: 3 }),
        /properties must be an object/,
        /geometries\[1\]/,
      ],
      ['with an id that is none', object({ type: null, id: [] }), /id must be/, /geometries\[1\]/],
      [
        'beyond the world',
        object({ type: 'Point', coordinates: [500_000, 2] }),
        /longitude.*\(objects.a.geometries\[1\]\)/,
      ],
    ];
    for (const [what, text, message, location] of cases) {
      const refused = readUntilRefused('a.topojson', [text]);
      expect(refused.message, what).toMatch(message);
      if (location) expect(refused.location, what).toMatch(location);
      // Its chunks are single characters, and end elsewhere than the file's.
      expect(readUntilRefused('a.topojson', text), what).toMatchObject({
        message: refused.message,
        location: refused.location,
      });
    }
    expect(() => readInChunks('a.json', topology({}))).toThrow(/name that ends with .topojson/);
  });

  it('is refused before its lines are made, where objects refer to one arc again and again', () => {
    const arcs = [Array.from({ length: 10_000 }, (_, i) => [i / 1000, 0])];
    const line = { type: 'LineString', arcs: [0] };
    const collection = (count: number) => ({
      type: 'GeometryCollection',
      geometries: [line, { type: 'MultiPolygon', arcs: Array(count - 1).fill([[-1]]) }],
    });
    const fault = /lines of more than 5000000 positions together \(got 5010000\)/;
    expect(() => read(topology({ arcs, objects: { a: collection(1), b: collection(500) } }))).toThrow(fault);
    // Five million are few enough, so that the fault is one of its geometry.
    expect(() => read(topology({ arcs, objects: { b: collection(500) } }))).toThrow(
      /not have more than 500000 positions/,
    );
    const nested = '{"type":"GeometryCollection","geometries":['.repeat(100_000) + ']}'.repeat(100_000);
    expect(() => read(`{"type":"Topology","arcs":[],"objects":{"a":${nested}}}`)).toThrow(/nested deeper/);
  });
});
