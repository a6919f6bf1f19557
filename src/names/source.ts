/** The levels of areas in the order of their rows. */
export const NAME_LEVELS = ['region', 'province', 'municity', 'submunicipality', 'barangay'] as const;

export type NameLevel = (typeof NAME_LEVELS)[number];

/** The columns of a list that hold names. The one of cities and municipalities may hold a sub-municipality of Manila. */
export const COLUMNS = ['region', 'province', 'municity', 'barangay'] as const;

export type Column = (typeof COLUMNS)[number];

/** The column in which the name of an area of a level stands. */
export function columnOf(level: NameLevel): Column {
  return level === 'submunicipality' ? 'municity' : level;
}

/** The first row of the areas whose names stand in a column, and the row after the last. */
export function rowsOfColumn(source: NameSource, column: Column): { first: number; end: number } {
  const { first, end } = source.rowsOf(column);
  // Sub-municipalities follow cities and municipalities.
  return column === 'municity' ? { first, end: source.rowsOf('submunicipality').end } : { first, end };
}

/** Each row from `first` on, without `end`. */
export function eachOf({ first, end }: { first: number; end: number }): number[] {
  return Array.from({ length: end - first }, (_, i) => first + i);
}

/** Row number for a missing parent. */
export const NO_PARENT = 0xffff;

/**
 * The areas of one release as an index of names reads them. Rows are sorted by level and within a level by code. The
 * opened areas of a snapshot are such a source, and `sourceOf` makes one of records. Its methods declare `this`, so that
 * the compiler refuses one that is taken off its object.
 */
export interface NameSource {
  readonly size: number;
  readonly codes: Uint32Array;
  /** Rows of ancestors and hosts, `NO_PARENT` where there is none. */
  readonly regions: Uint16Array;
  readonly provinces: Uint16Array;
  readonly hosts: Uint16Array;
  readonly municities: Uint16Array;
  readonly submunicipalities: Uint16Array;
  /** Inhabitants; -1 if unknown. */
  readonly populations: Int32Array;
  /** The first row of a level and the row after its last. */
  rowsOf(this: NameSource, level: NameLevel): { first: number; end: number };
  nameOf(this: NameSource, row: number): string;
  formerNames(this: NameSource, row: number): readonly string[];
  /**
   * For each former name the last edition that has it, and the first in which the area has the name of today: `2023-1q
   * 2023-4q`. An unknown one is empty before or after the space.
   */
  formerEditions(this: NameSource, row: number): readonly string[];
  /** The areas that a former code of a level leads to. */
  formerCodes?(level: NameLevel, code: string): readonly { readonly row: number }[];
  /** Calls back with every former code of a level and the row it leads to. */
  eachFormerCode?(found: (level: NameLevel, code: string, row: number) => void): void;
}

/** An area as a record. Codes are ten-digit PSGC codes. */
export interface NamedArea {
  readonly level: NameLevel;
  readonly code: string;
  readonly name: string;
  readonly regionCode: string | null;
  readonly provinceCode: string | null;
  readonly hostProvinceCode: string | null;
  readonly municityCode: string | null;
  readonly submunicipalityCode: string | null;
  readonly population: number | null;
}

/** A former name or code of an area. */
interface Former {
  readonly names?: Iterable<{
    readonly code: string;
    readonly name: string;
    readonly until?: string | null;
    readonly since?: string | null;
  }>;
  readonly codes?: Iterable<{ readonly level: NameLevel; readonly alias: string; readonly code: string }>;
}

/**
 * A source of records in any order, for commands and browsers that have no snapshot.
 *
 * @throws Error if a parent is no area, or there are more areas than rows have numbers
 */
export function sourceOf(areas: readonly NamedArea[], former: Former = {}): NameSource {
  // Methods use only the columns, so that the records can be garbage-collected.
  const { names, starts, formerNames, formerEditions, formerCodes, ...columns } = laidOut(areas, former);
  return {
    size: names.length,
    ...columns,
    rowsOf: (level) => ({ first: starts[order(level)] as number, end: starts[order(level) + 1] as number }),
    nameOf: (row) => names[row] ?? '',
    formerNames: (row) => formerNames.get(row) ?? [],
    formerEditions: (row) => formerEditions.get(row) ?? [],
    formerCodes: (level, code) => formerCodes.get(`${level} ${code}`) ?? [],
    eachFormerCode: (found) => {
      for (const [key, leads] of formerCodes) {
        const [level = '', code = ''] = key.split(' ');
        for (const { row } of leads) found(level as NameLevel, code, row);
      }
    },
  };
}

function order(level: NameLevel): number {
  return NAME_LEVELS.indexOf(level);
}

function laidOut(areas: readonly NamedArea[], former: Former) {
  if (areas.length >= NO_PARENT) throw new Error(`An index has room for ${NO_PARENT - 1} areas, not ${areas.length}`);
  const rows = [...areas].sort((a, b) => order(a.level) - order(b.level) || (a.code < b.code ? -1 : 1));
  const rowOf = new Map(rows.map(({ level, code }, row) => [`${level} ${code}`, row]));
  const parents = (level: NameLevel, code: (area: NamedArea) => string | null) =>
    Uint16Array.from(rows, (area) => {
      const parent = code(area);
      if (parent === null) return NO_PARENT;
      const row = rowOf.get(`${level} ${parent}`);
      if (row === undefined) throw new Error(`${area.code} has the parent ${parent}, which is no ${level}`);
      return row;
    });
  const byCode = new Map(rows.map(({ code }, row) => [code, row]));
  const formerNames = new Map<number, string[]>();
  const formerEditions = new Map<number, string[]>();
  for (const { code, name, until, since } of former.names ?? []) {
    const row = byCode.get(code);
    if (row === undefined) continue;
    formerNames.set(row, [...(formerNames.get(row) ?? []), name]);
    formerEditions.set(row, [...(formerEditions.get(row) ?? []), `${until ?? ''} ${since ?? ''}`]);
  }
  const formerCodes = new Map<string, { row: number }[]>();
  for (const { level, alias, code } of former.codes ?? []) {
    const row = rowOf.get(`${level} ${code}`);
    if (row === undefined) continue;
    const key = `${level} ${alias}`;
    formerCodes.set(key, [...(formerCodes.get(key) ?? []), { row }]);
  }
  const starts = [...NAME_LEVELS.map((level) => rows.findIndex((area) => area.level === level)), rows.length];
  for (let at = starts.length - 2; at >= 0; at -= 1) if (starts[at] === -1) starts[at] = starts[at + 1] as number;
  return {
    codes: Uint32Array.from(rows, ({ code }) => Number(code)),
    regions: parents('region', ({ regionCode }) => regionCode),
    provinces: parents('province', ({ provinceCode }) => provinceCode),
    hosts: parents('province', ({ hostProvinceCode }) => hostProvinceCode),
    municities: parents('municity', ({ municityCode }) => municityCode),
    submunicipalities: parents('submunicipality', ({ submunicipalityCode }) => submunicipalityCode),
    populations: Int32Array.from(rows, ({ population }) => population ?? -1),
    names: rows.map(({ name }) => name),
    starts,
    formerNames,
    formerEditions,
    formerCodes,
  };
}

/** The row of a level with a code; -1 if none. A code whose region has changed is found by its last eight digits. */
export function rowOfCode(source: NameSource, level: NameLevel, code: string): number {
  const exact = rowAt(source, level, Number(code));
  if (exact !== -1 || level === 'region') return exact;
  const { first, end } = source.rowsOf('region');
  for (let region = first; region < end; region += 1) {
    const row = rowAt(source, level, (source.codes[region] as number) + Number(code.slice(2)));
    if (row !== -1) return row;
  }
  return -1;
}

/** The row of a level with exactly a code; -1: none. */
export function rowAt(source: NameSource, level: NameLevel, code: number): number {
  let { first, end } = source.rowsOf(level);
  while (first < end) {
    const middle = (first + end) >>> 1;
    const found = source.codes[middle] as number;
    if (found === code) return middle;
    if (found < code) first = middle + 1;
    else end = middle;
  }
  return -1;
}
