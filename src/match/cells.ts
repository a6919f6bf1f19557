import type { NameLevel } from '../names/source.ts';

/** The columns that a table gets. */
export const MATCH_COLUMNS: readonly string[] = [
  'psgc_code',
  'psgc_level',
  'psgc_name',
  'psgc_match',
  'psgc_score',
  'psgc_candidates',
];

/** What the cells of a row are made from. */
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

/** The cells of those columns. A row that is exact has no candidates. */
export function matchCells({ match, code, level, name, score, candidates }: Found): string[] {
  const texts = match === 'exact' ? [] : candidates.map(candidateText);
  return [code ?? '', level ?? '', name ?? '', match, String(roundedScore(score)), texts.join('; ')];
}

/** A score as it is answered, with three decimals. */
export function roundedScore(score: number): number {
  return Math.round(score * 1000) / 1000;
}

function candidateText({ code, name, ancestors, ...called }: Candidate): string {
  const parents = ancestors.map((parent) => parent.name).reverse();
  const words = calledText(called);
  return `${code} ${[name, ...parents].join(', ')}${words && ` (${words})`}`;
}

/** Since or until when a candidate is called as a row says; empty where that is not known. */
export function calledText({ since, until }: Pick<Candidate, 'since' | 'until'>): string {
  return since ? `so called since ${since}` : until ? `so called until ${until}` : '';
}
