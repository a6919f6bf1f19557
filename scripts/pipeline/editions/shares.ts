import { byCode } from '../../../src/editions/link.ts';
import type { AreaLevel } from '../psgc/area.ts';
import type { Edition, EditionArea } from './edition.ts';
import { basisOf, type NotedLink, type UnweightedLink } from './pairs.ts';

/** The levels whose areas are made of barangays, and the member of a barangay that names them. */
const PARENTS = {
  submunicipality: 'submunicipalityCode',
  municity: 'municityCode',
  province: 'provinceCode',
  region: 'regionCode',
} as const;

export type ParentLevel = keyof typeof PARENTS;

export const PARENT_LEVELS = Object.keys(PARENTS) as ParentLevel[];

/** The size of a part, and the number of its barangays without a measure. */
interface Measure {
  value: number;
  unknown: number;
}

const empty = (): Measure => ({ value: 0, unknown: 0 });

/** The share of an area's barangays that may be without a measure: a few empty cells don't matter to a province. */
const UNMEASURED = 0.01;

/** Shares of the parts of a whole, which add up to 1. If a part has no measure, all parts count the same. */
function sharesOf(parts: readonly (number | null | undefined)[]): { shares: number[]; isEstimated: boolean } {
  if (parts.length === 1) return { shares: [1], isEstimated: false };
  const sum = parts.reduce<number>((total, part) => total + (part ?? 0), 0);
  const isEstimated = sum <= 0 || parts.some((part) => part === null || part === undefined);
  return { shares: parts.map((part) => (isEstimated ? 1 / parts.length : (part as number) / sum)), isEstimated };
}

/** Gives the links of barangays their shares, by the size of the parts if each is made of one barangay only. */
export function weighLinks(before: Edition, after: Edition, links: readonly UnweightedLink[]): NotedLink[] {
  const sources = Map.groupBy(links, ({ to }) => to);
  return [...Map.groupBy(links, ({ from }) => from).values()].flatMap((group) => {
    const targets = group.map(({ to }) => after.areas.get(to) as EditionArea);
    // What a part has besides is not of this barangay.
    const areOwn = group.every(({ to }) => sources.get(to)?.length === 1);
    const area = sharesOf(group.map((_, i) => (areOwn ? targets[i]?.areaKm2 : null)));
    const people = sharesOf(group.map((_, i) => (areOwn ? targets[i]?.population : null)));
    return group.map(({ from, to, basis, note }, i): NotedLink => {
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

interface Evidence {
  before: Edition;
  after: Edition;
  unchanged: ReadonlySet<string>;
  barangays: readonly NotedLink[];
  /** Links of the areas of the level itself. */
  own: readonly UnweightedLink[];
}

/**
 * Makes the links of a level from those of its barangays: an area continues where its barangays do. Parts are measured by the land
 * and the residents of barangays in the first edition; if more than a few have no measure, barangays are counted. Unchanged areas
 * with the same barangays as before get no links.
 */
export function linkParents(level: ParentLevel, { before, after, unchanged, barangays, own }: Evidence): NotedLink[] {
  const member = PARENTS[level];
  const concerned = new Set<string>();
  for (const area of before.areas.values())
    if (area.level === level && !unchanged.has(area.code)) concerned.add(area.code);
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
    const links: readonly Flow[] =
      linked.get(from.code) ?? (unchanged.has(from.code) ? [{ ...WHOLE, to: from.code }] : []);
    for (const link of links) {
      const target = after.areas.get(link.to)?.[member];
      if (!target) continue;
      const targets = flows.get(source) ?? new Map();
      flows.set(source, targets);
      const flow = targets.get(target) ?? { area: empty(), population: empty(), count: 0 };
      targets.set(target, flow);
      add(flow.area, from.areaKm2, link.area, link.areaEstimated);
      add(flow.population, from.population, link.population, link.populationEstimated);
      flow.count += link.area;
    }
  }
  const ownLinks = new Map(own.map((link) => [`${link.from} ${link.to}`, link]));
  return [...concerned]
    .sort()
    .flatMap((code) => before.areas.get(code) ?? [])
    .flatMap((area) => {
      const { code } = area;
      const flow = [...(flows.get(code) ?? [])];
      // An area without barangays, and one whose barangays are not known to be anywhere.
      if (flow.length === 0) return own.filter(({ from }) => from === code).map((link) => whole(level, link));
      const barangaysOf = flow.reduce((sum, [, { count }]) => sum + count, 0);
      const measured = (measure: 'area' | 'population') => {
        const unknown = flow.reduce((sum, [, part]) => sum + part[measure].unknown, 0);
        const isMeasured = unknown <= UNMEASURED * barangaysOf;
        return sharesOf(flow.map(([, part]) => (isMeasured ? part[measure].value : null)));
      };
      const counted = sharesOf(flow.map(([, { count }]) => count)).shares;
      const [land, people] = [measured('area'), measured('population')];
      return flow.map(([to], i): NotedLink => {
        const link = ownLinks.get(`${code} ${to}`);
        return {
          level,
          from: code,
          to,
          area: (land.isEstimated ? counted : land.shares)[i] as number,
          population: (people.isEstimated ? counted : people.shares)[i] as number,
          areaEstimated: land.isEstimated,
          populationEstimated: people.isEstimated,
          basis: link?.basis ?? (to === code && unchanged.has(code) ? basisOf(area) : 'code'),
          note: link?.note ?? null,
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

type Flow = Pick<NotedLink, 'to' | keyof typeof WHOLE>;

/** A link without any measure. */
function whole(level: AreaLevel, link: UnweightedLink): NotedLink {
  return { level, ...WHOLE, ...link };
}
