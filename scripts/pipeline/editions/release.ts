import type { Release } from '../psgc/area.ts';
import { toRelease } from '../psgc/areas.ts';
import { type History, publicationOf } from '../psgc/history.ts';
import { type Change, listChanges } from './changes.ts';
import { type Comparison, compareAll } from './compare.ts';
import { type Edition, editionOf, editionsWith } from './edition.ts';
import { inherit } from './inherit.ts';

/**
 * Makes the release of an edition in the repository, with the codes and names of older ones. Pure.
 *
 * @throws Error naming the editions that there are
 */
export function releaseOf(history: History, id: string): Release {
  return completed(toRelease(publicationOf(history, id)), history).release;
}

/** What the comparison of an edition with the next one found. */
export interface PairReport {
  from: string;
  to: string;
  /** How many changes there are of each kind. */
  changes: Partial<Record<Change['kind'], number>>;
  /** Areas of which nothing is known to have become anything, and areas that nothing is known to have been. */
  unexplained: { gone: string[]; made: string[] };
}

/**
 * Completes a release with the codes and names of older editions, and compares it with the editions before and after it.
 * Pure.
 */
export function completed(release: Release, history: History): { release: Release; pairs: () => PairReport[] } {
  const own = editionOf(release);
  const editions = editionsWith(history, own);
  const at = editions.indexOf(own);
  const older = compareAll(editions.slice(0, at + 1));
  return {
    release: inherit(release, older),
    pairs: () => [...older.slice(-1), ...compareAll(editions.slice(at, at + 2))].map(reportOf),
  };
}

function reportOf(comparison: Comparison): PairReport {
  const { before, after, unchanged, links } = comparison;
  const changes: PairReport['changes'] = {};
  for (const { kind } of listChanges(comparison)) changes[kind] = (changes[kind] ?? 0) + 1;
  const without = ({ areas }: Edition, side: 'from' | 'to') => {
    const known = new Set([...unchanged, ...links.map((link) => link[side])]);
    return [...areas.values()].flatMap(({ code, name }) => (known.has(code) ? [] : [`${code} ${name}`]));
  };
  const unexplained = { gone: without(before, 'from'), made: without(after, 'to') };
  return { from: before.id, to: after.id, changes, unexplained };
}
