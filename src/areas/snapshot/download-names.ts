import { type Area, RESOLUTIONS, type Resolution } from '../store.ts';

/** The levels that there are files of, with the word that their names have. */
export const FILE_LEVELS = {
  region: 'regions',
  province: 'provinces',
  municity: 'municities',
  submunicipality: 'submunicipalities',
  barangay: 'barangays',
} as const satisfies Record<FileLevel, string>;

export type FileLevel = Area['level'];

/** What stands for all levels together, in place of a level. */
export const COUNTRY = 'country';

/** Formats of files without geometry, by the ending of their names. */
const TABLE_FORMATS = ['csv', 'csv.gz', 'ndjson.gz'] as const;

/** Formats of files with boundaries, by the ending of their names. */
const LAYER_FORMATS = ['geojson.gz', 'fgb', 'parquet', 'topojson'] as const;

/** The format of the file with all levels. */
const COUNTRY_FORMAT = 'gpkg';

export const DOWNLOAD_FORMATS = [...TABLE_FORMATS, ...LAYER_FORMATS, COUNTRY_FORMAT] as const;

export type TableFormat = (typeof TABLE_FORMATS)[number];
export type LayerFormat = (typeof LAYER_FORMATS)[number];
export type DownloadFormat = (typeof DOWNLOAD_FORMATS)[number];

/** What a file of a release has in it. */
export interface DownloadKind {
  readonly level: FileLevel | typeof COUNTRY;
  /** Null: a table, without boundaries. */
  readonly resolution: Resolution | null;
  readonly format: DownloadFormat;
}

const PREFIX = 'download-';

/** The name of a file's object in the snapshot of its release. Its ending tells tools the format. */
export type DownloadName = `${typeof PREFIX}${string}`;

export function downloadName({ level, resolution, format }: DownloadKind): DownloadName {
  const word = level === COUNTRY ? COUNTRY : FILE_LEVELS[level];
  return `${PREFIX}${[word, ...(resolution === null ? [] : [resolution]), format].join('.')}`;
}

/** What files of a release are called: `barangays.detailed.parquet`. */
export function fileNameOf(name: DownloadName): string {
  return name.slice(PREFIX.length);
}

/** The file with all levels, their boundaries, and all editions. */
export const COUNTRY_KIND = { level: COUNTRY, resolution: 'medium', format: COUNTRY_FORMAT } as const;

/** Files of one level. TopoJSON is for maps on the web, so it has no detailed boundaries. */
const LEVEL_KINDS: readonly DownloadKind[] = (Object.keys(FILE_LEVELS) as FileLevel[]).flatMap((level) => [
  ...TABLE_FORMATS.map((format) => ({ level, resolution: null, format })),
  ...RESOLUTIONS.flatMap((resolution) =>
    LAYER_FORMATS.filter((format) => format !== 'topojson' || resolution !== 'detailed').map((format) => ({
      level,
      resolution,
      format,
    })),
  ),
]);

/** Every file that a release can have. */
export const DOWNLOAD_KINDS: readonly DownloadKind[] = [...LEVEL_KINDS, COUNTRY_KIND];

/** The files by the names of their objects. */
export const DOWNLOADS_BY_NAME: ReadonlyMap<string, DownloadKind> = new Map(
  DOWNLOAD_KINDS.map((kind) => [downloadName(kind), kind]),
);
