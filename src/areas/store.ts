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

/** The level of the areas in a list. Sub-municipalities are listed only where their type is asked for. */
export function listedLevel(level: Level, { type }: AreaFilter): Area['level'] {
  return level === 'municity' && type === SUB_MUNICIPALITY ? 'submunicipality' : level;
}

/** From the coarsest to the finest, the order in which snapshots store them. */
export const RESOLUTIONS = ['simple', 'medium', 'detailed'] as const;

export type Resolution = (typeof RESOLUTIONS)[number];

/** Max bytes of boundaries that one statement reads, about. The driver holds a whole answer in memory, twice. */
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
  /** Only of versions of areas (`Validity`). */
  validity?: Validity;
  /** Length of the boundary's text; zero where there is none, or none was requested. */
  boundaryBytes: number;
  /** GeoJSON text of the boundary; null where there is none, or where `AreaStore.boundaries` must read it. */
  boundary: string | null;
}

/** The time of a version of an area: consecutive editions in which nothing of the area changed. Days are texts, `2023-12-31`. */
export interface Validity {
  /** The day of the first list that has it. */
  readonly from: string;
  /** The day before the first list that does not have it any more; null while the newest has it. */
  readonly to: string | null;
  /** `2023-4q` */
  readonly firstEdition: string;
  readonly lastEdition: string;
  /** The index of the first edition among all editions, the oldest first. */
  readonly order: number;
}

/** The digits that versions of areas are sorted by: the ten of the code, and three of the first edition's index. */
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

/** What a list can be sorted by. Areas without a value come last; areas with equal values are sorted by code. */
export const SORTS = ['code', 'name', 'population', 'area_km2'] as const;

export interface Order {
  readonly by: (typeof SORTS)[number];
  readonly descending: boolean;
}

/** Conditions on areas, all of which must hold. Names are compared without accents and case. */
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
  /** A bounding box that intersects the area's own. Areas without a boundary have none, and are left out. */
  meets?: Box | undefined;
  where?: Where | undefined;
}

/** A filter in CQL2 over the attributes of areas, whose names are in `attributes.ts`. */
export interface Where {
  readonly expression: Expression;
  /** For each geometry in the expression, the codes of the areas that intersect it. */
  readonly meeting: ReadonlyMap<Geometry, ReadonlySet<string>>;
}

/** The class of a municipality, city or province without the mark or remark behind it: `4th*` is `4th`. */
export function plainIncomeClass(published: string): string {
  return published.toLowerCase().replace(/[ *].*/s, '');
}

/**
 * The options of every read. Lists and single areas include about as many boundaries as `BOUNDARY_BUDGET` allows. The caller
 * reads the others with `AreaStore.boundaries`.
 */
interface ReadOptions {
  /** The resolution of the boundaries to include; undefined: no boundaries. */
  resolution?: Resolution | undefined;
  /** The versions of releases whose answers the caller already has. */
  knownVersions?: readonly string[] | undefined;
}

/** What was read, and the release that it was read from. */
export interface Read<T> {
  /** The id of the release. */
  readonly release: string;
  /** The id of this load of the release. */
  readonly version: string;
  /** Whether the version is one of `knownVersions`. The value then has no areas. */
  readonly unchanged: boolean;
  readonly value: T;
}

/**
 * The related areas to include with a single one. `ancestors`: with its host province; `children`: the areas of the level below,
 * with those that it hosts; `neighbors`: the areas of its level that touch it.
 */
export type Relation = 'ancestors' | 'children' | 'neighbors';

/** The areas that many requested codes lead to. */
export interface FoundAreas {
  areas: Area[];
  /** For each of these areas the codes that it was requested by, without duplicates. */
  requested: (readonly string[])[];
  /** Requested codes that lead to no area, those of abolished areas included. */
  missing: string[];
  /** The codes of abolished areas, with the areas that took their place. */
  abolished: { code: string; successors: string[] }[];
}

/** The current code that a requested code leads to, or why it leads to none. */
export interface CodeLookup {
  /** Null where the requested code leads to no current area of the level. */
  code: string | null;
  /** Of the code of an abolished area: the codes of the areas that took its place, as far as they are known. Null for other codes. */
  successors: string[] | null;
  /** The area of another level that has the code. */
  otherLevel: { level: Area['level']; name: string; parent: string | null } | null;
}

/** The area of a requested code, with the related areas. */
export interface Lookup extends CodeLookup {
  area: Area | null;
  /** In the order of their codes. */
  related: Area[];
  boundarySet: BoundarySet;
  formerNames: string[];
  /** The residents by every census of the edition, the oldest first. */
  populationHistory: { year: number; population: number }[];
  /** The footnotes of the edition's list that are about the area. */
  notes: string[];
}

/** Which boundaries there are; `display`: only coarse ones to look at; `full`: also detailed ones, which say what lies where. */
export type BoundarySet = 'none' | 'display' | 'full';

/** The boundaries of a level at one resolution. */
interface StoredBoundaries {
  /** The id of their release. */
  readonly release: string;
  readonly level: Level;
  readonly resolution: Resolution;
}

/** A part of the GeoJSON text of a boundary. The text is ASCII, so its characters are bytes. */
export interface Slice {
  code: string;
  /** The serial id of the area, which distinguishes versions of areas with the same code. */
  id: number;
  /** Characters of the text before the slice. */
  start: number;
  /** Characters of the slice. */
  length: number;
}

/** A stored FeatureCollection of all areas of a level. */
export interface StoredCollection {
  readonly release: string;
  readonly version: string;
  readonly encoding?: Encoding;
  /** In bytes. */
  readonly size: number;
  /** Reads the bytes, or a range of them; undefined where they can't be read. */
  read(range?: { offset: number; length: number }): Promise<Uint8Array | ReadableStream<Uint8Array> | undefined>;
}

export interface CompressedCollection extends StoredCollection {
  readonly encoding: Encoding;
}

/** The names of all areas, for searching and matching. Areas are rows of `source`. */
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

/** A page by its number, or the areas after a code in the order of codes. For versions of areas `after` is a `versionKey`. */
export type Page =
  | { readonly page: number; readonly limit: number }
  | { readonly after: string; readonly limit: number };

/** The areas that a filter includes, or a page of them. */
export interface AreaList {
  /** The number of areas that the filter includes; zero where no page was requested. */
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
  /** Where answers with boundaries are cached. An instance makes them from its memory faster than it can ask the edge. */
  readonly cachedIn: 'edge' | 'instance';
  /** The areas of a level that a filter includes, by code unless another order is given: all of them, or a page with the total. */
  list(
    level: Level,
    filter: AreaFilter,
    options: ReadOptions & { page?: Page | undefined; order?: Order | undefined },
  ): Promise<Read<AreaList>>;
  /** The areas at each point, from the region down to a level, or the nearest area of that level within `within` metres. */
  reverseGeocode(
    points: readonly Point[],
    options: ReadOptions & { level: Area['level']; within: number },
  ): Promise<Read<{ boundarySet: BoundarySet; locations: Location[] }>>;
  /** The areas of a level within `metres` of a point: a page of them with the total, the nearest first, then by code. */
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
   * The areas that many codes lead to, each once, in the order of the codes; and the codes that lead to none.
   */
  findMany(level: Level, codes: readonly string[], options: ReadOptions): Promise<Read<FoundAreas>>;
  /** Reads slices of boundaries that another read has left out, in the order of the slices. */
  boundaries(set: StoredBoundaries, slices: readonly Slice[]): Promise<readonly string[]>;
  /** The collection of all areas of a level, of which any range can be read. The call itself reads nothing. */
  plainCollection?(level: Level, resolution: Resolution): StoredCollection | undefined;
  /** The collection of all areas of a level as it was compressed when its release was published. The call itself reads nothing. */
  compressedCollection?(level: Level, resolution: Resolution, encoding: Encoding): CompressedCollection | undefined;
  /**
   * The areas with the text in their name, best match first. If there are fewer than the limit, names of similar spelling follow;
   * without a snapshot these cost a second round trip, and the first time a third.
   */
  search(
    level: Level,
    text: string,
    options: ReadOptions & { filter: AreaFilter; limit: number },
  ): Promise<Read<Area[]>>;
}
