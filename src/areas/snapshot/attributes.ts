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
  const { first: firstPart, end: endOfParts } = opened.rowsOf('submunicipality');
  const isPart = (row: number) => row >= firstPart && row < endOfParts;
  /** A value of the first or of the last edition of a version. */
  const edition = <Value>(
    of: (versions: OpenedAreas['versions']) => [rows: ArrayLike<number>, values: readonly Value[]],
  ) => {
    const [rows, values] = of(opened.versions);
    return (row: number) => values[rows[row] as number] as Value;
  };
  switch (name as VersionAttributeName) {
    case 'valid_from':
      return edition(({ firsts, days }) => [firsts, days]);
    case 'first_edition':
      return edition(({ firsts, ids }) => [firsts, ids]);
    case 'valid_to':
      return edition(({ lasts, ends }) => [lasts, ends]);
    case 'last_edition':
      return edition(({ lasts, ids }) => [lasts, ids]);
  }
  const values: Record<AttributeName | typeof GEOMETRY, (row: number) => Value> = {
    [GEOMETRY]: (row) => (opened.isDrawn(row) ? GEOMETRY : null),
    code: (row) => opened.codeOf(row),
    name: (row) => opened.nameOf(row),
    type: (row) => (isPart(row) ? SUB_MUNICIPALITY : opened.typeOf(row)),
    city_class: word(opened.cityClasses),
    income_class: word(opened.incomeClasses),
    urban_rural: word(opened.urbanRurals),
    sm_code: codes(opened.submunicipalities),
    m_code: codes(opened.municities),
    p_code: codes(opened.provinces),
    host_province_code: codes(opened.hosts),
    r_code: codes(opened.regions),
    population: number(opened.populations, -1, 1),
    population_year: number(opened.populationYears, 0, 1),
    area_km2: number(opened.areasKm2, UNKNOWN_KM2, PER_KM2),
    density_km2: number(opened.densities, -1, PER_DENSITY),
    lon: number(opened.lons, NO_DEGREES, PER_DEGREE),
    lat: number(opened.lats, NO_DEGREES, PER_DEGREE),
    iso_3166_2: identifier(iso31662Of),
    pcode: identifier(pcodeOf),
    island_group: identifier(({ code }) => islandGroupOf(code)),
  };
  return values[name as keyof typeof values];
}
