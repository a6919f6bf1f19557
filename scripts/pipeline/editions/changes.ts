import { type Basis, byCode, type Link } from '../../../src/editions/link.ts';
import type { AreaLevel } from '../psgc/area.ts';
import { isRenamed, lawOfRenaming } from '../psgc/name-changes.ts';
import { type Comparison, codeAfter } from './compare.ts';
import { type EditionArea, parentOf } from './edition.ts';
import type { NotedLink } from './pairs.ts';

type ChangeKind =
  | 'created'
  | 'abolished'
  | 'renamed'
  | 'recoded'
  | 'moved'
  | 'merged'
  | 'split'
  | 'reclassified'
  | 'redrawn';

/**
 * An area of a change, and its share of land: for areas before, of all their successors; for areas after, of all their
 * predecessors. The shares of one side add up to 1 if the change lists all areas of the other.
 */
interface Party {
  code: string;
  name: string;
  share: number | null;
}

export interface Change {
  kind: ChangeKind;
  level: AreaLevel;
  from: Party[];
  to: Party[];
  basis: Basis;
  note: string | null;
}

const LEVELS: readonly AreaLevel[] = ['region', 'province', 'municity', 'submunicipality', 'barangay'];

/** All changes between an edition and the next one, by level from regions down, then by code. Pure. */
export function listChanges(comparison: Comparison): Change[] {
  const { before, after, unchanged, links, continuations } = comparison;
  const [targets, sources] = [byCode(links, 'from'), byCode(links, 'to')];
  const inherits = new Set([...continuations.values()].map(({ code }) => code));
  const [one, other] = [
    (code: string) => before.areas.get(code) as EditionArea,
    (code: string) => after.areas.get(code) as EditionArea,
  ];
  const isMeasured = (code: string) => one(code).areaKm2 !== null;
  /** Square kilometres of the first edition that two areas have in common; NaN where that is not known. */
  const landOf = (link: Link) => (link.areaEstimated ? Number.NaN : (one(link.from).areaKm2 ?? Number.NaN) * link.area);
  const landIn = (all: readonly Link[]) => all.reduce((sum, link) => sum + landOf(link), 0);
  const shareBefore = (code: string, group: readonly Link[]) => {
    const becoming = codesIn(group, 'to').flatMap((to) => sources.get(to) ?? []);
    if (becoming.every(({ from }) => from === code)) return isMeasured(code) ? 1 : null;
    return rounded(landIn(group.filter(({ from }) => from === code)) / landIn(becoming));
  };
  const shareAfter = (code: string, group: readonly Link[]) => {
    const sourceCodes = codesIn(group, 'from');
    const own = group.filter(({ to }) => to === code);
    const [alone] = own;
    if (sourceCodes.length === 1 && alone)
      return isMeasured(alone.from) && !alone.areaEstimated ? rounded(alone.area) : null;
    const whole = sourceCodes.reduce((sum, from) => sum + (one(from).areaKm2 ?? Number.NaN), 0);
    return rounded(landIn(own) / whole);
  };
  const parties = (group: readonly Link[]) => ({
    from: codesIn(group, 'from').map((code) => ({ code, name: one(code).name, share: shareBefore(code, group) })),
    to: codesIn(group, 'to').map((code) => ({ code, name: other(code).name, share: shareAfter(code, group) })),
  });
  const weakest = (group: readonly NotedLink[]): Pick<Change, 'basis' | 'note'> => {
    const link = group.find(({ note }) => note !== null) ?? group.find(({ from, to }) => from !== to) ?? group[0];
    return { basis: link?.basis ?? 'code', note: link?.note ?? null };
  };
  const changes: Change[] = [];
  const add = (kind: ChangeKind, level: AreaLevel, group: readonly NotedLink[]) =>
    changes.push({ kind, level, ...parties(group), ...weakest(group) });
  const alter = (area: EditionArea, next: EditionArea, link: NotedLink) => {
    for (const kind of alterations(area, next, comparison)) {
      const law = kind === 'renamed' ? lawOfRenaming(area, next) : null;
      add(kind, area.level, [law === null ? link : { ...link, note: law }]);
    }
  };

  for (const area of before.areas.values()) {
    const out = targets.get(area.code) ?? [];
    if (unchanged.has(area.code) && out.length === 0) continue;
    const { level } = area;
    const next = continuations.get(area.code) ?? (unchanged.has(area.code) ? after.areas.get(area.code) : undefined);
    if (out.length === 0) {
      const party = { code: area.code, name: area.name, share: null };
      changes.push({ kind: 'abolished', level, from: [party], to: [], basis: 'code', note: null });
    } else if (out.length > 1) {
      const isAlone = out.every(({ to }) => sources.get(to)?.length === 1);
      if (isAlone && (!next || out.every(({ to }) => to === next.code || !inherits.has(to)))) add('split', level, out);
      else add(next ? 'redrawn' : 'abolished', level, out);
    }
    const main = next && out.find(({ to }) => to === next.code);
    if (main) alter(area, next, main);
  }
  for (const area of after.areas.values()) {
    const into = sources.get(area.code) ?? [];
    if (unchanged.has(area.code) && into.length === 0) continue;
    const { level } = area;
    if (into.length === 0) {
      const party = { code: area.code, name: area.name, share: null };
      changes.push({ kind: 'created', level, from: [], to: [party], basis: 'code', note: null });
    } else if (into.length > 1) {
      const areWhole = into.every(({ from }) => targets.get(from)?.length === 1);
      const goOn = into.filter(({ from }) => codeAfter(comparison, from) === area.code);
      if (areWhole) add('merged', level, into);
      else add(goOn.length > 0 ? 'redrawn' : 'created', level, into);
    }
  }
  const codeOf = ({ from, to }: Change) => from[0]?.code ?? to[0]?.code ?? '';
  return changes.sort(
    (a, b) =>
      LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level) || (codeOf(a) < codeOf(b) ? -1 : codeOf(a) > codeOf(b) ? 1 : 0),
  );
}

/** The codes of one side of links, each once. */
function codesIn(group: readonly Link[], side: 'from' | 'to'): string[] {
  return [...new Set(group.map((link) => link[side]))];
}

/** The differences between an area and its next. */
function alterations(area: EditionArea, next: EditionArea, comparison: Comparison): ChangeKind[] {
  const kinds: ChangeKind[] = [];
  // A city that leaves its province to be independent stays where it is: both have a region.
  const isRegional = area.level === 'municity' && (area.provinceCode === null || next.provinceCode === null);
  const holderOf = (it: EditionArea) => (isRegional ? it.regionCode : parentOf(it));
  const [parent, parentNow] = [holderOf(area), holderOf(next)];
  const expected = parent === null ? null : (codeAfter(comparison, parent) ?? null);
  const hasMoved = parent !== null && parentNow !== null && expected !== parentNow;
  if (hasMoved) kinds.push('moved');
  else if (area.code !== next.code) kinds.push('recoded');
  if (isRenamed(area, next)) kinds.push('renamed');
  const differs = (one: string | null, other: string | null) => one !== null && other !== null && one !== other;
  if (differs(area.type, next.type) || differs(area.cityClass, next.cityClass)) kinds.push('reclassified');
  return kinds;
}

/** A share of six decimals; null where it is not known. */
function rounded(share: number): number | null {
  return Number.isFinite(share) ? Math.round(share * 1e6) / 1e6 : null;
}
