import { recordOf } from '../areas/records.ts';
import type { FileLevel } from '../areas/snapshot/download-names.ts';
import type { Area, Level } from '../areas/store.ts';
import type { Column, Value } from '../layer-files/columns.ts';

const text = (name: string): Column => ({ name, type: 'text' });
const integer = (name: string): Column => ({ name, type: 'integer' });
const number = (name: string): Column => ({ name, type: 'number' });

/** The columns that are particular to a level, after name and code. */
const PARTICULARS: Readonly<Record<FileLevel, readonly Column[]>> = {
  region: [],
  province: [],
  municity: [text('type'), text('city_class')],
  submunicipality: [],
  barangay: [],
};

/** What an area lies in, by the beginning of its columns, such as `r_code` and `r_name`. */
const CODE_OF = {
  sm: (area: Area) => area.smCode,
  m: (area: Area) => area.mCode,
  p: (area: Area) => area.pCode,
  host_province: (area: Area) => area.hostProvinceCode,
  r: (area: Area) => area.rCode,
};

type Parent = keyof typeof CODE_OF;

/** What the areas of a level lie in, the smallest first. */
const PARENTS: Readonly<Record<FileLevel, readonly Parent[]>> = {
  region: [],
  province: ['r'],
  municity: ['p', 'host_province', 'r'],
  submunicipality: ['m', 'r'],
  barangay: ['sm', 'm', 'p', 'r'],
};

/** Longitude and latitude take the place of a record's centroid. */
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

/** Tables have the extent in columns; in layers the geometry has it. */
const EXTENT = ['west', 'south', 'east', 'north'].map(number);

/**
 * The columns of the files of a level, in the order of the members of records in lists. Behind the codes of what an area lies
 * in stand the names of it. A record's serial number is left out, because it changes with every release: codes name areas. So
 * is what no area of the level has.
 */
export function columnsOf(level: FileLevel, kind: 'table' | 'layer'): Column[] {
  const parents = ['code', 'name'].flatMap((of) => PARENTS[level].map((parent) => text(`${parent}_${of}`)));
  return [
    ...[text('name'), text('code'), ...PARTICULARS[level], ...parents, ...COMMON],
    ...(kind === 'table' ? EXTENT : []),
  ];
}

/** The codes of what areas lie in, each once, by the level of lists that they are in. */
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
 * The values of an area, in the order of some columns.
 *
 * @param names the names of what it lies in, by their codes
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
    ...{ lon, lat, west, south, east, north },
  };
  return columns.map(({ name }) => {
    const value = values[name];
    if (value === undefined) throw new Error(`Records of a ${level} have no member ${name}.`);
    return value as Value;
  });
}
