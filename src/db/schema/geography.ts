import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  date,
  doublePrecision,
  foreignKey,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  primaryKey,
  serial,
  text,
  unique,
} from 'drizzle-orm/pg-core';
import { type DataSource, geometry, momentColumn } from '../columns.ts';

/**
 * The PSA's geographic levels that the service stores. Sub-municipalities (the fourteen of Manila) are answered among cities
 * and municipalities, and counted and listed apart from them.
 */
export const areaLevel = pgEnum('area_level', ['region', 'province', 'municity', 'submunicipality', 'barangay']);

export const resolution = pgEnum('resolution', ['simple', 'medium', 'detailed']);

/** `renumbered`: the area lives on under `code`. `abolished`: the area is gone and `code` is one of its successors. */
export const codeChange = pgEnum('code_change', ['renumbered', 'abolished']);

/**
 * How good a release's boundaries are. `none`: there are none. `display`: coarse shapes for maps, which can't decide where
 * a point lies. `full`: detailed boundaries, which points are looked up in.
 */
export const boundarySet = pgEnum('boundary_set', ['none', 'display', 'full']);

/** A complete set of areas, with the names and codes that they had in older editions. It does not change once it is loaded. */
export const dataReleases = pgTable('data_releases', {
  id: text().primaryKey(),
  edition: text().notNull(),
  /** The day on which the edition was published, `2023-12-31`; null where the list doesn't say. */
  publishedOn: date('published_on', { mode: 'string' }),
  sources: jsonb().$type<DataSource[]>().notNull(),
  boundarySet: boundarySet('boundary_set').notNull().default('none'),
  /** The report of the load: counts by level, repairs, and what was refused. */
  report: jsonb().$type<Record<string, unknown>>().notNull(),
  /**
   * When every check had passed. A load sets it in the transaction that writes the release, so the row is never visible
   * without all of its areas. A release without it was not made by a load and can't be activated.
   */
  checkedAt: momentColumn('checked_at'),
  createdAt: momentColumn('created_at').notNull().defaultNow(),
  /** When an earlier build added names or codes of another edition; null where it is as it was loaded. Only read. */
  revisedAt: momentColumn('revised_at'),
});

/** One row: the release that is served. Activation is one update of it. */
export const activeRelease = pgTable(
  'active_release',
  {
    singleton: boolean().primaryKey().default(true),
    releaseId: text('release_id')
      .notNull()
      .references(() => dataReleases.id),
    activatedAt: momentColumn('activated_at').notNull().defaultNow(),
  },
  (t) => [check('active_release_singleton', sql`${t.singleton}`)],
);

/** The release that a row belongs to, and is deleted with. */
const releaseId = () =>
  text('release_id')
    .notNull()
    .references(() => dataReleases.id, { onDelete: 'cascade' });

export const areas = pgTable(
  'areas',
  {
    id: serial().primaryKey(),
    releaseId: releaseId(),
    level: areaLevel().notNull(),
    /** Ten-digit PSGC code. */
    code: text().notNull(),
    name: text().notNull(),
    /** `nameKey(name)`, which name filters compare with. */
    nameKey: text('name_key').notNull(),
    /** `City` or `Municipality`; null at other levels. */
    type: text(),
    /** `HUC`, `ICC` or `CC`; null for everything that is not a city. */
    cityClass: text('city_class'),
    regionCode: text('r_code'),
    provinceCode: text('p_code'),
    hostProvinceCode: text('host_province_code'),
    municityCode: text('m_code'),
    submunicipalityCode: text('sm_code'),
    /** `U` or `R` by the PSA's census classification; null where the PSA gives none. */
    urbanRural: text('urban_rural'),
    population: integer(),
    /** The census that `population` is of. */
    populationYear: integer('population_year'),
    /** Every census of the list, the oldest first. */
    populationHistory: jsonb('population_history').$type<{ year: number; population: number }[]>(),
    /** Income classification as published: `1st`, `4th*`; null where the list gives none. */
    incomeClass: text('income_class'),
    /** What the footnotes of the list say of the area, with their marks. */
    notes: jsonb().$type<string[]>(),
    /** The nine-digit code as the list gives it. */
    correspondence: text(),
    /** Size of the detailed boundary on the WGS 84 ellipsoid, in square kilometres with five decimals. */
    areaKm2: doublePrecision('area_km2'),
    /** Residents for each square kilometre of the land that they are counted on, with two decimals. */
    densityKm2: doublePrecision('density_km2'),
    lon: doublePrecision(),
    lat: doublePrecision(),
    /** west, south, east, north */
    bbox: doublePrecision().array(),
    provinceCount: integer('province_count').notNull().default(0),
    municityCount: integer('municity_count').notNull().default(0),
    hostedMunicityCount: integer('hosted_municity_count').notNull().default(0),
    barangayCount: integer('barangay_count').notNull().default(0),
  },
  (t) => [
    unique('areas_code').on(t.releaseId, t.code),
    index('areas_level').on(t.releaseId, t.level, t.code),
    // Areas that moved to another region are found by the last eight digits of their code, which are unique below regions.
    index('areas_local_code').on(t.releaseId, t.level, sql`right(${t.code}, 8)`),
    index('areas_region').on(t.releaseId, t.regionCode, t.level, t.code),
    index('areas_province').on(t.releaseId, t.provinceCode, t.level, t.code),
    index('areas_host').on(t.releaseId, t.hostProvinceCode, t.level, t.code),
    index('areas_municity').on(t.releaseId, t.municityCode, t.code),
  ],
);

/** Every form of an area's name that a search finds: as published, with and without `City`, its parts, and former names. */
export const areaNames = pgTable(
  'area_names',
  {
    releaseId: releaseId(),
    level: areaLevel().notNull(),
    code: text().notNull(),
    /** `nameKey()` of the form. */
    key: text().notNull(),
    former: boolean().notNull(),
  },
  (t) => [
    primaryKey({ name: 'area_names_pk', columns: [t.releaseId, t.level, t.code, t.key] }),
    index('area_names_key').on(t.releaseId, t.level, t.key),
    index('area_names_trigrams').using('gin', t.key.op('gin_trgm_ops')),
  ],
);

/** Former names as they were published, for people to read. */
export const formerNames = pgTable(
  'former_names',
  {
    releaseId: releaseId(),
    code: text().notNull(),
    name: text().notNull(),
    /** The last edition that has the name, and the first in which the area has the name of today. */
    until: text(),
    since: text(),
  },
  (t) => [primaryKey({ name: 'former_names_pk', columns: [t.releaseId, t.code, t.name] })],
);

/** Former codes of areas: nine-digit correspondence codes, and ten-digit codes that are no longer used. */
export const codeAliases = pgTable(
  'code_aliases',
  {
    releaseId: releaseId(),
    level: areaLevel().notNull(),
    alias: text().notNull(),
    /** Empty where nothing is known to have taken the place of an abolished area. */
    code: text().notNull(),
    change: codeChange().notNull(),
  },
  (t) => [primaryKey({ name: 'code_aliases_pk', columns: [t.releaseId, t.level, t.alias, t.code] })],
);

/** One boundary of one area, as ready GeoJSON text. */
export const boundaries = pgTable(
  'boundaries',
  {
    releaseId: releaseId(),
    level: areaLevel().notNull(),
    resolution: resolution().notNull(),
    code: text().notNull(),
    /** An RFC 7946 geometry object with at most six decimals. */
    geojson: text().notNull(),
    /** Length of `geojson`, so that the size of a page can be limited without reading the texts. */
    bytes: integer().notNull(),
    /** What a load works with where it makes boundaries of others; requests are answered without it. */
    geom: geometry(),
  },
  (t) => [primaryKey({ name: 'boundaries_pk', columns: [t.releaseId, t.level, t.resolution, t.code] })],
);

/** The detailed boundaries, cut into small pieces, in which points are looked up. */
export const boundaryPieces = pgTable(
  'boundary_pieces',
  {
    releaseId: releaseId(),
    level: areaLevel().notNull(),
    code: text().notNull(),
    geom: geometry().notNull(),
  },
  (t) => [index('boundary_pieces_geom').using('gist', t.geom), index('boundary_pieces_release').on(t.releaseId)],
);

/** Pairs of areas of one level that touch, each pair in both directions. */
export const areaNeighbors = pgTable(
  'area_neighbors',
  {
    releaseId: releaseId(),
    level: areaLevel().notNull(),
    code: text().notNull(),
    neighbor: text().notNull(),
  },
  (t) => [primaryKey({ name: 'area_neighbors_pk', columns: [t.releaseId, t.level, t.code, t.neighbor] })],
);

// What happened between editions is an object of a release's snapshot. Nothing reads or writes the three tables that follow:
// they stand here until a migration drops them, after the Worker that read them is gone.

/** Two editions that were compared. */
export const editionPairs = pgTable(
  'edition_pairs',
  {
    /** `2023-4q` */
    fromEdition: text('from_edition').notNull(),
    toEdition: text('to_edition').notNull(),
    /** The releases that were compared. */
    fromRelease: text('from_release')
      .notNull()
      .references(() => dataReleases.id, { onDelete: 'cascade' }),
    toRelease: text('to_release')
      .notNull()
      .references(() => dataReleases.id, { onDelete: 'cascade' }),
    /** Whether no loaded edition lies between them. */
    adjacent: boolean().notNull(),
    /** What was found, and what stayed unexplained. */
    report: jsonb().$type<Record<string, unknown>>().notNull(),
  },
  (t) => [primaryKey({ name: 'edition_pairs_pk', columns: [t.fromEdition, t.toEdition] })],
);

/** What happened to areas between an edition and the next one. */
export const areaChanges = pgTable(
  'area_changes',
  {
    fromEdition: text('from_edition').notNull(),
    toEdition: text('to_edition').notNull(),
    /** Its place among the changes of the pair. */
    position: integer().notNull(),
    kind: text().notNull(),
    level: areaLevel().notNull(),
    fromAreas: jsonb('from_areas').$type<{ code: string; name: string; share: number | null }[]>().notNull(),
    toAreas: jsonb('to_areas').$type<{ code: string; name: string; share: number | null }[]>().notNull(),
    /** Every code of both sides. */
    codes: text().array().notNull(),
    basis: text().notNull(),
    note: text(),
  },
  (t) => [
    primaryKey({ name: 'area_changes_pk', columns: [t.fromEdition, t.toEdition, t.position] }),
    foreignKey({
      name: 'area_changes_pair',
      columns: [t.fromEdition, t.toEdition],
      foreignColumns: [editionPairs.fromEdition, editionPairs.toEdition],
    }).onDelete('cascade'),
    index('area_changes_codes').using('gin', t.codes),
  ],
);

/** What the codes of an edition became in another one, earlier or later. */
export const editionLinks = pgTable(
  'edition_links',
  {
    fromEdition: text('from_edition').notNull(),
    toEdition: text('to_edition').notNull(),
    level: areaLevel().notNull(),
    fromCode: text('from_code').notNull(),
    /** Empty where nothing is known to have taken its place. */
    toCode: text('to_code').notNull(),
    relation: text().notNull(),
    weightArea: doublePrecision('weight_area'),
    weightPopulation: doublePrecision('weight_population'),
    /** Which of the weights are estimates: parts count the same because nothing measures them. */
    estimated: text(),
    basis: text().notNull(),
  },
  (t) => [
    primaryKey({ name: 'edition_links_pk', columns: [t.fromEdition, t.toEdition, t.fromCode, t.toCode] }),
    foreignKey({
      name: 'edition_links_pair',
      columns: [t.fromEdition, t.toEdition],
      foreignColumns: [editionPairs.fromEdition, editionPairs.toEdition],
    }).onDelete('cascade'),
  ],
);
