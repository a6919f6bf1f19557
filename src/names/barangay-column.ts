import { isNamedPlace, isSecondTown, isWholeName, severalIn, withoutWord } from './cells.ts';
import { resultOf } from './column-result.ts';
import { type Candidate, isCurrentNameSpelledRight, saysPlace, type TypedName, typedName } from './compare.ts';
import { byJoint, type Scored, WORTH_NAMING } from './decide.ts';
import { Candidates, findAmong, findLike, findNear, findSame, findSpelled, isNameOf } from './find.ts';
import { isDigits } from './fold.ts';
import { movedFrom } from './former-parents.ts';
import { DIRECTION, KIND, type Kind } from './forms.ts';
import type { NameIndex } from './index.ts';
import { findPlaces } from './parents.ts';
import { ambiguous, areaOf, equallyGood, isDecided, MAX_CANDIDATES, type Match, quoted } from './result.ts';
import type { Column } from './source.ts';
import {
  formerNamesakes,
  hasFormerName,
  isNameOfAnother,
  isTypedTownAnother,
  matchTown,
  type RowQuery,
  type ScoredTowns,
  scoredTowns,
  townDecider,
} from './town-column.ts';
import { jointScore, type Town } from './towns.ts';

/** Share of a barangay's own name in its score; the rest is its city's. */
const OWN_SHARE = 0.55;

/** The likeness of a result's own name, which for a barangay is only a part of its score. */
export function ownScore({ level, score }: Pick<Match, 'level' | 'score'>): number {
  return level === 'barangay' ? (score - (1 - OWN_SHARE)) / OWN_SHARE : score;
}

/** Score of a barangay's city if another city was typed; lower if it does not lie in the typed province either. */
const OTHER_TOWN = 0.4;
const OTHER_TOWN_UNBACKED = 0.2;

/** Score of a city that the barangay was part of, and of a sub-municipality if its city was typed. */
const MOVED = 0.9;

/** Letters that a scan has in place of the digits of a number: `San Manuel l`, `Ward lO`. */
const LETTERS_FOR_DIGITS = /\s(?=\S*[lO])[lO\d]{1,3}$/;

/** Names for the centre of any town. */
export const EVERYWHERE = /^(?:barangay )?(?:poblacion|centro|proper)$/;

/** Factor for a barangay without any known parent; lower if its name is misspelled too. */
const UNBACKED = 0.6;
const NEAR_UNBACKED = 0.3;

/** Barangays of other towns are searched if the best one scores less. */
const GOOD_ENOUGH = 0.85;

/** Max such barangays. */
const MAX_ELSEWHERE = 12;

/** Min characters of a name that is unmistakable. */
const UNMISTAKABLE = 8;

/** Max towns searched for a barangay. */
const MAX_TOWNS = 24;

/** Two towns whose names are only like the typed one are as good as each other if their scores differ by less. */
const NEXT_TOWN = 0.1;

/** The barangay that a row means; the town where only that is certain. */
export function matchBarangay(index: NameIndex, fields: RowQuery & { barangay: string }): Match {
  const { towns, sure } = scoredTowns(index, fields);
  const called = towns.filter(isCurrentNameSpelledRight);
  const name = typedName(index, fields.barangay, 'barangay');
  const isDirection = DIRECTION.test((name.forms[0] ?? '').replace(/^barangay /, ''));
  const isNumber = name.words.every((word) => word.length === 1 || isDigits(word));
  const typed = { name, isDirection, isNumber, hasCalledTown: called.length > 0 };
  const scored = scoredBarangays(index, fields, { towns, sure, typed });
  const result = resultOf(index, [...scored.values()], { fields, needs: 'barangay' });
  const listed = byJoint([...scored.values()]);
  const ambiguousBy = (needs: Column, beside: typeof listed = []) =>
    ambiguous(index, [...listed.sort((a, b) => b.score - a.score), ...beside], { needs });
  const toTown = (fallback: Match) => fallBackToTown(index, { fields, result: fallback, towns });
  const needs = townDecider(fields);
  const best = isDecided(result) ? scored.get(areaOf(index, result) as number) : undefined;
  const isInexact = best !== undefined && best.how !== 'same';
  // Without a typed city, the result must lie in the typed province or, without one, in the typed region.
  const above = fields.province === undefined ? 'region' : 'province';
  const isAstray = fields.municity === undefined && fields[above] !== undefined && result.matched[above] === undefined;
  if (best && isAstray && !fields.isGuess) return ambiguousBy('municity');
  const [town, ...otherTowns] = sure.size > 0 ? towns.filter(({ row }) => sure.has(row)) : called;
  const several = town && otherTowns.length === 0 ? severalIn(index, fields.barangay, town.row) : [];
  if (several.length > 1) return toTown(ambiguous(index, equallyGood(several, 1), { needs: 'barangay' }));
  // A street or a settlement may lie in another barangay than the one of its name.
  if (best && isNamedPlace(fields.barangay) && !isWholeName(index, fields.barangay, best.row))
    return toTown(ambiguousBy('barangay'));
  // A second name in the cell may be that of another town.
  if (best && isSecondTown(index, fields.barangay, best.row)) return toTown(ambiguousBy('municity'));
  // A barangay's name with one word more is no misspelling of another barangay's. Nor is a number scanned as letters:
  // `Centro l2`.
  const shorter = isInexact ? withoutWord(index, fields.barangay, best.row) : undefined;
  if (best && (shorter !== undefined || (isInexact && LETTERS_FOR_DIGITS.test(fields.barangay)))) {
    const beside = shorter === undefined ? [] : [{ row: shorter, score: best.joint }];
    return toTown(ambiguousBy('barangay', beside));
  }
  // A misspelled name does not decide between cities of one name.
  if (isInexact && sure.size > 1) return ambiguousBy(needs);
  // A misspelled barangay does not outweigh the typed city: it must lie in one of the sure cities.
  if (isInexact && sure.size > 0 && ![...sure].some((town) => index.isIn(best.row, town))) return ambiguousBy(needs);
  // Most towns have a barangay of this name, some with one more word, so it doesn't decide which town is meant.
  if (sure.size > 1 && best && EVERYWHERE.test(name.forms[0] ?? ''))
    return ambiguousBy(needs, byJoint(towns.filter(({ row }) => sure.has(row))));
  // A name that is only part of several barangays' names decides nothing: Concepcion of Marikina was divided into several.
  // A number is never such a part: 660 is not 660-A.
  if (best !== undefined && !isNumber && !(best.how === 'same' && best.kind === KIND.full)) {
    const rows = index.childrenOf('barangay', index.ancestorAt(best.row, 'municity') as number);
    const isNear = best.how === 'near';
    const others = equallyGood(othersContaining(index, name.base, { rows, but: best.row, isNear }), best.joint);
    // A town's name in the barangay's column decides nothing: many lists repeat it where they know no barangay.
    const asTown = typedName(index, fields.barangay, 'municity');
    const isTownsOwnName = best.how === 'same' && towns.some(({ row }) => findSpelled(index, asTown, [row]).length > 0);
    if (others.length > 0 || (isTownsOwnName && fields.municity !== undefined))
      return toTown(ambiguousBy('barangay', others));
  }
  // A barangay of another town decides nothing where the typed town exists, because that may lack the barangay, or where
  // the two cells may be swapped: `Taysan` beside `Cultihan`.
  const isElsewhere =
    best !== undefined && fields.municity !== undefined && !towns.some((it) => isOf(index, best.row, it));
  if (isElsewhere && (called.length > 0 || isNameOf(index, fields.barangay, 'municity')))
    return toTown(ambiguousBy('barangay'));
  // A typed town with the exact name of another area is neither a misspelling of this barangay's town nor short for it.
  const ownTown = best && towns.find(({ row }) => row === index.ancestorAt(best.row, 'municity'));
  if (ownTown && (isTypedTownAnother(index, ownTown, fields) || (sure.size > 0 && !isCurrentNameSpelledRight(ownTown))))
    return ambiguousBy('municity', byJoint(called));
  // A barangay that also exists in a town formerly called by the typed name is ambiguous.
  const before = result.match === 'exact' && ownTown ? formerNamesakes(index, { towns, own: ownTown.row }, fields) : [];
  const isBefore = ({ row, how }: Scored) => how === 'same' && before.some((it) => index.isIn(row, it.row));
  if ([...scored.values()].some(isBefore)) return ambiguousBy('municity');
  // A barangay of several towns whose names are only similar to the typed one is ambiguous.
  const isRival = ({ row, how, score, joint }: Scored) =>
    row !== best?.row && how === 'same' && score === best?.score && joint >= best.joint - NEXT_TOWN;
  if (best?.how === 'same' && ownTown && ownTown.how !== 'same' && [...scored.values()].some(isRival))
    return ambiguousBy('municity');
  // The rest of a truncated name decides nothing, and neither does a direction alone.
  const saysNothing = isDirection
    ? best?.kind !== KIND.full
    : isInexact && (!saysPlace(name) || isNameOfAnother(index, best, { name, text: fields.barangay }));
  // The result must also explain the barangay's cell: `Purok D2` shares only a number with Barangay 2.
  const isNamed = best !== undefined && result.matched.barangay !== undefined;
  if ((isNamed && !saysNothing) || fields.isStrict) return result;
  return toTown(best ? ambiguousBy('barangay') : result);
}

/** What is known of the name of a barangay before it is searched. */
interface Typed {
  readonly name: TypedName;
  /** Whether it is a direction alone: `North`. */
  readonly isDirection: boolean;
  /** Whether it is a number or a letter alone. */
  readonly isNumber: boolean;
  /** Whether a candidate town has the typed name of the town. */
  readonly hasCalledTown: boolean;
}

/** The barangays that a row may mean, by their rows of the index. */
function scoredBarangays(
  index: NameIndex,
  fields: RowQuery & { barangay: string },
  { towns, sure, typed }: ScoredTowns & { typed: Typed },
): Map<number, Scored> {
  const { name, isDirection, isNumber, hasCalledTown } = typed;
  const scored = new Map<number, Scored>();
  const put = (candidate: Candidate, parent: number, isSure: boolean) => {
    const joint = OWN_SHARE * candidate.score + (1 - OWN_SHARE) * parent;
    const existing = scored.get(candidate.row);
    // Earlier candidates win ties, so exact spellings stay first.
    if (existing !== undefined && existing.joint >= joint) return;
    const wasCalled = candidate.how === 'same' && hasFormerName(index, candidate, name);
    scored.set(candidate.row, { ...candidate, joint, isSure, wasCalled, share: OWN_SHARE });
  };
  const find = fields.isStrict ? findSpelled : findAmong;
  for (const town of towns.slice(0, MAX_TOWNS)) {
    if (town.joint < WORTH_NAMING) break;
    // Sub-municipalities of Manila share names with towns of other provinces.
    if (sure.size > 0 && town.province === 'differs') continue;
    const children = index.childrenOf('barangay', town.row);
    for (const it of find(index, name, children).slice(0, MAX_CANDIDATES)) {
      // A number or a direction alone may name a zone as well as a barangay.
      const isNamed = it.kind === KIND.full || !(isDirection || isNumber);
      const isHere = isCurrentNameSpelledRight(it) && isNamed && sure.size === 1 && sure.has(town.row);
      const isSure =
        isHere && (it.kind === KIND.full || !isBeginningOfOther(index, name.base, { rows: children, but: it.row }));
      put(it, town.joint, isSure);
    }
    if (isDirection || isNumber)
      for (const it of namesEndingWith(index, name.base, children)) put(it, town.joint, false);
  }
  for (const town of towns.slice(0, MAX_TOWNS)) {
    for (const it of findSpelled(index, name, besideTown(index, town))) put(it, town.joint * MOVED, false);
  }
  const highest = Math.max(0, ...[...scored.values()].map(({ joint }) => joint));
  if (highest < GOOD_ENOUGH && !fields.isGuess)
    for (const it of elsewhere(index, fields, { name, hasCalledTown })) put(it, it.parent, false);
  return scored;
}

/** Whether a barangay lies in a town, or did so once. */
function isOf(index: NameIndex, row: number, town: Town): boolean {
  return index.isIn(row, town.row) || Array.from(besideTown(index, town)).includes(row);
}

/** Barangays that have left a town, or that lie in the city of a sub-municipality. */
function besideTown(index: NameIndex, { row, province }: Town): ArrayLike<number> {
  if (index.levelOf(row) !== 'submunicipality') return movedFrom(index, row);
  return province === 'differs' ? [] : index.childrenOf('barangay', index.ancestorAt(row, 'municity') as number);
}

/** The barangays of a town whose names end with a word, each with score 1. */
function namesEndingWith(index: NameIndex, word: string, rows: ArrayLike<number>): Candidate[] {
  const ends = (key: number, kind: Kind) => kind < KIND.former && index.keys.at(key).endsWith(` ${word}`);
  const found = Array.from(rows).filter((row) => index.hasKey(row, ends));
  return found.map((row) => ({ row, kind: KIND.part, how: 'same', score: 1 }));
}

/** Whether another area has a name that begins with a folded one: `Santa Cruz Pambilog` beside Santa Cruz Poblacion. */
function isBeginningOfOther(index: NameIndex, base: string, { rows, but }: Others): boolean {
  const isLonger = (key: number, kind: Kind) => kind === KIND.full && index.keys.at(key).startsWith(`${base} `);
  return Array.from(rows).some((row) => row !== but && index.hasKey(row, isLonger));
}

/** Areas but one. */
interface Others {
  readonly rows: ArrayLike<number>;
  readonly but?: number;
}

/** Min characters of a truncated name. */
const MIN_CHARACTERS = 5;

/**
 * The other areas that have a name of which a folded one is a part.
 *
 * @param isNear also of those that it is the beginning of, within a word: `San Is` is San Isidro rather than Rawis
 */
export function othersContaining(
  index: NameIndex,
  base: string,
  { rows, but, isNear = false }: Others & { readonly isNear?: boolean },
): number[] {
  const isBeginning = isNear && base.length >= MIN_CHARACTERS;
  const fits = (own: string) => ` ${own} `.includes(` ${base} `) || (isBeginning && own.startsWith(base));
  return Array.from(rows).filter((row) => row !== but && index.hasKey(row, (key) => fits(index.keys.at(key))));
}

/** Barangays of other towns than the typed one, or of any town if none was typed. */
function elsewhere(
  index: NameIndex,
  fields: RowQuery & { barangay: string },
  { name, hasCalledTown }: { name: TypedName; hasCalledTown: boolean },
): (Candidate & { parent: number })[] {
  const found = new Candidates();
  findSame(index, name, found);
  const hasTownCell = fields.municity !== undefined;
  const places = fields.province === undefined ? [] : findPlaces(index, fields.province, 'province');
  if (!hasTownCell && found.size === 0) {
    const within = places.filter(({ row }) => index.levelOf(row) !== 'region' || places.length === 1);
    if (within.length === 0) findNear(index, name, found);
    for (const { row } of within)
      for (const it of findLike(index, name, index.childrenOf('barangay', row))) found.add(it);
  }
  const all = found.sorted();
  // If there is a town of the typed name, a barangay of another counts only if its name is unmistakable.
  if (hasCalledTown && (all.length > 1 || name.base.length < UNMISTAKABLE)) return [];
  const list = all.map((it) => {
    const { joint, province } = jointScore(index, it, { province: fields.province, region: fields.region });
    const parents = joint / it.score;
    const isBacked = province === 'agrees' || province === 'formerly';
    const unbacked = it.how === 'same' && it.score === 1 ? UNBACKED : NEAR_UNBACKED;
    return {
      ...it,
      parent: hasTownCell ? (isBacked ? OTHER_TOWN : OTHER_TOWN_UNBACKED) : isBacked ? parents : parents * unbacked,
    };
  });
  return list.sort((a, b) => b.score + b.parent - a.score - a.parent).slice(0, MAX_ELSEWHERE);
}

/**
 * A result for a barangay that is missing or ambiguous: the city's code if that is decided; else the given result or, if that is
 * none, the city's.
 */
function fallBackToTown(
  index: NameIndex,
  { fields, result, towns }: { fields: RowQuery & { barangay: string }; result: Match; towns: readonly Town[] },
): Match {
  if (towns.length === 0 || fields.municity === undefined) return result;
  const { barangay, ...rest } = fields;
  const town = matchTown(index, rest as RowQuery & { municity: string });
  if (!isDecided(town) || town.code === null) {
    if (result.match !== 'none') return result;
    return { ...town, notes: [...town.notes, `barangay ${quoted(barangay)} was not found.`] };
  }
  const note = `barangay ${quoted(barangay)} was not found for certain in ${town.name}; the code is that of ${town.name}.`;
  return {
    ...town,
    match: 'ambiguous',
    candidates: result.candidates.length > 0 ? result.candidates : town.candidates,
    needs: 'barangay',
    notes: [...town.notes, note],
  };
}
