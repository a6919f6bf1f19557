import { CODE_CHANGES, type CodeChange } from '../psgc/code-changes.ts';
import type { Edition, EditionArea } from './edition.ts';
import { byCode, type Link, type Relation } from './link.ts';
import { type Overlap, Pairs } from './pairs.ts';
import { linkParents, PARENT_LEVELS, weighTies } from './shares.ts';

/** What became of the areas of an edition in the next one. */
export interface Comparison {
  before: Edition;
  after: Edition;
  /** From every code of the first edition that something is known of. */
  links: Link[];
  /** The area of the second edition in which an area of the first goes on, by its code. */
  heirs: ReadonlyMap<string, EditionArea>;
}

/** Which areas of two editions nothing but land can pair: what is asked of the boundaries. */
export type FindOverlaps = (gone: readonly string[], made: readonly string[]) => Promise<Overlap[]>;

/**
 * Compares an edition with the next one: by code and name, correspondence code, name and parent, code alone; what these
 * leave, by common land, footnotes, the changes that are kept by hand, and names in part.
 */
export async function compareEditions(
  before: Edition,
  after: Edition,
  { findOverlaps, changes = CODE_CHANGES }: { findOverlaps?: FindOverlaps; changes?: readonly CodeChange[] } = {},
): Promise<Comparison> {
  const pairs = new Pairs(before, after);
  pairs.byCodeAndName();
  pairs.byCorrespondence();
  pairs.byName();
  pairs.byCode();
  if (findOverlaps && before.isDrawn && after.isDrawn) {
    const codes = (areas: Iterable<EditionArea>) =>
      [...areas].filter(({ level }) => level === 'barangay').map(({ code }) => code);
    pairs.byOverlap(await findOverlaps(codes(pairs.gone), codes(pairs.made)));
  }
  pairs.byNotes();
  pairs.byHand(changes);
  pairs.byNameParts();
  pairs.byNameAlone();

  const isBarangay = (code: string) => before.areas.get(code)?.level === 'barangay';
  const barangays = weighTies(
    before,
    after,
    pairs.ties.filter(({ from }) => isBarangay(from)),
  );
  const own = pairs.ties.filter(({ from }) => !isBarangay(from));
  const parents = PARENT_LEVELS.flatMap((level) => linkParents(level, { before, after, barangays, own }));
  const links = [...parents, ...barangays];
  return { before, after, links, heirs: withSoleHeirs(pairs.heirs, { before, after, links }) };
}

/**
 * The heirs, and those of areas that became one area which nothing else became: whatever shows it, an area with another
 * code and another name is the same area.
 */
function withSoleHeirs(
  heirs: ReadonlyMap<string, EditionArea>,
  { before, after, links }: Omit<Comparison, 'heirs'>,
): Map<string, EditionArea> {
  const all = new Map(heirs);
  const inherited = new Set([...heirs.values()].map(({ code }) => code));
  const sources = byCode(links, 'to');
  for (const [from, [only, ...others]] of byCode(links, 'from')) {
    const heir = only && after.areas.get(only.to);
    if (!heir || others.length > 0 || sources.get(heir.code)?.length !== 1) continue;
    if (!all.has(from) && !inherited.has(heir.code) && before.areas.get(from)?.level === heir.level)
      all.set(from, heir);
  }
  return all;
}

/** The links as the second edition sees them: where its areas come from. */
export function reverse(links: readonly Link[], before: Edition): Link[] {
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
      (link, i): Link => ({
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

/** Two steps in one: what became of areas by way of an edition in between. */
export function compose(first: readonly Link[], second: readonly Link[]): Link[] {
  const next = byCode(second, 'from');
  const joined = new Map<string, Link>();
  for (const one of first) {
    for (const other of next.get(one.to) ?? []) {
      const key = `${one.from} ${other.to}`;
      const known = joined.get(key);
      const step: Link = {
        level: one.level,
        from: one.from,
        to: other.to,
        area: one.area * other.area + (known?.area ?? 0),
        population: one.population * other.population + (known?.population ?? 0),
        areaEstimated: one.areaEstimated || other.areaEstimated || (known?.areaEstimated ?? false),
        populationEstimated:
          one.populationEstimated || other.populationEstimated || (known?.populationEstimated ?? false),
        basis: WEAKEST.indexOf(one.basis) > WEAKEST.indexOf(other.basis) ? one.basis : other.basis,
        note: [one.note, other.note].filter(Boolean).join('; ') || null,
      };
      joined.set(key, step);
    }
  }
  return [...byCode(joined.values(), 'from').values()].flatMap(wholeOf);
}

/** Links of one area whose shares add up to 1, although nothing says what a part of it became on the way. */
function wholeOf(group: readonly Link[]): readonly Link[] {
  const sum = (measure: 'area' | 'population') => group.reduce((total, link) => total + link[measure], 0);
  const [area, population] = [sum('area'), sum('population')];
  if (area > 1 - 1e-9 && population > 1 - 1e-9) return group;
  return group.map((link) => ({
    ...link,
    area: area > 0 ? link.area / area : 1 / group.length,
    population: population > 0 ? link.population / population : 1 / group.length,
    areaEstimated: true,
    populationEstimated: true,
  }));
}

const WEAKEST: readonly Link['basis'][] = ['correspondence', 'code', 'name', 'geometry', 'note'];

/** What an area of an edition is to one of another. */
export function relationsOf(
  links: readonly Link[],
  { from, to }: { from: Edition; to: Edition },
): { link: Link; relation: Relation }[] {
  const sources = byCode(links, 'to');
  const targets = byCode(links, 'from');
  const isWhole = (link: Link) => targets.get(link.from)?.length === 1;
  return links.map((link) => {
    const [out, into] = [targets.get(link.from) ?? [], sources.get(link.to) ?? []];
    const [one, other] = [from.areas.get(link.from), to.areas.get(link.to)];
    const alone = (): Relation => {
      if (link.from !== link.to) return 'recoded';
      return one?.name === other?.name ? 'same' : 'renamed';
    };
    if (out.length > 1)
      return { link, relation: out.every((it) => sources.get(it.to)?.length === 1) ? 'split' : 'partial' };
    if (into.length === 1) return { link, relation: alone() };
    return { link, relation: into.every(isWhole) ? 'merged' : alone() };
  });
}
