import { type TypedName, typedName } from './compare.ts';
import { byJoint, decide, type Scored } from './decide.ts';
import { explain } from './explain.ts';
import { KIND } from './forms.ts';
import type { NameIndex } from './index.ts';
import { isSpelledParent } from './parents.ts';
import { ambiguous, type Fields, type Match, meant, NO_MATCH, quoted } from './result.ts';
import { COLUMNS, type Column, columnOf, type NameLevel } from './source.ts';

/** Candidates whose scores are at most so much below the best one's may be meant. */
const NEAR_BEST = 0.1;

/** The result by the candidates' scores, with the areas that the columns were taken for. */
export function resultOf(
  index: NameIndex,
  scored: readonly Scored[],
  { fields, needs }: { fields: Fields; needs: NameLevel },
): Match {
  const { match, all } = decide(scored);
  if (match === 'none') return NO_MATCH;
  const rows = byJoint(all);
  const finest = COLUMNS.findLast((it) => fields[it] !== undefined) as Column;
  if (match === 'ambiguous') {
    // Of a city and a town of one name, the city is meant more often.
    const notCity = (row: number) => Number(!/\bcity\b/i.test(index.source.nameOf(row)));
    if (fields.barangay === undefined) rows.sort((a, b) => b.score - a.score || notCity(a.row) - notCity(b.row));
    const name = typedName(index, fields[finest] as string, finest);
    const hasFormer = all.some(({ wasCalled, kind }) => wasCalled || kind === KIND.former);
    return ambiguous(index, rows, { needs: decidingColumn(index, all, { fields, otherwise: needs }) }, (row) =>
      hasFormer ? calledSince(index, row, name) : {},
    );
  }
  const [best] = all as [Scored, ...Scored[]];
  const explanation = explain(index, fields, best.row);
  if (best.kind === KIND.district) {
    // The name may stand in another column than that of its city: `Cubao` as a province.
    const text = fields[columnOf(index.levelOf(best.row))] ?? (fields[finest] as string);
    explanation.notes.push(noCodeNote(index, text, best.row));
  }
  const isSpelled = (['region', 'province'] as const).every((column) => {
    const text = fields[column];
    return text === undefined || isSpelledParent(index, text, column);
  });
  // An alias alone is not exact: without a parent the row does not say which place it means.
  const isAlone = Object.values(fields).filter((it) => typeof it === 'string').length === 1;
  const isAlias = isAlone && best.kind === KIND.alias;
  // Nothing is exact that contradicts a part of its row.
  const staysExact = explanation.notes.length === 0 && isSpelled && !isAlias;
  return { ...meant(index, staysExact ? match : 'likely', rows), ...explanation };
}

/**
 * Since or until when an area has a name, as far as editions say. Reads the pairs `until since` of `formerEditions`. Editions are
 * ids: `2023-4q`.
 */
export function calledSince(index: NameIndex, row: number, { forms }: TypedName): { since?: string; until?: string } {
  const editions = index.source.formerEditions(row).map((it) => it.split(' '));
  const named = index.namesOf(row).map(({ keys }) => keys.some(({ key }) => forms.includes(key)));
  if (named[0]) return editions[0]?.[1] ? { since: editions[0][1] } : {};
  // Former names stand behind all others.
  const former = named.slice(-editions.length);
  const until = editions.find(([last], at) => former[at] && last)?.[0];
  return until ? { until } : {};
}

/** The note about a place without a code of its own. */
export function noCodeNote({ source }: NameIndex, text: string, row: number): string {
  return `${quoted(text)} has no code of its own; it lies in ${source.nameOf(row)}.`;
}

/**
 * The empty column that would decide, tried as municity, province, region: the first in which the best candidates differ; else
 * `otherwise`.
 */
function decidingColumn(
  index: NameIndex,
  all: readonly Scored[],
  { fields, otherwise }: { fields: Fields; otherwise: NameLevel },
): NameLevel {
  const best = all.filter(({ joint }) => joint >= (all[0] as Scored).joint - NEAR_BEST);
  const parents = best.map(({ row }) => index.ancestorsOf(row));
  for (const level of ['municity', 'province', 'region'] as const) {
    if (fields[level] !== undefined) continue;
    const at = parents.map((rows) => rows.find((row) => index.levelOf(row) === level));
    if (new Set(at).size > 1) return level;
  }
  return otherwise;
}
