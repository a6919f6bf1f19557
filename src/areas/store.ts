import type { Expression } from '../cql2/expression.ts';
import type { DataSource } from '../db/columns.ts';
import type { Geometry } from '../geojson/geometry.ts';
import type { Encoding } from '../http/codings.ts';
import type { Box } from '../layer-files/shapes.ts';
import type { NameIndex } from '../names/index.ts';
import type { NameSource } from '../names/source.ts';

/** Levels of geography that have their own family of routes. */
export type Level = 'region' | 'province' | 'municity' | 'barangay';

/** The type of a sub-municipality, which has its place among cities and municipalities. */
export const SUB_MUNICIPALITY = 'SubMun';

/** The levels of the areas that a code may name where an area of a level is requested. */
export function namedLevels(level: Area['level']): readonly Area['level'][] {
  return level === 'municity' ? ['municity', 'submunicipality'] : [level];
}

/** The level of what a list has. Sub-municipalities are in none but those of their type. */
export function listedLevel(level: Level, { type }: AreaFilter): Area['level'] {
  return level === 'municity' && type === SUB_MUNICIPALITY ? 'submunicipality' : level;
}

/** From the coarsest to the finest, the order in which snapshots store them. */
export const RESOLUTIONS = ['simple', 'medium', 'detailed'] as const;

export type Resolution = (typeof RESOLUTIONS)[number];

/** How much text of boundaries one statement brings along, bytes. The driver holds a whole answer in memory, twice. */
export const BOUNDARY_BUDGET = 1024 * 1024;

/** An administrative area as stored. Codes are ten-digit PSGC codes; coordinates are WGS 84 degrees. */
export interface Area {
  id: number;
  level: Level | 'submunicipality';
  code: string;
  name: string;
  type: string | null;
  cityClass: string | null;
  regionCode: string | null;
  provinceCode: string | null;
  hostProvinceCode: string | null;
  municityCode: string | null;
  /** The sub-municipality of a barangay of Manila. */
  submunicipalityCode: string | null;
  urbanRural: string | null;
  population: number | null;
  /** The census that `population` is of. */
  populationYear: number | null;
  /** As published: `1st`, `4th*`. */
  incomeClass: string | null;
  /** Square kilometres on the ellipsoid, with five decimals. */
  areaKm2: number | null;
  /** Residents for each square kilometre, with two decimals. */
  densityKm2: number | null;
  /** longitude, latitude */
  centroid: [number, number] | null;
  /** west, south, east, north */
  bbox: [number, number, number, number] | null;
  provinceCount: number;
  municityCount: number;
  hostedMunicityCount: number;
  barangayCount: number;
  /** Only of versions of areas: the days from which and to which it was on the lists. */
  validity?: Validity;
  /** Length of the boundary's text, zero where it was not requested or there is none. */
  boundaryBytes: number;
  /** GeoJSON text of the boundary; null where there is none or it is left to be read with `boundaries`. */
  boundary: string | null;
}

/** Consecutive editions in which an area is the same. Days are those of the lists, `2023-12-31`. */
export interface Validity {
  /** The day of the first list that has it. */
  readonly from: string;
  /** The day before the first list that does not have it any more; null while the newest has it. */
  readonly to: string | null;
  /** `2023-4q` */
  readonly firstEdition: string;
  readonly lastEdition: string;
  /** The place of the first edition among all. */
  readonly order: number;
}

/** Digits by which versions of areas are in order: those of the code, and three for the time. */
export function versionKey({ code, validity }: Pick<Area, 'code' | 'validity'>): string {
  return code + String(validity?.order ?? 0).padStart(3, '0');
}

/** How a parent is named in a filter. Old codes find the area that they named. */
export type Parent = { readonly code: string } | { readonly name: string };

/**
 * `admin`: areas whose administrative parent is the province. `geographic`: also the cities and municipalities that
 * lie in the province without belonging to it (highly urbanized and independent component cities among them).
 */
export type ProvinceScope = 'geographic' | 'admin';

/** What a list can be sorted by. Areas of which this is not known come last, and those that are alike by code. */
export const SORTS = ['code', 'name', 'population', 'area_km2'] as const;

export interface Order {
  readonly by: (typeof SORTS)[number];
  readonly descending: boolean;
}

/** Conditions that all must hold. Names are compared without accents and case. */
export interface AreaFilter {
  codes?: readonly string[] | undefined;
  nameContains?: string | undefined;
  nameStartsWith?: string | undefined;
  regions?: readonly Parent[] | undefined;
  province?: { readonly parent: Parent; readonly scope: ProvinceScope } | undefined;
  /** A city or municipality, or a sub-municipality. */
  municity?: Parent | undefined;
  type?: string | undefined;
  cityClass?: string | undefined;
  /** `4th` is also `4th*`: marks and remarks behind the class don't count. */
  incomeClass?: string | undefined;
  islandGroup?: 'luzon' | 'visayas' | 'mindanao' | undefined;
  populationMin?: number | undefined;
  populationMax?: number | undefined;
  /** Areas whose own box meets this one. Those without a boundary meet none. */
  meets?: Box | undefined;
  where?: Where | undefined;
}

/** A condition on the attributes of areas: see `attributes.ts` for their names. */
export interface Where {
  readonly expression: Expression;
  /** The codes of the areas that each geometry of the expression has a part of. */
  readonly meeting: ReadonlyMap<Geometry, ReadonlySet<string>>;
}

/** The class of a municipality, city or province without the mark or remark behind it: `4th*` is `4th`. */
export function plainIncomeClass(published: string): string {
  return published.toLowerCase().replace(/[ *].*/s, '');
}

/**
 * The options of every read. Lists and single areas bring along about as many boundaries as `BOUNDARY_BUDGET` allows and
 * leave the others to be read with `boundaries`.
 */
interface ReadOptions {
  /** The resolution of the boundaries to bring along; undefined: none. */
  resolution?: Resolution | undefined;
  /** The versions of releases of which the caller already has the answer. */
  knownVersions?: readonly string[] | undefined;
}

/**
 * An answer and the release it was made from. `unchanged` says that the caller already has this release's answer:
 * the value then has no areas in it.
 */
export interface Read<T> {
  readonly release: string;
  /** Tells this load of the release from every other. */
  readonly version: string;
  readonly unchanged: boolean;
  readonly value: T;
}

/**
 * The related areas to bring along with a single one: all its ancestors, hosts included; the areas of the level below,
 * with those it hosts; or those of its level that touch it.
 */
export type Relation = 'ancestors' | 'children' | 'neighbors';

/** The areas of many requested codes. */
export interface FoundAreas {
  areas: Area[];
  /** The requested codes of each of these areas, without duplicates. */
  requested: (readonly string[])[];
  /** Requested codes without an area, the abolished ones included. */
  missing: string[];
  abolished: { code: string; successors: string[] }[];
}

/** The current code of a requested one, or why there is none. */
export interface CodeLookup {
  /** Null where the requested code leads to no current area of the level. */
  code: string | null;
  /** Codes of the areas that took the place of an abolished one, as far as they are known; null where there was none. */
  successors: string[] | null;
  /** An area of another level that has the code. */
  otherLevel: { level: Area['level']; name: string; parent: string | null } | null;
}

/** The area of a requested code, with the related areas. */
export interface Lookup extends CodeLookup {
  area: Area | null;
  /** In the order of their codes. */
  related: Area[];
  boundarySet: BoundarySet;
  formerNames: string[];
  /** Every census of its list, the oldest first. */
  populationHistory: { year: number; population: number }[];
  /** What the footnotes of its list say of it. */
  notes: string[];
}

export type BoundarySet = 'none' | 'display' | 'full';

/** The boundaries of a level at one resolution. */
interface StoredBoundaries {
  /** The id of their release. */
  readonly release: string;
  readonly level: Level;
  readonly resolution: Resolution;
}

/** A part of a boundary's text, which is ASCII: characters are bytes. */
export interface Slice {
  code: string;
  /** The serial id of the area, which distinguishes versions of areas with the same code. */
  id: number;
  /** Characters before it. */
  start: number;
  length: number;
}

export interface CompressedCollection extends StoredCollection {
  readonly encoding: Encoding;
}

/** A FeatureCollection of all areas of a level whose bytes are stored. */
export interface StoredCollection {
  readonly release: string;
  readonly version: string;
  readonly encoding?: Encoding;
  /** In bytes. */
  readonly size: number;
  /** Its bytes, or a range of them; undefined where they can't be read. */
  read(range?: { offset: number; length: number }): Promise<Uint8Array | ReadableStream<Uint8Array> | undefined>;
}

/** The names of all areas, to search and to match. Rows are those of the index's source. */
export interface AreaNames {
  readonly source: NameSource;
  readonly index: NameIndex;
  /** `City` or `Municipality`; null at other levels. */
  typeOf(row: number): string | null;
}

/** A point in WGS 84 degrees. */
export interface Point {
  lat: number;
  lon: number;
}

/** What lies at a point. */
export interface Location {
  /** `contains`: boundaries around the point; `nearest`: an area of the requested level that is near it. */
  match: 'contains' | 'nearest' | null;
  /** Metres from the point to the nearest area; zero where boundaries contain it. */
  distance: number | null;
  region: Area | null;
  /** The province that the place belongs to. */
  province: Area | null;
  /** The province that the place lies in without belonging to it. */
  hostProvince: Area | null;
  municity: Area | null;
  /** Known from the barangay. */
  submunicipality: Area | null;
  barangay: Area | null;
}

/** An area, and how far from a point it is. */
export interface AreaNear {
  readonly area: Area;
  /** Metres, with one decimal; zero where it contains the point. */
  readonly distance: number;
}

/** A page by its number, or what follows a code in the order of codes; of versions of areas what follows a `versionKey`. */
export type Page =
  | { readonly page: number; readonly limit: number }
  | { readonly after: string; readonly limit: number };

/** A page of areas, or all that fit. */
export interface AreaList {
  /** How many fit, with a page; else zero. */
  total: number;
  areas: Area[];
  /** The cities and municipalities that the name in the filter could mean. */
  candidates: { code: string; name: string }[];
  boundarySet: BoundarySet;
}

/** What is served and where it comes from. */
export interface ServedSources {
  edition: string;
  /** The day that its list is of, `2023-12-31`; null where that is not known. */
  publishedOn: string | null;
  boundarySet: BoundarySet;
  sources: DataSource[];
}

/**
 * The one way to areas. Every method is one round trip unless it says otherwise and answers from the active release.
 *
 * @throws DomainError `data_not_loaded` when no release is active, `database_timeout`, `database_unavailable`
 */
export interface AreaStore {
  /** Where answers with boundaries are cached: what the instance makes of its memory is not worth asking the edge. */
  readonly cachedIn: 'edge' | 'instance';
  /** Areas in the order of their codes unless another is given: a page of them with the total, or all without one. */
  list(
    level: Level,
    filter: AreaFilter,
    options: ReadOptions & { page?: Page | undefined; order?: Order | undefined },
  ): Promise<Read<AreaList>>;
  /** What lies at each of some points, down to a level, and the nearest of that level within some metres of it. */
  reverseGeocode(
    points: readonly Point[],
    options: ReadOptions & { level: Area['level']; within: number },
  ): Promise<Read<{ boundarySet: BoundarySet; locations: Location[] }>>;
  /** The areas of a level within some metres of a point: a page of them with the total, the nearest first, then by code. */
  within(
    point: Point,
    options: ReadOptions & {
      level: Area['level'];
      metres: number;
      page: { page: number; limit: number };
    },
  ): Promise<Read<{ boundarySet: BoundarySet; total: number; found: AreaNear[] }>>;
  /** The version of the release that is served. */
  activeVersion(): Promise<string>;
  /**
   * The names of the release that is served, which the instance caches until another one is. No round trip with a snapshot;
   * without one, two where the instance does not have them yet.
   */
  names(): Promise<Read<AreaNames>>;
  /** What is served and where it comes from. */
  listSources(options: ReadOptions): Promise<Read<ServedSources>>;
  /** The area that a current or former code leads to. */
  find(level: Level, code: string, options: ReadOptions & { relation?: Relation | undefined }): Promise<Read<Lookup>>;
  /**
   * The areas of many codes in the requested order, each once, and the codes that lead nowhere. `requested` has the codes that
   * each area was requested by, in that order; `abolished`, of the codes that lead nowhere, those that once named an
   * area, with what took its place.
   */
  findMany(level: Level, codes: readonly string[], options: ReadOptions): Promise<Read<FoundAreas>>;
  /** Parts of the GeoJSON texts of a release's boundaries, in the order of the slices: what a list has left out. */
  boundaries(set: StoredBoundaries, slices: readonly Slice[]): Promise<readonly string[]>;
  /** The collection of all areas of a level, where any range of it can be read. Reads nothing. */
  plainCollection?(level: Level, resolution: Resolution): StoredCollection | undefined;
  /** The same as it was compressed when its release was published. */
  compressedCollection?(level: Level, resolution: Resolution, encoding: Encoding): CompressedCollection | undefined;
  /**
   * Areas by name: those with the text in their name, best match first, and where fewer than the limit have it, other
   * spellings and near misses. Without a snapshot these cost a second and, the first time, a third round trip.
   */
  search(
    level: Level,
    text: string,
    options: ReadOptions & { filter: AreaFilter; limit: number },
  ): Promise<Read<Area[]>>;
}
