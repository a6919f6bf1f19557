import { recordOf } from '../areas/records.ts';
import type { FileLevel } from '../areas/snapshot/download-names.ts';
import type { Area, Level } from '../areas/store.ts';
import type { Column, Value } from '../layer-files/columns.ts';

const text = (name: string): Column => ({ name, type: 'text' });
const integer = (name: string): Column => ({ name, type: 'integer' });
const number = (name: string): Column => ({ name, type: 'number' });

const MUNICITY_COLUMNS = [text('type'), text('city_class')];

/** Reads the code of each kind of parent, by the prefix of its columns (`r_code`, `r_name`). */
const CODE_OF = {
  sm: (area: Area) => area.submunicipalityCode,
  m: (area: Area) => area.municityCode,
  p: (area: Area) => area.provinceCode,
  host_province: (area: Area) => area.hostProvinceCode,
  r: (area: Area) => area.regionCode,
};

type Parent = keyof typeof CODE_OF;

/** The parents that areas of a level have, the smallest first. */
const PARENTS: Readonly<Record<FileLevel, readonly Parent[]>> = {
  region: [],
  province: ['r'],
  municity: ['p', 'host_province', 'r'],
  submunicipality: ['m', 'r'],
  barangay: ['sm', 'm', 'p', 'r'],
};

/** The columns of all levels. `lon` and `lat` replace the record's centroid. */
const COMMON = [
  integer('population'),
  integer('population_year'),
  text('income_class'),
  text('urban_rural'),
  number('area_km2'),
  number('density_km2'),
  text('iso_3166_2'),
  text('island_group'),
  text('pcode'),
  number('lon'),
  number('lat'),
];

/** The extent. */
const EXTENT = ['west', 'south', 'east', 'north'].map(number);

/**
 * The columns of the files of a level, in the order of the members of list records. The names of the parents follow their codes.
 * `id` is left out because it changes with every release, `zip_codes` because it is a list, and parents that no area of the level
 * has. Other columns are in the files of all levels, even if they are null for one; only `type` and `city_class` are not.
 *
 * @param kind `table` also has the extent; in a layer the geometry has it
 */
export function columnsOf(level: FileLevel, kind: 'table' | 'layer'): Column[] {
  const parents = ['code', 'name'].flatMap((of) => PARENTS[level].map((parent) => text(`${parent}_${of}`)));
  return [
    ...[text('name'), text('code'), ...(level === 'municity' ? MUNICITY_COLUMNS : []), ...parents, ...COMMON],
    ...(kind === 'table' ? EXTENT : []),
  ];
}

/** The codes of the parents of areas, each once, by the level whose list has them. */
export function parentCodesOf(areas: readonly Area[]): [Level, string[]][] {
  const codesOf = (...parents: Parent[]) => [
    ...new Set(parents.flatMap((parent) => areas.map(CODE_OF[parent])).filter((code) => code !== null)),
  ];
  return [
    ['region', codesOf('r')],
    ['province', codesOf('p', 'host_province')],
    ['municity', codesOf('m', 'sm')],
  ];
}

/**
 * The values of an area, in the order of the columns.
 *
 * @param names names of parents, by their codes
 * @throws Error if the record of the level lacks a column
 */
export function valuesOf(
  level: FileLevel,
  area: Area,
  { columns, names }: { columns: readonly Column[]; names: ReadonlyMap<string, string> },
): Value[] {
  const recordLevel = level === 'submunicipality' ? 'municity' : level;
  const [lon, lat] = area.centroid ?? [null, null];
  const [west, south, east, north] = area.bbox ?? [null, null, null, null];
  const parents = PARENTS[level].map((parent) => [`${parent}_name`, names.get(CODE_OF[parent](area) ?? '') ?? null]);
  const values: Record<string, unknown> = {
    ...recordOf(recordLevel, area),
    ...Object.fromEntries(parents),
    lon,
    lat,
    west,
    south,
    east,
    north,
  };
  return columns.map(({ name }) => {
    const value = values[name];
    if (value === undefined) throw new Error(`Records of a ${level} have no member ${name}.`);
    return value as Value;
  });
}
