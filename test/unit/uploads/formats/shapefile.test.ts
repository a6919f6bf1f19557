import { strToU8, zipSync } from 'fflate';
import mapshaper from 'mapshaper';
import { describe, expect, it } from 'vitest';
import { layerIn } from '../../../../src/uploads/formats/format.ts';
import { readStored } from '../read.ts';

type Files = Record<string, Uint8Array>;

const square = (w: number, s: number, size: number) => [
  [w, s],
  [w + size, s],
  [w + size, s + size],
  [w, s + size],
  [w, s],
];

/** A shapefile of GeoJSON features, as a program of others writes it. */
async function shapefileOf(features: object[], options = ''): Promise<Files> {
  const collection = JSON.stringify({ type: 'FeatureCollection', features });
  const written = await mapshaper.applyCommands(`-i in.json -o format=shapefile ${options} wells.shp`, {
    'in.json': collection,
  });
  return Object.fromEntries(
    Object.entries(written).map(([name, content]) => [
      name,
      typeof content === 'string' ? strToU8(content) : new Uint8Array(content as Uint8Array),
    ]),
  );
}

const feature = (geometry: object, properties: object = {}) => ({ type: 'Feature', geometry, properties });

describe('a zipped shapefile', () => {
  it.each<[string, object[]]>([
    ['points', [feature({ type: 'Point', coordinates: [121, 14.5] }, { NAME: 'Peñafrancia', N: 1.5, I: 7 })]],
    [
      'points of several',
      [
        feature(
          {
            type: 'MultiPoint',
            coordinates: [
              [1, 2],
              [3, 4],
            ],
          },
          { NAME: 'x' },
        ),
      ],
    ],
    [
      'lines',
      [
        feature(
          {
            type: 'LineString',
            coordinates: [
              [1, 2],
              [3, 4],
            ],
          },
          { NAME: 'a' },
        ),
        feature(
          {
            type: 'MultiLineString',
            coordinates: [
              [
                [1, 2],
                [3, 4],
              ],
              [
                [5, 6],
                [7, 8],
              ],
            ],
          },
          { NAME: 'b' },
        ),
      ],
    ],
    [
      'polygons with holes and islands',
      [
        feature(
          {
            type: 'Polygon',
            coordinates: [square(0, 0, 10), square(2, 2, 2).toReversed(), square(6, 6, 2).toReversed()],
          },
          { NAME: 'a' },
        ),
        feature(
          {
            type: 'MultiPolygon',
            coordinates: [
              [square(0, 0, 10), square(2, 2, 6).toReversed()],
              [square(3, 3, 2), square(3.5, 3.5, 1).toReversed()],
              [square(20, 20, 1)],
            ],
          },
          { NAME: 'b' },
        ),
      ],
    ],
  ])('has the %s that were written', async (_, features) => {
    const { features: read, srid } = await readStored('a.zip', zipSync(await shapefileOf(features)));
    expect(srid).toBe(4326);
    expect(read.map(({ geometry }) => sorted(geometry))).toEqual(
      features.map((written) => sorted((written as { geometry: object }).geometry)),
    );
    expect(read.map(({ properties }) => properties)).toEqual(
      features.map((written) => (written as { properties: object }).properties),
    );
  });

  it('may be stored uncompressed, in a folder, and beside files that do not belong to it', async () => {
    const files = await shapefileOf([feature({ type: 'Point', coordinates: [1, 2] }, { A: 'x' })]);
    const nested = Object.fromEntries(
      Object.entries(files).map(([name, bytes]) => [`../dir/${name.toUpperCase()}`, bytes]),
    );
    const zip = zipSync(
      { ...nested, '__MACOSX/dir/._WELLS.shp': strToU8('x'), 'README.txt': strToU8('x') },
      { level: 0 },
    );
    expect((await readStored('a.zip', zip)).features).toHaveLength(1);
  });

  it('is in the encoding that its .cpg file names', async () => {
    const features = [feature({ type: 'Point', coordinates: [1, 2] }, { NAME: 'Ñuñez' })];
    for (const encoding of ['utf8', 'latin1']) {
      const files = await shapefileOf(features, `encoding=${encoding}`);
      const cpg = encoding === 'utf8' ? 'UTF-8' : 'ISO-8859-1';
      const { features: read } = await readStored('a.zip', zipSync({ ...files, 'wells.cpg': strToU8(cpg) }));
      expect(read[0]?.properties).toEqual({ NAME: 'Ñuñez' });
    }
    const marked = zipSync({ ...(await shapefileOf(features, 'encoding=utf8')), 'wells.cpg': strToU8('\ufeffUTF-8') });
    expect((await readStored('a.zip', marked)).features[0]?.properties).toEqual({ NAME: 'Ñuñez' });
    const { 'wells.cpg': _, ...files } = await shapefileOf(features, 'encoding=latin1');
    expect((await readStored('a.zip', zipSync(files))).features[0]?.properties).toEqual({ NAME: 'Ñuñez' });
    const wrong = zipSync({ ...files, 'wells.cpg': strToU8('UTF-8') });
    await expect(readStored('a.zip', wrong)).rejects.toThrow(/not in the encoding/);
    const unknown = zipSync({ ...files, 'wells.cpg': strToU8('Klingon') });
    await expect(readStored('a.zip', unknown)).rejects.toThrow(/encoding that is not known.*field encoding/);
    for (const encoding of ['iso-8859-1', 'windows-1252']) {
      const { features: read } = await readStored('a.zip', unknown, 4326, { encoding });
      expect(read[0]?.properties).toEqual({ NAME: 'Ñuñez' });
    }
  });

  it('of an archive of several is the one that is named', async () => {
    const layers = await Promise.all(
      ['a', 'b'].map((name) => shapefileOf([feature({ type: 'Point', coordinates: [1, 2] }, { NAME: name })])),
    );
    const zip = zipSync(
      Object.fromEntries(
        layers.flatMap((files, i) =>
          Object.entries(files).map(([name, bytes]) => [
            `${i === 0 ? '' : 'dir/'}${name.replace('wells', `layer${i}`)}`,
            bytes,
          ]),
        ),
      ),
    );
    const nameIn = async (layer: string) =>
      (await readStored('a.zip', zip, 4326, { layer })).features[0]?.properties?.NAME;
    expect([await nameIn('layer0'), await nameIn('layer1'), await nameIn('dir/layer1')]).toEqual(['a', 'b', 'b']);
    await expect(nameIn('x')).rejects.toThrow(/has not one layer "x" in it.*"layer0", "dir\/layer1"/);
    await expect(readStored('a.zip', zip)).rejects.toThrow(/name one in the field layer/);
  });

  it('of an archive is the one whose whole name is given, before one of that name in a folder', () => {
    expect(layerIn(['old/roads', 'roads'], 'roads')).toBe(1);
    expect(layerIn(['old/roads', 'roads'], 'old/roads')).toBe(0);
    expect(() => layerIn(['a/roads', 'b/roads'], 'roads')).toThrow(/has not one layer "roads"/);
  });

  it.each<[string, number | undefined]>([
    [
      'GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]',
      4326,
    ],
    ['PROJCS["WGS_1984_UTM_Zone_51N",GEOGCS["GCS_WGS_1984"]]', 32651],
    ['PROJCS["WGS 84 / UTM zone 50S",GEOGCS["WGS 84"],AUTHORITY["EPSG","32750"]]', 32750],
    ['PROJCS["PRS_1992_Philippines_Zone_III",GEOGCS["GCS_PRS_1992"]]', 3123],
    ['PROJCS["Luzon_1911_Philippines_Zone_V",GEOGCS["x"]]', 25395],
    ['PROJCS["WGS_1984_Web_Mercator_Auxiliary_Sphere",GEOGCS["GCS_WGS_1984"]]', 3857],
    ['', undefined],
  ])('has the reference system of %s', async (prj, srid) => {
    const files = await shapefileOf([feature({ type: 'Point', coordinates: [1, 2] })]);
    const zip = zipSync({ ...files, 'wells.prj': strToU8(prj) });
    expect((await readStored('a.zip', zip, 32651)).srid).toBe(srid);
  });

  it('has all records that its table counts, whatever length its header says', async () => {
    const files = await shapefileOf([1, 2, 3].map((x) => feature({ type: 'Point', coordinates: [x, 2] }, { N: x })));
    const shp = files['wells.shp'] as Uint8Array;
    for (const words of [-1, 0, 50, 51, 64, 78]) {
      const stale = shp.slice();
      new DataView(stale.buffer).setInt32(24, words);
      const { features } = await readStored('a.zip', zipSync({ ...files, 'wells.shp': stale }));
      expect([words, ...features.map(({ properties }) => properties?.N)]).toEqual([words, 1, 2, 3]);
    }
    const alone = shp.slice();
    new DataView(alone.buffer).setInt32(24, 50);
    expect((await readStored('a.zip', zipSync({ 'wells.shp': alone }))).features).toHaveLength(3);
  });

  it('ends where its header says, whatever is left over behind that', async () => {
    const files = await shapefileOf([feature({ type: 'Point', coordinates: [1, 2] }, { A: 'x' })]);
    const shp = files['wells.shp'] as Uint8Array;
    for (const left of [new Uint8Array(3), new Uint8Array(500).fill(7), shp.subarray(100), new Uint8Array(200_000)]) {
      const longer = new Uint8Array(shp.length + left.length);
      longer.set(shp);
      longer.set(left, shp.length);
      const { features: read } = await readStored('a.zip', zipSync({ ...files, 'wells.shp': longer }, { level: 0 }));
      expect(read).toEqual([{ geometry: { type: 'Point', coordinates: [1, 2] }, properties: { A: 'x' } }]);
    }
    const { 'wells.dbf': _, ...shapes } = files;
    const unknown = shp.slice();
    new DataView(unknown.buffer).setInt32(24, 0);
    const { features: all } = await readStored('a.zip', zipSync({ ...shapes, 'wells.shp': unknown }));
    expect(all).toHaveLength(1);
  });

  it('of an unknown reference system says so', async () => {
    const files = await shapefileOf([feature({ type: 'Point', coordinates: [1, 2] })]);
    for (const prj of ['GEOGCS["nonsense', 'PROJCS["Moon_2000"]', '+proj=longlat', 'WGS_1984_UTM_Zone_51N']) {
      const zip = zipSync({ ...files, 'wells.prj': strToU8(prj) });
      await expect(readStored('a.zip', zip)).rejects.toThrow(/not known here/);
    }
  });

  it('is refused when it is damaged', async () => {
    const files = await shapefileOf([
      feature({ type: 'Point', coordinates: [1, 2] }, { A: 'x' }),
      feature({ type: 'Point', coordinates: [3, 4] }, { A: 'y' }),
    ]);
    const shp = files['wells.shp'] as Uint8Array;
    const dbf = files['wells.dbf'] as Uint8Array;
    const changed = (bytes: Uint8Array, at: number, value: number) => {
      const copy = bytes.slice();
      copy[at] = value;
      return copy;
    };
    const zip = zipSync(files);
    const cases: [string, Uint8Array, RegExp][] = [
      ['empty', new Uint8Array(0), /no zip archive/],
      ['no archive', strToU8('hello, world, this is not a zip archive'), /no zip archive/],
      ['cut off', zip.subarray(0, zip.length - 30), /no zip archive/],
      ['an empty archive', zipSync({}), /empty archive/],
      ['without a .shp', zipSync({ 'a.txt': strToU8('x') }), /no \.shp/],
      ['of two layers', zipSync({ ...files, 'b.shp': shp }), /more than one layer/],
      ['with an empty .shp', zipSync({ ...files, 'wells.shp': new Uint8Array(0) }), /no shapefile/],
      ['with another .shp', zipSync({ ...files, 'wells.shp': strToU8('x'.repeat(500)) }), /no shapefile/],
      ['with a cut .shp', zipSync({ ...files, 'wells.shp': shp.subarray(0, 120) }), /cut off/],
      ['with a negative length', zipSync({ ...files, 'wells.shp': changed(shp, 104, 0xff) }), /cut off/],
      ['with a huge length', zipSync({ ...files, 'wells.shp': changed(shp, 104, 0x7f) }), /larger than/],
      ['with an unknown type', zipSync({ ...files, 'wells.shp': changed(shp, 108, 31) }), /type 31/],
      [
        'with coordinates that are none',
        zipSync({ ...files, 'wells.shp': changed(changed(shp, 119, 0x7f), 118, 0xf8) }),
        /finite/,
      ],
      ['with a cut .dbf', zipSync({ ...files, 'wells.dbf': dbf.subarray(0, 20) }), /cut off/],
      ['with too few records', zipSync({ ...files, 'wells.dbf': dbf.subarray(0, dbf.length - 3) }), /fewer records/],
      ['with another .dbf', zipSync({ ...files, 'wells.dbf': new Uint8Array(100) }), /no dBASE/],
    ];
    for (const [what, bytes, message] of cases) {
      await expect(readStored('a.zip', bytes), what).rejects.toThrow(message);
    }
  });

  it('is refused when it has more records than a file may have features, if only deleted ones', async () => {
    const RECORDS = 1_000_001;
    const shp = new Uint8Array(100 + 12 * RECORDS);
    const view = new DataView(shp.buffer);
    view.setInt32(0, 9994);
    for (let i = 0; i < RECORDS; i += 1) view.setInt32(100 + 12 * i + 4, 2);
    const dbf = new Uint8Array(33 + RECORDS).fill(0x2a, 33);
    const header = new DataView(dbf.buffer);
    header.setUint16(8, 33, true);
    header.setUint16(10, 1, true);
    dbf[32] = 0x0d;
    const zip = zipSync({ 'a.shp': shp, 'a.dbf': dbf }, { level: 0 });
    await expect(readStored('a.zip', zip)).rejects.toThrow(/more than 1000000 records/);
  });

  it('is refused when its archive lies', async () => {
    const bomb = zipSync({ 'a.shp': new Uint8Array(3_000_000) });
    await expect(readStored('a.zip', bomb)).rejects.toThrow(/more than 200 times/);
    const files = await shapefileOf([feature({ type: 'Point', coordinates: [1, 2] }, { A: 'x' })]);
    const zip = zipSync(files);
    const directory = indexOf(zip, [0x50, 0x4b, 1, 2]);
    const shorter = zip.slice();
    shorter[directory + 24] = (shorter[directory + 24] as number) - 1;
    await expect(readStored('a.zip', shorter)).rejects.toThrow(/damaged/);
    const checksum = zip.slice();
    checksum[directory + 16] = (checksum[directory + 16] as number) ^ 1;
    await expect(readStored('a.zip', checksum)).rejects.toThrow(/damaged/);
    const encrypted = zip.slice();
    encrypted[directory + 8] = 1;
    await expect(readStored('a.zip', encrypted)).rejects.toThrow(/encrypted/);
    const elsewhere = zip.slice();
    elsewhere[directory + 45] = 0x7f;
    await expect(readStored('a.zip', elsewhere)).rejects.toThrow(/damaged/);
    const many = zipSync(Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`${i}.txt`, strToU8('')])));
    await expect(readStored('a.zip', many)).rejects.toThrow(/more than 1000 entries/);
  });
});

function indexOf(bytes: Uint8Array, wanted: number[]): number {
  return bytes.findIndex((_, at) => wanted.every((byte, i) => bytes[at + i] === byte));
}

/** Rings may begin anywhere and polygons stand in any order. */
function sorted(geometry: object): unknown {
  const { type, coordinates } = geometry as { type: string; coordinates: unknown[] };
  if (!type.endsWith('Polygon')) return geometry;
  const polygons = (type === 'Polygon' ? [coordinates] : coordinates) as number[][][][];
  const texts = polygons.map((rings) => rings.map((ring) => turned(ring)));
  return { type, polygons: texts.map(([outline, ...holes]) => [outline, ...holes.sort()]).sort() };
}

function turned(ring: number[][]): string {
  const open = ring.slice(0, -1).map((position) => position.join(' '));
  const first = open.indexOf([...open].sort()[0] as string);
  return [...open.slice(first), ...open.slice(0, first)].join(',');
}
