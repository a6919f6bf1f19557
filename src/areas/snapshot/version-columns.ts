import type { Validity } from '../store.ts';
import type { Columns } from './columns.ts';
import type { SnapshotFacts } from './layout.ts';

/** The time of rows that are versions of areas: the indexes of their first and last edition, and the facts of these. */
export interface VersionColumns {
  readonly firsts: Uint8Array;
  readonly lasts: Uint8Array;
  /** By the index of an edition: its id, the day of its list, and the last day before the next; null for the newest. */
  readonly ids: readonly string[];
  readonly days: readonly string[];
  readonly ends: readonly (string | null)[];
}

export function versionColumns(columns: Columns<SnapshotFacts>): VersionColumns {
  const { editions = [] } = columns.facts;
  return {
    firsts: columns.uint8('first'),
    lasts: columns.uint8('last'),
    ids: editions.map(({ id }) => id),
    days: editions.map(({ day }) => day),
    ends: editions.map((_, i) => dayBefore(editions[i + 1]?.day)),
  };
}

/** The time of a row. */
export function validityOf({ firsts, lasts, ids, days, ends }: VersionColumns, row: number): Validity {
  const [first, last] = [firsts[row] as number, lasts[row] as number];
  return {
    from: days[first] as string,
    to: ends[last] ?? null,
    firstEdition: ids[first] as string,
    lastEdition: ids[last] as string,
    order: first,
  };
}

function dayBefore(day: string | undefined): string | null {
  return day === undefined ? null : new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
}
