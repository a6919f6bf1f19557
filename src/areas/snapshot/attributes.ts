import type { AttributeName, VersionAttributeName } from '../attributes.ts';
import { islandGroupOf, iso31662Of, pcodeOf } from '../identifiers.ts';
import { SUB_MUNICIPALITY } from '../store.ts';
import { NO_ROW } from './layout.ts';
import { NO_DEGREES, type OpenedAreas, PER_DEGREE, PER_DENSITY, PER_KM2, UNKNOWN_KM2 } from './opened.ts';

type Value = string | number | null;

/** The name of the geometry among the attributes: it has a value where there is a boundary. */
const GEOMETRY = 'geometry';

/**
 * Gives the value that an attribute has in a row. It is read from the columns: a filter asks for it in every row of a level, a
 * hundred times.
 */
export function attributeOf(opened: OpenedAreas, name: string): (row: number) => Value {
  const codes = (parents: Uint16Array) => (row: number) => {
    const parent = parents[row] as number;
    return parent === NO_ROW ? null : opened.codeOf(parent);
  };
  const { words } = opened.facts;
  const word = (column: Uint8Array) => (row: number) => words[column[row] as number] ?? null;
  const number = (column: ArrayLike<number>, none: number, divisor: number) => (row: number) => {
    const value = column[row] as number;
    return value === none ? null : value / divisor;
  };
  /** An identifier that follows from the level and the code. */
  const identifier = (of: typeof iso31662Of) => (row: number) =>
    of({ level: opened.levelOf(row), code: opened.codeOf(row) });
  switch (name as AttributeName | VersionAttributeName | typeof GEOMETRY) {
    case GEOMETRY:
      return (row) => (opened.isDrawn(row) ? GEOMETRY : null);
    case 'code':
      return (row) => opened.codeOf(row);
    case 'name':
      return (row) => opened.nameOf(row);
    case 'type': {
      const { first, end } = opened.rowsOf('submunicipality');
      return (row) => (row >= first && row < end ? SUB_MUNICIPALITY : opened.typeOf(row));
    }
    case 'city_class':
      return word(opened.cityClasses);
    case 'income_class':
      return word(opened.incomeClasses);
    case 'urban_rural':
      return word(opened.urbanRurals);
    case 'sm_code':
      return codes(opened.submunicipalities);
    case 'm_code':
      return codes(opened.municities);
    case 'p_code':
      return codes(opened.provinces);
    case 'host_province_code':
      return codes(opened.hosts);
    case 'r_code':
      return codes(opened.regions);
    case 'population':
      return number(opened.populations, -1, 1);
    case 'population_year':
      return number(opened.populationYears, 0, 1);
    case 'area_km2':
      return number(opened.areasKm2, UNKNOWN_KM2, PER_KM2);
    case 'density_km2':
      return number(opened.densities, -1, PER_DENSITY);
    case 'lon':
      return number(opened.lons, NO_DEGREES, PER_DEGREE);
    case 'lat':
      return number(opened.lats, NO_DEGREES, PER_DEGREE);
    case 'iso_3166_2':
      return identifier(iso31662Of);
    case 'pcode':
      return identifier(pcodeOf);
    case 'island_group':
      return identifier(({ code }) => islandGroupOf(code));
    case 'valid_from':
    case 'first_edition': {
      const { firsts, ids, days } = opened.versions;
      const values = name === 'valid_from' ? days : ids;
      return (row) => values[firsts[row] as number] as string;
    }
    case 'valid_to':
    case 'last_edition': {
      const { lasts, ids, ends } = opened.versions;
      const values = name === 'valid_to' ? ends : ids;
      return (row) => values[lasts[row] as number] as string | null;
    }
  }
}
