import { codeIn, matchCode, namesOfCode, rowsOfCode } from './codes.ts';
import { doubted } from './doubt.ts';
import { explain, namesIt } from './explain.ts';
import type { NameIndex } from './index.ts';
import { passedColumn } from './passed-over.ts';
import { isRecorded, unrecorded } from './recorded.ts';
import {
  areaOf,
  atMostLikely,
  type Fields,
  isDecided,
  isFiner,
  MAX_CANDIDATES,
  type Match,
  madeAmbiguous,
  quoted,
  requireLevel,
} from './result.ts';
import { explainedCode } from './row-codes.ts';
import { COLUMNS, columnOf, type NameLevel } from './source.ts';
import { partsOf } from './text-words.ts';

// The column of codes of a row whose other columns name the place.

/** A row with a code and names. */
interface CodedRow {
  /** The cell of the code. */
  readonly code: string;
  /** The other cells, of which one is filled at least. */
  readonly names: Fields;
  readonly level: NameLevel | undefined;
  /** Matches a row that has names or a code, and not both. */
  readonly matchFields: (fields: Fields) => Match;
}

/**
 * The result of a row whose code and names are compared. The finer of the two is meant where one lies in the other, and the code
 * decides among several places of the names. Where they mean different places, the row is ambiguous with those of both. A code
 * that is unknown leaves the names.
 */
export function matchBesideCode(index: NameIndex, row: CodedRow): Match {
  const { code, names, level, matchFields } = row;
  const digits = codeIn(code) ?? '';
  const areas = rowsOfCode(index, digits);
  const byNames = matchFields(names);
  if (areas.length === 0) return atMostLikely(byNames, [`code ${quoted(code)} is no known code.`]);
  const named = areaOf(index, byNames);
  const around = named === undefined ? undefined : areas.find((it) => index.isIn(named, it));
  const within = areas.length === 1 ? matchWithin(index, row, areas[0] as number) : undefined;
  if (around !== undefined && (around !== named || byNames.match === 'exact')) {
    if (within?.match === 'exact') return within;
    const known = isRecorded(index, digits, around) ? [] : [unrecorded(index, { field: 'code', code, area: around })];
    return atMostLikely(byNames, known);
  }
  const found = matchCode(index, { code }, level);
  const byCode = found ? explainedCode(index, { ...names, code }, found) : matchFields({ code });
  const own = doubted(requireLevel(byCode, level), names);
  if (named !== undefined) {
    const isWithin = areas.some((it) => index.isIn(it, named));
    return isWithin || byCode.match === 'exact' ? own : disagreeing(index, { code, areas, byCode, byNames });
  }
  if (within) return within;
  if (areas.length > 1) return amongSeveral(index, { code, areas, byCode, byNames });
  const finest = COLUMNS.findLast((it) => names[it] !== undefined);
  const isOther = finest === undefined ? isSpelledElsewhere(index, byNames, areas) : isPassed(byCode, finest);
  return isOther ? disagreeing(index, { code, areas, byCode, byNames }) : own;
}

/** A row's names read as those of a place in the area of its code; undefined where none is finer, or the area is another one. */
function matchWithin(index: NameIndex, { code, names, matchFields }: CodedRow, area: number): Match | undefined {
  const codeLevel = index.levelOf(area);
  const finest = COLUMNS.findLast((it) => names[it] !== undefined);
  if (finest === undefined ? codeLevel === 'barangay' : !isFiner(finest, codeLevel)) return undefined;
  const { notes } = explain(index, names, area, { isStrict: true });
  if (notes.some((note) => passedColumn(note) === columnOf(codeLevel))) return undefined;
  const match = matchFields({ ...names, ...namesOfCode(index, codeIn(code) as string) });
  const found = areaOf(index, match);
  if (found !== undefined && !index.isIn(found, area)) return undefined;
  // A text may be that of a person or of a street: only one that has nothing but names of a place means a smaller one.
  const isSmaller = (it: number) =>
    it !== area && partsOf(names.text as string).every((part) => namesIt(index, part, it));
  if (finest === undefined && (found === undefined || !isSmaller(found))) return undefined;
  return atMostLikely(match, notes);
}

/** What a row means by its code and by its names. */
interface BothWays {
  readonly code: string;
  readonly areas: readonly number[];
  readonly byCode: Match;
  readonly byNames: Match;
}

/** The result of a row that is undecided by its names, and whose code became several areas. */
function amongSeveral(index: NameIndex, both: BothWays): Match {
  const { byCode, byNames } = both;
  const common = byCode.candidates.filter(({ code }) => byNames.candidates.some((it) => it.code === code));
  if (common.length > 0) return { ...byCode, candidates: common };
  return byNames.candidates.length > 0 ? disagreeing(index, both) : byCode;
}

/** Whether a text that decides nothing has the name of other places than those of a code, spelled right. */
function isSpelledElsewhere(index: NameIndex, { candidates }: Match, areas: readonly number[]): boolean {
  const isNear = (it: (typeof candidates)[number]) =>
    areas.some((area) => index.areRelated(index.rowOf(it.level, it.code), area));
  return candidates.some(({ score }) => score === 1) && !candidates.some(isNear);
}

function isPassed({ notes }: Match, column: (typeof COLUMNS)[number]): boolean {
  return notes.some((note) => passedColumn(note) === column);
}

/** The result of a row whose code and names mean different places: both are candidates, and somebody has to say which is right. */
function disagreeing(index: NameIndex, { code, areas, byCode, byNames }: BothWays): Match {
  const own = byCode.candidates.slice(0, MAX_CANDIDATES / 2);
  const others = byNames.candidates.filter((it) => !own.some((one) => one.code === it.code));
  const names = [...new Set(areas.map((it) => index.source.nameOf(it)))].slice(0, MAX_CANDIDATES).join(' and ');
  const note = `The code ${code.trim().slice(0, 80)} is ${names}; the names say another place.`;
  const candidates = [...own, ...others].slice(0, MAX_CANDIDATES);
  // An ambiguous row has the code of what its place lies in.
  const { code: above, level, name } = byNames;
  const parent = !isDecided(byNames) && above !== null && level !== null ? index.rowOf(level, above) : undefined;
  const isCommon = parent !== undefined && areas.every((it) => index.isIn(it, parent));
  return madeAmbiguous(byCode, {
    ...(isCommon ? { code: above, level, name } : {}),
    score: own[0]?.score ?? 0,
    candidates,
    needs: null,
    notes: [...byNames.notes, note],
  });
}
