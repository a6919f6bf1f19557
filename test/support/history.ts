import type { EncodedHistory, EncodedStep } from '../../src/editions/encoded.ts';

export type MadeChange = EncodedStep['changes'][number];

/** A history that a test makes: areas that are in all editions, and changes after the editions of their keys. */
export interface MadeHistory {
  readonly editions: readonly string[];
  readonly areas: readonly (readonly [code: string, level: MadeChange['level'], name: string])[];
  readonly changes: Readonly<Record<string, readonly MadeChange[]>>;
}

export function madeHistory({ editions, areas, changes }: MadeHistory): EncodedHistory {
  const last = editions.length - 1;
  return {
    editions: editions.map((id) => ({ id, published: null, counts: {}, boundary_set: 'none' })),
    spans: areas
      .map(([code, level, name]) => ({ code, level, name, correspondence: null, first: 0, last }))
      .toSorted((a, b) => (a.code < b.code ? -1 : 1)),
    former: [],
    steps: editions.slice(0, -1).map((id) => ({ changes: changes[id] ?? [], forward: [], backward: [] })),
  };
}
