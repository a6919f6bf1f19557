import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';

type Ring = readonly (readonly number[])[];

export interface LayerOptions {
  /** Definitions of the columns besides `fid` and `geom`. */
  readonly columns?: string;
  readonly srsId?: number;
}

/** A SQLite database that is filled by statements, as bytes. */
export function databaseOf(fill: (database: DatabaseSync) => void): Uint8Array {
  const directory = mkdtempSync(join(tmpdir(), 'pgds-gpkg-'));
  try {
    const database = new DatabaseSync(join(directory, 'a.gpkg'));
    fill(database);
    database.close();
    return new Uint8Array(readFileSync(join(directory, 'a.gpkg')));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** The tables that every GeoPackage has (OGC 12-128r19). */
export function addTables(database: DatabaseSync): void {
  database.exec(`
    create table gpkg_spatial_ref_sys (srs_name text not null, srs_id integer not null primary key,
      organization text not null, organization_coordsys_id integer not null, definition text not null, description text);
    create table gpkg_contents (table_name text not null primary key, data_type text not null, identifier text unique,
      description text default '', last_change datetime, min_x double, min_y double, max_x double, max_y double, srs_id integer);
    create table gpkg_geometry_columns (table_name text not null, column_name text not null, geometry_type_name text not null,
      srs_id integer not null, z tinyint not null, m tinyint not null, constraint pk primary key (table_name, column_name));
    insert into gpkg_spatial_ref_sys values ('WGS 84', 4326, 'EPSG', 4326, 'GEOGCS["WGS 84"]', null),
      ('PRS92 / zone III', 77, 'epsg', 3123, 'undefined', null), ('none', -1, 'NONE', -1, 'undefined', null),
      ('by its text', 78, 'mine', 1, 'PROJCS["WGS_1984_UTM_Zone_51N",GEOGCS["GCS_WGS_1984"]]', null),
      ('of nobody', 79, 'mine', 1, 'PROJCS["Moon"]', null)`);
}

export function addLayer(database: DatabaseSync, name: string, { columns, srsId = 4326 }: LayerOptions = {}): void {
  database.exec(
    `create table "${name}" (fid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, geom BLOB${columns ? `, ${columns}` : ''})`,
  );
  database
    .prepare('insert into gpkg_contents (table_name, data_type, srs_id) values (?, ?, ?)')
    .run(name, 'features', srsId);
  database.prepare(`insert into gpkg_geometry_columns values (?, 'geom', 'GEOMETRY', ?, 2, 2)`).run(name, srsId);
}

export function addRow(database: DatabaseSync, name: string, values: readonly SQLInputValue[]): void {
  database.prepare(`insert into "${name}" values (${values.map(() => '?').join(', ')})`).run(...values);
}

/** A GeoPackageBinary with an envelope or without one. */
export function binaryOf(wkb: Uint8Array, { flags = 1 } = {}): Uint8Array {
  const envelope = [0, 32, 48, 48, 64][(flags >> 1) & 7] ?? 0;
  const bytes = new Uint8Array(8 + envelope + wkb.length);
  bytes.set([0x47, 0x50, 0, flags, 0xe6, 0x10, 0, 0]);
  bytes.set(wkb, 8 + envelope);
  return bytes;
}

/** Well-known binary of the bytes of parts: numbers of 4 bytes as bigints, of 8 as numbers, bytes as they are. */
export function wkbOf(type: number, parts: readonly (bigint | number | Uint8Array)[], little = true): Uint8Array {
  const all = [BigInt(type), ...parts];
  const length = all.reduce(
    (sum: number, part) => sum + (typeof part === 'object' ? part.length : typeof part === 'bigint' ? 4 : 8),
    1,
  );
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  bytes[0] = little ? 1 : 0;
  let at = 1;
  for (const part of all) {
    if (typeof part === 'bigint') view.setUint32(at, Number(part), little);
    else if (typeof part === 'number') view.setFloat64(at, part, little);
    else bytes.set(part, at);
    at += typeof part === 'object' ? part.length : typeof part === 'bigint' ? 4 : 8;
  }
  return bytes;
}

export const pointWkb = (...position: number[]) => wkbOf([1, 1, 1, 1001, 3001][position.length] as number, position);

export const polygonWkb = (...rings: Ring[]) =>
  wkbOf(3, [BigInt(rings.length), ...rings.flatMap((ring) => [BigInt(ring.length), ...ring.flat()])]);

/** A GeoPackage with a single layer of a point and of what has no place. */
export const wellsGeoPackage = () =>
  databaseOf((database) => {
    addTables(database);
    addLayer(database, 'wells', { columns: 'name TEXT(20), depth DOUBLE, wet BOOLEAN, day DATE' });
    addRow(database, 'wells', [3, binaryOf(pointWkb(121.5, 14.25)), 'Ñ', 4.5, 1, '2026-11-22']);
    addRow(database, 'wells', [7, null, null, null, null, null]);
  });
