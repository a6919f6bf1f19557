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
import { geometry, momentColumn } from '../columns.ts';
import { profiles } from './accounts.ts';

export const dataType = pgEnum('data_type', ['vector', 'raster', 'data']);

/**
 * `staged`: it is being written, and nobody reads it. `current`: the dataset shows it. `retired`: it was replaced, and is
 * kept whole for requests that still read it. `purging`: its features are being deleted, and requests that read it break
 * off.
 */
export const versionState = pgEnum('version_state', ['staged', 'current', 'retired', 'purging']);

/**
 * Numbers of a set of features, so that nothing has to read all features to know them. Every write updates them in the
 * same statement.
 */
const summary = {
  featureCount: integer('feature_count').notNull().default(0),
  /** Bytes of the geometries and properties as text. */
  featureBytes: bigint('feature_bytes', { mode: 'number' }).notNull().default(0),
  /** How many features have each type of geometry, in the order of `GEOMETRY_TYPES`: none, Point, MultiPoint, … */
  typeCounts: integer('type_counts').array().notNull().default(sql`'{0,0,0,0,0,0,0,0}'`),
  /** West, south, east, north; null where no feature has a geometry. */
  bbox: doublePrecision().array(),
  /** Names of the features' properties in the order in which they appear, up to a limit. */
  propertyNames: text('property_names').array().notNull().default(sql`'{}'`),
};

/**
 * The contents of a dataset: features and a stored file. A dataset points to one version. New contents are another
 * version that the dataset is pointed to, so that every reader sees either the old or the new contents.
 */
export const datasetVersions = pgTable(
  'dataset_versions',
  {
    id: uuid().primaryKey().defaultRandom(),
    state: versionState().notNull(),
    /** Key of the stored file. It is set before the file is stored, so that the sweep finds files that a crash left. */
    storageKey: text('storage_key'),
    /** The bucket's id of a multipart upload that is not completed. */
    multipartId: text('multipart_id'),
    /**
     * Profile whose storage a version that is not current counts against: the uploader, later the replacer. Stale for current
     * versions. Null: uploaded with the master token.
     */
    owner: text(),
    /** Bytes charged for its file while it is not current: the announced length of an upload, 0 if none was announced. */
    fileBytes: bigint('file_bytes', { mode: 'number' }).notNull().default(0),
    ...summary,
    createdAt: momentColumn('created_at').notNull().defaultNow(),
    /** When it was last written to, or when its purge began. The sweep knows abandoned versions by it. */
    touchedAt: momentColumn('touched_at').notNull().defaultNow(),
  },
  (t) => [
    index('dataset_versions_unused').on(t.touchedAt).where(sql`${t.state} <> 'current'`),
    index('dataset_versions_owner').on(t.owner).where(sql`${t.state} <> 'current'`),
  ],
);

export const datasets = pgTable(
  'datasets',
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid('user_id').references(() => profiles.id),
    /** The address of an owner who has no profile yet, in lower case. The address of `userId` is that of the profile. */
    userEmail: text('user_email'),
    name: text().notNull(),
    description: text(),
    /**
     * `isPublic` and `openToEveryone` encode the visibility: false → private; true + true → everyone; true + false or null →
     * accounts.
     */
    isPublic: boolean('is_public').notNull().default(false),
    /**
     * Null: made public before `everyone` existed, and the owner has not chosen yet (the API's `visibility_chosen` is false).
     * Counts as false.
     */
    openToEveryone: boolean('open_to_everyone').default(false),
    dataType: dataType('data_type').notNull().default('vector'),
    /** The reference system of the data that was sent. Features are stored in WGS 84 in any case. */
    srid: integer().notNull().default(4326),
    /** The geometry type that the owner declares; null: the type follows from the features. */
    declaredGeometryType: text('declared_geometry_type'),
    /** Free text of the owner; the service sets `draft` and `ready`. */
    status: text().notNull(),
    metadata: json(),
    /** Location that the API shows; the key of the object is `dataset_versions.storage_key`. */
    storageRef: text('storage_ref'),
    /** The name of the stored file and its length; null where there is no file. */
    fileName: text('file_name'),
    fileBytes: bigint('file_bytes', { mode: 'number' }),
    versionId: uuid('version_id')
      .notNull()
      .unique('datasets_version')
      .references(() => datasetVersions.id),
    ...summary,
    createdAt: momentColumn('created_at').notNull().defaultNow(),
    updatedAt: momentColumn('updated_at').notNull().defaultNow(),
  },
  (t) => [
    index('datasets_user').on(t.userId, t.createdAt, t.id),
    index('datasets_email').on(t.userEmail, t.createdAt, t.id),
    index('datasets_created').on(t.createdAt, t.id),
    index('datasets_public').on(t.createdAt, t.id).where(sql`${t.isPublic}`),
    check('datasets_file', sql`(${t.fileName} is null) = (${t.fileBytes} is null)`),
  ],
);

/**
 * What each owner stores in all datasets, bytes: their files, the geometries and properties of their features as text, 256
 * for the row of each feature, and 1024, the description and the metadata for each dataset. Triggers on datasets keep it, and refuse what
 * would make it more than the setting `account.max_bytes` of the transaction, where that is set. So statements at the
 * same time can't exceed it together.
 */
export const accountStorage = pgTable('account_storage', {
  /** The id of the profile or, for an owner who is known by address only, the address. */
  owner: text().primaryKey(),
  bytes: bigint({ mode: 'number' }).notNull(),
});

/**
 * Boundaries that features have by reference: each is stored once, whatever number of features has it. A boundary never
 * changes. It is deleted when no feature has it and no upload needed it for a day.
 */
export const areaShapes = pgTable('area_shapes', {
  /** Version of the load of a release, edition, level, resolution and PSGC code: `2026-1q-1-63e…/2023-4q/municity/simple/0702205000`. */
  key: text().primaryKey(),
  /** Index into `GEOMETRY_TYPES`. */
  type: smallint().notNull(),
  /** An RFC 7946 geometry object. */
  geojson: text().notNull(),
  /** Length of `geojson`. */
  bytes: integer().notNull(),
  /** The bounding box as a polygon: boxes are all that features are searched by. */
  geom: geometry().notNull(),
  /** When an upload last needed it, to within an hour. */
  usedAt: momentColumn('used_at').notNull().defaultNow(),
});

/** Features. Those of versions that are not current belong to no dataset. */
export const features = pgTable(
  'features',
  {
    id: uuid().primaryKey().defaultRandom(),
    /** It is no foreign key, because features are deleted some at a time, and their version after them. */
    versionId: uuid('version_id').notNull(),
    /** Sort key of features and of list positions: ascending, with gaps, unique across datasets. */
    seq: bigint({ mode: 'number' }).generatedAlwaysAsIdentity(),
    /** Index into `GEOMETRY_TYPES`; 0 without a geometry. */
    type: smallint().notNull(),
    /** An RFC 7946 geometry object; null without one, and where the geometry is that of `shapeKey`. */
    geojson: text(),
    /** The area whose boundary is the geometry; null where it has its own, or none. */
    shapeKey: text('shape_key').references(() => areaShapes.key),
    /** Any JSON value, as text. */
    properties: text().notNull(),
    /** The id of the feature in its file: a JSON string or number, as text. */
    sourceId: text('source_id'),
    /** Bytes of the geometry and `properties` as text, so that the size of a page can be limited without reading the texts. */
    bytes: integer().notNull(),
    geom: geometry(),
    createdAt: momentColumn('created_at').notNull().defaultNow(),
    updatedAt: momentColumn('updated_at').notNull().defaultNow(),
  },
  (t) => [
    index('features_version').on(t.versionId, t.seq),
    index('features_geom').using('gist', t.geom),
    index('features_shape').on(t.shapeKey).where(sql`${t.shapeKey} is not null`),
  ],
);
