import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { newComparisons } from '../../../../src/uploads/formats/rings.ts';
import { geometryOfShape } from '../../../../src/uploads/formats/shapes.ts';
import { readStored } from '../read.ts';

type Ring = readonly (readonly [number, number])[];

/** The content of a polygon's record, with empty parts at its end. */
function polygon(rings: readonly Ring[], emptyParts = 0): Uint8Array {
  const positions = rings.flat();
  const [parts, count] = [rings.length + emptyParts, positions.length];
  const bytes = new Uint8Array(44 + 4 * parts + 16 * count);
  const view = new DataView(bytes.buffer);
  view.setInt32(0, 5, true);
  view.setInt32(36, parts, true);
  view.setInt32(40, count, true);
  let start = 0;
  for (let i = 0; i < parts; i += 1) {
    view.setInt32(44 + 4 * i, start, true);
    start += rings[i]?.length ?? 0;
  }
  positions.forEach(([x, y], i) => {
    view.setFloat64(44 + 4 * parts + 16 * i, x, true);
    view.setFloat64(52 + 4 * parts + 16 * i, y, true);
  });
  return bytes;
}

const circle = (count: number): Ring => {
  const open = Array.from({ length: count }, (_, i): [number, number] => {
    const angle = (-2 * Math.PI * i) / count;
    return [100 * Math.cos(angle), 80 * Math.sin(angle)];
  });
  return [...open, open[0] as [number, number]];
};
const hole: Ring = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 0],
];

describe('a polygon of a shapefile', () => {
  it('has its holes in the smallest outline around them', () => {
    const inner = circle(50).map(([x, y]): [number, number] => [x / 10, y / 10]);
    const { type, coordinates } = geometryOfShape(polygon([circle(100), inner, hole]), newComparisons()) as {
      type: string;
      coordinates: Ring[][];
    };
    expect([type, coordinates.map((rings) => rings.map(({ length }) => length))]).toEqual([
      'MultiPolygon',
      [[101], [51, 4]],
    ]);
  });

  /** A closed ring of the corners of a text, in its order. */
  const ring = (text: string): Ring => {
    const corners = text.split(', ').map((corner) => corner.split(' ').map(Number) as [number, number]);
    return [...corners, corners[0] as [number, number]];
  };
  const box = (w: number, s: number, e: number, n: number): Ring => ring(`${w} ${s}, ${w} ${n}, ${e} ${n}, ${e} ${s}`);
  const holeOf = (...sides: Parameters<typeof box>): Ring => box(...sides).toReversed();
  const areaOf = (positions: Ring) =>
    positions
      .slice(1)
      .reduce((sum, [x, y], i) => sum + (positions[i]?.[0] ?? 0) * y - x * (positions[i]?.[1] ?? 0), 0) / 2;
  const OUTLINE = box(120, 10, 130, 20);

  it.each<[string, Ring[], number[][]]>([
    ['a hole that touches with its first vertex', [OUTLINE, ring('130 15, 125 16, 125 14')], [[100, -5]]],
    ['a hole that touches with all of its vertices', [OUTLINE, ring('130 15, 125 20, 120 15, 125 10')], [[100, -50]]],
    ['a hole that touches along a side', [OUTLINE, holeOf(120, 12, 122, 14)], [[100, -4]]],
    ['a hole that touches itself', [OUTLINE, ring('121 11, 123 13, 125 11, 125 15, 123 13, 121 15')], [[100, -8]]],
    ['two holes that touch each other', [OUTLINE, holeOf(121, 11, 123, 13), holeOf(123, 13, 125, 15)], [[100, -4, -4]]],
    [
      'a hole of an island in a hole',
      [OUTLINE, holeOf(121, 11, 129, 19), box(122, 12, 128, 18), holeOf(122, 13, 124, 15)],
      [
        [100, -64],
        [36, -4],
      ],
    ],
    ['an island that fills its hole', [OUTLINE, holeOf(121, 11, 129, 19), box(121, 11, 129, 19)], [[100, -64], [64]]],
    [
      'an island that touches its hole, with a hole that touches both',
      [OUTLINE, holeOf(121, 11, 129, 19), box(121, 11, 128, 18), holeOf(121, 11, 124, 14)],
      [
        [100, -64],
        [49, -9],
      ],
    ],
    [
      'holes in the one of two neighbours that they touch the other from',
      [box(0, 0, 10, 10), box(10, 0, 20, 10), ring('10 5, 7 6, 7 4'), ring('10 5, 13 6, 13 4').toReversed()],
      [
        [100, -3],
        [100, -3],
      ],
    ],
    ['a hole that leaves nothing', [OUTLINE, OUTLINE.toReversed()], [[100, -100]]],
    ['a hole without area', [OUTLINE, ring('121 11, 122 12, 123 13')], [[100, 0]]],
    ['a hole in no outline', [OUTLINE, holeOf(10, 10, 12, 12)], [[100], [4]]],
    [
      'rings in the other direction',
      [OUTLINE, holeOf(121, 11, 129, 19), box(122, 12, 128, 18), holeOf(123, 13, 124, 14)].map((each) =>
        each.toReversed(),
      ),
      [
        [100, -64],
        [36, -1],
      ],
    ],
    [
      'all rings in one direction',
      [OUTLINE.toReversed(), holeOf(121, 11, 122, 12), holeOf(10, 10, 12, 12)],
      [[100, -1], [4]],
    ],
  ])('has its holes where they are, whichever vertex they begin with: %s', (_, rings, areas) => {
    for (let turn = 0; turn < 6; turn += 1) {
      const turned = rings.map((positions) => {
        const open = positions.slice(0, -1);
        const first = turn % open.length;
        const moved = [...open.slice(first), ...open.slice(0, first)];
        return [...moved, moved[0] as [number, number]];
      });
      const { type, coordinates } = geometryOfShape(polygon(turned), newComparisons()) as {
        type: string;
        coordinates: unknown;
      };
      const polygons = (type === 'Polygon' ? [coordinates] : coordinates) as Ring[][];
      const found = polygons.map((parts) => parts.map((part) => Math.round(areaOf(part) * 1e6) / 1e6 + 0));
      expect(found.sort(([a = 0], [b = 0]) => b - a)).toEqual(areas);
    }
  });

  it('has no parts without positions', () => {
    expect(() => geometryOfShape(polygon([], 4_000_000), newComparisons())).toThrow(/more parts than/);
    expect(() => geometryOfShape(polygon([circle(100)], 10), newComparisons())).toThrow(/fewer than 4 positions/);
  });

  it('has its holes in many outlines with one each, as islands with lakes are', () => {
    const square = (x: number, y: number, size: number): Ring => [
      [x, y],
      [x, y + size],
      [x + size, y + size],
      [x + size, y],
      [x, y],
    ];
    const at = Array.from({ length: 10_000 }, (_, i) => [i % 100, Math.floor(i / 100)] as const);
    const outlines = at.map(([x, y]) => square(x, y, 0.8));
    const lakes = at.map(([x, y]) => square(x + 0.2, y + 0.2, 0.1).toReversed());
    const { coordinates } = geometryOfShape(polygon([...outlines, ...lakes]), newComparisons()) as {
      coordinates: Ring[][];
    };
    expect(coordinates.length).toBe(at.length);
    for (const [outline, lake, ...others] of coordinates) {
      expect(others).toEqual([]);
      const [[x = 0, y = 0] = [], [lakeX = 0, lakeY = 0] = []] = [outline?.[0], lake?.[0]];
      expect([Math.floor(lakeX), Math.floor(lakeY)]).toEqual([Math.floor(x), Math.floor(y)]);
    }
  });

  it('is refused where the search for the outlines of its holes would take too long, over all of a file', () => {
    const bytes = polygon([circle(10_000), ...Array.from({ length: 100 }, () => hole)]);
    const comparisons = { left: 500_000 };
    expect(geometryOfShape(bytes, comparisons)).toMatchObject({ type: 'Polygon' });
    expect(comparisons.left).toBeLessThan(500_000);
    expect(() => geometryOfShape(bytes, comparisons)).toThrow(/too many holes/);
    // Four thousand holes in an outline of 100,000 positions, in 1.7 MB.
    const bomb = polygon([circle(100_000), ...Array.from({ length: 4000 }, () => hole)]);
    const whole = newComparisons();
    expect(() => geometryOfShape(bomb, whole)).toThrow(/too many holes/);
    expect(whole.left).toBeGreaterThan(-200_000);
  });
});

describe('a shape of another type', () => {
  /** A point with a height, or several, as the numbers of their records follow each other. */
  const points = (type: 11 | 18 | 13, positions: readonly (readonly [number, number, number])[]): Uint8Array => {
    if (type === 11) {
      const view = new DataView(new ArrayBuffer(36));
      view.setInt32(0, type, true);
      positions[0]?.forEach((number, i) => {
        view.setFloat64(4 + 8 * i, number, true);
      });
      return new Uint8Array(view.buffer);
    }
    const parts = type === 13 ? 1 : 0;
    const [count, at] = [positions.length, type === 13 ? 48 : 40];
    const view = new DataView(new ArrayBuffer(at + 16 * count + 16 + 8 * count));
    view.setInt32(0, type, true);
    if (parts === 1) view.setInt32(36, 1, true);
    view.setInt32(36 + 4 * parts, count, true);
    positions.forEach(([x, y, z], i) => {
      view.setFloat64(at + 16 * i, x, true);
      view.setFloat64(at + 8 + 16 * i, y, true);
      view.setFloat64(at + 16 * count + 16 + 8 * i, z, true);
    });
    return new Uint8Array(view.buffer);
  };

  it.each<[string, Uint8Array, unknown]>([
    ['a height', points(11, [[1, 2, 3]]), { type: 'Point', coordinates: [1, 2, 3] }],
    ['no number as height', points(11, [[1, 2, Number.NaN]]), { type: 'Point', coordinates: [1, 2] }],
    ['no data as height', points(11, [[1, 2, -1.7976931348623157e308]]), { type: 'Point', coordinates: [1, 2] }],
    ['no position', points(11, [[Number.NaN, Number.NaN, 0]]), null],
    ['heights', points(18, [[1, 2, 3]]), { type: 'MultiPoint', coordinates: [[1, 2, 3]] }],
    [
      'a height and no number',
      points(18, [
        [1, 2, 3],
        [4, 5, Number.NaN],
      ]),
      {
        type: 'MultiPoint',
        coordinates: [
          [1, 2],
          [4, 5],
        ],
      },
    ],
    [
      'one without data',
      points(13, [
        [1, 2, -2e38],
        [4, 5, 6],
      ]),
      {
        type: 'LineString',
        coordinates: [
          [1, 2],
          [4, 5],
        ],
      },
    ],
  ])('may have %s', (_, bytes, geometry) => {
    expect(geometryOfShape(bytes, newComparisons())).toEqual(geometry);
  });
});

/** A dBASE table of text columns. */
function table(names: readonly Uint8Array[], records: number, claimed = records): Uint8Array {
  const [header, width] = [33 + 32 * names.length, 1 + names.length];
  const bytes = new Uint8Array(header + width * records).fill(0x20, header);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, 3);
  view.setUint32(4, claimed, true);
  view.setUint16(8, header, true);
  view.setUint16(10, width, true);
  names.forEach((name, i) => {
    bytes.set(name, 32 + 32 * i);
    bytes[32 + 32 * i + 11] = 'C'.charCodeAt(0);
    bytes[32 + 32 * i + 16] = 1;
  });
  bytes[header - 1] = 0x0d;
  return bytes;
}

/** A .shp file of records without shapes. */
function nulls(count: number): Uint8Array {
  const bytes = new Uint8Array(100 + 12 * count);
  const view = new DataView(bytes.buffer);
  view.setInt32(0, 9994);
  for (let i = 0; i < count; i += 1) view.setInt32(104 + 12 * i, 2);
  return bytes;
}

/** A table of one column of a type, with a record for each text. */
function column(type: string, width: number, values: readonly string[]): Uint8Array {
  const bytes = new Uint8Array(65 + (1 + width) * values.length).fill(0x20, 65);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, 3);
  view.setUint32(4, values.length, true);
  view.setUint16(8, 65, true);
  view.setUint16(10, 1 + width, true);
  bytes.set(strToU8(`A\0\0\0\0\0\0\0\0\0\0${type}`), 32);
  bytes[48] = width;
  bytes[64] = 0x0d;
  values.forEach((value, i) => {
    bytes.set(strToU8(value.padStart(width)), 66 + (1 + width) * i);
  });
  return bytes;
}

describe('the table of a shapefile', () => {
  it.each<[string, string[], unknown[]]>([
    [
      'N',
      [
        '123456789012345678',
        '-9007199254740993',
        '9007199254740992',
        '9007199254740991',
        '+12',
        '007',
        '1e20',
        '0.10',
        '1,5',
      ],
      ['123456789012345678', '-9007199254740993', '9007199254740992', 9007199254740991, 12, 7, 1e20, 0.1, 1.5],
    ],
    [
      'N',
      [
        // As GDAL writes the doubles 0.1 and 121.1.
        '0.100000000000000006',
        '121.099999999999994',
        '121.100000000000000',
        '0.123456789012345678',
        '-121.123456789012345',
        '0012345678901234567',
        '1e-400',
        '1.5e300',
        '-0.0',
      ],
      [0.1, 121.1, 121.1, '0.123456789012345678', '-121.123456789012345', '0012345678901234567', '1e-400', 1.5e300, 0],
    ],
    ['F', ['99999999999999999999', '1.10000000000000009', '****'], ['99999999999999999999', 1.1, null]],
    [
      'N',
      // What is no decimal number stays as it was written; the comma of the first may part thousands.
      ['1,234', '1,234,567', '12 345', '0x1F', '12abc', 'NaN', '-1.#IND', '1,25', '.5', '-'],
      ['1,234', '1,234,567', '12 345', '0x1F', '12abc', null, null, 1.25, 0.5, '-'],
    ],
    [
      'D',
      ['20261122', '00000000', '0', '', '20261399', '20260000'],
      ['2026-11-22', null, null, null, '20261399', '20260000'],
    ],
  ])('has columns of the type %s with what was written', async (type, values, expected) => {
    const zip = zipSync({ 'a.shp': nulls(values.length), 'a.dbf': column(type, 20, values) });
    const { features } = await readStored('a.zip', zip);
    expect(features.map(({ properties }) => properties.A)).toEqual(expected);
  });

  it.each(['M', 'G', '@', 'Y'])(
    'is refused where a column of the type %s has values, which are not read',
    async (type) => {
      const zipOf = (values: string[]) => zipSync({ 'a.shp': nulls(values.length), 'a.dbf': column(type, 10, values) });
      await expect(readStored('a.zip', zipOf(['', '12']))).rejects.toThrow(/values of the type ".*" in its column "A"/);
      const { features } = await readStored('a.zip', zipOf(['', '']));
      expect(features.map(({ properties }) => properties.A)).toEqual([null, null]);
    },
  );

  it('names its columns in its encoding', async () => {
    const dbf = table([strToU8('NIÑO')], 1);
    for (const files of [{ 'a.cpg': strToU8('UTF-8') }, {}] as Record<string, Uint8Array>[]) {
      const { features } = await readStored('a.zip', zipSync({ 'a.shp': nulls(1), 'a.dbf': dbf, ...files }));
      expect(features[0]?.properties).toEqual({ NIÑO: null });
    }
    const latin = table([Uint8Array.of(0x4e, 0x49, 0xd1, 0x4f)], 1);
    const { features } = await readStored('a.zip', zipSync({ 'a.shp': nulls(1), 'a.dbf': latin }));
    expect(features[0]?.properties).toEqual({ NIÑO: null });
  });

  it('has three decimals behind a comma where its header says so', async () => {
    const dbf = column('N', 20, ['1,234']);
    dbf[49] = 3;
    const { features } = await readStored('a.zip', zipSync({ 'a.shp': nulls(1), 'a.dbf': dbf }));
    expect(features[0]?.properties).toEqual({ A: 1.234 });
  });

  it('keeps all columns of one name', async () => {
    const dbf = table(
      ['LONG_NAME_', 'LONG_NAME_2', 'LONG_NAME_', 'LONG_NAME_'].map((name) => strToU8(name)),
      1,
    );
    dbf.set(strToU8('abcd'), dbf.length - 4);
    const { features } = await readStored('a.zip', zipSync({ 'a.shp': nulls(1), 'a.dbf': dbf }));
    expect(features[0]?.properties).toEqual({
      LONG_NAME_: 'a',
      LONG_NAME_2: 'b',
      LONG_NAME__2: 'c',
      LONG_NAME__3: 'd',
    });
  });

  it('has only so many columns and records', async () => {
    const wide = table(
      Array.from({ length: 300 }, (_, i) => strToU8(`C${i}`)),
      1,
    );
    const zip = zipSync({ 'a.shp': nulls(1), 'a.dbf': wide });
    await expect(readStored('a.zip', zip)).rejects.toThrow(/more than 255 columns/);
    const long = table([strToU8('A')], 1, 1_000_001);
    const other = zipSync({ 'a.shp': nulls(1), 'a.dbf': long });
    await expect(readStored('a.zip', other)).rejects.toThrow(/more than 1000000 records/);
  });
});
