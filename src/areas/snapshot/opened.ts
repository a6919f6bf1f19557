import type { Box } from '../../layer-files/shapes.ts';
import { nameKey } from '../names.ts';
import { type Area, RESOLUTIONS, type Resolution } from '../store.ts';
import { Columns } from './columns.ts';
import { NO_ROW, ROW_LEVELS, type SnapshotFacts } from './layout.ts';
import { NameKeys } from './name-keys.ts';
import { RowGroups } from './row-groups.ts';
import { lengthsName, StoredBoundaries } from './stored-boundaries.ts';
import { type VersionColumns, validityOf, versionColumns } from './version-columns.ts';

/** Coordinates are stored as integers: millionths of a degree. */
export const PER_DEGREE = 1_000_000;

/** Stands in the columns of centroids and boxes where an area has no boundary. */
export const NO_DEGREES = -0x80000000;

/** Sizes are stored as integers: hundred-thousandths of a square kilometre. */
export const PER_KM2 = 100_000;

/** Densities are stored as integers: hundredths of a resident for each square kilometre. */
export const PER_DENSITY = 100;

/** Stands in the column of sizes where the size is not known. */
export const UNKNOWN_KM2 = 0xffffffff;

/** The columns of parents, and the level whose rows they name. */
const PARENT_LEVELS = {
  regions: 'region',
  provinces: 'province',
  hosts: 'province',
  municities: 'municity',
  submunicipalities: 'submunicipality',
} as const;

/** Columns that every row has a value in. */
const PER_ROW = [
  ...['code', 'id', 'region', 'province', 'host', 'municity', 'submunicipality', 'population', 'type', 'city_class'],
  ...['urban_rural', 'lon', 'lat', 'west', 'south', 'east', 'north'],
];

/** What a former code leads to: the renumbered area, or one of the successors of an abolished area. */
export interface FormerCode {
  /** The row of that area. */
  readonly row: number;
  readonly change: 'renumbered' | 'abolished';
}

/**
 * The areas of one release, opened: columns of numbers by row. Rows are sorted by level and then by code, so that within
 * a level the lowest row has the lowest code. Records are made of a row when they are needed.
 */
export class OpenedAreas extends Columns<SnapshotFacts> {
  /** The areas of the release, where these are those of an edition that it includes. */
  readonly base: OpenedAreas | undefined;
  readonly boundaries: StoredBoundaries;
  readonly codes = this.uint32('code');
  /** The number of rows. */
  readonly size = this.codes.length;
  /** Rows of parents and hosts, `NO_ROW` where there is none. */
  readonly regions = this.uint16('region');
  readonly provinces = this.uint16('province');
  readonly hosts = this.uint16('host');
  readonly municities = this.uint16('municity');
  readonly submunicipalities = this.uint16('submunicipality');
  readonly populations = this.int32('population');
  readonly types = this.uint8('type');
  readonly #ids = this.int32('id');
  readonly cityClasses = this.uint8('city_class');
  // Releases that earlier builds published have none of the next four columns.
  readonly incomeClasses = this.has('income_class') ? this.uint8('income_class') : new Uint8Array(this.size);
  /** Hundred-thousandths of a square kilometre, `UNKNOWN_KM2` where it is not known. */
  readonly areasKm2 = this.has('area') ? this.uint32('area') : new Uint32Array(this.size).fill(UNKNOWN_KM2);
  /** Hundredths of a resident for each square kilometre, -1 where it is not known. */
  readonly densities = this.has('density') ? this.int32('density') : new Int32Array(this.size).fill(-1);
  /** 0 where there is none. */
  readonly populationYears = this.has('population_year') ? this.uint16('population_year') : new Uint16Array(this.size);
  readonly urbanRurals = this.uint8('urban_rural');
  /** Millionths of a degree, `NO_DEGREES` where there is no boundary. */
  readonly lons = this.int32('lon');
  readonly lats = this.int32('lat');
  readonly #boxes = ['west', 'south', 'east', 'north'].map((name) => this.int32(name));
  readonly #counts = ['province_count', 'municity_count', 'hosted_municity_count', 'barangay_count'].map((name) =>
    this.uint16(name),
  );
  readonly #names = this.text('name');
  readonly #nameEnds = lineEnds(this.#names, this.size);
  /** The first row of each level and the end of the last. */
  readonly #starts: readonly number[];
  #cells: Map<number, { readonly offset: number; readonly length: number }> | undefined;
  readonly #groups = new Map<string, RowGroups>();
  #formerCodes: Map<string, FormerCode[]> | undefined;
  /** Former codes that lead to no area, each behind its level: `barangay 0102802011`. */
  readonly #goneCodes = new Set<string>();
  #formerNames: Map<number, string[]> | undefined;
  #keys: (NameKeys | undefined)[] = [];
  #neighbors: { starts: Uint32Array; rows: Uint16Array } | undefined;
  #versions: VersionColumns | undefined;
  #formerEditions: Map<number, string[]> | undefined;
  readonly #censuses = new Map<string, Int32Array>();
  #notes: Map<number, string[]> | undefined;

  /**
   * @param base the areas of the release, where these are those of an edition that it includes
   * @throws Error if the bytes are no areas of a snapshot
   */
  constructor(bytes: Uint8Array, base?: OpenedAreas) {
    super(bytes);
    this.base = base;
    this.boundaries = new StoredBoundaries(this, base && { areas: base, boundaries: base.boundaries });
    let start = 0;
    this.#starts = [0, ...this.facts.rows.map((count) => (start += count))];
    for (const name of [...PER_ROW, ...RESOLUTIONS.map(lengthsName)]) {
      const length = this.lengthOf(name);
      if (length !== start) throw new Error(`The areas have a column ${name} of ${length} rows in place of ${start}`);
    }
  }

  /**
   * Reads each kind of column that is otherwise read lazily, so that a broken one is found before the areas are served.
   *
   * @throws Error for a broken column
   */
  requireReadable(): void {
    this.boundaries.offsetOf(0, 'simple');
    for (const parent of ['provinces', 'hosts'] as const)
      this.rowsIn('municity', parent, this.rowsOf('province').first);
    for (const level of ['municity', 'submunicipality'] as const) {
      const { first, end } = this.rowsOf(level);
      // The list of a part of the country may have no sub-municipality.
      if (first < end) this.barangaysOf(first);
    }
    this.neighborsOf(0);
    this.formerCodes('region', '');
    this.formerNames(0);
    this.populationHistory(0);
    this.notes(0);
    this.cellAt(0);
    for (const level of ROW_LEVELS) this.keysOf(level);
  }

  /** Bytes of all cells of points together. */
  get pointBytes(): number {
    return this.int32('cell_bytes').reduce((sum, bytes) => sum + bytes, 0);
  }

  /** The first row of a level and the row after its last. */
  rowsOf(level: Area['level']): { first: number; end: number } {
    const at = ROW_LEVELS.indexOf(level);
    return { first: this.#starts[at] as number, end: this.#starts[at + 1] as number };
  }

  levelOf(row: number): Area['level'] {
    let at = 0;
    while (row >= (this.#starts[at + 1] as number)) at += 1;
    return ROW_LEVELS[at] as Area['level'];
  }

  codeOf(row: number): string {
    return String(this.codes[row]).padStart(10, '0');
  }

  nameOf(row: number): string {
    return this.#names.slice(row === 0 ? 0 : (this.#nameEnds[row - 1] as number) + 1, this.#nameEnds[row]);
  }

  /** `City` or `Municipality`; null at other levels. */
  typeOf(row: number): string | null {
    return this.facts.words[this.types[row] as number] ?? null;
  }

  /** The row of a level with a ten-digit code, -1 where there is none. */
  rowOf(level: Area['level'], code: string): number {
    if (code.length !== 10) return -1;
    const wanted = Number(code);
    let { first, end } = this.rowsOf(level);
    while (first < end) {
      const middle = (first + end) >>> 1;
      const found = this.codes[middle] as number;
      if (found === wanted) return middle;
      if (found < wanted) first = middle + 1;
      else end = middle;
    }
    return -1;
  }

  /** The record of a row. The boundary is left to be read. */
  area(row: number, resolution: Resolution | undefined): Area {
    const { words } = this.facts;
    const codeAt = (parents: Uint16Array) => {
      const parent = parents[row] as number;
      return parent === NO_ROW ? null : this.codeOf(parent);
    };
    const word = (column: Uint8Array) => words[column[row] as number] ?? null;
    const population = this.populations[row] as number;
    const size = this.areasKm2[row] as number;
    const density = this.densities[row] as number;
    const lon = this.lons[row] as number;
    const [west, south, east, north] = this.#boxes.map((side) => side[row] as number) as [
      number,
      number,
      number,
      number,
    ];
    const [provinceCount, municityCount, hostedMunicityCount, barangayCount] = this.#counts.map(
      (counts) => counts[row] as number,
    ) as [number, number, number, number];
    return {
      id: this.#ids[row] as number,
      level: this.levelOf(row),
      code: this.codeOf(row),
      name: this.nameOf(row),
      type: this.typeOf(row),
      cityClass: word(this.cityClasses),
      regionCode: codeAt(this.regions),
      provinceCode: codeAt(this.provinces),
      hostProvinceCode: codeAt(this.hosts),
      municityCode: codeAt(this.municities),
      submunicipalityCode: codeAt(this.submunicipalities),
      urbanRural: word(this.urbanRurals),
      population: population === -1 ? null : population,
      populationYear: this.populationYears[row] || null,
      incomeClass: word(this.incomeClasses),
      areaKm2: size === UNKNOWN_KM2 ? null : size / PER_KM2,
      densityKm2: density === -1 ? null : density / PER_DENSITY,
      centroid: lon === NO_DEGREES ? null : [lon / PER_DEGREE, (this.lats[row] as number) / PER_DEGREE],
      bbox: west === NO_DEGREES ? null : [west / PER_DEGREE, south / PER_DEGREE, east / PER_DEGREE, north / PER_DEGREE],
      provinceCount,
      municityCount,
      hostedMunicityCount,
      barangayCount,
      ...(this.isThroughTime && { validity: validityOf(this.versions, row) }),
      boundaryBytes: resolution === undefined ? 0 : this.boundaries.bytesOf(row, resolution),
      boundary: null,
    };
  }

  /** Whether rows are versions of areas. Their ids are their rows from 1, and some have the same code. */
  get isThroughTime(): boolean {
    return this.facts.editions !== undefined;
  }

  /** The time of the rows, where they are versions of areas. */
  get versions(): VersionColumns {
    this.#versions ??= versionColumns(this);
    return this.#versions;
  }

  /** Whether a row has a boundary. */
  isDrawn(row: number): boolean {
    return (this.#boxes[0] as Int32Array)[row] !== NO_DEGREES;
  }

  /** Whether the box of a row meets another one. The box of an area without a boundary meets none. */
  meets(row: number, [west, south, east, north]: Box): boolean {
    const side = (at: number) => (this.#boxes[at] as Int32Array)[row] as number;
    if (side(0) === NO_DEGREES) return false;
    return (
      side(0) / PER_DEGREE <= east &&
      side(1) / PER_DEGREE <= north &&
      side(2) / PER_DEGREE >= west &&
      side(3) / PER_DEGREE >= south
    );
  }

  /** The areas of a level in a parent, or those that it hosts, in the order of their codes. */
  rowsIn(
    level: 'municity' | 'submunicipality' | 'barangay',
    parent: keyof typeof PARENT_LEVELS,
    row: number,
  ): Uint16Array {
    const name = `${level} ${parent}`;
    let groups = this.#groups.get(name);
    if (!groups) {
      groups = new RowGroups(this[parent], this.rowsOf(level), this.rowsOf(PARENT_LEVELS[parent]));
      this.#groups.set(name, groups);
    }
    return groups.of(row);
  }

  /** The barangays of a city, municipality or sub-municipality, in the order of their codes. */
  barangaysOf(row: number): Uint16Array {
    const isSubMunicipality = this.levelOf(row) === 'submunicipality';
    return this.rowsIn('barangay', isSubMunicipality ? 'submunicipalities' : 'municities', row);
  }

  /** The areas that touch one of their level, in the order of their codes. */
  neighborsOf(row: number): Uint16Array {
    this.#neighbors ??= {
      starts: startsOf(this.uint16('neighbor_count')),
      rows: this.uint16('neighbor'),
    };
    const { starts, rows } = this.#neighbors;
    return rows.subarray(starts[row], starts[row + 1]);
  }

  /** What a former code of a level led to, in the order of the codes that it leads to. */
  formerCodes(level: Area['level'], code: string): readonly FormerCode[] {
    return this.#byFormerCode().get(`${level} ${code}`) ?? [];
  }

  /** Whether a former code of a level leads to no area. */
  isGone(level: Area['level'], code: string): boolean {
    this.#byFormerCode();
    return this.#goneCodes.has(`${level} ${code}`);
  }

  /** Calls back with every former code of a level, and what it led to. */
  eachFormerCode(found: (level: Area['level'], code: string, row: number) => void): void {
    for (const [key, leads] of this.#byFormerCode()) {
      const [level = '', code = ''] = key.split(' ');
      for (const { row } of leads) found(level as Area['level'], code, row);
    }
  }

  #byFormerCode(): Map<string, FormerCode[]> {
    if (this.#formerCodes) return this.#formerCodes;
    const found = new Map<string, FormerCode[]>();
    for (const line of linesOf(this.text('former_code'))) {
      const [level = '', alias = '', row = '', change = ''] = line.split(' ');
      const key = `${level} ${alias}`;
      if (row === '-1') {
        this.#goneCodes.add(key);
        continue;
      }
      const entry = { row: Number(row), change: change as FormerCode['change'] };
      const known = found.get(key);
      if (known) known.push(entry);
      else found.set(key, [entry]);
    }
    this.#formerCodes = found;
    return found;
  }

  /** The names that an area once had, sorted as the database sorts them. */
  formerNames(row: number): string[] {
    this.#formerNames ??= this.#readLines('former_name');
    return this.#formerNames.get(row) ?? [];
  }

  /** Until and since which edition the area had each of `formerNames`, in the form that `NameSource` describes. */
  formerEditions(row: number): string[] {
    this.#formerEditions ??= this.#readLines('former_edition');
    return this.#formerEditions.get(row) ?? [];
  }

  /** By row: the lines of a column of texts, each of which begins with its row. Earlier builds made some of these columns not yet. */
  #readLines(column: string): Map<number, string[]> {
    const found = new Map<number, string[]>();
    if (!this.has(column)) return found;
    for (const line of linesOf(this.text(column))) {
      const space = line.indexOf(' ');
      const row = Number(line.slice(0, space));
      const known = found.get(row);
      if (known) known.push(line.slice(space + 1));
      else found.set(row, [line.slice(space + 1)]);
    }
    return found;
  }

  /** The residents of an area in each census whose count the release has, the oldest first. */
  populationHistory(row: number): { year: number; population: number }[] {
    return (this.facts.censusYears ?? []).flatMap((year) => {
      const name = `population_${year}`;
      const counts = this.#censuses.get(name) ?? this.int32(name);
      this.#censuses.set(name, counts);
      const population = counts[row] as number;
      return population === -1 ? [] : [{ year, population }];
    });
  }

  /** The footnotes of the PSGC about an area. */
  notes(row: number): string[] {
    this.#notes ??= this.#readLines('note');
    return this.#notes.get(row) ?? [];
  }

  /** Where a cell (see `cellOf` of grid.ts) lies in the object of points, bytes; undefined where nothing is in it. */
  cellAt(number: number): { readonly offset: number; readonly length: number } | undefined {
    if (this.base) return this.base.cellAt(number);
    this.#cells ??= this.#readCells();
    return this.#cells.get(number);
  }

  #readCells() {
    const numbers = this.int32('cell');
    const lengths = this.int32('cell_bytes');
    const starts = startsOf(lengths);
    return new Map(
      Array.from(numbers, (number, i) => [number, { offset: starts[i] as number, length: lengths[i] as number }]),
    );
  }

  /** The names of a level in the form in which they are searched. */
  keysOf(level: Area['level']): NameKeys {
    const at = ROW_LEVELS.indexOf(level);
    this.#keys[at] ??= this.#readKeys(level);
    return this.#keys[at];
  }

  #readKeys(level: Area['level']): NameKeys {
    const { first, end } = this.rowsOf(level);
    if (this.has(`key_${level}`)) {
      const [counts, former] = [this.uint8(`key_count_${level}`), this.uint8(`key_former_${level}`)];
      return new NameKeys(this.text(`key_${level}`), counts, former, first);
    }
    // Earlier builds published no keys for some levels.
    const names = Array.from({ length: end - first }, (_, i) => nameKey(this.nameOf(first + i)));
    const counts = new Uint8Array(names.length).fill(1);
    return new NameKeys(names.join('\n'), counts, new Uint8Array(names.length), first);
  }
}

/** Where each line of a text ends. */
function lineEnds(text: string, count: number): Uint32Array {
  const ends = new Uint32Array(count);
  let at = 0;
  for (let i = 0; i < count; i += 1) {
    const end = text.indexOf('\n', at);
    ends[i] = end === -1 ? text.length : end;
    at = (ends[i] as number) + 1;
  }
  return ends;
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}

/** Where each of some groups begins, and the end of the last, from their sizes. */
function startsOf(counts: Uint16Array | Int32Array): Uint32Array {
  const starts = new Uint32Array(counts.length + 1);
  for (let i = 0; i < counts.length; i += 1) starts[i + 1] = (starts[i] as number) + (counts[i] as number);
  return starts;
}
