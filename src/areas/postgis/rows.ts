import type { SQL } from 'drizzle-orm';
import { type Database, rowsOf } from '../../db/client.ts';
import type { areas } from '../../db/schema/geography.ts';
import { DomainError } from '../../errors.ts';
import type { Area, Read } from '../store.ts';
import { COLUMNS } from './fragments.ts';

/** A row of `wholeRow` or `budgetedRow`. */
export type AreaRow = Pick<typeof areas.$inferSelect, (typeof COLUMNS)[number]> & {
  boundaryBytes: number;
  boundary: string | null;
};

const MEMBERS = [...COLUMNS, 'boundaryBytes', 'boundary'] as const;

/** A row of an outer join whose area may be missing. */
export type Maybe<Row> = { [Column in keyof Row]: Row[Column] | null };

/** The areas of the rows that have one. */
export function areasIn(rows: Maybe<AreaRow>[]): Area[] {
  return rows.flatMap((row) => (row.id === null ? [] : [areaOf(row as AreaRow)]));
}

/** The area of a row that may have other members. */
function areaOf(row: AreaRow): Area {
  const { lon, lat, ...area } = Object.fromEntries(MEMBERS.map((name) => [name, row[name]])) as AreaRow;
  return { ...area, centroid: lon === null || lat === null ? null : [lon, lat] };
}

/** What every row of a read carries: the release that it was made from, its version, and whether the caller has it. */
interface Released {
  release: string;
  version: string;
  known: boolean;
}

/** Runs a statement whose every row is `Released`, and makes an answer of its rows. */
export async function read<Row extends object, T>(
  db: Database,
  statement: SQL,
  make: (rows: (Row & Released)[]) => T,
): Promise<Read<T>> {
  const rows = await rowsOf<Row & Released>(db, statement);
  const [first] = rows;
  if (!first) throw noRelease();
  return { release: first.release, version: first.version, unchanged: first.known, value: make(rows) };
}

export function noRelease(): DomainError {
  return new DomainError(
    'data_not_loaded',
    'No data release is active yet: one is being prepared, or has to be loaded with "npm run geo:load".',
  );
}
