import { matchBarangay } from './barangay-column.ts';
import { resultOf } from './column-result.ts';
import { isCurrentNameSpelledRight } from './compare.ts';
import type { Scored } from './decide.ts';
import type { NameIndex } from './index.ts';
import { findPlaces, placesLike } from './parents.ts';
import { ambiguous, type Fields, isDecided, isFiner, type Match, meant, NO_MATCH } from './result.ts';
import { COLUMNS, type Column, columnOf, type NameLevel } from './source.ts';
import { matchTown, type RowQuery } from './town-column.ts';
import { jointScore } from './towns.ts';

interface Options extends Partial<Pick<RowQuery, 'isGuess' | 'isStrict'>> {
  /** The requested level. Default: that of the finest column. */
  readonly level?: NameLevel | undefined;
}

export function matchColumns(
  index: NameIndex,
  given: Fields,
  { level, isGuess = false, isStrict = false }: Options = {},
): Match {
  const fields = { ...given, isGuess, isStrict };
  const finest = COLUMNS.findLast((it) => fields[it] !== undefined);
  if (finest === undefined) return NO_MATCH;
  const match = matchAt(index, fields, finest);
  if (level === undefined) return match;
  // The column of cities may hold a sub-municipality.
  const hasSubMunicipality = level === 'municity' && match.candidates.some((it) => it.level === 'submunicipality');
  return isFiner(finest, level) || hasSubMunicipality ? lifted(index, { match, fields, level }) : match;
}

function matchAt(index: NameIndex, fields: RowQuery, level: Column): Match {
  if (level === 'barangay') return matchBarangay(index, fields as RowQuery & { barangay: string });
  if (level === 'municity') return matchTown(index, fields as RowQuery & { municity: string });
  const text = fields[level] as string;
  const found = findPlaces(index, text, level);
  const places = found.length > 0 || fields.isGuess || fields.isStrict ? found : placesLike(index, text, level);
  const scored = places.map((place): Scored => {
    const { joint, region } = jointScore(index, place, level === 'region' ? {} : { region: fields.region });
    const isSure = isCurrentNameSpelledRight(place) && region !== 'differs';
    return { ...place, joint, isSure, share: 1 };
  });
  return resultOf(index, scored, { fields, needs: 'region' });
}

/** Lifts the result for a finer level to the requested level. */
function lifted(index: NameIndex, { match, fields, level }: { match: Match; fields: Fields; level: NameLevel }): Match {
  const rowsOf = (codes: readonly { code: string; level: NameLevel; score: number }[]) => {
    const best = new Map<number, number>();
    for (const it of codes) {
      const row = index.rowOf(it.level, it.code);
      const parent = [...index.ancestorsOf(row), row].find((each) => index.levelOf(each) === level);
      if (parent !== undefined) best.set(parent, Math.max(best.get(parent) ?? 0, it.score));
    }
    return [...best].map(([row, score]) => ({ row, score }));
  };
  const facts = { matched: match.matched, notes: match.notes };
  const own = () => {
    const coarser = COLUMNS.filter((it) => !isFiner(it, level));
    return matchColumns(index, Object.fromEntries(coarser.map((it) => [it, fields[it]])) as Fields);
  };
  if (match.match === 'exact' || match.match === 'likely') {
    const rows = rowsOf(match.candidates.slice(0, 1));
    if (rows.length > 0) return { ...meant(index, match.match, rows), ...facts };
    // Cities of the capital lie in no province.
    const isInRegion = level === 'province';
    return isInRegion ? lifted(index, { match, fields, level: 'region' }) : { ...NO_MATCH, ...facts };
  }
  const alone = fields[columnOf(level)] === undefined ? NO_MATCH : own();
  if (isDecided(alone)) return alone;
  const rows = rowsOf(match.candidates);
  if (rows.length === 1) return { ...meant(index, 'likely', rows), ...facts };
  return rows.length > 0 ? ambiguous(index, rows, { needs: match.needs, notes: match.notes }) : alone;
}
