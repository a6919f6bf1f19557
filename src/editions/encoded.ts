import { encodeColumns, type NumberColumn } from '../areas/snapshot/columns.ts';
import { ROW_LEVELS } from '../areas/snapshot/layout.ts';
import type { Area, BoundarySet } from '../areas/store.ts';
import type { Basis } from './link.ts';

// What the object `history` of a snapshot holds. Scripts write it, and `history.ts` reads it.

/** An edition of the PSGC, as its list is and as the release has it that the history was published with. */
export interface HistoryEdition {
  /** `2023-4q` */
  readonly id: string;
  /** The day that its list is of, `2023-12-31`; null where the list doesn't say. */
  readonly published: string | null;
  /** How many areas of each kind it has. */
  readonly counts: Readonly<Record<string, number>>;
  /** Which boundaries the release, or what it carries of the edition, has of its areas. */
  readonly boundary_set: BoundarySet;
}

export interface HistoryFacts {
  /** The oldest first. */
  readonly editions: readonly HistoryEdition[];
}

/** An area of a change, and its share of land; null where nothing measures it. */
export type EncodedParty = readonly [code: string, share: number | null];

/** A change between two editions that follow one another. Names are those that the areas have in these. */
interface EncodedChange {
  readonly kind: string;
  readonly level: Area['level'];
  readonly from: readonly EncodedParty[];
  readonly to: readonly EncodedParty[];
  readonly basis: Basis;
  readonly note: string | null;
}

/** The weights of a link that nothing measures. */
export type Estimated = 'area' | 'population' | 'both' | null;

/**
 * What an area of an edition is in the next one, or in the one before, where that is more than the same code. An area
 * that nothing is known of has the code '' there.
 */
export type EncodedLink = readonly [
  from: string,
  to: string,
  area: number,
  population: number,
  estimated: Estimated,
  basis: Basis,
];

/** What happened between an edition and the next one. */
export interface EncodedStep {
  readonly changes: readonly EncodedChange[];
  /** Each group of links of one area has shares that add up to 1. */
  readonly forward: readonly EncodedLink[];
  readonly backward: readonly EncodedLink[];
}

/** A code with the same level and name in editions that follow one another. */
export interface NamedSpan {
  readonly code: string;
  readonly level: Area['level'];
  readonly name: string;
  /** Indexes of the first and the last of these editions. */
  readonly first: number;
  readonly last: number;
}

export interface EncodedHistory extends HistoryFacts {
  /** In the order of codes and editions. */
  readonly spans: readonly NamedSpan[];
  /** Codes of nine or ten digits that no edition has, and the codes in editions that they stand for. */
  readonly former: readonly (readonly [alias: string, code: string])[];
  /** One for each edition but the last. */
  readonly steps: readonly EncodedStep[];
}

/** The bytes of a history, not yet packed. */
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
  // A code of nine digits and one of ten can be the same number.
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
    small('level', ({ level }) => ROW_LEVELS.indexOf(level)),
    small('first', ({ first }) => first),
    small('last', ({ last }) => last),
    { name: 'name', text: spans.map(({ name }) => name).join('\n') },
    ...ofDigits(9),
    ...ofDigits(10),
    { name: 'steps', text: JSON.stringify(steps) },
  ]);
}
