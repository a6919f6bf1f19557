import { byCode } from '../../../src/editions/link.ts';
import { CODE_CHANGES, type CodeChange } from '../psgc/code-changes.ts';
import type { Edition, EditionArea } from './edition.ts';
import { EditionMatcher, type NotedLink } from './pairs.ts';
import { linkParents, PARENT_LEVELS, weighLinks } from './shares.ts';

/** The comparison of an edition with the next one. */
export interface Comparison {
  before: Edition;
  after: Edition;
  /** Codes of unchanged areas. */
  unchanged: ReadonlySet<string>;
  /** Links of all other codes of the first edition with known successors, and of areas related to these. */
  links: NotedLink[];
  /** The continuing area in the second edition by the code of a changed area of the first. */
  continuations: ReadonlyMap<string, EditionArea>;
}

/** The code in the second edition of a continuing area of the first. */
export function codeAfter({ unchanged, continuations }: Comparison, code: string): string | undefined {
  return unchanged.has(code) ? code : continuations.get(code)?.code;
}

/** Cached comparisons by the first edition and the second. */
const comparisons = new WeakMap<Edition, WeakMap<Edition, Comparison>>();

/** Compares each edition with the next one. Comparisons are cached. */
export function compareAll(editions: readonly Edition[]): Comparison[] {
  return editions.slice(1).map((after, i) => {
    const before = editions[i] as Edition;
    const cached = comparisons.get(before) ?? new WeakMap<Edition, Comparison>();
    comparisons.set(before, cached);
    const comparison = cached.get(after) ?? compareEditions(before, after);
    cached.set(after, comparison);
    return comparison;
  });
}

/**
 * Compares an edition with the next one: by code and name, correspondence code, name and parent, code alone; the rest
 * by footnotes, manually recorded changes, and parts of names. Pure.
 */
export function compareEditions(
  before: Edition,
  after: Edition,
  { changes = CODE_CHANGES }: { changes?: readonly CodeChange[] } = {},
): Comparison {
  const matcher = new EditionMatcher(before, after);
  matcher.matchByCodeAndName();
  matcher.matchByCorrespondence();
  matcher.matchByNameAndParent();
  matcher.matchByCode();
  matcher.matchByNotes();
  matcher.applyRecordedChanges(changes);
  matcher.matchByNameParts();
  matcher.matchByName();

  const { unchanged } = matcher;
  const isBarangay = (code: string) => before.areas.get(code)?.level === 'barangay';
  const ofBarangays = matcher.links.filter(({ from }) => isBarangay(from));
  const barangays = weighLinks(before, after, ofBarangays);
  const own = matcher.links.filter(({ from }) => !isBarangay(from));
  const parents = PARENT_LEVELS.flatMap((level) => linkParents(level, { before, after, unchanged, barangays, own }));
  const links = [...parents, ...barangays];
  const compared = { before, after, unchanged, links, continuations: matcher.continuations };
  return { ...compared, continuations: withSoleSuccessors(compared) };
}

/**
 * Adds the continuations of areas with a sole successor that has no other predecessor: they are the same area, even with
 * another code and name.
 */
function withSoleSuccessors(compared: Comparison): ReadonlyMap<string, EditionArea> {
  const { before, after, unchanged, links, continuations } = compared;
  const all = new Map(continuations);
  const inherited = new Set([...continuations.values()].map(({ code }) => code));
  const sources = byCode(links, 'to');
  for (const [from, [only, ...others]] of byCode(links, 'from')) {
    const next = only && after.areas.get(only.to);
    if (!next || others.length > 0 || sources.get(next.code)?.length !== 1) continue;
    if (unchanged.has(from) || all.has(from) || unchanged.has(next.code) || inherited.has(next.code)) continue;
    if (before.areas.get(from)?.level === next.level) all.set(from, next);
  }
  return all;
}

/** The links as the second edition sees them: where its areas come from. */
export function reverse(links: readonly NotedLink[], before: Edition): NotedLink[] {
  return [...byCode(links, 'to').values()].flatMap((group) => {
    const sizes = (measure: 'area' | 'population', isEstimated: 'areaEstimated' | 'populationEstimated') => {
      const field = measure === 'area' ? 'areaKm2' : 'population';
      const parts = group.map((link) => ({ link, size: before.areas.get(link.from)?.[field] ?? null }));
      const estimated =
        group.length > 1 && parts.some(({ link, size }) => size === null || (link[isEstimated] && link[measure] < 1));
      const weights = parts.map(({ link, size }) => (estimated ? 1 : (size ?? 1)) * link[measure]);
      const sum = weights.reduce((total, weight) => total + weight, 0);
      // Nobody may live in any of them.
      return { estimated, shares: weights.map((weight) => (sum > 0 ? weight / sum : 1 / weights.length)) };
    };
    const area = sizes('area', 'areaEstimated');
    const population = sizes('population', 'populationEstimated');
    return group.map(
      (link, i): NotedLink => ({
        ...link,
        from: link.to,
        to: link.from,
        area: area.shares[i] as number,
        population: population.shares[i] as number,
        areaEstimated: area.estimated,
        populationEstimated: population.estimated,
      }),
    );
  });
}
