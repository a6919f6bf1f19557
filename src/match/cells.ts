import type { NameLevel } from '../names/source.ts';

/** Headings of the columns appended to a table. */
export const MATCH_COLUMNS: readonly string[] = [
  'psgc_code',
  'psgc_level',
  'psgc_name',
  'psgc_match',
  'psgc_score',
  'psgc_candidates',
];

/** The result of a row, from which its cells are made. */
interface Found {
  readonly match: string;
  readonly code: string | null;
  readonly level: NameLevel | null;
  readonly name: string | null;
  readonly score: number;
  readonly candidates: readonly Candidate[];
}

interface Candidate {
  readonly code: string;
  readonly name: string;
  /** From the region down. */
  readonly ancestors: readonly { readonly name: string }[];
  readonly since?: string | null | undefined;
  readonly until?: string | null | undefined;
}

/** The cells of these columns. An exact row has no candidates. */
export function matchCells({ match, code, level, name, score, candidates }: Found): string[] {
  const texts = match === 'exact' ? [] : candidates.map(candidateText);
  return [code ?? '', level ?? '', name ?? '', match, String(roundedScore(score)), texts.join('; ')];
}

/** A score rounded to three decimals, as in responses. */
export function roundedScore(score: number): number {
  return Math.round(score * 1000) / 1000;
}

function candidateText({ code, name, ancestors, ...called }: Candidate): string {
  const parents = ancestors.map((parent) => parent.name).reverse();
  const words = calledText(called);
  return `${code} ${[name, ...parents].join(', ')}${words && ` (${words})`}`;
}

/** Since or until when a candidate has the name in the row; empty if unknown. */
export function calledText({ since, until }: Pick<Candidate, 'since' | 'until'>): string {
  return since ? `so called since ${since}` : until ? `so called until ${until}` : '';
}
