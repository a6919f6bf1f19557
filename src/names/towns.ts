import { type Candidate, typedName } from './compare.ts';
import { findAmong, findLike, findNear, findSame } from './find.ts';
import { KIND } from './forms.ts';
import type { NameIndex } from './index.ts';
import { type Agreement, agreementOf, findParents, LIKE_PARENT, provincesWith } from './parents.ts';
import { eachOf, rowsOfColumn } from './source.ts';

/** The texts in the columns that say where a city or municipality is. */
export interface Parents {
  readonly region?: string | undefined;
  readonly province?: string | undefined;
}

/** A city or municipality that a text may mean, and whether the columns of its parents agree. */
export interface Town extends Candidate {
  /** The score from 0 to 1, with the parents considered. */
  readonly joint: number;
  readonly province: Agreement;
  readonly region: Agreement;
}

/** The columns of the parents, and how a town is searched for. */
interface TownParents extends Parents {
  /** Whether the text was guessed to be a town. Then a town outside of the parents must be spelled right. */
  readonly isGuess: boolean;
  /** Whether every town must be spelled right. */
  readonly isStrict: boolean;
}

/** Factors for a town by what its row says of the province. */
export const PROVINCE_FACTOR = { agrees: 1, formerly: 0.95, empty: 0.98, unknown: 0.92, differs: 0.62 } as const;
/** The same for the region. */
const REGION_FACTOR = { agrees: 1, formerly: 1, empty: 1, unknown: 0.98, differs: 0.85 } as const;

/** Factor for another region beside the right province: regions change more often than provinces. */
const OUTDATED_REGION = 0.96;

/** The score of a candidate, reduced where the columns of its parents don't agree. */
export function jointScore(index: NameIndex, candidate: Candidate, parents: Parents): Omit<Town, keyof Candidate> {
  const province = agreementOf(index, candidate.row, { text: parents.province, column: 'province' });
  const region = agreementOf(index, candidate.row, { text: parents.region, column: 'region' });
  const provinceFactor = PROVINCE_FACTOR[province.agreement] * (0.8 + 0.2 * province.score);
  const isOutdated = region.agreement === 'differs' && province.agreement === 'agrees';
  const regionFactor = isOutdated ? OUTDATED_REGION : REGION_FACTOR[region.agreement];
  return {
    joint: candidate.score * provinceFactor * regionFactor,
    province: province.agreement,
    region: region.agreement,
  };
}

/** The cities and municipalities that a text may mean with the parents of its row, best first. */
export function findTowns(index: NameIndex, municity: string, parents: TownParents): readonly Town[] {
  const { province = '', region = '', isGuess, isStrict } = parents;
  const key = `${municity}\0${province}\0${region}`;
  return index.cached(isStrict ? 'spelled' : isGuess ? 'guessed' : 'municity', key, () =>
    townsOf(index, municity, parents),
  );
}

/** Min joint score of a town that is spelled right for which no other spelling is tried. */
const CLEAR = 0.95;

/** Max towns that a text may mean. */
const MAX_TOWNS = 40;

function townsOf(index: NameIndex, municity: string, parents: TownParents): Town[] {
  const name = typedName(index, municity, 'municity');
  const found = findSame(index, name);
  const towns = () => {
    const all = found.sorted().map((it): Town => ({ ...it, ...jointScore(index, it, parents) }));
    return all.sort((a, b) => b.joint - a.joint || a.kind - b.kind || a.row - b.row);
  };
  const best = towns()[0];
  if (parents.isStrict || (best && best.joint >= CLEAR)) return towns();
  // The words that two provinces share are no misspelled town: `Agusan`.
  const isOfProvinces = found.size === 0 && provincesWith(index, municity).length > 1;
  if (!parents.isGuess && !isOfProvinces) findNear(index, name, found);
  const within = townsWithin(index, parents);
  if (within.length > 0) {
    for (const it of findAmong(index, name, within)) found.add(it);
    for (const it of findCutOff(index, name.base, within)) found.add(it);
  } else if (found.size === 0 && !parents.isGuess && !isOfProvinces) {
    for (const it of findLike(index, name, eachOf(rowsOfColumn(index.source, 'municity')))) found.add(it);
  }
  return towns().slice(0, MAX_TOWNS);
}

/** The rows of the towns in the province that its column means, or else in the region; empty where neither means an area. */
function townsWithin(index: NameIndex, parents: Parents): readonly number[] {
  for (const column of ['province', 'region'] as const) {
    const text = parents[column];
    if (text === undefined) continue;
    const above = findParents(index, text, column).filter(
      ({ row, score }) => score >= LIKE_PARENT && index.levelOf(row) !== 'municity',
    );
    const within = new Set(above.flatMap(({ row }) => Array.from(index.childrenOf('municity', row))));
    if (within.size > 0) return [...within];
  }
  return [];
}

/** Min letters of the beginning of a town's name. */
const MIN_BEGINNING = 4;

/** The towns among `rows` whose names begin with a text, as where a short column cut the name off: `Palom` of Palompon. */
function findCutOff(index: NameIndex, base: string, rows: readonly number[]): Candidate[] {
  if (base.length < MIN_BEGINNING) return [];
  return rows.flatMap((row): Candidate[] => {
    let best = 0;
    index.eachKey(row, (key, kind) => {
      const own = index.keys.at(key);
      if (kind === KIND.full && own.startsWith(base)) best = Math.max(best, 0.5 + (0.5 * base.length) / own.length);
    });
    return best > 0 && best < 1 ? [{ row, kind: KIND.part, how: 'part', score: best }] : [];
  });
}
