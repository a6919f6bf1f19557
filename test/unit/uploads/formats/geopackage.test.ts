import type { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { columnsOfStatement } from '../../../../src/uploads/formats/sqlite-columns.ts';
import {
  addLayer,
  addRow,
  addTables,
  binaryOf,
  databaseOf,
  pointWkb,
  polygonWkb,
  wkbOf,
} from '../../../support/geopackages.ts';
import { readStored } from '../read.ts';

const point = binaryOf(pointWkb(121, 14));

/** A GeoPackage with the layer `wells`. */
const packageOf = (fill: (database: DatabaseSync) => void, before?: string) =>
  databaseOf((database) => {
    if (before) database.exec(before);
    addTables(database);
    fill(database);
  });

const wells = (columns: string, rows: readonly Parameters<typeof addRow>[2][]) =>
  packageOf((database) => {
    addLayer(database, 'wells', { columns });
    for (const row of rows) addRow(database, 'wells', row);
  });

describe('a GeoPackage', () => {
  it('of several layers is read from the one that is named', async () => {
    const bytes = packageOf((database) => {
      for (const name of ['wells', 'roads']) {
        addLayer(database, name, { columns: 'kind TEXT' });
        addRow(database, name, [1, null, name]);
      }
    });
    for (const layer of ['wells', 'roads']) {
      const { features } = await readStored('a.gpkg', bytes, 4326, { layer });
      expect(features.map(({ properties }) => properties)).toEqual([{ kind: layer }]);
    }
    await expect(readStored('a.gpkg', bytes, 4326, { layer: 'Wells' })).rejects.toThrow(
      'has not one layer "Wells" in it (field layer), but "wells", "roads"',
    );
  });

  it('has values as their columns are declared, and the primary key as id', async () => {
    const columns =
      '"na""me" TEXT(10) DEFAULT \'(a, b)\', n MEDIUMINT CHECK (n in (1, 2, 5000000000, -7)), big INTEGER, f FLOAT, d DOUBLE, wet BOOLEAN, day DATE, at DATETIME, raw BLOB /* , x */, [a b] REAL -- , c\n, twice AS (n * 2), kept INTEGER AS (n + 1) STORED';
    const bytes = packageOf((database) => {
      addLayer(database, 'wells', { columns });
      const insert = database.prepare(
        'insert into wells (fid, geom, "na""me", n, big, f, d, wet, day, at, raw, [a b]) values (?,?,?,?,?,?,?,?,?,?,?,?)',
      );
      insert.run(
        -5,
        point,
        'Ñ',
        1,
        9_007_199_254_740_993n,
        Math.fround(0.1),
        0.1,
        1,
        '2026-11-22',
        '2026-11-22T10:00:00.000Z',
        Uint8Array.of(0, 255, 16),
        3,
      );
      insert.run(
        9_007_199_254_740_993n,
        null,
        null,
        5_000_000_000,
        -1,
        1e300,
        Number.POSITIVE_INFINITY,
        0,
        null,
        null,
        new Uint8Array(0),
        -0.5,
      );
    });
    const { srid, features } = await readStored('a.gpkg', bytes);
    expect(srid).toBe(4326);
    expect(features).toEqual([
      {
        id: -5,
        geometry: { type: 'Point', coordinates: [121, 14] },
        properties: {
          'na"me': 'Ñ',
          n: 1,
          big: '9007199254740993',
          f: 0.1,
          d: 0.1,
          wet: true,
          day: '2026-11-22',
          at: '2026-11-22T10:00:00.000Z',
          raw: 'AP8Q',
          'a b': 3,
          kept: 2,
        },
      },
      {
        // JSON of JavaScript has no more digits.
        id: 9_007_199_254_740_992,
        geometry: null,
        properties: {
          'na"me': null,
          n: 5_000_000_000,
          big: -1,
          f: 1e300,
          d: null,
          wet: false,
          day: null,
          at: null,
          raw: '',
          'a b': -0.5,
          kept: 5_000_000_001,
        },
      },
    ]);
  });

  it('has the default of a column that was added after its rows', async () => {
    const bytes = packageOf((database) => {
      addLayer(database, 'wells');
      addRow(database, 'wells', [1, point]);
      database.exec(`alter table wells add column t TEXT default 'it''s'; alter table wells add column n INTEGER default -4;
        alter table wells add column r REAL default 1.5e2; alter table wells add column e TEXT`);
    });
    expect((await readStored('a.gpkg', bytes)).features[0]?.properties).toEqual({ t: "it's", n: -4, r: 150, e: null });
  });

  it.each([
    [`('pq')`, 'pq'],
    ['(5)', 5],
    ['(-5)', -5],
    [`x'0102'`, 'AQI='],
    ['"dq"', 'dq'],
    ['0x10', 16],
    ['(null)', null],
  ])('has the default %s of such a column', async (given, value) => {
    const bytes = packageOf((database) => {
      addLayer(database, 'wells');
      addRow(database, 'wells', [1, point]);
      database.exec(`alter table wells add column d BLOB default ${given}`);
    });
    expect((await readStored('a.gpkg', bytes)).features[0]?.properties).toEqual({ d: value });
  });

  it.each(['abc', '1e999'])('is refused where the default of such a column is %s', async (given) => {
    const bytes = packageOf((database) => {
      addLayer(database, 'wells');
      addRow(database, 'wells', [1, point]);
      database.exec(`alter table wells add column d BLOB default ${given}`);
    });
    await expect(readStored('a.gpkg', bytes)).rejects.toThrow(/column "d".*VACUUM/);
  });

  it('has the key of a type in quotes as the id', async () => {
    const bytes = packageOf((database) => {
      addLayer(database, 'wells');
      database.exec('drop table wells; create table wells (fid "INTEGER" primary key, geom BLOB)');
      addRow(database, 'wells', [78, point]);
    });
    expect((await readStored('a.gpkg', bytes)).features[0]).toMatchObject({ id: 78, properties: {} });
  });

  it.each<[string, Uint8Array, unknown]>([
    ['big-endian', wkbOf(1, [1, 2], false), { type: 'Point', coordinates: [1, 2] }],
    ['with a height', pointWkb(1, 2, 3), { type: 'Point', coordinates: [1, 2, 3] }],
    ['with a measure', wkbOf(2001, [1, 2, 9]), { type: 'Point', coordinates: [1, 2] }],
    ['with both', pointWkb(1, 2, 3, 9), { type: 'Point', coordinates: [1, 2, 3] }],
    ['of EWKB', wkbOf(0xa000_0001, [4326n, 1, 2, 3]), { type: 'Point', coordinates: [1, 2, 3] }],
    ['an empty point', pointWkb(Number.NaN, Number.NaN), null],
    ['an empty polygon', polygonWkb(), null],
    [
      'a line',
      wkbOf(2, [2n, 1, 2, 3, 4]),
      {
        type: 'LineString',
        coordinates: [
          [1, 2],
          [3, 4],
        ],
      },
    ],
    [
      'points, one empty',
      wkbOf(4, [2n, pointWkb(1, 2), pointWkb(Number.NaN, Number.NaN)]),
      { type: 'MultiPoint', coordinates: [[1, 2]] },
    ],
    [
      'polygons',
      wkbOf(6, [
        1n,
        polygonWkb([
          [0, 0],
          [1, 0],
          [1, 1],
          [0, 0],
        ]),
      ]),
      {
        type: 'MultiPolygon',
        coordinates: [
          [
            [
              [0, 0],
              [1, 0],
              [1, 1],
              [0, 0],
            ],
          ],
        ],
      },
    ],
    [
      'a collection',
      wkbOf(7, [2n, pointWkb(1, 2), wkbOf(7, [0n])]),
      {
        type: 'GeometryCollection',
        geometries: [
          { type: 'Point', coordinates: [1, 2] },
          { type: 'GeometryCollection', geometries: [] },
        ],
      },
    ],
  ])('has geometries %s', async (_, wkb, geometry) => {
    const rows = [0, 2, 4, 6, 8].map((envelope, i) => [i, binaryOf(wkb, { flags: 1 + envelope })]);
    const { features } = await readStored('a.gpkg', wells('', rows));
    expect(features.map((feature) => feature.geometry)).toEqual(rows.map(() => geometry));
  });

  it.each([512, 4096, 65_536])(
    'has all rows of pages of %s bytes, also long ones, after deletions and VACUUM',
    async (size) => {
      for (const more of ['', 'vacuum']) {
        const bytes = databaseOf((database) => {
          database.exec(`pragma page_size = ${size}; pragma auto_vacuum = 1`);
          addTables(database);
          addLayer(database, 'wells', { columns: 'text TEXT' });
          database.exec('begin');
          for (let i = 1; i <= 3000; i += 1)
            addRow(database, 'wells', [i * 3, point, `${i}`.repeat(i % 100 === 0 ? 20_000 : 5)]);
          database.exec('commit; delete from wells where fid % 2 = 0');
          for (let i = 0; i < 50; i += 1) addRow(database, 'wells', [i * 6 + 2, point, 'x'.repeat(i * 1000)]);
          database.exec(more);
        });
        const { features } = await readStored('a.gpkg', bytes);
        const expected = [
          ...Array.from(
            { length: 3000 },
            (_, i) => [(i + 1) * 3, `${i + 1}`.repeat((i + 1) % 100 === 0 ? 20_000 : 5)] as const,
          ).filter(([id]) => id % 2 === 1),
          ...Array.from({ length: 50 }, (_, i) => [i * 6 + 2, 'x'.repeat(i * 1000)] as const),
        ].sort(([a], [b]) => a - b);
        expect(features.map(({ id, properties }) => [id, properties?.text])).toEqual(expected);
      }
    },
  );

  it.each([
    [4326, 4326],
    [77, 3123],
    [78, 32651],
    [-1, undefined],
    [0, undefined],
  ])('is in its reference system %s', async (srsId, srid) => {
    const bytes = packageOf((database) => addLayer(database, 'wells', { srsId }));
    expect((await readStored('a.gpkg', bytes)).srid).toBe(srid);
  });

  it('is refused with what is wrong', async () => {
    const good = wells('text TEXT', [
      [1, point, 'x'],
      [2, point, 'y'],
    ]);
    const changed = (at: number, ...bytes: number[]) => {
      const copy = good.slice();
      copy.set(bytes, at);
      return copy;
    };
    const shaped = (wkb: Uint8Array, options = {}) =>
      wells('', [
        [1, point],
        [2, binaryOf(wkb, options)],
      ]);
    const filled = (statement: string) =>
      packageOf((database) => {
        addLayer(database, 'wells', { columns: 't TEXT' });
        addRow(database, 'wells', [1, point, 'x']);
        database.exec(statement);
      });
    const cases: [string, Uint8Array, RegExp, RegExp?][] = [
      ['empty', new Uint8Array(0), /no SQLite database/, /byte 0/],
      ['another file', new TextEncoder().encode('x'.repeat(5000)), /no SQLite database/, /byte 0/],
      ['cut in its header', good.subarray(0, 90), /header does not end/],
      ['cut', good.subarray(0, good.length - 1), /cut off: it has \d+ pages of 4096 bytes/],
      [
        'of no size',
        changed(16, 3, 1),
        /pages of a power of two from 512 to 65536 bytes, at least 480 of them usable \(got 769, 769 usable\)/,
        /byte 16/,
      ],
      [
        'in UTF-16',
        packageOf((database) => addLayer(database, 'wells'), "pragma encoding = 'UTF-16'"),
        /in UTF-8/,
        /byte 56/,
      ],
      ['without its tables', databaseOf((database) => database.exec('create table a (b)')), /no table gpkg_contents/],
      ['without a layer', packageOf(() => undefined), /no layer of features/],
      [
        'of two layers',
        packageOf((database) => {
          addLayer(database, 'wells');
          addLayer(database, 'roads');
        }),
        /more than one layer in it: "wells", "roads"; name one in the field layer/,
      ],
      [
        'of a layer that is not there',
        packageOf((database) => {
          addLayer(database, 'wells');
          database.exec('drop table wells');
        }),
        /no table "wells"/,
      ],
      [
        'of a view',
        packageOf((database) => {
          addLayer(database, 'wells');
          database.exec('drop table wells; create view wells as select 1 as geom');
        }),
        /"wells" is no table with rows of its own/,
      ],
      [
        'of a moon',
        packageOf((database) => addLayer(database, 'wells', { srsId: 79 })),
        /layer "wells" names a reference system that is not known here, "Moon"/,
      ],
      ['of no system', packageOf((database) => addLayer(database, 'wells', { srsId: 80 })), /no reference system 80/],
      [
        'with a curve',
        shaped(wkbOf(8, [2n, 1, 2, 3, 4])),
        /type 8 can not be read: curves/,
        /^"wells" row 2, page \d+$/,
      ],
      ['with a surface', shaped(wkbOf(1017, [])), /type 1017 can not be read/, /row 2/],
      ['with a cut geometry', shaped(wkbOf(2, [9n, 1, 2])), /a geometry is damaged/, /row 2/],
      ['with a count that lies', shaped(wkbOf(7, [0xffff_ffffn])), /a geometry is damaged/, /row 2/],
      ['with a point among polygons', shaped(wkbOf(6, [1n, pointWkb(1, 2)])), /a geometry is damaged/, /row 2/],
      ['with another blob', wells('', [[1, Uint8Array.of(1, 2, 3)]]), /must begin with "GP"/, /row 1/],
      ['with an unknown envelope', shaped(pointWkb(1, 2), { flags: 13 }), /a geometry is damaged/, /row 2/],
      ['with an extension', shaped(pointWkb(1, 2), { flags: 33 }), /an extension/, /row 2/],
      ['with a position beyond the world', shaped(pointWkb(500_000, 2)), /longitude.*\("wells" row 2, page \d+\)/],
      ['with NUL in a text', wells('t TEXT', [[1, point, 'a\0b']]), /^the property "t" .*U\+0000/, /row 1/],
      ['with a text of other bytes', filled("update wells set t = cast(x'ff' as text)"), /^column "t" is not/, /row 1/],
    ];
    for (const [what, bytes, message, location] of cases) {
      const refused = await readStored('a.gpkg', bytes).then(
        ({ srid }) => new Error(`was read, in ${srid}`),
        (error: Error) => error,
      );
      expect(refused.message, what).toMatch(message);
      if (location) expect((refused as { location?: string }).location, what).toMatch(location);
    }
  });

  it.each([
    ['without an end', '(fid integer', /^table "wells" has a statement that does not end$/],
    ['too long', `(fid ${' '.repeat(300_000)})`, /^table "wells" has a statement of more than 262144 characters$/],
    ['of too many columns', `(a${',a'.repeat(2000)})`, /^table "wells" has more than 2000 columns$/],
  ])('is refused with the table whose statement is %s', (_, columns, message) => {
    expect(() => columnsOfStatement(`create table wells ${columns}`, '"wells"')).toThrow(message);
  });
});
