import { townsIn } from './cells.ts';
import { calledSince, resultOf } from './column-result.ts';
import { type Candidate, hasOwnWord, isCurrentNameSpelledRight, type TypedName, typedName } from './compare.ts';
import { byJoint, letterCount, type Scored, UNSUPPORTED_LIMITS } from './decide.ts';
import { findNamedToday, isNameOf } from './find.ts';
import { fold } from './fold.ts';
import { KIND } from './forms.ts';
import type { NameIndex } from './index.ts';
import { ambiguous, areaOf, atMostLikely, equallyGood, type Fields, isDecided, type Match } from './result.ts';
import { barangaysOfThatName, isOnlyFormerly, othersOfThatName } from './rivals.ts';
import { COLUMNS, type Column } from './source.ts';
import { findTowns, type Town } from './towns.ts';

/** Factor for a sub-municipality whose city left the typed province, if a town has the typed name. */
const LOST_SUBMUNICIPALITY = 0.6;

/** Min score of a town in another province than the typed one, if no other has its name. */
const UNIQUE_ELSEWHERE = 0.75;

/** By how much it may score less than something similar in the typed province. */
const BEHIND_RIVAL = 0.03;

/** The filled cells of a row, and how strictly they are matched. */
export type RowQuery = Fields & {
  /** Whether the cells were guessed from a text. Then a place must be spelled right, or lie in a parent that is. */
  readonly isGuess: boolean;
  /** Whether only names that are spelled right count. */
  readonly isStrict: boolean;
};

/** The towns that a row may mean, the likeliest first, and which of them have the typed name and lie in the typed parents for sure. */
export interface ScoredTowns {
  readonly towns: readonly Town[];
  readonly sure: ReadonlySet<number>;
}

export function scoredTowns(
  index: NameIndex,
  { municity, province, region, isGuess, isStrict }: RowQuery,
): ScoredTowns {
  const towns = municity === undefined ? [] : findTowns(index, municity, { province, region, isGuess, isStrict });
  const sure = towns.filter(
    (town) =>
      isCurrentNameSpelledRight(town) &&
      (town.province === 'agrees' ||
        (town.province === 'empty' && town.region !== 'differs' && town.region !== 'unknown')) &&
      !isOnlyFormerly(index, town, municity) &&
      !towns.some((other) => other.row !== town.row && wasInRegion(other)),
  );
  return { towns, sure: new Set(sure.map(({ row }) => row)) };
}

/** Other towns that were once called by the typed name and don't contradict the typed province and region: `San Isidro, Region XI`. */
export function formerNamesakes(
  index: NameIndex,
  { towns, own }: { towns: readonly Town[]; own: number },
  { municity = '' }: Fields,
): Town[] {
  const name = typedName(index, municity, 'municity');
  return towns.filter(
    (town) =>
      town.row !== own &&
      town.how === 'same' &&
      town.province !== 'differs' &&
      town.region !== 'differs' &&
      // A town may be called by its former name today.
      (hasFormerName(index, town, name) || (town.kind === KIND.alias && isFormerName(index, town.row, name))),
  );
}

/** The column that would tell towns of one name apart. */
export function townDecider({ province }: Fields): 'province' | 'municity' {
  return province === undefined ? 'province' : 'municity';
}

/** Whether no edition has a town by a former name, so that only a list older than these means it. */
function wasCalledLongAgo(index: NameIndex, row: number, text: string): boolean {
  return Object.keys(calledSince(index, row, typedName(index, text, 'municity'))).length === 0;
}

/** The ambiguous result of towns of one name, with the editions since or until which each has it. */
function ambiguousNamesakes(
  index: NameIndex,
  towns: readonly (Candidate & { joint: number })[],
  fields: Fields,
): Match {
  const name = typedName(index, fields.municity as string, 'municity');
  return ambiguous(index, byJoint(towns), { needs: townDecider(fields) }, (row) => calledSince(index, row, name));
}

/** Whether a town has the typed name and once lay in the typed region: `Parang, BARMM` may be the one in Sulu. */
function wasInRegion(town: Town): boolean {
  return isCurrentNameSpelledRight(town) && town.province === 'empty' && town.region === 'formerly';
}

/** Whether a town lies or lay in the typed province. */
function isInProvince({ province }: Town): boolean {
  return province === 'agrees' || province === 'formerly';
}

/** The city, municipality or sub-municipality that a row means. */
export function matchTown(index: NameIndex, fields: RowQuery & { municity: string }): Match {
  const all = scoredTowns(index, fields);
  const scored = jointScores(index, all, fields);
  const needs = townDecider(fields);
  const result = resultOf(index, scored, { fields, needs });
  const best = isDecided(result) ? scored.find(({ row }) => row === areaOf(index, result)) : undefined;
  if (!best) return result;
  const { towns } = all;
  const town = towns.find(({ row }) => row === best.row) as Town;
  const rivals = rivalsOf(index, { towns, town }, fields);
  if (rivals.length > 0) return ambiguous(index, equallyGood([best.row, ...rivals], best.joint), { needs });
  const several = townsIn(index, fields.municity, best.row);
  if (several.length > 1) return ambiguous(index, equallyGood(several, best.joint), { needs: 'municity' });
  const namesakes = result.match === 'exact' ? formerNamesakes(index, { towns, own: best.row }, fields) : [];
  const isLongAgo =
    town.province === 'agrees' && namesakes.every(({ row }) => wasCalledLongAgo(index, row, fields.municity));
  if (namesakes.length > 0 && !isLongAgo) return ambiguousNamesakes(index, [best, ...namesakes], fields);
  const notes = namesakes.map(({ row }) => `${index.source.nameOf(row)} was once called so.`);
  // The cells are shifted where the region's is no region, and the town lies in neither parent that the row names.
  const isShifted = fields.region !== undefined && !isNameOf(index, fields.region, 'region');
  const isContradicted = isShifted && town.province === 'differs' && town.region === 'differs';
  if (!isContradicted && !isTypedTownAnother(index, best, fields) && !isUnsupported(index, { towns, town }, fields))
    return atMostLikely(result, notes);
  return ambiguous(
    index,
    byJoint(scored).sort((a, b) => b.score - a.score),
    { needs },
  );
}

/** The towns with their joint scores. In a wrong province a unique name still scores enough to be likely. */
function jointScores(
  index: NameIndex,
  { towns, sure }: ScoredTowns,
  { municity, isGuess }: RowQuery & { municity: string },
): Scored[] {
  const called = towns.filter(isCurrentNameSpelledRight);
  const isSubMunicipality = ({ row }: Town) => index.levelOf(row) === 'submunicipality';
  const isFull = (town: Town) => town.kind === KIND.full && !isSubMunicipality(town);
  const isProvinceWrong = called.every(({ province }) => province === 'differs');
  return towns.map((town): Scored => {
    const isInWrongProvince = isProvinceWrong && called.includes(town) && isFull(town) && !isGuess;
    const isOnly = isInWrongProvince && called.length === 1 && hasOwnWord(municity);
    const rival = isInWrongProvince
      ? towns.find((other) => other !== town && isInProvince(other) && (isOnly || other.how !== 'same'))
      : undefined;
    // A sub-municipality of a city that has left the typed province counts less than a town of that name.
    const isLost = isSubMunicipality(town) && town.province === 'formerly' && called.some(isFull);
    // It scores at least a little less than something similar in that province, so that the row is ambiguous.
    const joint = isInWrongProvince
      ? Math.max(town.joint, isOnly ? UNIQUE_ELSEWHERE : 0, (rival?.joint ?? 0) - BEHIND_RIVAL)
      : town.joint * (isLost ? LOST_SUBMUNICIPALITY : 1);
    return { ...town, joint, isSure: sure.has(town.row), share: 1, isTown: true, hasKnownParents: isInProvince(town) };
  });
}

/** Other areas that the typed name may mean as well as the town that was found. */
function rivalsOf(index: NameIndex, { towns, town }: { towns: readonly Town[]; town: Town }, fields: Fields): number[] {
  if (isOnlyFormerly(index, town, fields.municity)) return othersOfThatName(index, town, fields);
  const former = town.province === 'empty' ? towns.filter((it) => it.row !== town.row && wasInRegion(it)) : [];
  return [...former.map(({ row }) => row), ...barangaysOfThatName(index, town, fields)];
}

/**
 * Whether the town has only a similar name, or is no city though one was typed (`Panay City`), and no parent or barangay supports
 * it. Such a name may lie abroad: `Oslo`.
 */
function isUnsupported(
  index: NameIndex,
  { towns, town }: { towns: readonly Town[]; town: Town },
  { municity = '', barangay }: Fields,
): boolean {
  const isBacked = [town.province, town.region].some((it) => it === 'agrees' || it === 'formerly');
  if (isBacked || barangay !== undefined) return false;
  const isCity = /\bcity\b/i.test(index.source.nameOf(town.row));
  if (town.how === 'same') return !isCity && typedName(index, municity, 'municity').placeType === 'city';
  const next = Math.max(0, ...towns.filter(({ row }) => row !== town.row).map(({ score }) => score));
  return (
    town.score < UNSUPPORTED_LIMITS.like ||
    town.score - next < UNSUPPORTED_LIMITS.gap ||
    letterCount(municity) < UNSUPPORTED_LIMITS.letters
  );
}

/** Whether the typed town is the exact name of another area, so it is no misspelling of this town's name. */
export function isTypedTownAnother(index: NameIndex, town: Candidate, { municity = '' }: Fields): boolean {
  const name = typedName(index, municity, 'municity');
  return town.how !== 'same' && isNameOfAnother(index, town, { name, text: municity });
}

/**
 * Whether a typed name that an area is only like is that of another area, and so no slip. A name that ends early may be
 * short for the area's, and one that sounds the same may be another spelling of a barangay's.
 */
export function isNameOfAnother(
  index: NameIndex,
  { row, score }: Candidate,
  { name, text }: { name: TypedName; text: string },
): boolean {
  const whole = `${fold(index.source.nameOf(row))} `;
  if ([name.forms[0], name.base].some((form) => whole.startsWith(`${form} `))) return false;
  const isBarangay = name.level === 'barangay';
  // Half a slip as a share of both names: see nearScore.
  const halfSlip = 1 / (2 * name.pattern.text.length - 1);
  if (isBarangay && score >= 1 - halfSlip) return false;
  // Barangays are left out for a typed town: nearly every name is also that of some barangay.
  const columns = isBarangay ? COLUMNS : COLUMNS.slice(0, -1);
  const isCalled = (it: string, column: Column) => findNamedToday(index, it, column).length > 0;
  // The name is tried as typed, and without the words for its type.
  return columns.some((column) => isCalled(text, column) || isCalled(name.base, column));
}

/** Whether the typed name is a former name of an area, or one in parentheses, which counts as such. */
export function hasFormerName(index: NameIndex, { row, kind }: Candidate, name: TypedName): boolean {
  return kind === KIND.former || (kind === KIND.part && isFormerName(index, row, name));
}

/** Whether the typed name is exactly a former name of an area, whatever key it was found by. */
function isFormerName(index: NameIndex, row: number, name: TypedName): boolean {
  return index.source.formerNames(row).some((former) => name.forms.includes(fold(former)));
}
