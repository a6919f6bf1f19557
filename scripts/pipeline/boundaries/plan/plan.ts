import type { Area, AreaLevel, Release } from '../../psgc/area.ts';
import { LEVELS_UPWARDS, RESOLUTIONS, type Resolution } from '../read/feature.ts';
import type { Found, Survey } from '../read/survey.ts';
import { explainMissing } from './holes.ts';
import { movedChildren, type Stale } from './stale.ts';

/** Where the boundaries of a level at one resolution come from. */
type Origin =
  /** The source's own files of this resolution, or of the finest it has. */
  | { kind: 'source'; resolution: Resolution }
  /** Made from the detailed ones of the same level. */
  | { kind: 'simplified' }
  /** The source has nothing of this level: every boundary is dissolved from children. */
  | { kind: 'dissolved' };

export interface LevelPlan {
  level: AreaLevel;
  origins: Readonly<Record<Resolution, Origin>>;
  /** Areas whose boundary becomes the union of their children's, with the reason. */
  dissolve: { area: Area; children: Area[]; why: string }[];
  /** Areas that stay without a boundary; `explained` tells why, null that nobody knows. */
  missing: { area: Area; explained: string | null }[];
  /** Areas that keep the source's boundary although children came or went, which it doesn't show. */
  outdated: Stale[];
}

/** What is to be done at each level, from barangays up. */
export type Plan = LevelPlan[];

/**
 * Decides for every area where its boundary comes from. Pure.
 *
 * The source's polygon is taken wherever there is one, except of regions and provinces that have gained or lost
 * provinces, cities or municipalities since the source's edition: those are dissolved from the children they have now.
 * Cities and municipalities that exchanged barangays keep theirs, because barangay polygons don't always cover their
 * city; they are redrawn where the barangays are drawn elsewhere (reassign.ts). An area without a polygon is dissolved from its children when these are complete.
 */
export function plan(release: Release, survey: Survey): Plan {
  const children = childrenByParent(release.areas);
  const found = new Map<string, Found>();
  for (const feature of survey.files.flatMap((file) => file.features))
    if (feature) found.set(feature.area.code, feature);
  const stale = movedChildren(release, [...found.values()]);
  /** Areas that have, or will have, a boundary. */
  const drawn = new Set<string>();
  const explained = new Map<string, string>();
  return LEVELS_UPWARDS.map((level) => {
    const areas = release.areas.filter((area) => area.level === level);
    const result: LevelPlan = { level, origins: originsOf(level, survey), dissolve: [], missing: [], outdated: [] };
    const without: Area[] = [];
    for (const area of areas) {
      const change = stale.get(area.code);
      const asFound = () => {
        drawn.add(area.code);
        if (change) result.outdated.push(change);
      };
      const isParent = level === 'region' || level === 'province';
      if (found.has(area.code) && !(isParent && change)) {
        asFound();
        continue;
      }
      const parts = children.get(area.code) ?? [];
      // A barangay that is newer than the source lies in another's polygon, so its municity is complete without it.
      const complete = parts.every((part) => drawn.has(part.code) || explained.has(part.code));
      const available = parts.filter((part) => drawn.has(part.code));
      if (level !== 'barangay' && complete && available.length > 0) {
        drawn.add(area.code);
        result.dissolve.push({ area, children: available, why: change?.why ?? 'the source has no polygon of it' });
      } else if (found.has(area.code)) asFound();
      else without.push(area);
    }
    result.missing = explainMissing(level, areas, without, survey);
    for (const { area, explained: why } of result.missing) if (why !== null) explained.set(area.code, why);
    return result;
  });
}

/** From the resolutions that a level's files have to the three that are stored. */
function originsOf(level: AreaLevel, survey: Survey): LevelPlan['origins'] {
  const given = new Set<Resolution>();
  for (const { features } of survey.files) {
    for (const feature of features) if (feature?.area.level === level) given.add(feature.resolution);
  }
  const finest = RESOLUTIONS.find((resolution) => given.has(resolution));
  const originOf = (resolution: Resolution): Origin => {
    if (finest === undefined) return { kind: 'dissolved' };
    if (given.has(resolution))
      return given.size === 1 && resolution !== 'detailed' ? { kind: 'simplified' } : sourced(resolution);
    // Nothing is finer than the finest; what is coarser can be made of it.
    return RESOLUTIONS.indexOf(resolution) < RESOLUTIONS.indexOf(finest) ? sourced(finest) : { kind: 'simplified' };
  };
  return { detailed: originOf('detailed'), medium: originOf('medium'), simple: originOf('simple') };
}

function sourced(resolution: Resolution): Origin {
  return { kind: 'source', resolution };
}

/**
 * The areas that an area is made of: barangays make municities and sub-municipalities, these make provinces. Sources
 * draw a province with the cities that it hosts, unless those are of another region, and so does this.
 */
function childrenByParent(areas: Area[]): Map<string, Area[]> {
  const regions = new Map(areas.map((area) => [area.code, area.rCode]));
  const children = new Map<string, Area[]>();
  const add = (parent: string | null, area: Area) => {
    if (parent !== null) children.set(parent, [...(children.get(parent) ?? []), area]);
  };
  for (const area of areas) {
    if (area.level === 'barangay') {
      add(area.mCode, area);
      add(area.smCode, area);
    } else if (area.level === 'municity') {
      add(area.pCode, area);
      if (area.hostProvinceCode !== null && regions.get(area.hostProvinceCode) === area.rCode)
        add(area.hostProvinceCode, area);
      if (area.pCode === null) add(area.rCode, area);
    } else if (area.level === 'province') add(area.rCode, area);
  }
  return children;
}
