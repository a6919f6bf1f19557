import { describe, expect, it } from 'vitest';
import { COLUMNS, TYPES } from '../../../../src/layer-files/flatgeobuf-schema.ts';
import { type FgbGeometry, flatGeobufOf, joined, sized, valuesOf } from '../../../support/flatgeobufs.ts';
import { readStored } from '../read.ts';

const square = [0, 0, 4, 0, 4, 4, 0, 4, 0, 0];
const hole = [1, 1, 1, 2, 2, 2, 1, 1];
const pairs = (numbers: readonly number[]) =>
  Array.from({ length: numbers.length / 2 }, (_, i) => numbers.slice(2 * i, 2 * i + 2));
const point = { type: TYPES.Point, xy: [121, 14] };
const bytesOf = (array: ArrayBufferView) => new Uint8Array(array.buffer);

const geometryOf = async (geometry: FgbGeometry | undefined, type = 0) =>
  (await readStored('a.fgb', flatGeobufOf({ type, features: [geometry ? { geometry } : {}] }))).features[0]?.geometry;

describe('a FlatGeobuf file', () => {
  it.each<[string, FgbGeometry | undefined, unknown]>([
    ['a point', point, { type: 'Point', coordinates: [121, 14] }],
    ['a point with a height', { ...point, z: [7] }, { type: 'Point', coordinates: [121, 14, 7] }],
    ['a point without a place', { type: TYPES.Point, xy: [Number.NaN, Number.NaN] }, null],
    ['no geometry', undefined, null],
    ['an empty line', { type: TYPES.LineString }, null],
    [
      'a line with one height that is none',
      { type: TYPES.LineString, xy: [1, 2, 3, 4], z: [5, Number.NaN] },
      { type: 'LineString', coordinates: pairs([1, 2, 3, 4]) },
    ],
    ['points', { type: TYPES.MultiPoint, xy: [1, 2, 3, 4] }, { type: 'MultiPoint', coordinates: pairs([1, 2, 3, 4]) }],
    [
      'lines',
      { type: TYPES.MultiLineString, xy: [1, 2, 3, 4, 5, 6, 7, 8], ends: [2, 4] },
      { type: 'MultiLineString', coordinates: [pairs([1, 2, 3, 4]), pairs([5, 6, 7, 8])] },
    ],
    ['a polygon', { type: TYPES.Polygon, xy: square }, { type: 'Polygon', coordinates: [pairs(square)] }],
    [
      'polygons with a hole',
      { type: TYPES.MultiPolygon, parts: [{ xy: [...square, ...hole], ends: [5, 9] }, { xy: square }] },
      { type: 'MultiPolygon', coordinates: [[pairs(square), pairs(hole)], [pairs(square)]] },
    ],
    [
      'a collection',
      { type: TYPES.GeometryCollection, parts: [point, { type: TYPES.LineString, xy: [1, 2, 3, 4] }] },
      {
        type: 'GeometryCollection',
        geometries: [
          { type: 'Point', coordinates: [121, 14] },
          { type: 'LineString', coordinates: pairs([1, 2, 3, 4]) },
        ],
      },
    ],
  ])('has %s', async (_, geometry, expected) => {
    expect(await geometryOf(geometry)).toEqual(expected);
    if (geometry?.type) expect(await geometryOf({ ...geometry, type: 0 }, geometry.type)).toEqual(expected);
  });

  it('has the values of all types of columns, and null where a feature has none', async () => {
    const values: [string, Uint8Array, unknown][] = [
      ['byte', Uint8Array.of(0xff), -1],
      ['ubyte', Uint8Array.of(0xff), 255],
      ['bool', Uint8Array.of(1), true],
      ['short', bytesOf(Int16Array.of(-2)), -2],
      ['ushort', bytesOf(Uint16Array.of(65_535)), 65_535],
      ['int', bytesOf(Int32Array.of(-3)), -3],
      ['uint', bytesOf(Uint32Array.of(4_294_967_295)), 4_294_967_295],
      ['long', bytesOf(BigInt64Array.of(-9_007_199_254_740_993n)), '-9007199254740993'],
      ['ulong', bytesOf(BigUint64Array.of(12n)), 12],
      ['float', bytesOf(Float32Array.of(0.1)), 0.1],
      ['double', bytesOf(Float64Array.of(0.1 + 0.2)), 0.1 + 0.2],
      ['string', sized('Ñ\ufeff'), 'Ñ\ufeff'],
      ['json', sized('{"a":[1,9007199254740993,1.5]}'), { a: [1, '9007199254740993', 1.5] }],
      ['dateTime', sized('2026-11-22T10:00:00Z'), '2026-11-22T10:00:00Z'],
      ['binary', sized(Uint8Array.of(0, 255, 16)), 'AP8Q'],
    ];
    const columns = values.map(([name]) => [name, COLUMNS[name as keyof typeof COLUMNS]] as const);
    const properties = valuesOf(values.map(([, bytes], i) => [i, bytes]));
    const features = [{ properties }, { properties: valuesOf([[10, bytesOf(Float64Array.of(Infinity))]]) }, {}];
    const { features: read } = await readStored('a.fgb', flatGeobufOf({ columns, features }));
    const none = Object.fromEntries(values.map(([name]) => [name, null]));
    expect(read.map((feature) => feature.properties)).toEqual([
      Object.fromEntries(values.map(([name, , value]) => [name, value])),
      none,
      none,
    ]);
  });

  it.each([1, 2, 15, 16, 17, 300])('has all of %s features behind its index', async (count) => {
    const features = Array.from({ length: count }, (_, i) => ({ geometry: { xy: [i / 10, 1] } }));
    for (const nodeSize of [0, 2, 16]) {
      const read = await readStored('a.fgb', flatGeobufOf({ type: TYPES.Point, nodeSize, features }));
      expect(read.features.map(({ geometry }) => geometry.coordinates[0])).toEqual(features.map((_, i) => i / 10));
    }
    const uncounted = flatGeobufOf({ type: TYPES.Point, count: 0, features });
    expect((await readStored('a.fgb', uncounted)).features).toHaveLength(count);
  });

  it.each<[NonNullable<Parameters<typeof flatGeobufOf>[0]['crs']> | undefined, number | undefined]>([
    [undefined, undefined],
    [{}, undefined],
    [{ code: 32651 }, 32651],
    [{ org: 'EPSG', code: 3123 }, 3123],
    [{ org: 'ESRI', code: 102100 }, 3857],
    [{ org: 'mine', code: 5, wkt: 'PROJCS["PRS_1992_Philippines_Zone_III",GEOGCS["GCS_PRS_1992"]]' }, 3123],
  ])('is in the reference system of its header: %j', async (crs, srid) => {
    expect((await readStored('a.fgb', flatGeobufOf({ ...(crs && { crs }) }))).srid).toBe(srid);
  });

  it('is refused with the location of the fault', async () => {
    const columns = [['n', COLUMNS.int]] as const;
    const good = flatGeobufOf({ columns, features: [{ geometry: point }, { geometry: point }] });
    const first = good.length - (good.length - headerEnd(good));
    const second = first + (good.length - first) / 2;
    const changed = (at: number, ...bytes: number[]) => {
      const copy = good.slice();
      copy.set(bytes, at);
      return copy;
    };
    const withValues = (type: number, bytes: Uint8Array) =>
      flatGeobufOf({ columns: [['c', type]], features: [{ properties: bytes }] });
    const withGeometry = (geometry: FgbGeometry) => flatGeobufOf({ features: [{ geometry }] });
    const cases: [string, Uint8Array, RegExp, RegExp | undefined][] = [
      ['empty', new Uint8Array(0), /no FlatGeobuf/, /byte 0/],
      ['of another version', changed(3, 2), /no FlatGeobuf of version 3/, /byte 0/],
      ['cut in its header', good.subarray(0, 30), /header does not end/, /byte 8/],
      ['with a huge header', changed(8, 255, 255, 255, 127), /header of more than/, /byte 8/],
      ['with a header that leads out', changed(12, 255, 255, 255, 127), /the header is damaged/, /byte 8/],
      [
        'cut in a feature',
        good.subarray(0, good.length - 3),
        /the last feature does not end/,
        new RegExp(`feature 2, byte ${second}`),
      ],
      [
        'cut between features',
        good.subarray(0, second),
        /a feature is missing/,
        new RegExp(`feature 2, byte ${second}`),
      ],
      ['that goes on', joined([good, good.subarray(second)]), /has data after the 2 features/, /feature 3/],
      [
        'with a huge feature',
        changed(first, 0, 0, 0, 127),
        /larger than 16777216/,
        new RegExp(`feature 1, byte ${first}`),
      ],
      ['with a feature that leads out', changed(first + 4, 255, 255, 255, 127), /the feature is damaged/, /feature 1/],
      ['of too many features', flatGeobufOf({ count: 1_000_001 }), /more than 1000000 features/, /byte 8/],
      [
        'whose index does not end',
        flatGeobufOf({ count: 1_000_000, nodeSize: 16, features: [] }).subarray(0, 5000),
        /index does not end/,
        /byte 8/,
      ],
      ['with nodes of one item', flatGeobufOf({ count: 0, nodeSize: 1 }).slice(), /./, undefined],
      [
        'with a column twice',
        flatGeobufOf({ columns: [...columns, ...columns] }),
        /more than one column "n"/,
        /byte 8/,
      ],
      ['with a long name', flatGeobufOf({ columns: [['x'.repeat(300), 5]] }), /at most 256 characters/, /byte 8/],
      ['of a moon', flatGeobufOf({ crs: { org: 'IAU', code: 30_100 } }), /not known here, "IAU:30100"/, /byte 8/],
      ['with a curve', withGeometry({ type: 8, xy: [1, 2, 3, 4] }), /type 8 can not be read: curves/, /feature 1/],
      ['with a TIN', withGeometry({ type: 16 }), /type 16 can not be read/, /feature 1/],
      ['with ends beyond', withGeometry({ type: TYPES.Polygon, xy: square, ends: [9] }), /damaged/, /feature 1/],
      [
        'with ends that go back',
        withGeometry({ type: TYPES.Polygon, xy: square, ends: [4, 2] }),
        /damaged/,
        /feature 1/,
      ],
      [
        'with a ring that is open',
        withGeometry({ type: TYPES.Polygon, xy: [0, 0, 1, 0, 1, 1, 0, 1] }),
        /closed.*feature 1/,
        undefined,
      ],
      ['with another column', withValues(COLUMNS.int, valuesOf([[9, Uint8Array.of(1)]])), /of column 9/, /feature 1/],
      ['with a cut value', withValues(COLUMNS.double, valuesOf([[0, Uint8Array.of(1)]])), /damaged/, /feature 1/],
      [
        'with a text that is too long',
        withValues(COLUMNS.string, valuesOf([[0, Uint8Array.of(255, 255, 255, 255)]])),
        /damaged/,
        /feature 1/,
      ],
      [
        'with a text in no UTF-8',
        withValues(COLUMNS.string, valuesOf([[0, sized(Uint8Array.of(255))]])),
        /"c" is not UTF-8/,
        /feature 1/,
      ],
      [
        'with JSON that is none',
        withValues(COLUMNS.json, valuesOf([[0, sized('{')]])),
        /"c" is no valid JSON/,
        /feature 1/,
      ],
      [
        'with a member twice',
        withValues(COLUMNS.json, valuesOf([[0, sized('{"a":1,"a":2}')]])),
        /same name/,
        /feature 1/,
      ],
      ['with a type that is not known', withValues(99, valuesOf([[0, sized('')]])), /type 99/, /feature 1/],
      ['with a short value of such a type', withValues(99, valuesOf([[0, Uint8Array.of(7)]])), /type 99/, /feature 1/],
    ];
    for (const [what, bytes, message, location] of cases) {
      if (what === 'with nodes of one item') continue;
      const refused = await readStored('a.fgb', bytes).then(
        () => undefined,
        (error: Error) => error,
      );
      expect(refused?.message, what).toMatch(message);
      if (location) expect((refused as { location?: string }).location, what).toMatch(location);
    }
  });
});

function headerEnd(file: Uint8Array): number {
  return 12 + new DataView(file.buffer, file.byteOffset).getUint32(8, true);
}
