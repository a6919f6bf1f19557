import { recordOf } from '../areas/records.ts';
import type { FileLevel } from '../areas/snapshot/download-names.ts';
import type { Area } from '../areas/store.ts';
import type { Column, Value } from '../layer-files/columns.ts';

const text = (name: string): Column => ({ name, type: 'text' });
const integer = (name: string): Column => ({ name, type: 'integer' });
const number = (name: string): Column => ({ name, type: 'number' });

/** The columns that are particular to a level, after name and code. */
const PARTICULARS: Readonly<Record<FileLevel, readonly Column[]>> = {
  region: [],
  province: [text('r_code')],
  municity: [text('type'), text('city_class'), text('p_code'), text('host_province_code'), text('r_code')],
  submunicipality: [text('m_code'), text('r_code')],
  barangay: [text('sm_code'), text('m_code'), text('p_code'), text('r_code')],
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
 * The columns of the files of a level, in the order of the members of records in lists. A record's serial number is left
 * out, because it changes with every release: codes name areas. So is what no area of the level has.
 */
export function columnsOf(level: FileLevel, kind: 'table' | 'layer'): Column[] {
  return [text('name'), text('code'), ...PARTICULARS[level], ...COMMON, ...(kind === 'table' ? EXTENT : [])];
}

/** The values of an area, in the order of some columns. */
export function valuesOf(level: FileLevel, area: Area, columns: readonly Column[]): Value[] {
  const recordLevel = level === 'submunicipality' ? 'municity' : level;
  const [lon, lat] = area.centroid ?? [null, null];
  const [west, south, east, north] = area.bbox ?? [null, null, null, null];
  const values: Record<string, unknown> = { ...recordOf(recordLevel, area), lon, lat, west, south, east, north };
  return columns.map(({ name }) => {
    const value = values[name];
    if (value === undefined) throw new Error(`Records of a ${level} have no member ${name}.`);
    return value as Value;
  });
}
