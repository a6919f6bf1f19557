import type { SQL } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { DomainError } from '../../errors.ts';
import type { Area, Read } from '../store.ts';

/** A row of `wholeRow` or `budgetedRow`. */
export interface AreaRow {
  id: number;
  level: Area['level'];
  code: string;
  name: string;
  type: string | null;
  city_class: string | null;
  r_code: string | null;
  p_code: string | null;
  host_province_code: string | null;
  m_code: string | null;
  sm_code: string | null;
  urban_rural: string | null;
  population: number | null;
  population_year: number | null;
  income_class: string | null;
  area_km2: number | null;
  density_km2: number | null;
  lon: number | null;
  lat: number | null;
  bbox: [number, number, number, number] | null;
  province_count: number;
  municity_count: number;
  hosted_municity_count: number;
  barangay_count: number;
  boundary_bytes: number;
  boundary: string | null;
}

/** A row of an outer join whose area may be missing. */
export type Maybe<Row> = { [Column in keyof Row]: Row[Column] | null };

/** The areas of the rows that have one. */
export function areasIn(rows: Maybe<AreaRow>[]): Area[] {
  return rows.flatMap((row) => (row.id === null ? [] : [areaOf(row as AreaRow)]));
}

function areaOf(row: AreaRow): Area {
  return {
    id: row.id,
    level: row.level,
    code: row.code,
    name: row.name,
    type: row.type,
    cityClass: row.city_class,
    regionCode: row.r_code,
    provinceCode: row.p_code,
    hostProvinceCode: row.host_province_code,
    municityCode: row.m_code,
    submunicipalityCode: row.sm_code,
    urbanRural: row.urban_rural,
    population: row.population,
    populationYear: row.population_year,
    incomeClass: row.income_class,
    areaKm2: row.area_km2,
    densityKm2: row.density_km2,
    centroid: row.lon === null || row.lat === null ? null : [row.lon, row.lat],
    bbox: row.bbox,
    provinceCount: row.province_count,
    municityCount: row.municity_count,
    hostedMunicityCount: row.hosted_municity_count,
    barangayCount: row.barangay_count,
    boundaryBytes: row.boundary_bytes,
    boundary: row.boundary,
  };
}

/** The columns that every statement of a read has besides its own. */
interface ReleaseColumns {
  release: string;
  version: string;
  /** Whether the caller has the answer of this version. Rows have no areas then. */
  known: boolean;
}

export type NonEmpty<T> = [T, ...T[]];

/**
 * Runs a statement that has at least one row where a release is active, and makes a value of its rows.
 *
 * @throws DomainError `data_not_loaded`
 */
export async function read<Row extends object, T>(
  db: Database,
  statement: SQL,
  make: (rows: NonEmpty<Row & ReleaseColumns>) => T,
): Promise<Read<T>> {
  const [first, ...others] = await db.rows<Row & ReleaseColumns>(statement);
  if (!first) throw noRelease();
  return { release: first.release, version: first.version, unchanged: first.known, value: make([first, ...others]) };
}

export function noRelease(): DomainError {
  return new DomainError(
    'data_not_loaded',
    'No data release is active yet: one is being prepared, or has to be loaded with "npm run geo:load".',
  );
}
