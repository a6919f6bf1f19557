import type { Area, AreaLevel } from '../../psgc/area.ts';
import type { Problem } from '../../psgc/publication.ts';
import type { Ledger } from '../write/redraw.ts';

/** Land of an area, or of all areas of a level, that a step of the load took away. */
export interface Loss {
  level: AreaLevel;
  /** Null for all of a level. */
  code: string | null;
  name: string;
  step: string;
  /** The receiver: nobody, or other areas of its level. */
  to: 'nobody' | 'others';
  /** Square kilometres, about. */
  km2: number;
  /** The share of the area. */
  share: number;
}

/**
 * Max loss of a step: slivers along the coast, where the source draws the shore of a municipality and of its barangays
 * differently. Small areas may lose a larger share, large ones only a small one beyond some square kilometres.
 */
const MAX_LOSS = { share: 0.01, km2: 2, shareOfLarge: 0.0005 };
/** Losses below this, square kilometres, are ignored unless they are a tenth of the area. */
const MIN_LOSS = { km2: 0.05, share: 0.1 };
/** Max share that an area may lose to others where the source draws both; beyond it, one of them is misplaced. */
const MAX_CONTESTED = 0.5;
/** Max share that all areas of a level together may lose in a step. */
const MAX_TOGETHER = 0.002;

/** Square kilometres of a square microdegree at the latitude of the middle of the country. */
const KM2 = 1.2364e-8 * Math.cos((12 * Math.PI) / 180);

const GIVEN = 'giving its land to others';
const CONTESTED = 'settling overlaps of the source';

/** Finds what each step lost, the largest first. Pure. */
export function findLosses(ledger: Ledger): Loss[] {
  const { areas, shapes, outlines, sourceSizes, storedSizes, lost, uncovered, taken, reassigned } = ledger;
  const byCode = new Map(areas.map((area) => [area.code, area]));
  const losses: Loss[] = [];
  const totals = new Map<string, { level: AreaLevel; step: string; lost: number; size: number }>();
  const to = (step: string): Loss['to'] => (step === GIVEN || step === CONTESTED ? 'others' : 'nobody');
  const note = (code: string, step: string, { size, gone }: { size: number; gone: number }) => {
    const { level, name } = byCode.get(code) as Area;
    const total = totals.get(`${level} ${step}`) ?? { level, step, lost: 0, size: 0 };
    total.size += size;
    total.lost += gone;
    totals.set(`${level} ${step}`, total);
    if (gone > 0) losses.push({ level, code, name, step, to: to(step), km2: gone * KM2, share: gone / size });
  };
  // Cities and municipalities that exchanged land are compared together.
  const groupOf = connected(reassigned.moved.map(({ own, host }) => [own, host]));
  const exchanged = new Map<string, { size: number; gone: number }>();
  for (const { code } of shapes) {
    const [size, now] = [sourceSizes.get(code), storedSizes.get(code)];
    if (size === undefined || now === undefined) continue;
    const first = groupOf(code);
    const group = first === undefined ? undefined : exchanged.get(first);
    if (group) {
      group.size += size;
      group.gone += size - now;
    } else if (first !== undefined) exchanged.set(first, { size, gone: size - now });
    else note(code, 'repairing the polygons of the source', { size, gone: size - now });
  }
  for (const [first, group] of exchanged) note(first, 'moving barangays to their own city or municipality', group);
  for (const [i, { code, area }] of shapes.entries()) {
    note(code, 'drawing one topology of the country', { size: area, gone: lost[i] as number });
    note(code, GIVEN, { size: area, gone: taken.uncontested[i] as number });
    note(code, CONTESTED, { size: area, gone: taken.contested[i] as number });
  }
  for (const [i, { code, area }] of outlines.entries()) {
    note(code, 'uniting the areas below it', { size: area, gone: uncovered[i] as number });
  }
  for (const { level, step, lost: gone, size } of totals.values()) {
    const all = { level, code: null, name: `all of level ${level}`, step, to: to(step) };
    if (gone > 0) losses.push({ ...all, km2: gone * KM2, share: gone / size });
  }
  return losses.sort((one, other) => other.km2 - one.km2);
}

/** The losses for which a load is refused. Pure. */
export function lossProblems(losses: readonly Loss[]): Problem[] {
  return losses
    .filter(({ code, step, km2, share }) => {
      if (step === CONTESTED) return code !== null && share > MAX_CONTESTED;
      if (code === null) return share > MAX_TOGETHER;
      if (km2 <= MIN_LOSS.km2) return share > MIN_LOSS.share;
      return share > MAX_LOSS.share || (km2 > MAX_LOSS.km2 && share > MAX_LOSS.shareOfLarge);
    })
    .map(({ level, code, name, step, km2, share }) => ({
      at: code === null ? level : `${level} ${code}`,
      what: `${code === null ? name : `${code} ${name}`} loses ${km2.toFixed(2)} km² (${(100 * share).toFixed(2)} %) by ${step}`,
    }));
}

/**
 * Makes the function that says to which group a code belongs, where every pair belongs to one group: the first code of
 * the group, and undefined for a code of no pair.
 */
function connected(pairs: readonly (readonly [string, string])[]): (code: string) => string | undefined {
  const groups = new Map<string, string[]>();
  for (const pair of pairs) {
    const joined = [...new Set(pair.flatMap((code) => groups.get(code) ?? [code]))];
    for (const code of joined) groups.set(code, joined);
  }
  return (code) => groups.get(code)?.[0];
}
