import { describe, expect, it } from 'vitest';
import { COLUMNS, TYPES } from '../../../src/layer-files/flatgeobuf-schema.ts';
import { flatGeobufOf, sized, valuesOf } from '../../support/flatgeobufs.ts';
import { addLayer, addRow, addTables, binaryOf, databaseOf, pointWkb, wkbOf } from '../../support/geopackages.ts';
import { endless, readInChunks, readStored, readUntilRefused } from './read.ts';

const refusal = (name: string, bytes: Uint8Array): Promise<Error & { location?: string }> =>
  readStored(name, bytes).then(
    () => new Error('was read'),
    (error: Error) => error,
  );

/** A layer of many rows in pages of 512 bytes, and the pages of its tree: interior ones and leaves. */
function manyRows(): { bytes: Uint8Array; interior: number[]; leaves: number[] } {
  const bytes = databaseOf((database) => {
    database.exec('pragma page_size = 512');
    addTables(database);
    addLayer(database, 'wells', { columns: 'text TEXT' });
    database.exec('begin');
    for (let i = 0; i < 3000; i += 1) addRow(database, 'wells', [i, binaryOf(pointWkb(1, 2)), 'x'.repeat(20)]);
    addRow(database, 'wells', [5000, null, 'y'.repeat(5000)]);
    database.exec('commit');
  });
  const pages = Array.from({ length: bytes.length / 512 - 1 }, (_, i) => i + 2);
  const ofType = (type: number) => pages.filter((page) => bytes[(page - 1) * 512] === type);
  return { bytes, interior: ofType(5), leaves: ofType(13) };
}

describe('a GeoPackage whose pages lead nowhere', () => {
  const { bytes, interior, leaves } = manyRows();
  it('is refused with the page that its row stands in', async () => {
    const row = bytes.findLastIndex((byte, i) => byte === 0x47 && bytes[i + 1] === 0x50);
    const wrong = bytes.slice();
    wrong[row] = 0;
    expect(await refusal('a.gpkg', wrong)).toMatchObject({
      location: expect.stringMatching(new RegExp(`^"wells" row \\d+, page ${Math.floor(row / 512) + 1}$`)),
    });
  });

  const at = (page: number | undefined) => ((page ?? 0) - 1) * 512;
  const each = (list: readonly number[], work: (page: number, i: number) => unknown) => {
    for (const [i, page] of list.entries()) work(page, i);
  };
  const changed = (change: (view: DataView, copy: Uint8Array) => void) => {
    const copy = bytes.slice();
    change(new DataView(copy.buffer), copy);
    return copy;
  };

  it.each<[string, (view: DataView, copy: Uint8Array) => void, RegExp]>([
    [
      'a page that is its own child',
      (view) => view.setUint32(at(interior[0]) + 8, interior[0] as number),
      /in its table twice/,
    ],
    [
      'a tree in a circle',
      (view) =>
        each(interior, (page, i) => view.setUint32(at(page) + 8, interior[(i + 1) % interior.length] as number)),
      /in its table twice/,
    ],
    ['a page beyond the end', (view) => view.setUint32(at(interior[0]) + 8, 0x7fff_ffff), /there is no such page/],
    ['page 0', (view) => view.setUint32(at(interior[0]) + 8, 0), /there is no such page/],
    ['pages of an index', (_, copy) => each(leaves, (page) => copy.fill(10, at(page), at(page) + 1)), /damaged/],
    ['more cells than fit', (view) => each(leaves, (page) => view.setUint16(at(page) + 3, 0xffff)), /damaged/],
    ['cells beyond the page', (view) => each(leaves, (page) => view.setUint16(at(page) + 8, 0xfff0)), /damaged/],
    [
      'cells that share their bytes',
      (view) =>
        each(leaves, (page) => {
          const first = view.getUint16(at(page) + 8);
          view.setUint16(at(page) + 3, 200);
          for (let i = 0; i < 200; i += 1) view.setUint16(at(page) + 8 + 2 * i, first);
        }),
      /damaged|overlap/,
    ],
    [
      'rows longer than any',
      (view, copy) => each(leaves, (page) => copy.fill(0xff, at(page) + view.getUint16(at(page) + 8))),
      /damaged|more than 16777216/,
    ],
  ])('is refused: %s', async (_, change, message) => {
    const refused = await refusal('a.gpkg', changed(change));
    expect([refused.name, refused.message]).toEqual(['FileFault', expect.stringMatching(message)]);
  });

  it('is refused: a row that goes on in a circle', async () => {
    // The long row begins in a leaf, and its pages have nothing but the next page and text.
    const first = bytes.findIndex((byte, i) => i % 512 === 4 && byte === 0x79 && bytes[i + 100] === 0x79) - 4;
    const next = new DataView(bytes.buffer).getUint32(first);
    const looped = changed((view) => view.setUint32(at(next), next));
    expect(await refusal('a.gpkg', looped)).toMatchObject({
      message: 'is damaged: it is in its table twice',
      location: `page ${next}`,
    });
    const ended = changed((view) => view.setUint32(at(next), 0));
    expect(await refusal('a.gpkg', ended)).toMatchObject({ message: 'is damaged: there is no such page' });
  });

  it('is refused: a row that is longer than the file', async () => {
    const small = databaseOf((database) => {
      addTables(database);
      addLayer(database, 'wells', { columns: 'text TEXT' });
      addRow(database, 'wells', [1, null, 'z'.repeat(200_000)]);
    });
    // The length of the row is a number of three bytes, which a byte more makes 16 MB.
    const header = small.findIndex((byte, i) => byte === 0x8c && small[i + 1] === 0x9a);
    expect(header).toBeGreaterThan(0);
    small[header] = 0x86 | 0x80;
    small[header + 1] = 0xff;
    small.set([0xff], header + 2);
    expect((await refusal('a.gpkg', small)).name).toBe('FileFault');
  });

  it('is refused before a geometry is in memory whose parts are too many', async () => {
    const shaped = (wkb: Uint8Array) =>
      databaseOf((database) => {
        addTables(database);
        addLayer(database, 'wells');
        addRow(database, 'wells', [1, binaryOf(wkb)]);
      });
    const empty = wkbOf(2, [0n]);
    const parts = new Uint8Array(9 * 300_000);
    for (let i = 0; i < 300_000; i += 1) parts.set(empty, 9 * i);
    expect(await refusal('a.gpkg', shaped(wkbOf(5, [300_000n, parts])))).toMatchObject({
      message: expect.stringMatching(/250000 parts/),
    });
    const line = wkbOf(2, [500_001n, new Uint8Array(16 * 500_001)]);
    expect(await refusal('a.gpkg', shaped(line))).toMatchObject({ message: expect.stringMatching(/500000 positions/) });
    let nested = pointWkb(1, 2);
    for (let i = 0; i < 40; i += 1) nested = wkbOf(7, [1n, nested]);
    expect(await refusal('a.gpkg', shaped(nested))).toMatchObject({ message: expect.stringMatching(/nested deeper/) });
  });
});

describe('a FlatGeobuf that says more than it has', () => {
  it('is refused before a geometry is in memory whose parts are too many', async () => {
    const parts = Array.from({ length: 250_001 }, () => ({ type: TYPES.LineString }));
    const many = flatGeobufOf({ features: [{ geometry: { type: TYPES.GeometryCollection, parts } }] });
    expect((await refusal('a.fgb', many)).message).toMatch(/250000 parts/);
    const long = flatGeobufOf({ features: [{ geometry: { type: TYPES.LineString, xy: Array(1_000_002).fill(0) } }] });
    expect((await refusal('a.fgb', long)).message).toMatch(/500000 positions/);
  });

  it('is refused with columns and values that are too many', async () => {
    const columns = Array.from({ length: 2001 }, (_, i) => [`c${i}`, COLUMNS.int] as const);
    expect((await refusal('a.fgb', flatGeobufOf({ columns }))).message).toMatch(/more than 2000 columns/);
    const properties = valuesOf([[0, sized(new Uint8Array(8 * 1024 * 1024))]]);
    const large = flatGeobufOf({ columns: [['a', COLUMNS.binary]], features: [{ properties }] });
    expect((await refusal('a.fgb', large)).message).toMatch(/more than 8388608 bytes of properties/);
  });
});

describe('a geometry whose text would be too long', () => {
  /** Numbers of twenty digits. */
  const numbers = (count: number) => Array.from({ length: count }, (_, i) => -(100 + (i + 1) / 3e6) / 1.1);
  const line = (positions: number) =>
    flatGeobufOf({ features: [{ geometry: { type: TYPES.LineString, xy: numbers(2 * positions) } }] });

  it('is refused with its feature, and read where it is not', async () => {
    const { features } = await readStored('a.fgb', line(200_000), 32651);
    expect(JSON.stringify(features[0]?.geometry).length).toBeGreaterThan(7_500_000);
    expect(await refusal('a.fgb', line(300_000))).toMatchObject({
      message: 'a geometry must not be longer than 8388608 characters as GeoJSON',
      location: expect.stringMatching(/^feature 1, byte \d+$/),
    });
    const row = new Uint8Array(Float64Array.from(numbers(600_000)).buffer);
    const stored = databaseOf((database) => {
      addTables(database);
      addLayer(database, 'wells');
      addRow(database, 'wells', [1, binaryOf(wkbOf(2, [300_000n, row]))]);
    });
    expect(await refusal('a.gpkg', stored)).toMatchObject({
      message: expect.stringMatching(/8388608 characters/),
      location: expect.stringMatching(/row 1/),
    });
    const arcs = [Array.from({ length: 5000 }, (_, i) => [-100 - 1 / (i + 3), 10 + 1 / (i + 3)])];
    const repeated = { type: 'MultiLineString', arcs: Array(90).fill([0]) };
    expect(() =>
      readInChunks('a.topojson', JSON.stringify({ type: 'Topology', arcs, objects: { a: repeated } })),
    ).toThrow(/8388608 characters/);
  });
});

describe('a topology that grows without end', () => {
  it.each<[string, string, string, number, RegExp, string]>([
    ['arcs', '{"arcs":[', '[],', 3_100_000, /1000000 positions, arcs counting/, 'byte 3000009'],
    ['positions', '{"arcs":[[', '[1,2],', 6_200_000, /1000000 positions/, 'byte 6000004'],
    ['numbers of a position', '{"arcs":[[[', '1111111111', 70_000, /arcs\[0\]: must be/, 'byte 11'],
    ['objects', '{"objects":{"a":[', '{"type":null},', 1_500_000, /100000 objects/, 'from byte 0'],
    ['text', '{"objects":{"a":"', 'x', 8_600_000, /larger than 8388608/, 'from byte 0'],
  ])('is refused while it is read: %s', (_, head, unit, most, message, location) => {
    const refused = readUntilRefused('a.topojson', endless(head, unit));
    expect(refused.message).toMatch(message);
    expect(refused.location).toBe(location);
    expect(refused.bytes).toBeLessThan(most);
  });

  it('is refused as TopoJSON under a name of GeoJSON', () => {
    const refused = readUntilRefused('a.json', endless('{"type": "Topology", "arcs":[[', '[1,2],'));
    expect(refused.message).toMatch(/is TopoJSON .*\.topojson/);
    expect(refused.bytes).toBeLessThan(8_600_000);
  });

  it('is refused where a shape repeats an arc until it has too many positions', () => {
    const arcs = [Array.from({ length: 5000 }, (_, i) => [i / 100, 0])];
    const object = (count: number) => ({ a: { type: 'MultiLineString', arcs: Array(count).fill([0]) } });
    const read = (count: number) =>
      readInChunks('a.topojson', JSON.stringify({ type: 'Topology', arcs, objects: object(count) }));
    expect(read(100)).toHaveLength(1);
    expect(() => read(101)).toThrow(/500000 positions/);
  });
});
