import type { DataSource } from '../../db/columns.ts';
import { ENCODINGS, type Encoding } from '../../http/codings.ts';
import { type Area, type BoundarySet, RESOLUTIONS, type Resolution } from '../store.ts';
import { DOWNLOAD_KINDS, type DownloadName, downloadName } from './download-names.ts';

/** The levels of areas in the order of their rows. */
export const ROW_LEVELS = [
  'region',
  'province',
  'municity',
  'submunicipality',
  'barangay',
] as const satisfies readonly Area['level'][];

/** The levels that are listed without a parent: all areas of one together are an answer that is stored ready. */
const COLLECTION_LEVELS = ['region', 'province'] as const;

export type CollectionLevel = (typeof COLLECTION_LEVELS)[number];

export function hasCollection(level: string): level is CollectionLevel {
  return (COLLECTION_LEVELS as readonly string[]).includes(level);
}

/** The row of an area that there is none of: no parent, no host. */
export const NO_ROW = 0xffff;

interface DatedEdition {
  /** `2023-4q` */
  readonly id: string;
  /** The day that its list is of, `2023-12-31`. */
  readonly day: string;
}

/** What is served besides the areas themselves. */
export interface SnapshotFacts {
  /** The id of the release, for people. */
  readonly release: string;
  /** The id of this load of the release; another load of it has another one. */
  readonly version: string;
  readonly edition: string;
  /** The day that its list is of. Versions that were published without it have none. */
  readonly publishedOn?: string | null;
  readonly boundarySet: BoundarySet;
  readonly sources: DataSource[];
  /** The editions whose areas these are, the oldest first: only where the rows are versions of areas. */
  readonly editions?: readonly DatedEdition[];
  /** How many rows there are of each of `ROW_LEVELS`. */
  readonly rows: readonly number[];
  /** The values of the columns `type`, `city_class`, `urban_rural` and `income_class`, by index. */
  readonly words: readonly (string | null)[];
  /** The censuses of which there are columns `population_<year>`, the oldest first. */
  readonly censusYears?: readonly number[];
  /** Checksums of the compressed collections, see `checksumOf`. Versions that were published without any have none. */
  readonly collections?: Readonly<Partial<Record<CollectionLevel, number>>>;
}

/** A stored object of a snapshot. */
export interface SnapshotObject {
  /** Below `releases/<version>/`. */
  readonly name: SnapshotName;
  readonly bytes: number;
  /** SHA-256 of its bytes, 64 hex digits. */
  readonly sha256: string;
  /** The entity tag that the bucket gives to the bytes: their MD5, 32 hex digits. */
  readonly etag: string;
}

/** The terms of a part of a release, as its sources have them. */
export interface Terms {
  readonly licence: string;
  readonly attribution: string;
}

/** The files of a release that are downloaded whole or by ranges. They are objects of its snapshot. */
export interface Downloads {
  /** `2026-3q` */
  readonly edition: string;
  /** When they were made, RFC 3339 in UTC. */
  readonly created_at: string;
  readonly codes: Terms;
  /** Null for a release without boundaries. */
  readonly boundaries: Terms | null;
  /** Rows or features of each file, by the name of its object. */
  readonly rows: Readonly<Record<string, number>>;
}

/** The objects of one snapshot, written when all of them are stored and verified. */
export interface Manifest {
  readonly version: string;
  readonly release: string;
  readonly objects: readonly SnapshotObject[];
  /** What was published without files has none. */
  readonly downloads?: Downloads | undefined;
}

/** The object that names the version which is served. */
export const POINTER_KEY = 'releases/active';

/** The object that names the version which answers for each edition that is published. */
export const EDITIONS_KEY = 'releases/editions';

export const AREAS = 'areas' as const;
export const POINTS = 'points' as const;
/** What happened between editions. */
export const HISTORY = 'history' as const;

/** What a release consists of, with hashes; and its signature, as minisign has it. */
export const RELEASE_DOCUMENT = 'release.json' as const;
export const RELEASE_SIGNATURE = 'release.json.minisig' as const;

/** The coarse maps that are for everybody: of regions and provinces, and of the areas of a municipal level. */
const OVERVIEWS = ['overview', 'overview-municities'] as const;

/** The objects of these maps, plain and compressed. */
export const OVERVIEW_NAMES = OVERVIEWS.flatMap((overview) => [
  overviewName(overview),
  ...ENCODINGS.map((encoding) => overviewName(overview, encoding)),
]);

/** The compressed collections of whole levels. */
export const COLLECTION_NAMES = COLLECTION_LEVELS.flatMap((level) =>
  RESOLUTIONS.flatMap((resolution) => ENCODINGS.map((encoding) => collectionName(level, resolution, encoding))),
);

/** The id of an edition in the name of an object. */
const EDITION = String.raw`\d{4}-(?:[1-4]q|\d{2})`;
const EDITION_AREAS = new RegExp(`^edition-(${EDITION})$`);

/** Stands in place of an edition's id in the names of the objects with the areas through time: every version of every area. */
export const THROUGH_TIME = 'versions' as const;

/** The resolution of the boundaries of the areas through time. */
export const THROUGH_TIME_RESOLUTION = 'medium' satisfies Resolution;

/**
 * The objects of the other editions that the snapshot of a release includes, and of the versions of areas in all editions: areas,
 * and what only they have of boundaries.
 */
export const EDITION_OBJECT = new RegExp(`^edition-(?:${EDITION}|${THROUGH_TIME})(?:-boundaries)?$`);

/** Every other name that an object of a snapshot can have. */
export const SNAPSHOT_NAMES = [
  AREAS,
  POINTS,
  HISTORY,
  RELEASE_DOCUMENT,
  RELEASE_SIGNATURE,
  ...ROW_LEVELS.flatMap((level) => RESOLUTIONS.map((resolution) => boundariesName(level, resolution))),
  ...COLLECTION_NAMES,
  ...OVERVIEW_NAMES,
  ...DOWNLOAD_KINDS.map(downloadName),
] as [SnapshotName, ...SnapshotName[]];

export type SnapshotName =
  | typeof AREAS
  | typeof POINTS
  | typeof HISTORY
  | typeof RELEASE_DOCUMENT
  | typeof RELEASE_SIGNATURE
  | `boundaries-${Area['level']}-${Resolution}`
  | `collection-${CollectionLevel}-${Resolution}-${Encoding}`
  | OverviewName
  | DownloadName
  | `edition-${string}`;

export type Overview = (typeof OVERVIEWS)[number];

export type OverviewName = Overview | `${Overview}-${Encoding}`;

/** The name of the object with an overview, compressed where an encoding is given. */
export function overviewName(overview: Overview, encoding?: Encoding): OverviewName {
  return encoding === undefined ? overview : `${overview}-${encoding}`;
}

/** The name of the object with the boundaries of a level at a resolution. */
export function boundariesName(level: Area['level'], resolution: Resolution): SnapshotName {
  return `boundaries-${level}-${resolution}`;
}

/**
 * The name of the object with the areas of an edition that the snapshot of a release includes. The object has the encoding of
 * `areas`. An area with the same land as an area of the release has that one's row in the column `drawn_by`, and its boundaries.
 *
 * @param edition `2023-4q`
 */
export function editionName(edition: string): SnapshotName {
  return `edition-${edition}`;
}

/** The id of the edition whose areas an object of this name has; undefined for other objects. */
export function editionIdOf(name: string): string | undefined {
  return EDITION_AREAS.exec(name)?.[1];
}

/** The name of the object with the boundaries that an edition alone has: by resolution from coarse to fine, then by row. */
export function editionBoundariesName(edition: string): SnapshotName {
  return `edition-${edition}-boundaries`;
}

/** The name of the object with the compressed FeatureCollection of all areas of a level. */
export function collectionName(level: CollectionLevel, resolution: Resolution, encoding: Encoding): SnapshotName {
  return `collection-${level}-${resolution}-${encoding}`;
}

/**
 * The key of an object. It has a part of the hash of its bytes, so a release that is published again, by a build that makes
 * other bytes, lies beside what is served until its manifest is written.
 *
 * @param version of a release: letters, digits and hyphens
 */
export function objectKey(version: string, { name, sha256 }: Pick<SnapshotObject, 'name' | 'sha256'>): string {
  return `releases/${version}/${name}-${sha256.slice(0, 16)}`;
}

export function manifestKey(version: string): string {
  return `releases/${version}/manifest.json`;
}
