import { byCode } from '../../../src/editions/link.ts';
import type { AreaLevel } from '../psgc/area.ts';
import type { Edition, EditionArea } from './edition.ts';
import { basisOf, type Tie, type TiedLink } from './pairs.ts';

/** The levels whose areas are made of barangays, and the member of a barangay that names them. */
const PARENTS = { submunicipality: 'smCode', municity: 'mCode', province: 'pCode', region: 'rCode' } as const;

export type ParentLevel = keyof typeof PARENTS;

export const PARENT_LEVELS = Object.keys(PARENTS) as ParentLevel[];

/** The size of a part, and how many of its barangays are not measured. */
interface Measure {
  value: number;
  unknown: number;
}

/** The share of the barangays of an area that may be without a measure: a few empty cells say nothing of a province. */
const UNMEASURED = 0.01;

/** Shares of the parts of a whole, which add up to 1. Where one part is not measured, all count the same. */
function sharesOf(parts: readonly (number | null | undefined)[]): { shares: number[]; isEstimated: boolean } {
  if (parts.length === 1) return { shares: [1], isEstimated: false };
  const sum = parts.reduce<number>((total, part) => total + (part ?? 0), 0);
  const isEstimated = sum <= 0 || parts.some((part) => part === null || part === undefined);
  return { shares: parts.map((part) => (isEstimated ? 1 / parts.length : (part as number) / sum)), isEstimated };
}

/** Gives the ties of barangays their shares, by the size of the parts where each is made of one barangay only. */
export function weighTies(before: Edition, after: Edition, ties: readonly Tie[]): TiedLink[] {
  const sources = Map.groupBy(ties, ({ to }) => to);
  return [...Map.groupBy(ties, ({ from }) => from).values()].flatMap((group) => {
    const targets = group.map(({ to }) => after.areas.get(to) as EditionArea);
    // What a part has besides is not of this barangay.
    const areOwn = group.every(({ to }) => sources.get(to)?.length === 1);
    const area = sharesOf(group.map((_, i) => (areOwn ? targets[i]?.areaKm2 : null)));
    const people = sharesOf(group.map((_, i) => (areOwn ? targets[i]?.population : null)));
    return group.map(({ from, to, basis, note }, i): TiedLink => {
      const { level } = before.areas.get(from) as EditionArea;
      return {
        level,
        from,
        to,
        area: area.shares[i] as number,
        population: (people.isEstimated ? area : people).shares[i] as number,
        areaEstimated: area.isEstimated,
        populationEstimated: people.isEstimated,
        basis,
        note,
      };
    });
  });
}

/**
 * Makes the links of a level of the links of its barangays: of what an area is made, that is what it becomes. Parts are
 * measured by the areas and the residents of barangays in the first edition; where more than a few have none, barangays are
 * counted.
 *
 * @param own what is known of the areas themselves
 * @returns none of areas of which nothing changed and whose barangays are their own as before
 */
export function linkParents(
  level: ParentLevel,
  {
    before,
    after,
    same,
    barangays,
    own,
  }: {
    before: Edition;
    after: Edition;
    same: ReadonlySet<string>;
    barangays: readonly TiedLink[];
    own: readonly Tie[];
  },
): TiedLink[] {
  const member = PARENTS[level];
  const concerned = new Set<string>();
  for (const area of before.areas.values()) if (area.level === level && !same.has(area.code)) concerned.add(area.code);
  for (const { from } of own) if (before.areas.get(from)?.level === level) concerned.add(from);
  for (const { from, to } of barangays) {
    const [source, target] = [before.areas.get(from)?.[member], after.areas.get(to)?.[member]];
    // Both lose or get something. The one that gets it has the same code before.
    if (source !== target) for (const code of [source, target]) if (code) concerned.add(code);
  }
  if (concerned.size === 0) return [];
  const linked = byCode(barangays, 'from');
  const flows = new Map<string, Map<string, { area: Measure; population: Measure; count: number }>>();
  for (const from of before.areas.values()) {
    const source = from[member];
    if (from.level !== 'barangay' || !source || !concerned.has(source)) continue;
    const links: readonly Flow[] = linked.get(from.code) ?? (same.has(from.code) ? [{ ...WHOLE, to: from.code }] : []);
    for (const link of links) {
      const target = after.areas.get(link.to)?.[member];
      if (!target) continue;
      const targets = flows.get(source) ?? new Map();
      flows.set(source, targets);
      const flow = targets.get(target) ?? {
        area: { value: 0, unknown: 0 },
        population: { value: 0, unknown: 0 },
        count: 0,
      };
      targets.set(target, flow);
      add(flow.area, from.areaKm2, link.area, link.areaEstimated);
      add(flow.population, from.population, link.population, link.populationEstimated);
      flow.count += link.area;
    }
  }
  const ties = new Map(own.map((tie) => [`${tie.from} ${tie.to}`, tie]));
  return [...concerned]
    .sort()
    .flatMap((code) => before.areas.get(code) ?? [])
    .flatMap((area) => {
      const { code } = area;
      const flow = [...(flows.get(code) ?? [])];
      // An area without barangays, and one whose barangays are not known to be anywhere.
      if (flow.length === 0) return own.filter(({ from }) => from === code).map((tie) => whole(level, tie));
      const barangaysOf = flow.reduce((sum, [, { count }]) => sum + count, 0);
      const measured = (measure: 'area' | 'population') => {
        const unknown = flow.reduce((sum, [, part]) => sum + part[measure].unknown, 0);
        const isMeasured = unknown <= UNMEASURED * barangaysOf;
        return sharesOf(flow.map(([, part]) => (isMeasured ? part[measure].value : null)));
      };
      const counted = sharesOf(flow.map(([, { count }]) => count)).shares;
      const [land, people] = [measured('area'), measured('population')];
      return flow.map(([to], i): TiedLink => {
        const tie = ties.get(`${code} ${to}`);
        return {
          level,
          from: code,
          to,
          area: (land.isEstimated ? counted : land.shares)[i] as number,
          population: (people.isEstimated ? counted : people.shares)[i] as number,
          areaEstimated: land.isEstimated,
          populationEstimated: people.isEstimated,
          basis: tie?.basis ?? (to === code && same.has(code) ? basisOf(area) : 'code'),
          note: tie?.note ?? null,
        };
      });
    });
}

function add(measure: Measure, size: number | null, share: number, isEstimated: boolean): void {
  measure.value += (size ?? 0) * share;
  if (size === null || (isEstimated && share < 1)) measure.unknown += share;
}

/** All of an area, without an estimate. */
const WHOLE = { area: 1, population: 1, areaEstimated: false, populationEstimated: false } as const;

type Flow = Pick<TiedLink, 'to' | keyof typeof WHOLE>;

/** A link without any measure. */
function whole(level: AreaLevel, tie: Tie): TiedLink {
  return { level, ...WHOLE, ...tie };
}
