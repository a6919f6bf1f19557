import { isNamedPlace, isSecondTown, isWholeName, severalIn, townsIn, withoutWord } from './cells.ts';
import { type Candidate, hasOwnWord, saysPlace, type TypedName, typedName } from './compare.ts';
import { decide, type Scored } from './decide.ts';
import { explained } from './explain.ts';
import { Candidates, findAmong, findLike, findNamedToday, findNear, findSame, findSpelled, isNameOf } from './find.ts';
import { fold, isDigits } from './fold.ts';
import { movedFrom } from './former-parents.ts';
import { DIRECTION, KIND } from './forms.ts';
import type { NameIndex } from './index.ts';
import { findPlaces, findTowns, isSpelledParent, jointScore, type Town } from './parents.ts';
import {
  type Fields,
  isDecided,
  isFiner,
  MAX_CANDIDATES,
  type Match,
  meant,
  NO_MATCH,
  rowOf,
  unsure,
} from './result.ts';
import { barangaysOfThatName, isOnlyFormerly, othersOfThatName } from './rivals.ts';
import { COLUMNS, type Column, columnOf, type NameLevel } from './source.ts';

/** Share of a barangay's own name in its score; the rest is its city's. */
const OWN_SHARE = 0.55;

/** The likeness of a result's own name, which for a barangay is only a part of its score. */
export function ownScore({ level, score }: Pick<Match, 'level' | 'score'>): number {
  return level === 'barangay' ? (score - (1 - OWN_SHARE)) / OWN_SHARE : score;
}

/** Score of a barangay's city if another city was typed. */
const OTHER_TOWN = 0.4;

/** Score of a city that the barangay was part of, and of a sub-municipality if its city was typed. */
const MOVED = 0.9;

/** Score of a city found by one of its districts, if there are towns of that name. */
const LOST_DISTRICT = 0.6;

/** Letters that a scan has in place of the digits of a number: `San Manuel l`, `Ward lO`. */
const LETTERS_FOR_DIGITS = /\s(?=\S*[lO])[lO\d]{1,3}$/;

/** Names for the centre of any town. */
export const EVERYWHERE = /^(?:barangay )?(?:poblacion|centro|proper)$/;

/** Factor for a barangay without any known parent; lower if its name is misspelled too. */
const UNBACKED = 0.6;
const NEAR_UNBACKED = 0.3;

/** Max towns searched for a barangay. */
const MAX_TOWNS = 24;

/** Two towns whose names are only like the typed one are as good as each other if their scores differ by less. */
const NEXT_TOWN = 0.1;

interface Options {
  /** The requested level. Default: that of the finest column. */
  readonly level?: NameLevel | undefined;
  /** Whether the columns are guessed from a text: then a place must be spelled right, or lie in parents that are. */
  readonly isGuess?: boolean;
  /** Whether only names that are spelled right count. */
  readonly isStrict?: boolean;
}

type Columns = Fields & Required<Pick<Options, 'isGuess' | 'isStrict'>>;

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
  const hasDistrict = level === 'municity' && match.candidates.some((it) => it.level === 'submunicipality');
  return isFiner(finest, level) || hasDistrict ? lifted(index, { match, fields, level }) : match;
}

function matchAt(index: NameIndex, fields: Columns, level: Column): Match {
  if (level === 'barangay') return matchBarangay(index, fields as Columns & { barangay: string });
  if (level === 'municity') return matchTown(index, fields as Columns & { municity: string });
  const text = fields[level] as string;
  const places = findPlaces(index, text, level);
  const scored = places.map((place): Scored => {
    const { joint, region } = jointScore(index, place, level === 'region' ? {} : { region: fields.region });
    const isSure = place.how === 'same' && place.kind < KIND.former && place.score === 1 && region !== 'differs';
    return { ...place, joint, isSure, share: 1 };
  });
  return concluded(index, scored, { fields, needs: 'region' });
}

/** The result by the candidates' scores, with the areas that the columns were taken for. */
function concluded(
  index: NameIndex,
  scored: readonly Scored[],
  { fields, needs }: { fields: Fields; needs: NameLevel },
): Match {
  const { match, all } = decide(scored);
  if (match === 'none') return NO_MATCH;
  const rows = all.map(({ row, joint }) => ({ row, score: joint }));
  if (match === 'ambiguous') {
    // Of a city and a town of one name, the city is meant more often.
    const isTown = (row: number) => Number(!/\bcity\b/i.test(index.source.nameOf(row)));
    if (fields.barangay === undefined) rows.sort((a, b) => b.score - a.score || isTown(a.row) - isTown(b.row));
    const finest = COLUMNS.findLast((it) => fields[it] !== undefined) as Column;
    const name = typedName(index, fields[finest] as string, finest);
    const hasFormer = all.some(({ wasCalled, kind }) => wasCalled || kind === KIND.former);
    return unsure(index, rows, { needs: decidedBy(index, all, { fields, otherwise: needs }) }, (row) =>
      hasFormer ? calledSince(index, row, name) : {},
    );
  }
  const [best] = all as [Scored, ...Scored[]];
  const why = explained(index, fields, best.row);
  if (best.kind === KIND.district) why.notes.push(liesIn(index, fields[columnOf(index.levelOf(best.row))], best.row));
  const isSpelled = (['region', 'province'] as const).every((column) => {
    const text = fields[column];
    return text === undefined || isSpelledParent(index, text, column);
  });
  // An alias says what it is called beside what it lies in.
  const isAlone = Object.values(fields).filter((it) => typeof it === 'string').length === 1;
  const isAlias = isAlone && best.kind === KIND.alias;
  // Nothing is exact that contradicts a part of its row.
  const isSure = why.notes.length === 0 && isSpelled && !isAlias;
  return { ...meant(index, isSure ? match : 'likely', rows), ...why };
}

/** Since or until when an area has a name, as far as editions say. */
function calledSince(index: NameIndex, row: number, { forms }: TypedName): { since?: string; until?: string } {
  const editions = index.source.formerEditions(row).map((it) => it.split(' '));
  const named = index.namesOf(row).map(({ keys }) => keys.some(({ key }) => forms.includes(key)));
  if (named[0]) return editions[0]?.[1] ? { since: editions[0][1] } : {};
  // Former names stand behind all others.
  const former = named.slice(-editions.length);
  const until = editions.find(([last], at) => former[at] && last)?.[0];
  return until ? { until } : {};
}

/** The note about a place without a code of its own. */
export function liesIn({ source }: NameIndex, text: string | undefined, row: number): string {
  return `"${text?.slice(0, 80)}" has no code of its own; it lies in ${source.nameOf(row)}.`;
}

/** The missing column in which the best candidates differ; else the column of the name itself. */
function decidedBy(
  index: NameIndex,
  all: readonly Scored[],
  { fields, otherwise }: { fields: Fields; otherwise: NameLevel },
): NameLevel {
  const best = all.filter(({ joint }) => joint >= (all[0] as Scored).joint - 0.1);
  const parents = best.map(({ row }) => index.ancestorsOf(row));
  for (const level of ['municity', 'province', 'region'] as const) {
    if (fields[level] !== undefined && level !== 'municity') continue;
    if (fields[level] !== undefined) continue;
    const at = parents.map((rows) => rows.find((row) => index.levelOf(row) === level));
    if (new Set(at).size > 1) return level === 'municity' && fields.province === undefined ? 'municity' : level;
  }
  return otherwise;
}

function scoredTowns(
  index: NameIndex,
  { municity, province, region, isGuess, isStrict }: Columns,
): { towns: readonly Town[]; sure: Set<number> } {
  const towns = municity === undefined ? [] : findTowns(index, municity, { province, region, isGuess, isStrict });
  const sure = towns.filter(
    (town) =>
      isCalledSo(town) &&
      (town.province === 'agrees' ||
        (town.province === 'empty' && town.region !== 'differs' && town.region !== 'unknown')) &&
      !isOnlyFormerly(index, town, municity) &&
      !towns.some((other) => other.row !== town.row && wasInRegion(other)),
  );
  return { towns, sure: new Set(sure.map(({ row }) => row)) };
}

/** The towns that once had the name of another one, in the province and region of the row: `San Isidro, Region XI`. */
function formerNamesakes(
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
      (hasFormerName(index, town, name) ||
        (town.kind === KIND.alias && hasFormerName(index, { ...town, kind: KIND.part }, name))),
  );
}

/** The ambiguous result of towns of one name, with the editions since or until which each has it. */
function unsureBetween(index: NameIndex, towns: readonly (Candidate & { joint: number })[], fields: Fields): Match {
  const name = typedName(index, fields.municity as string, 'municity');
  const rows = towns.map(({ row, joint }) => ({ row, score: joint }));
  const needs = fields.province === undefined ? 'province' : 'municity';
  return unsure(index, rows, { needs }, (row) => calledSince(index, row, name));
}

/** Whether a town has the name of its row, and lay in its region once: `Parang, BARMM` may be the one in Sulu. */
function wasInRegion(town: Town): boolean {
  return isCalledSo(town) && town.province === 'empty' && town.region === 'formerly';
}

/** Whether a town lies in the province of its row, or did so once. */
function isWithin({ province }: Town): boolean {
  return province === 'agrees' || province === 'formerly';
}

/** Whether a town has the name of its row, spelled right. */
function isCalledSo({ how, kind, score }: Town): boolean {
  return how === 'same' && kind < KIND.former && score === 1;
}

function matchTown(index: NameIndex, fields: Columns & { municity: string }): Match {
  const { towns, sure } = scoredTowns(index, fields);
  const called = towns.filter(isCalledSo);
  const isDistrict = ({ row }: Town) => index.levelOf(row) === 'submunicipality';
  const isWhole = (town: Town) => town.kind === KIND.whole && !isDistrict(town);
  const isElsewhere = called.every(({ province }) => province === 'differs');
  const scored = towns.map((town): Scored => {
    const isSure = sure.has(town.row);
    // A wrong province costs a unique name nothing, if nothing in that province is similar.
    const isCalled = isElsewhere && called.includes(town) && isWhole(town) && !fields.isGuess;
    const isOnly = isCalled && called.length === 1 && hasOwnWord(fields.municity);
    const rival = isCalled
      ? towns.find((other) => other !== town && isWithin(other) && (isOnly || other.how !== 'same'))
      : undefined;
    // A district of a place that the province has lost counts less than towns of that name.
    const isLost = isDistrict(town) && town.province === 'formerly' && called.some(isWhole);
    // If something is similar, either may be meant.
    const joint = isCalled
      ? Math.max(town.joint, isOnly ? 0.75 : 0, (rival?.joint ?? 0) - 0.03)
      : town.joint * (isLost ? LOST_DISTRICT : 1);
    return {
      ...town,
      joint,
      isSure,
      share: 1,
      isTown: true,
      isWithin: isWithin(town),
    };
  });
  const needs = fields.province === undefined ? 'province' : 'municity';
  const result = concluded(index, scored, { fields, needs });
  const best = isDecided(result) ? scored.find(({ row }) => row === rowOf(index, result)) : undefined;
  if (!best) return result;
  const town = towns.find(({ row }) => row === best.row) as Town;
  const former = town.province === 'empty' ? towns.filter((it) => it.row !== best.row && wasInRegion(it)) : [];
  const rivals = isOnlyFormerly(index, town, fields.municity)
    ? othersOfThatName(index, town, fields)
    : [...former.map(({ row }) => row), ...barangaysOfThatName(index, town, fields)];
  if (rivals.length > 0) {
    const all = [best.row, ...rivals].map((row) => ({ row, score: best.joint }));
    return unsure(index, all.slice(0, MAX_CANDIDATES), { needs });
  }
  const several = townsIn(index, fields.municity, best.row);
  if (several.length > 1)
    return unsure(
      index,
      several.map((row) => ({ row, score: best.joint })),
      { needs: 'municity' },
    );
  const namesakes = result.match === 'exact' ? formerNamesakes(index, { towns, own: best.row }, fields) : [];
  if (namesakes.length > 0) return unsureBetween(index, [best, ...namesakes], fields);
  // Columns that hold each other's names contradict the town in both, and the region's has no region.
  const isShifted = fields.region !== undefined && !isNameOf(index, fields.region, 'region');
  const isContradicted =
    isShifted && towns.some((it) => it.row === best.row && it.province === 'differs' && it.region === 'differs');
  if (!isContradicted && !isSlipOfTown(index, best, fields) && !isLooseAlone(index, { towns, best }, fields))
    return result;
  const all = scored.map(({ row, joint }) => ({ row, score: joint }));
  return unsure(
    index,
    all.sort((a, b) => b.score - a.score),
    { needs },
  );
}

function matchBarangay(index: NameIndex, fields: Columns & { barangay: string }): Match {
  const { towns, sure } = scoredTowns(index, fields);
  const called = towns.filter(isCalledSo);
  const name = typedName(index, fields.barangay, 'barangay');
  const scored = new Map<number, Scored>();
  const put = (candidate: Candidate, parent: number, isSure: boolean) => {
    const joint = OWN_SHARE * candidate.score + (1 - OWN_SHARE) * parent;
    const existing = scored.get(candidate.row);
    if (existing !== undefined && existing.joint >= joint) return;
    const wasCalled = candidate.how === 'same' && hasFormerName(index, candidate, name);
    scored.set(candidate.row, { ...candidate, joint, isSure, wasCalled, share: OWN_SHARE });
  };
  const isDirection = DIRECTION.test((name.forms[0] ?? '').replace(/^barangay /, ''));
  const isNumber = name.words.every((word) => word.length === 1 || isDigits(word));
  const find = fields.isStrict ? findSpelled : findAmong;
  for (const town of towns.slice(0, MAX_TOWNS)) {
    if (town.joint < 0.45) break;
    // Districts of Manila share names with towns of other provinces.
    if (sure.size > 0 && town.province === 'differs') continue;
    const children = index.childrenOf('barangay', town.row);
    for (const it of find(index, name, children).slice(0, MAX_CANDIDATES)) {
      const isSpelled = it.how === 'same' && it.kind < KIND.former && it.score === 1;
      // A number or a direction alone may name a zone as well as a barangay.
      const isNamed = it.kind === KIND.whole || !(isDirection || isNumber);
      const isHere = isSpelled && isNamed && sure.size === 1 && sure.has(town.row);
      const isSure = isHere && (it.kind === KIND.whole || !isBegun(index, name.base, { rows: children, but: it.row }));
      put(it, town.joint, isSure);
    }
    // Exact published spellings come first.
    if (isDirection || isNumber) for (const it of withWord(index, name.base, children)) put(it, town.joint, false);
  }
  for (const town of towns.slice(0, MAX_TOWNS)) {
    for (const it of findSpelled(index, name, besideTown(index, town))) put(it, town.joint * MOVED, false);
  }
  const highest = Math.max(0, ...[...scored.values()].map(({ joint }) => joint));
  if (highest < 0.85 && !fields.isGuess)
    for (const it of elsewhere(index, fields, { name, isTown: called.length > 0 })) put(it, it.parent, false);
  const result = concluded(index, [...scored.values()], { fields, needs: 'barangay' });
  const listed = [...scored.values()].map(({ row, joint }) => ({ row, score: joint }));
  const unsureOf = (needs: Column, beside: typeof listed = []) =>
    unsure(index, [...listed.sort((a, b) => b.score - a.score), ...beside], { needs });
  const needs = fields.province === undefined ? 'province' : 'municity';
  const best = isDecided(result) ? scored.get(rowOf(index, result) as number) : undefined;
  const isSlip = best !== undefined && best.how !== 'same';
  // A barangay without its city lies in the province of its row, or in its region.
  const above = fields.province === undefined ? 'region' : 'province';
  const isAstray = fields.municity === undefined && fields[above] !== undefined && result.matched[above] === undefined;
  if (best && isAstray && !fields.isGuess) return unsureOf('municity');
  const [town, ...otherTowns] = sure.size > 0 ? towns.filter(({ row }) => sure.has(row)) : called;
  const several = town && otherTowns.length === 0 ? severalIn(index, fields.barangay, town.row) : [];
  if (several.length > 1) {
    const both = several.map((row) => ({ row, score: 1 }));
    return fallenBack(index, { fields, result: unsure(index, both, { needs: 'barangay' }), towns });
  }
  // A street or a settlement may lie in another barangay than the one of its name.
  if (best && isNamedPlace(fields.barangay) && !isWholeName(index, fields.barangay, best.row)) {
    return fallenBack(index, { fields, result: unsureOf('barangay'), towns });
  }
  // A second name in the cell may be that of another town.
  if (best && isSecondTown(index, fields.barangay, best.row)) {
    return fallenBack(index, { fields, result: unsureOf('municity'), towns });
  }
  // A name with a word more than that of a barangay is no slip of another one's, nor is a number in letters: `Centro l2`.
  const shorter = isSlip ? withoutWord(index, fields.barangay, best.row) : undefined;
  if (best && (shorter !== undefined || (isSlip && LETTERS_FOR_DIGITS.test(fields.barangay)))) {
    const beside = shorter === undefined ? [] : [{ row: shorter, score: best.joint }];
    return fallenBack(index, { fields, result: unsureOf('barangay', beside), towns });
  }
  // A misspelled name does not decide between cities of one name.
  if (isSlip && sure.size > 1) return unsureOf(needs);
  // Nor does it for a place that only has the name of a city too.
  if (isSlip && sure.size > 0 && ![...sure].some((town) => index.isIn(best.row, town))) return unsureOf(needs);
  // Most towns have a barangay of this name, some with one more word, so it doesn't decide which town is meant.
  if (sure.size > 1 && best && EVERYWHERE.test(name.forms[0] ?? '')) {
    const all = towns.filter(({ row }) => sure.has(row)).map(({ row, joint }) => ({ row, score: joint }));
    return unsureOf(needs, all);
  }
  // Nor does a name that is a part of another's: `Concepcion` of Marikina was divided, a part of it has another name.
  // A number is no part of another one: 660 is not 660-A.
  if (best !== undefined && !isNumber && !(best.how === 'same' && best.kind === KIND.whole)) {
    const rows = index.childrenOf('barangay', index.ancestorAt(best.row, 'municity') as number);
    const isNear = best.how === 'near';
    const others = withPart(index, name.base, { rows, but: best.row, isNear }).map((row) => ({
      row,
      score: best.joint,
    }));
    // Nor does the name of the town itself, which many lists repeat where they know no barangay.
    const own = typedName(index, fields.barangay, 'municity');
    const isTown = best.how === 'same' && towns.some(({ row }) => findSpelled(index, own, [row]).length > 0);
    if (others.length > 0 || (isTown && fields.municity !== undefined))
      return fallenBack(index, { fields, result: unsureOf('barangay', others), towns });
  }
  // Nor does a name that another town has, where the one of its column is a town, which may lack the barangay, or where
  // the columns may hold each other's names: `Taysan` beside `Cultihan`.
  const isElsewhere =
    best !== undefined && fields.municity !== undefined && !towns.some((it) => isOf(index, best.row, it));
  if (isElsewhere && (called.length > 0 || isNameOf(index, fields.barangay, 'municity'))) {
    return fallenBack(index, { fields, result: unsureOf('barangay'), towns });
  }
  // The name of a town is no slip of that of another one, nor short for it.
  const own = best && towns.find(({ row }) => row === index.ancestorAt(best.row, 'municity'));
  if (own && (isSlipOfTown(index, own, fields) || (sure.size > 0 && !isCalledSo(own)))) {
    return unsureOf(
      'municity',
      called.map(({ row, joint }) => ({ row, score: joint })),
    );
  }
  // Nor does a barangay that a town has too which once had the name of its own.
  const before =
    result.match === 'exact' && own
      ? formerNamesakes(index, { towns, own: own.row }, fields).map(({ row }) => row)
      : [];
  const isBefore = ({ row, how }: Scored) => how === 'same' && before.some((it) => index.isIn(row, it));
  if ([...scored.values()].some(isBefore)) return unsureOf('municity');
  // Nor does a barangay that several towns have, of whose names the typed one is a part or the beginning.
  const isRival = ({ row, how, score, joint }: Scored) =>
    row !== best?.row && how === 'same' && score === best?.score && joint >= best.joint - NEXT_TOWN;
  if (best?.how === 'same' && own && own.how !== 'same' && [...scored.values()].some(isRival))
    return unsureOf('municity');
  // The rest of a truncated name decides nothing, nor does a direction alone.
  const saysNothing = isDirection
    ? best?.kind !== KIND.whole
    : isSlip && (!saysPlace(name) || isOtherName(index, best, { name, text: fields.barangay }));
  // Nor is it one that the name is found in by a number alone, as `Purok D2` for `Barangay 2`.
  const isNamed = best !== undefined && result.matched.barangay !== undefined;
  if ((isNamed && !saysNothing) || fields.isStrict) return result;
  return fallenBack(index, { fields, result: best ? unsureOf('barangay') : result, towns });
}

/** For a misspelled name that nothing supports: min likeness, min distance to all others, and min length. */
export const ALONE = { like: 0.86, gap: 0.12, letters: 6 } as const;

export function lettersOf(text: string): number {
  return text.replace(/\P{L}/gu, '').length;
}

/**
 * Whether nothing supports a town that is only like the typed one, which may lie abroad or be no place (`Oslo`), or that is no
 * city as the typed one (`Panay City`).
 */
function isLooseAlone(
  index: NameIndex,
  { towns, best }: { towns: readonly Town[]; best: Scored },
  { municity = '', barangay }: Fields,
): boolean {
  const town = towns.find(({ row }) => row === best.row);
  const isBacked = [town?.province, town?.region].some((it) => it === 'agrees' || it === 'formerly');
  if (isBacked || barangay !== undefined) return false;
  const isCity = /\bcity\b/i.test(index.source.nameOf(best.row));
  if (best.how === 'same') return !isCity && typedName(index, municity, 'municity').placeType === 'city';
  const next = Math.max(0, ...towns.filter(({ row }) => row !== best.row).map(({ score }) => score));
  return best.score < ALONE.like || best.score - next < ALONE.gap || lettersOf(municity) < ALONE.letters;
}

/** Whether a barangay lies in a town, or did so once. */
function isOf(index: NameIndex, row: number, town: Town): boolean {
  return index.isIn(row, town.row) || Array.from(besideTown(index, town)).includes(row);
}

/** Whether a town is only like the typed one, whose name is that of another. */
function isSlipOfTown(index: NameIndex, town: Candidate, { municity = '' }: Fields): boolean {
  const name = typedName(index, municity, 'municity');
  return town.how !== 'same' && isOtherName(index, town, { name, text: municity });
}

/**
 * Whether a typed name that an area is only like is that of another area, and so no slip. A name that ends early may be
 * short for the area's, and one that sounds the same may be another spelling of a barangay's.
 */
function isOtherName(
  index: NameIndex,
  { row, score }: Candidate,
  { name, text }: { name: TypedName; text: string },
): boolean {
  const whole = `${fold(index.source.nameOf(row))} `;
  if ([name.forms[0], name.base].some((form) => whole.startsWith(`${form} `))) return false;
  const isBarangay = name.level === 'barangay';
  const halfSlip = 1 / (2 * name.pattern.text.length - 1);
  if (isBarangay && score >= 1 - halfSlip) return false;
  // The name of a barangay somewhere may well be a slip of that of a city.
  const columns = isBarangay ? COLUMNS : COLUMNS.slice(0, -1);
  const isCalled = (it: string, column: Column) => findNamedToday(index, it, column).length > 0;
  // Behind a marker no name is that of a city.
  return columns.some((column) => isCalled(text, column) || isCalled(name.base, column));
}

/** Whether the typed name is exactly a former name of an area. */
function hasFormerName(index: NameIndex, { row, kind }: Candidate, name: TypedName): boolean {
  if (kind !== KIND.part) return kind === KIND.former;
  return index.source.formerNames(row).some((former) => name.forms.includes(fold(former)));
}

/** Barangays that have left a town, or that lie in the city of a sub-municipality. */
function besideTown(index: NameIndex, { row, province }: Town): ArrayLike<number> {
  if (index.levelOf(row) !== 'submunicipality') return movedFrom(index, row);
  return province === 'differs' ? [] : index.childrenOf('barangay', index.ancestorAt(row, 'municity') as number);
}

/** The barangays of a town whose names end with a word, as equal candidates. */
function withWord(index: NameIndex, word: string, rows: ArrayLike<number>): Candidate[] {
  const found = new Map<number, Candidate>();
  for (const row of Array.from(rows)) {
    index.eachKey(row, (key, kind) => {
      if (kind < KIND.former && index.keys.at(key).endsWith(` ${word}`))
        found.set(row, { row, kind: KIND.part, how: 'same', score: 1 });
    });
  }
  return [...found.values()];
}

/** Whether another area has a name that begins with a folded one: `Santa Cruz Pambilog` beside Santa Cruz Poblacion. */
function isBegun(
  index: NameIndex,
  base: string,
  { rows, but }: { readonly rows: ArrayLike<number>; readonly but: number },
): boolean {
  return Array.from(rows).some((row) => {
    let isLonger = false;
    index.eachKey(row, (key, kind) => {
      isLonger ||= kind === KIND.whole && index.keys.at(key).startsWith(`${base} `);
    });
    return isLonger && row !== but;
  });
}

/** Min letters of a truncated name. */
const MIN_LETTERS = 5;

/**
 * The other areas that have a name of which a folded one is a part.
 *
 * @param isNear also of those that it is the beginning of, within a word: `San Is` is San Isidro rather than Rawis
 */
export function withPart(
  index: NameIndex,
  base: string,
  { rows, but, isNear = false }: { readonly rows: ArrayLike<number>; readonly but?: number; readonly isNear?: boolean },
): number[] {
  const isBeginning = isNear && base.length >= MIN_LETTERS;
  return Array.from(rows).filter((row) => {
    let hasPart = false;
    index.eachKey(row, (key) => {
      const own = index.keys.at(key);
      hasPart ||= ` ${own} `.includes(` ${base} `) || (isBeginning && own.startsWith(base));
    });
    return hasPart && row !== but;
  });
}

/** Barangays of other towns than the typed one, or of any town if none was typed. */
function elsewhere(
  index: NameIndex,
  fields: Columns & { barangay: string },
  { name, isTown }: { name: TypedName; isTown: boolean },
): (Candidate & { parent: number })[] {
  const found = new Candidates();
  findSame(index, name, found);
  const hasTown = fields.municity !== undefined;
  const places = fields.province === undefined ? [] : findPlaces(index, fields.province, 'province');
  if (!hasTown && found.size === 0) {
    const within = places.filter(({ row }) => index.levelOf(row) !== 'region' || places.length === 1);
    if (within.length === 0) findNear(index, name, found);
    for (const { row } of within)
      for (const it of findLike(index, name, index.childrenOf('barangay', row))) found.add(it);
  }
  const all = found.sorted();
  // If there is a town of the typed name, a barangay of another counts only if its name is unmistakable.
  if (isTown && (all.length > 1 || name.base.length < 8)) return [];
  const list = all.map((it) => {
    const { joint, province } = jointScore(index, it, { province: fields.province, region: fields.region });
    const parents = it.score === 0 ? 0 : joint / it.score;
    const isBacked = province === 'agrees' || province === 'formerly';
    const unbacked = it.how === 'same' && it.score === 1 ? UNBACKED : NEAR_UNBACKED;
    return { ...it, parent: hasTown ? (isBacked ? OTHER_TOWN : 0.2) : isBacked ? parents : parents * unbacked };
  });
  return list.sort((a, b) => b.score + b.parent - a.score - a.parent).slice(0, 12);
}

/** The result for a barangay that is missing or ambiguous: its city, if that is sure. */
function fallenBack(
  index: NameIndex,
  { fields, result, towns }: { fields: Columns; result: Match; towns: readonly Town[] },
): Match {
  if (towns.length === 0 || fields.municity === undefined) return result;
  const { barangay, ...rest } = fields;
  const town = matchTown(index, rest as Columns & { municity: string });
  if (!isDecided(town) || town.code === null) {
    if (result.match !== 'none') return result;
    return { ...town, notes: [...town.notes, `barangay "${barangay?.slice(0, 80)}" was not found.`] };
  }
  const note = `barangay "${barangay?.slice(0, 80)}" was not found for certain in ${town.name}; the code is that of ${town.name}.`;
  return {
    ...town,
    match: 'ambiguous',
    candidates: result.candidates.length > 0 ? result.candidates : town.candidates,
    needs: 'barangay',
    notes: [...town.notes, note],
  };
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
  const beside = { matched: match.matched, notes: match.notes };
  const own = () => {
    const coarser = COLUMNS.filter((it) => !isFiner(it, level));
    return matchColumns(index, Object.fromEntries(coarser.map((it) => [it, fields[it]])) as Fields);
  };
  if (match.match === 'exact' || match.match === 'likely') {
    const rows = rowsOf(match.candidates.slice(0, 1));
    if (rows.length > 0) return { ...meant(index, match.match, rows), ...beside };
    // Cities of the capital lie in no province.
    const isInRegion = level === 'province';
    return isInRegion ? lifted(index, { match, fields, level: 'region' }) : { ...NO_MATCH, ...beside };
  }
  const alone = fields[columnOf(level)] === undefined ? NO_MATCH : own();
  if (isDecided(alone)) return alone;
  const rows = rowsOf(match.candidates);
  if (rows.length === 1) return { ...meant(index, 'likely', rows), ...beside };
  return rows.length > 0 ? unsure(index, rows, { needs: match.needs, notes: match.notes }) : alone;
}
