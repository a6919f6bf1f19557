import type { Area, AreaLevel, Release } from '../../psgc/area.ts';
import type { FoundPolygon, Survey } from '../read/survey.ts';
import { FINEST_FIRST, type Filled, type LevelPlan, type Origin, type Plan } from './level-plan.ts';
import { explainMissing } from './missing.ts';
import { findOutdated } from './outdated.ts';

/** From the smallest areas up: boundaries are written in this order, so that parents find their children. */
const LEVELS_UPWARDS: readonly AreaLevel[] = ['barangay', 'submunicipality', 'municity', 'province', 'region'];

/**
 * Decides for every area where its boundary comes from. Pure.
 *
 * Of each area the finest polygon of the source is taken; coarser boundaries are always made, see `topology`. An area
 * takes the source's polygon wherever there is one, with one exception: regions and provinces that have gained
 * or lost provinces, cities or municipalities since the source's edition are dissolved from the children that they have
 * now. Cities and municipalities that exchanged barangays keep theirs, because barangay polygons don't always cover
 * their city; reassign.ts redraws them where their barangays are drawn in another one. An area without a polygon is
 * dissolved from its children when all of them have a boundary.
 */
export function planBoundaries(release: Release, survey: Survey): Plan {
  const children = childrenByParent(release.areas);
  const found = new Map<string, FoundPolygon>();
  for (const feature of survey.files.flatMap((file) => file.features)) {
    if (feature && !feature.inherited && isFiner(feature, found.get(feature.area.code))) {
      found.set(feature.area.code, feature);
    }
  }
  const inherited = findInherited(survey, found);
  for (const [code, [first]] of inherited) if (first && !found.has(code)) found.set(code, first);
  const outdated = findOutdated(release, [...found.values()]);
  /** Areas that have, or will have, a boundary. */
  const drawn = new Set<string>();
  const explained = new Map<string, string>();
  return LEVELS_UPWARDS.map((level) => {
    const areas = release.areas.filter((area) => area.level === level);
    const read = [...found.values()].filter(({ area }) => area.level === level);
    const result: LevelPlan = { level, ...originOf(read, inherited), dissolve: [], missing: [], outdated: [] };
    const without: Area[] = [];
    for (const area of areas) {
      const change = outdated.get(area.code);
      const takeAsFound = () => {
        drawn.add(area.code);
        if (change) result.outdated.push(change);
      };
      const isParent = level === 'region' || level === 'province';
      if (found.has(area.code) && !(isParent && change)) {
        takeAsFound();
        continue;
      }
      const parts = children.get(area.code) ?? [];
      // A barangay that is newer than the source lies in another's polygon, so its municity is complete without it.
      const complete = parts.every((part) => drawn.has(part.code) || explained.has(part.code));
      const available = parts.filter((part) => drawn.has(part.code));
      if (level !== 'barangay' && complete && available.length > 0) {
        drawn.add(area.code);
        result.dissolve.push({ area, children: available, why: change?.why ?? 'the source has no polygon of it' });
      } else if (found.has(area.code)) takeAsFound();
      else without.push(area);
    }
    result.missing = explainMissing({ level, areas, without, survey });
    for (const { area, explained: why } of result.missing) if (why !== null) explained.set(area.code, why);
    return result;
  });
}

/**
 * The polygons of abolished areas by the code of their only successor, each once. They are joined to the successor's own
 * one, or to each other where it has none. Those that are coarser than the others are left out.
 */
function findInherited(survey: Survey, found: ReadonlyMap<string, FoundPolygon>): Map<string, FoundPolygon[]> {
  const all = survey.files.flatMap(({ features }) => features.filter((it) => it?.inherited === true));
  const groups = Map.groupBy(all as FoundPolygon[], ({ area }) => area.code);
  return new Map(
    [...groups].map(([code, polygons]) => {
      const finest = FINEST_FIRST.find((it) => polygons.some(({ resolution }) => resolution === it));
      const wanted = found.get(code)?.resolution ?? finest;
      return [code, polygons.filter(({ resolution }) => resolution === wanted)] as const;
    }),
  );
}

/** Whether a polygon is finer than another one of its area. */
function isFiner({ resolution }: FoundPolygon, than: FoundPolygon | undefined): boolean {
  return than === undefined || FINEST_FIRST.indexOf(resolution) < FINEST_FIRST.indexOf(than.resolution);
}

/** The origin of a level by its finest polygons. */
function originOf(
  read: readonly FoundPolygon[],
  inherited: ReadonlyMap<string, FoundPolygon[]>,
): Pick<LevelPlan, 'origin' | 'places' | 'filled'> {
  const places = new Set(read.flatMap(({ at, area }) => [at, ...(inherited.get(area.code) ?? []).map((it) => it.at)]));
  const finest = FINEST_FIRST.find((resolution) => read.some((it) => it.resolution === resolution));
  const origin: Origin = finest === undefined ? { kind: 'dissolved' } : { kind: 'source', resolution: finest };
  const filled = read.flatMap(({ area: { code }, resolution }): Filled[] =>
    resolution === finest ? [] : [{ code, from: resolution }],
  );
  return { origin, places, filled };
}

/**
 * The areas that each area is made of, by its code: barangays make up cities, municipalities and sub-municipalities;
 * cities and municipalities make up provinces, and provinces regions. Sources draw a province together with the cities
 * that it hosts, unless those belong to another region, so hosted cities count as its children here too.
 */
function childrenByParent(areas: readonly Area[]): Map<string, Area[]> {
  const regions = new Map(areas.map((area) => [area.code, area.regionCode]));
  const children = new Map<string, Area[]>();
  const add = (parent: string | null, area: Area) => {
    if (parent !== null) children.set(parent, [...(children.get(parent) ?? []), area]);
  };
  for (const area of areas) {
    if (area.level === 'barangay') {
      add(area.municityCode, area);
      add(area.submunicipalityCode, area);
    } else if (area.level === 'municity') {
      add(area.provinceCode, area);
      if (area.hostProvinceCode !== null && regions.get(area.hostProvinceCode) === area.regionCode)
        add(area.hostProvinceCode, area);
      if (area.provinceCode === null) add(area.regionCode, area);
    } else if (area.level === 'province') add(area.regionCode, area);
  }
  return children;
}
