import { encodeColumns, type NumberColumn } from '../areas/snapshot/columns.ts';
import { ROW_LEVELS } from '../areas/snapshot/layout.ts';
import type { Area, BoundarySet } from '../areas/store.ts';
import type { Basis } from './link.ts';

// Format of a snapshot's object `history`. Scripts write it, `history.ts` reads it.

/** An edition of the PSGC: facts of its list, and what the release published with the history has of it. */
export interface HistoryEdition {
  /** `2023-4q` */
  readonly id: string;
  /** Date of its list, `2023-12-31`; null if the list doesn't say. */
  readonly published: string | null;
  /** Number of areas by kind. */
  readonly counts: Readonly<Record<string, number>>;
  /** Which boundaries the release has for the areas of this edition. */
  readonly boundary_set: BoundarySet;
}

export interface HistoryFacts {
  /** The oldest first. */
  readonly editions: readonly HistoryEdition[];
}

/** An area of a change and its share of land; null if unmeasured. */
export type EncodedParty = readonly [code: string, share: number | null];

/** A change between two consecutive editions. The names of its areas are those of the spans. */
interface EncodedChange {
  readonly kind: string;
  readonly level: Area['level'];
  readonly from: readonly EncodedParty[];
  readonly to: readonly EncodedParty[];
  readonly basis: Basis;
  readonly note: string | null;
}

/** Which weights of a link are estimates. */
type Estimated = 'area' | 'population' | 'both' | null;

/**
 * What an area becomes in the next edition, or was in the previous one, unless it only keeps its code. The code is ''
 * if nothing is known.
 */
export type EncodedLink = readonly [
  from: string,
  to: string,
  area: number,
  population: number,
  estimated: Estimated,
  basis: Basis,
];

/** Changes and links between an edition and the next. */
export interface EncodedStep {
  readonly changes: readonly EncodedChange[];
  /** The shares of the links of one area add up to 1. */
  readonly forward: readonly EncodedLink[];
  readonly backward: readonly EncodedLink[];
}

/** Consecutive editions in which a code has the same level and name. */
export interface NamedSpan {
  readonly code: string;
  /** Its correspondence code of nine digits, as the lists have it; null if none has one. */
  readonly correspondence: string | null;
  readonly level: Area['level'];
  readonly name: string;
  /** Indexes of the first and the last of these editions. */
  readonly first: number;
  readonly last: number;
}

export interface EncodedHistory extends HistoryFacts {
  /** In the order of codes and editions. */
  readonly spans: readonly NamedSpan[];
  /** Aliases: codes of nine or ten digits that no edition has, with the codes they stand for. */
  readonly former: readonly (readonly [alias: string, code: string])[];
  /** One for each edition but the last. */
  readonly steps: readonly EncodedStep[];
}

/** Encodes a history, uncompressed. */
export function encodeHistory({ editions, spans, former, steps }: EncodedHistory): Uint8Array {
  const codes = (name: string, values: readonly string[]): NumberColumn => ({
    name,
    values: values.map(Number),
    width: 4,
    delta: true,
  });
  const small = (name: string, numberOf: (span: NamedSpan) => number): NumberColumn => ({
    name,
    values: spans.map(numberOf),
    width: 1,
  });
  // A nine-digit and a ten-digit code can be the same number.
  const ofDigits = (digits: number) => {
    const own = former.filter(([alias]) => alias.length === digits);
    return [
      codes(
        `former_${digits}`,
        own.map(([alias]) => alias),
      ),
      codes(
        `former_${digits}_of`,
        own.map(([, code]) => code),
      ),
    ];
  };
  return encodeColumns<HistoryFacts>({ editions }, [
    codes(
      'code',
      spans.map(({ code }) => code),
    ),
    {
      name: 'correspondence',
      values: spans.map(({ correspondence }) => Number(correspondence ?? 0)),
      width: 4,
      delta: true,
    },
    small('level', ({ level }) => ROW_LEVELS.indexOf(level)),
    small('first', ({ first }) => first),
    small('last', ({ last }) => last),
    { name: 'name', text: spans.map(({ name }) => name).join('\n') },
    ...ofDigits(9),
    ...ofDigits(10),
    { name: 'steps', text: JSON.stringify(steps) },
  ]);
}
