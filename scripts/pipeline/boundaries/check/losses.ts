import type { Area, AreaLevel } from '../../psgc/area.ts';
import type { Problem } from '../../psgc/publication.ts';
import type { Ledger } from '../write/country.ts';

/** Land of an area, or of all areas of a level, that a step of the load left to nobody. */
export interface Loss {
  level: AreaLevel;
  /** Null for all of a level. */
  code: string | null;
  name: string;
  step: string;
  /** Square kilometres, about. */
  km2: number;
  /** The share of the area. */
  share: number;
}

/**
 * The most that a step may lose: slivers along the coast, where the source draws the shore of a municipality and of its
 * barangays differently. Small areas may lose a larger share, large ones only a small one beyond some square kilometres.
 */
const MOST = { share: 0.01, km2: 2, shareOfLarge: 0.0005 };
/** Less than this is not looked at, square kilometres. */
const LEAST_KM2 = 0.05;
/** The most that all areas of a level together may lose in a step. */
const MOST_TOGETHER = 0.002;

/** Square kilometres of a square microdegree at the latitude of the middle of the country. */
const KM2 = 1.2364e-8 * Math.cos((12 * Math.PI) / 180);

/** Finds what each step lost, the largest first. Pure. */
export function findLosses({ areas, shapes, outlines, given, stored, lost, uncovered, reassigned }: Ledger): Loss[] {
  const byCode = new Map(areas.map((area) => [area.code, area]));
  const losses: Loss[] = [];
  const totals = new Map<string, { level: AreaLevel; step: string; lost: number; size: number }>();
  const note = (code: string, step: string, { size, gone }: { size: number; gone: number }) => {
    const { level, name } = byCode.get(code) as Area;
    const total = totals.get(`${level} ${step}`) ?? { level, step, lost: 0, size: 0 };
    total.size += size;
    total.lost += gone;
    totals.set(`${level} ${step}`, total);
    if (gone > 0) losses.push({ level, code, name, step, km2: gone * KM2, share: gone / size });
  };
  // Cities and municipalities that exchanged land are compared together.
  const exchanged = new Set(reassigned.moved.flatMap(({ own, host }) => [own, host]));
  let difference = 0;
  let together = 0;
  for (const { code } of shapes) {
    const [size, now] = [given.get(code), stored.get(code)];
    if (size === undefined || now === undefined) continue;
    if (exchanged.has(code)) {
      difference += size - now;
      together += size;
    } else note(code, 'repairing the polygons of the source', { size, gone: size - now });
  }
  const [first] = exchanged;
  if (first !== undefined && together > 0) {
    note(first, 'moving barangays to their own city or municipality', { size: together, gone: difference });
  }
  for (const [i, { code, area }] of shapes.entries()) {
    note(code, 'drawing one topology of the country', { size: area, gone: lost[i] as number });
  }
  for (const [i, { code, area }] of outlines.entries()) {
    note(code, 'uniting the areas below it', { size: area, gone: uncovered[i] as number });
  }
  for (const { level, step, lost: gone, size } of totals.values()) {
    if (gone > 0)
      losses.push({ level, code: null, name: `all of level ${level}`, step, km2: gone * KM2, share: gone / size });
  }
  return losses.sort((one, other) => other.km2 - one.km2);
}

/** The losses for which a load is refused. Pure. */
export function refuseLosses(losses: readonly Loss[]): Problem[] {
  return losses
    .filter(({ code, km2, share }) =>
      code === null
        ? share > MOST_TOGETHER
        : km2 > LEAST_KM2 && (share > MOST.share || (km2 > MOST.km2 && share > MOST.shareOfLarge)),
    )
    .map(({ level, code, name, step, km2, share }) => ({
      at: code === null ? level : `${level} ${code}`,
      what: `${code === null ? name : `${code} ${name}`} loses ${km2.toFixed(2)} km² (${(100 * share).toFixed(2)} %) by ${step}`,
    }));
}
