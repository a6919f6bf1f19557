import { rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import { editionId } from '../../../src/areas/edition-id.ts';
import { COUNTRY_KIND, downloadName, FILE_LEVELS, type FileLevel } from '../../../src/areas/snapshot/download-names.ts';
import { editionName, HISTORY, type SnapshotObject, THROUGH_TIME } from '../../../src/areas/snapshot/layout.ts';
import { OpenedAreas } from '../../../src/areas/snapshot/opened.ts';
import { columnsOf, valuesOf } from '../../../src/downloads/columns.ts';
import { joinedTerms, termsOf } from '../../../src/downloads/terms.ts';
import { History } from '../../../src/editions/history.ts';
import type { Column, Value } from '../../../src/layer-files/columns.ts';
import { GEOPACKAGE_TYPES, geometryOf, WGS84 } from '../../../src/layer-files/geopackage.ts';
import { type Box, boxOf, multiPolygonOf, unionOf } from '../../../src/layer-files/shapes.ts';
import { storedObject } from '../object-files.ts';
import { areasOf, boundaryTexts, boundedAreas, openRelease, parentNames } from './release-files.ts';

/** The resolution of the boundaries: the country in detail would be four times as large, and there are files of it by level. */
const { resolution: RESOLUTION } = COUNTRY_KIND;

const text = (name: string): Column => ({ name, type: 'text' });
const integer = (name: string): Column => ({ name, type: 'integer' });
const number = (name: string): Column => ({ name, type: 'number' });

/**
 * Makes the file with all levels and editions, from the snapshot of a release in a directory with its editions: a GeoPackage
 * 1.3 (OGC 12-128r17), which is a SQLite database. Each level is a layer. Tables without geometry have every version of every
 * area of all editions (`area_versions`), the editions, and the changes between them with the areas that took part.
 *
 * @param now when it is made
 * @returns the written object, and how many areas it has; undefined for a release without boundaries
 */
export async function buildCountry(
  directory: string,
  now: Date,
): Promise<{ object: SnapshotObject; rows: number } | undefined> {
  const opened = await openRelease(directory);
  if (boundedAreas(opened, 'region', RESOLUTION).length === 0) return undefined;
  const name = downloadName(COUNTRY_KIND);
  const names = parentNames(opened);
  const { attribution, licence } = joinedTerms(
    (['boundaries', 'codes'] as const).map((part) => termsOf(opened.facts.sources, part)),
  );
  const about = `PSGC ${editionId(opened.facts.edition)}, release ${opened.facts.release}. ${attribution}. ${licence}`;
  const file = new CountryFile(join(directory, name), { now, about });
  let rows = 0;
  try {
    for (const level of Object.keys(FILE_LEVELS) as FileLevel[]) {
      const areas = areasOf(opened, level);
      if (areas.length === 0) continue;
      const columns = columnsOf(level, 'layer');
      const bounded = new Map(boundedAreas(opened, level, RESOLUTION).map((it) => [it.area.code, it]));
      // A level without boundaries has no file of them.
      const textOf = bounded.size > 0 ? await boundaryTexts(directory, level, RESOLUTION) : undefined;
      const layer = file.layer(FILE_LEVELS[level], columns);
      for (const area of areas) {
        const it = bounded.get(area.code);
        layer.add(it && textOf?.(it), valuesOf(level, area, { columns, names }));
      }
      layer.end();
      rows += areas.length;
    }
    const unpacked = async (object: string) => gunzipSync(await readFile(join(directory, object)));
    addVersions(file, new OpenedAreas(await unpacked(editionName(THROUGH_TIME))));
    addHistory(file, new History(await unpacked(HISTORY)));
    file.end();
  } finally {
    file.close();
  }
  return { object: await storedObject(directory, name), rows };
}

const VERSION_COLUMNS: readonly Column[] = [
  ...['code', 'level', 'name', 'type', 'city_class', 'income_class', 'urban_rural'].map(text),
  ...['r_code', 'p_code', 'host_province_code', 'm_code', 'sm_code'].map(text),
  ...[integer('population'), integer('population_year'), number('area_km2'), number('lon'), number('lat')],
  ...['first_edition', 'last_edition', 'valid_from', 'valid_to'].map(text),
];

/** The versions of areas in all editions: an area that changed nothing but the edition has one row. */
function addVersions(file: CountryFile, versions: OpenedAreas): void {
  const add = file.table('area_versions', VERSION_COLUMNS);
  for (const level of Object.keys(FILE_LEVELS) as FileLevel[]) {
    for (const area of areasOf(versions, level)) {
      const { validity, centroid } = area;
      add([
        ...[area.code, area.level, area.name, area.type, area.cityClass, area.incomeClass, area.urbanRural],
        ...[area.regionCode, area.provinceCode, area.hostProvinceCode, area.municityCode, area.submunicipalityCode],
        ...[area.population, area.populationYear, area.areaKm2, centroid?.[0] ?? null, centroid?.[1] ?? null],
        ...[validity?.firstEdition ?? null, validity?.lastEdition ?? null],
        ...[validity?.from ?? null, validity?.to ?? null],
      ]);
    }
  }
}

const EDITION_COLUMNS = ['id', 'published_on'].map(text);
const CHANGE_COLUMNS = [
  integer('change_id'),
  ...['from_edition', 'to_edition', 'kind', 'level', 'basis', 'note'].map(text),
];
const PARTY_COLUMNS = [integer('change_id'), ...['side', 'code', 'name'].map(text), number('share_of_area')];

function addHistory(file: CountryFile, history: History): void {
  const addEdition = file.table('editions', EDITION_COLUMNS);
  for (const { id, published } of history.editions) addEdition([id, published]);
  const { changes } = history.listChanges({}, { page: 1, limit: Number.MAX_SAFE_INTEGER });
  const addChange = file.table('changes', CHANGE_COLUMNS);
  for (const [i, it] of changes.entries())
    addChange([i + 1, it.from_edition, it.to_edition, it.kind, it.level, it.basis, it.note]);
  const addParty = file.table('change_areas', PARTY_COLUMNS);
  for (const [i, change] of changes.entries()) {
    for (const side of ['from', 'to'] as const)
      for (const { code, name, share } of change[side]) addParty([i + 1, side, code, name, share]);
  }
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** A GeoPackage of several layers and tables, without a spatial index. */
class CountryFile {
  readonly #database: DatabaseSync;
  readonly #changed: string;
  readonly #about: string;

  /** @param options `about`: what is said of every layer and table: whose it is, and under which terms */
  constructor(path: string, { now, about }: { now: Date; about: string }) {
    this.#changed = now.toISOString();
    this.#about = about;
    rmSync(path, { force: true });
    this.#database = new DatabaseSync(path);
    // A file that is not finished is thrown away, so nothing has to survive a crash.
    this.#database.exec(`
      pragma journal_mode = off; pragma synchronous = off; pragma locking_mode = exclusive;
      pragma application_id = ${0x4750_4b47}; pragma user_version = 10300;
      begin;
      create table gpkg_spatial_ref_sys (srs_name text not null, srs_id integer not null primary key, organization text not null,
        organization_coordsys_id integer not null, definition text not null, description text);
      create table gpkg_contents (table_name text not null primary key, data_type text not null, identifier text unique,
        description text default '', last_change datetime not null default (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
        min_x double, min_y double, max_x double, max_y double, srs_id integer references gpkg_spatial_ref_sys(srs_id));
      create table gpkg_geometry_columns (table_name text not null unique references gpkg_contents(table_name), column_name text not null,
        geometry_type_name text not null, srs_id integer not null references gpkg_spatial_ref_sys(srs_id), z tinyint not null,
        m tinyint not null, primary key (table_name, column_name));
      insert into gpkg_spatial_ref_sys values ('Undefined Cartesian', -1, 'NONE', -1, 'undefined', null),
        ('Undefined geographic', 0, 'NONE', 0, 'undefined', null), ('WGS 84', 4326, 'EPSG', 4326, '${WGS84}', null);`);
  }

  /** Begins a layer of MultiPolygons. `end` says what it covers. */
  layer(name: string, columns: readonly Column[]) {
    this.#create(name, columns, 'geom MULTIPOLYGON, ');
    const insert = this.#insertion(name, ['geom', ...columns.map((column) => column.name)]);
    const boxes: Box[] = [];
    return {
      /** @param boundary its GeoJSON text; undefined without one */
      add: (boundary: string | undefined, values: readonly Value[]): void => {
        const shape = boundary === undefined ? null : multiPolygonOf(JSON.parse(boundary));
        const box = shape && boxOf(shape);
        if (box) boxes.push(box);
        insert([shape && geometryOf(shape, box), ...values]);
      },
      end: (): void => {
        const [west, south, east, north] = boxes.length > 0 ? unionOf(boxes) : [null, null, null, null];
        this.#list(name, 'features', [west, south, east, north, 4326]);
        this.#database
          .prepare(`insert into gpkg_geometry_columns values (?, 'geom', 'MULTIPOLYGON', 4326, 0, 0)`)
          .run(name);
        this.#database.exec(`create unique index ${quoted(`${name}_code`)} on ${quoted(name)} (code)`);
      },
    };
  }

  /** Begins a table without geometry. @returns adds a row */
  table(name: string, columns: readonly Column[]): (values: readonly Value[]) => void {
    this.#create(name, columns, '');
    this.#list(name, 'attributes', [null, null, null, null, null]);
    return this.#insertion(
      name,
      columns.map((column) => column.name),
    );
  }

  /** Indexes what tables are joined by. */
  end(): void {
    this.#database.exec(`create index area_versions_code on area_versions (code);
      create index change_areas_code on change_areas (code); create index change_areas_change on change_areas (change_id);
      commit;`);
  }

  close(): void {
    this.#database.close();
  }

  #create(name: string, columns: readonly Column[], geometry: string): void {
    const members = columns.map((column) => `${quoted(column.name)} ${GEOPACKAGE_TYPES[column.type]}`).join(', ');
    this.#database.exec(
      `create table ${quoted(name)} (fid integer primary key autoincrement not null, ${geometry}${members})`,
    );
  }

  #list(name: string, type: 'features' | 'attributes', extent: readonly (number | null)[]): void {
    this.#database
      .prepare('insert into gpkg_contents values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
      .run(name, type, name, this.#about, this.#changed, ...extent);
  }

  #insertion(name: string, columns: readonly string[]): (values: readonly (Value | Uint8Array)[]) => void {
    const marks = columns.map(() => '?').join(', ');
    const statement = this.#database.prepare(
      `insert into ${quoted(name)} (${columns.map(quoted).join(', ')}) values (${marks})`,
    );
    return (values) => {
      statement.run(...(values as SQLInputValue[]));
    };
  }
}
