import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { joinBytes } from '../../../src/bytes.ts';
import type { Column } from '../../../src/layer-files/columns.ts';
import { GeoPackage } from '../../../src/layer-files/geopackage.ts';
import { shapeOf } from '../../../src/layer-files/shapes.ts';
import { PAGE, Pages } from '../../../src/layer-files/sqlite-pages.ts';

// The files as SQLite itself reads them. What GDAL makes of them is in test/clients/exports.test.ts.

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pgds-geopackage-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

type Feature = Parameters<GeoPackage['add']>[0];

/** Writes a file as an export does, and opens it. */
async function opened(name: string, columns: Column[], features: readonly Feature[]): Promise<DatabaseSync> {
  const layer = { name, columns, type: undefined, hasZ: false };
  const measuring = new GeoPackage(layer);
  for (const feature of features) measuring.add(feature);
  const measure = measuring.end();
  const file = new GeoPackage(layer, measure);
  const parts = [file.begin()];
  for (const feature of features) {
    file.add(feature);
    parts.push(file.take());
  }
  expect(file.end()).toEqual(measure);
  const bytes = joinBytes([...parts, file.take()]);
  expect(bytes.length).toBe(measure.pages * PAGE);
  const path = join(directory, `${crypto.randomUUID()}.gpkg`);
  await writeFile(path, bytes);
  const database = new DatabaseSync(path);
  for (const check of ['integrity_check', 'foreign_key_check']) {
    const found = database.prepare(`pragma ${check}`).all();
    expect(found.flatMap(Object.values)).toEqual(check === 'integrity_check' ? ['ok'] : []);
  }
  return database;
}

const COLUMNS: Column[] = [
  { name: 'id', type: 'text' },
  { name: 'a "b"', type: 'long' },
  { name: 'x', type: 'number' },
  { name: 'yes', type: 'boolean' },
];

it('has every row, short ones and ones of many pages, in a tree of three levels', async () => {
  const lengthOf = (i: number) => (i % 1000 === 0 ? 4030 + i : i % 50);
  const features = Array.from({ length: 20_000 }, (_, i) => ({
    values: ['é'.repeat(lengthOf(i)), BigInt(i) * -1_000_000_007n, i / 8, i % 3 === 0 ? null : i % 2 === 0],
    shape: i % 7 === 0 ? null : shapeOf({ type: 'Point', coordinates: [i / 1000, 10] }),
  }));
  const database = await opened('We"lls', COLUMNS, features);
  const rows = database
    .prepare('select fid, length(id) as n, cast("a ""b""" as text) as b, x, yes from "We""lls"')
    .all();
  expect(rows).toHaveLength(20_000);
  for (const [i, { fid, n, b, x, yes }] of rows.entries()) {
    if ([fid, n, b, x].join() !== [i + 1, lengthOf(i), i * -1_000_000_007 || 0, i / 8].join()) expect.fail(`row ${i}`);
    if (yes !== (features[i]?.values[3] === null ? null : Number(i % 2 === 0))) expect.fail(`row ${i}`);
  }
  expect(
    database.prepare('select min_x, min_y, max_x, max_y, srs_id from gpkg_contents').all().map(Object.values),
  ).toEqual([[0.001, 10, 19.998, 10, 4326]]);
  const { geom } = database.prepare('select hex(geom) as geom from "We""lls" where fid = 2').get() ?? {};
  expect(geom).toMatch(/^47500003E6100000.{64}0101000000/);
  expect(database.prepare('select count(geom) as n from "We""lls"').get()).toEqual({ n: 17_142 });
});

it('has columns of any number, whose statement may go on in other pages', async () => {
  for (let width = 0; width <= 500; width += width > 70 && width < 130 ? 1 : 23) {
    const columns: Column[] = Array.from({ length: width }, (_, i) => ({
      name: `a column with the number ${i}`,
      type: 'text',
    }));
    const database = await opened('wide', columns, [{ values: columns.map(({ name }) => name), shape: null }]);
    const row = database.prepare('select * from wide').get() ?? {};
    expect(Object.keys(row)).toEqual(['fid', 'geom', ...columns.map(({ name }) => name)]);
    expect(Object.values(row)).toEqual([1, null, ...columns.map(({ name }) => name)]);
    database.close();
  }
});

it('has a name of its own where that of the dataset is one of the format, or long', async () => {
  for (const [name, expected] of [
    ['gpkg_contents', 'layer_gpkg_contents'],
    ['SQLite_x', 'layer_SQLite_x'],
    ['😀'.repeat(256), '😀'.repeat(128)],
  ] as const) {
    const database = await opened(name, COLUMNS, []);
    expect(database.prepare('select table_name, description from gpkg_contents').all().map(Object.values)).toEqual([
      [expected, name],
    ]);
    database.close();
  }
});

it('leaves the page at 1 GiB out, which SQLite locks', () => {
  const pages = new Pages(2 ** 30 / PAGE);
  expect([pages.add(new Uint8Array(PAGE)), pages.next, pages.add(new Uint8Array(PAGE))]).toEqual([
    262_144, 262_146, 262_146,
  ]);
  expect(pages.take().length).toBe(3 * PAGE);
});
