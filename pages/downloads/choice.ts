import type { Download } from '../../clients/typescript/src/types.ts';
import { LEVEL_NAMES, LEVELS, type Level } from '../shared/levels.ts';

/** Stands for the whole country in place of a code. */
export const COUNTRY = 'PH';

/** Stands for the newest edition in place of an id that is not known yet. */
export const NEWEST = '';

/** The country, the National Capital Region and Manila. */
const WITH_SUBMUNICIPALITIES = [COUNTRY, '1300000000', '1380600000'];

export const BOUNDARIES = ['none', 'simple', 'medium', 'detailed'] as const;

export type Boundaries = (typeof BOUNDARIES)[number];

/** Formats of tables, and those of layers, the ones that most people want first. */
const TABLE_FORMATS = ['xlsx', 'csv'] as const;
const LAYER_FORMATS = ['gpkg', 'shp', 'geojson', 'fgb', 'parquet', 'topojson'] as const;

export type Format = (typeof TABLE_FORMATS | typeof LAYER_FORMATS)[number];

/** What somebody picks. */
export interface Choice {
  /** `PH`, or a code. */
  readonly area: string;
  readonly level: Level;
  readonly boundaries: Boundaries;
  readonly format: Format;
  /** `NEWEST`, or the id of an edition. */
  readonly edition: string;
}

const FIRST_CHOICE = { area: COUNTRY, level: 'municity', boundaries: 'none', format: 'xlsx' } as const;

/** A file to save. */
export interface SavedFile {
  /** The name to save it under. */
  readonly name: string;
  readonly href: string;
  readonly hasBoundaries: boolean;
  /** The file that was made with the release; undefined for one that is made when it is asked for. */
  readonly stored?: Download | undefined;
}

/** The file that a choice leads to. */
export interface ChosenFile extends SavedFile {
  readonly level: Level;
  /** Its ending: that of the format, unless it is packed. */
  readonly format: string;
}

/** Endings of files of whole levels that are not called as their format. */
const STORED_ENDINGS: Readonly<Record<string, string>> = { geojson: 'geojson.gz' };

/** What files are chosen of. */
export interface Offer {
  readonly files: readonly Download[];
  /** The releases that answer for editions, by the ids of these. */
  readonly releases: ReadonlyMap<string, string>;
  /** Where the service is. */
  readonly origin: string;
}

/** The file of a choice: that of a whole level where there is one, else one that is made. Undefined where there is neither. */
export function fileOf(choice: Choice, { files, releases, origin }: Offer): ChosenFile | undefined {
  const { area, level, boundaries, format, edition } = choice;
  const hasBoundaries = boundaries !== 'none';
  const resolution = hasBoundaries ? boundaries : null;
  const ending = STORED_ENDINGS[format] ?? format;
  const stored = files.find(
    (file) =>
      area === COUNTRY &&
      file.level === level &&
      file.resolution === resolution &&
      file.format === ending &&
      file.edition === edition,
  );
  if (stored) return { name: stored.id, href: stored.href, level, format: ending, hasBoundaries, stored };
  // Detailed boundaries of a whole level are too much to be made into a file on demand, but for those of Manila's parts.
  const isTooLarge = area === COUNTRY && boundaries === 'detailed' && level !== 'submunicipality';
  if (format === 'topojson' || isTooLarge) return undefined;
  const release = releases.get(edition);
  // A release carries older editions too.
  const parts = [
    ...(edition === NEWEST ? [] : [release?.startsWith(`${edition}-`) ? release : edition]),
    area,
    LEVELS[level].plural,
    ...(resolution ? [resolution] : []),
  ];
  const query = new URLSearchParams({ level, format, ...(resolution && { resolution }), ...(edition && { edition }) });
  return {
    name: `${parts.join('.')}.${format === 'shp' ? 'shp.zip' : format}`,
    href: `${origin}/v1/downloads/areas/${area}?${query}`,
    level,
    format,
    hasBoundaries,
  };
}

/** The formats that a choice can have, whichever it has. */
export function formatsOf(choice: Choice, offer: Offer): Format[] {
  const all = choice.boundaries === 'none' ? TABLE_FORMATS : LAYER_FORMATS;
  return all.filter((format) => fileOf({ ...choice, format }, offer) !== undefined);
}

/** An area to choose. */
export interface Area {
  /** `PH` for the country. */
  readonly code: string;
  readonly name: string;
  /** Undefined for the country. */
  readonly level?: Level | undefined;
}

/**
 * The levels that there are areas of inside an area.
 *
 * @param hasProvinces whether a region has any
 */
export function levelsIn({ code, level: own }: Area, hasProvinces: boolean): Level[] {
  return LEVEL_NAMES.filter((level) => {
    if (level === 'submunicipality') return WITH_SUBMUNICIPALITIES.includes(code);
    if (level === 'province' && own === 'region') return hasProvinces;
    return own === undefined || LEVEL_NAMES.indexOf(level) >= LEVEL_NAMES.indexOf(own);
  });
}

/** The choice in a query: what is not as the page begins. */
export function queryOf(choice: Choice, newest: string): string {
  const first: Record<string, string> = { ...FIRST_CHOICE, edition: newest };
  return new URLSearchParams(Object.entries(choice).filter(([name, value]) => first[name] !== value)).toString();
}

/** The choice that a query has, as far as it makes sense. */
export function choiceFrom(query: string, newest: string): Choice {
  const asked = new URLSearchParams(query);
  const oneOf = <T extends string>(name: string, allowed: readonly T[], otherwise: T): T =>
    allowed.find((value) => value === asked.get(name)) ?? otherwise;
  const boundaries = oneOf('boundaries', BOUNDARIES, FIRST_CHOICE.boundaries);
  const formats: readonly Format[] = boundaries === 'none' ? TABLE_FORMATS : LAYER_FORMATS;
  return {
    area: /^\d{10}$/.exec(asked.get('area') ?? '')?.[0] ?? COUNTRY,
    level: oneOf('level', LEVEL_NAMES, FIRST_CHOICE.level),
    boundaries,
    format: oneOf('format', formats, formats[0] as Format),
    edition: asked.get('edition') ?? newest,
  };
}
