import { byCode } from '../../../src/editions/link.ts';
import { CODE_CHANGES, type CodeChange } from '../psgc/code-changes.ts';
import type { Edition, EditionArea } from './edition.ts';
import { Pairs, type TiedLink } from './pairs.ts';
import { linkParents, PARENT_LEVELS, weighTies } from './shares.ts';

/** The comparison of an edition with the next one. */
export interface Comparison {
  before: Edition;
  after: Edition;
  /** Codes of unchanged areas. */
  same: ReadonlySet<string>;
  /** Links of all other codes of the first edition with known successors, and of areas related to these. */
  links: TiedLink[];
  /** The continuing area in the second edition by the code of a changed area of the first. */
  heirs: ReadonlyMap<string, EditionArea>;
}

/** The code in the second edition of a continuing area of the first. */
export function codeAfter({ same, heirs }: Pick<Comparison, 'same' | 'heirs'>, code: string): string | undefined {
  return same.has(code) ? code : heirs.get(code)?.code;
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
  const pairs = new Pairs(before, after);
  pairs.byCodeAndName();
  pairs.byCorrespondence();
  pairs.byName();
  pairs.byCode();
  pairs.byNotes();
  pairs.byHand(changes);
  pairs.byNameParts();
  pairs.byNameAlone();

  const { same } = pairs;
  const isBarangay = (code: string) => before.areas.get(code)?.level === 'barangay';
  const barangays = weighTies(
    before,
    after,
    pairs.ties.filter(({ from }) => isBarangay(from)),
  );
  const own = pairs.ties.filter(({ from }) => !isBarangay(from));
  const parents = PARENT_LEVELS.flatMap((level) => linkParents(level, { before, after, same, barangays, own }));
  const links = [...parents, ...barangays];
  const compared = { before, after, same, links, heirs: pairs.heirs };
  return { ...compared, heirs: withSoleHeirs(compared) };
}

/**
 * Adds the heirs of areas with a sole successor that has no other predecessor: they are the same area, even with
 * another code and name.
 */
function withSoleHeirs({ before, after, same, links, heirs }: Comparison): ReadonlyMap<string, EditionArea> {
  const all = new Map(heirs);
  const inherited = new Set([...heirs.values()].map(({ code }) => code));
  const sources = byCode(links, 'to');
  for (const [from, [only, ...others]] of byCode(links, 'from')) {
    const heir = only && after.areas.get(only.to);
    if (!heir || others.length > 0 || sources.get(heir.code)?.length !== 1) continue;
    if (same.has(from) || all.has(from) || same.has(heir.code) || inherited.has(heir.code)) continue;
    if (before.areas.get(from)?.level === heir.level) all.set(from, heir);
  }
  return all;
}

/** The links as the second edition sees them: where its areas come from. */
export function reverse(links: readonly TiedLink[], before: Edition): TiedLink[] {
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
      (link, i): TiedLink => ({
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
