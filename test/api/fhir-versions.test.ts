import { expect, it } from 'vitest';
import type { ServiceContext } from '../../src/context.ts';
import type { History } from '../../src/editions/history.ts';
import type { AnsweredEdition } from '../../src/editions/service.ts';
import { conceptMapsOf } from '../../src/fhir/concept-maps.ts';
import { Terminology } from '../../src/fhir/terminology.ts';

const IDS = ['2025-1q', '2025-2q', '2025-3q'];

/** A history of three editions, and how often it was asked what became of the codes of one in another. */
function someHistory(hasCorrespondences: boolean) {
  const asked: string[] = [];
  const history = {
    hasCorrespondences,
    editions: IDS.map((id) => ({ id, published: null })),
    counterparts(from: string, to: string) {
      asked.push(`${from} ${to}`);
      return () => [];
    },
  };
  return { asked, history: history as unknown as History };
}

function terminologyOf(history: History, active: string): Terminology {
  const editions = IDS.map((id) => ({ id, active: id === active }) as AnsweredEdition);
  return new Terminology({} as ServiceContext, history, { editions, release: active, state: '' });
}

it('the active version comes first, and then the newest', () => {
  const terms = terminologyOf(someHistory(true).history, '2025-2q');
  expect(terms.versions.map(({ version }) => version)).toEqual(['2Q-2025', '3Q-2025', '1Q-2025']);
  expect(terms.active.version).toBe('2Q-2025');
});

it('what became of codes is kept for as many pairs of editions as there are editions', () => {
  const { asked, history } = someHistory(true);
  const terms = terminologyOf(history, '2025-3q');
  const [a = '', b = '', c = ''] = IDS;
  for (const [from, to] of [
    [a, b],
    [b, c],
    [a, c],
    [a, b],
    [c, a],
    [a, b],
    [a, c],
  ] as const)
    terms.rowsBetween(from, to);
  expect(asked).toEqual([`${a} ${b}`, `${b} ${c}`, `${a} ${c}`, `${c} ${a}`]);
  terms.rowsBetween(b, c);
  expect(asked).toHaveLength(5);
});

it('a history without codes of nine digits has no maps of them', () => {
  const countOf = (hasCorrespondences: boolean) =>
    conceptMapsOf(terminologyOf(someHistory(hasCorrespondences).history, '2025-3q')).length;
  expect([countOf(true), countOf(false)]).toEqual([9, 6]);
});
