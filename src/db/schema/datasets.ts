import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  json,
  pgEnum,
  pgTable,
  smallint,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { geometry, moment } from '../columns.ts';
import { profiles } from './accounts.ts';

export const dataType = pgEnum('data_type', ['vector', 'raster', 'data']);

/**
 * `staged`: being written, nobody reads it. `current`: what a dataset shows. `retired`: replaced; kept whole for those who
 * are still reading it. `purging`: its features are being deleted, and whoever reads it breaks off.
 */
export const versionState = pgEnum('version_state', ['staged', 'current', 'retired', 'purging']);

/**
 * What a set of features is made of, so that nobody has to read them all to know. Every write keeps it true in the
 * same statement.
 */
const summary = {
  featureCount: integer('feature_count').notNull().default(0),
  /** Bytes of the geometries and properties as text. */
  featureBytes: bigint('feature_bytes', { mode: 'number' }).notNull().default(0),
  /** How many features have which type of geometry: none, Point, MultiPoint, …; as in `GEOMETRY_TYPES`. */
  typeCounts: integer('type_counts').array().notNull().default(sql`'{0,0,0,0,0,0,0,0}'`),
  /** West, south, east, north; null where nothing has a geometry. */
  bbox: doublePrecision().array(),
  /** Names of members of the features' properties in the order of their appearance, as far as there is room. */
  propertyNames: text('property_names').array().notNull().default(sql`'{}'`),
};

/**
 * The contents of a dataset: features and a stored file. A dataset points to one version and is replaced by pointing
 * it to another, so that every reader sees one or the other.
 */
export const datasetVersions = pgTable(
  'dataset_versions',
  {
    id: uuid().primaryKey().defaultRandom(),
    state: versionState().notNull(),
    /** Key of the stored file. Set before anything is stored under it, so that the sweep finds what a crash left. */
    storageKey: text('storage_key'),
    /** The store's id of an upload in parts that has not been completed. */
    multipartId: text('multipart_id'),
    ...summary,
    createdAt: moment('created_at').notNull().defaultNow(),
    /** When it was last written to, or begun to be purged: by this the sweep knows what is abandoned. */
    touchedAt: moment('touched_at').notNull().defaultNow(),
  },
  (t) => [index('dataset_versions_unused').on(t.touchedAt).where(sql`${t.state} <> 'current'`)],
);

export const datasets = pgTable(
  'datasets',
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid('user_id').references(() => profiles.id),
    /** An owner who is known by address only, in lower case. The address of `userId` is that of the profile. */
    userEmail: text('user_email'),
    name: text().notNull(),
    description: text(),
    isPublic: boolean('is_public').notNull().default(false),
    dataType: dataType('data_type').notNull().default('vector'),
    /** Reference system of what was sent. Features are in WGS 84 whatever it says. */
    srid: integer().notNull().default(4326),
    /** What the owner says of it; null: what the features say. */
    declaredGeometryType: text('declared_geometry_type'),
    status: text().notNull(),
    metadata: json(),
    storageRef: text('storage_ref'),
    /** The stored file, as it was called and how many bytes it has; null where there is none. */
    fileName: text('file_name'),
    fileBytes: bigint('file_bytes', { mode: 'number' }),
    versionId: uuid('version_id')
      .notNull()
      .unique('datasets_version')
      .references(() => datasetVersions.id),
    ...summary,
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (t) => [
    index('datasets_user').on(t.userId, t.createdAt, t.id),
    index('datasets_email').on(t.userEmail, t.createdAt, t.id),
    index('datasets_created').on(t.createdAt, t.id),
    index('datasets_public').on(t.createdAt, t.id).where(sql`${t.isPublic}`),
    check('datasets_file', sql`(${t.fileName} is null) = (${t.fileBytes} is null)`),
  ],
);

/** Features. That of a version which nobody can see is no feature of any dataset. */
export const features = pgTable(
  'features',
  {
    id: uuid().primaryKey().defaultRandom(),
    /** No foreign key: a version is deleted after its features, a portion of them at a time. */
    versionId: uuid('version_id').notNull(),
    /** The order of a dataset's features. */
    seq: bigint({ mode: 'number' }).generatedAlwaysAsIdentity(),
    /** Index into `GEOMETRY_TYPES`; 0 without a geometry. */
    type: smallint().notNull(),
    /** An RFC 7946 geometry object, or null. */
    geojson: text(),
    /** Any JSON value, as text. */
    properties: text().notNull(),
    /** The id that it had in its file: a JSON string or number, as text. */
    sourceId: text('source_id'),
    /** Bytes of `geojson` and `properties`, so that a page can be cut to a size without reading the texts. */
    bytes: integer().notNull(),
    geom: geometry(),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (t) => [index('features_version').on(t.versionId, t.seq), index('features_geom').using('gist', t.geom)],
);
