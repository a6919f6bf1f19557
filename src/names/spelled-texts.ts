import { EVERYWHERE, othersContaining, ownScore } from './barangay-column.ts';
import { noCodeNote } from './column-result.ts';
import { matchColumns } from './columns.ts';
import { type Candidate, typedName } from './compare.ts';
import { UNSUPPORTED_LIMITS } from './decide.ts';
import { findNamed, findNamedToday, isNameOf } from './find.ts';
import { fold, foldWords } from './fold.ts';
import { cutParentheses, KIND } from './forms.ts';
import { explainsAll, MAX_RIVAL_COST, type Reading } from './free-text.ts';
import { type GivenText, LIKE_AT_ALL, LIKE_BARANGAY, townInProvince } from './guess.ts';
import type { NameIndex } from './index.ts';
import { provincesThatBegin, provincesWith } from './parents.ts';
import {
  ambiguous,
  areaOf,
  between,
  equallyGood,
  type Fields,
  isDecided,
  MAX_CANDIDATES,
  type Match,
  madeAmbiguous,
  passedOver,
  requireLevel,
  weakened,
} from './result.ts';
import { columnOf } from './source.ts';

/** Max extra cost of a second reading that keeps the first from being exact. */
const OTHER = 0.6;

/** The same where the first is a barangay: that of a city as much as one of a province, which the text may name alone. */
const OTHER_BARANGAY = 0.9;

/** The result of a text without misspelled words except those of a street. */
export function spelledRight(
  index: NameIndex,
  all: readonly [Reading, ...Reading[]],
  { columns, level, within }: GivenText,
): Match {
  const [best] = all;
  const matchOf = ({ fields }: Reading) => {
    // A barangay without a city is searched everywhere.
    const isGuess = fields.barangay === undefined || fields.municity !== undefined;
    return requireLevel(matchColumns(index, { ...fields, ...columns }, { level, isGuess, isStrict: isGuess }), level);
  };
  const match = matchOf(best);
  if (!isDecided(match)) {
    // An ambiguous barangay falls back to its city.
    const { barangay, municity } = best.fields;
    const fallen = barangay !== undefined && municity !== undefined && match.match !== 'none';
    return fallen
      ? requireLevel(matchColumns(index, { ...best.fields, ...columns }, { level, isGuess: true }), level)
      : match;
  }
  const own = areaOf(index, match) as number;
  // What a town was once called, or is called too, may as well be the name of a barangay of its province.
  const isCalled = match.level !== 'municity' || isCalledToday(index, best.fields.municity ?? '', own);
  const apart = match.level === 'barangay' || !isCalled ? OTHER_BARANGAY : OTHER;
  // A municipality with its province's name is not the province named twice.
  // Nor is an area another reading that lies outside of the columns beside the text.
  const isOther = (row: number) =>
    row !== own &&
    (match.level === 'barangay' || !index.isIn(own, row)) &&
    (within === undefined || index.isIn(row, within));
  const others = all.filter((it) => explainsAll(it) && it.cost <= best.cost + apart && it.rows.some(isOther));
  const rival = others.find((it) => it !== best && it.cost <= best.cost + (isCalled ? MAX_RIVAL_COST : apart));
  const second = rival && matchOf(rival);
  if (second && second.candidates.length > 0 && second.code !== match.code) {
    const both = between(match, second);
    // Of `Jaro, Iloilo City` the city is sure, whatever Jaro is in it.
    const isInside = second.candidates.every((it) => index.isIn(index.rowOf(it.level, it.code), own));
    return isInside ? { ...match, match: 'ambiguous', candidates: both.candidates, needs: 'barangay' } : both;
  }
  const like =
    inOrder(index, best) ??
    townBehindCentre(index, best.fields) ??
    likeTown(index, best.fields, own) ??
    inProvinceOfThatName(index, best.fields, match) ??
    townBesideProvince(index, best) ??
    townOfLongerProvince(index, best) ??
    cityOfThatName(index, best.fields, own) ??
    shortForProvinces(index, best.fields);
  if (like) return between(match, like);
  // Quezon City was in Rizal, but a barangay Quezon is there today.
  const { municity: town = '', province } = best.fields;
  if (province !== undefined && match.matched.province === undefined && isNameOf(index, town, 'province'))
    return madeAmbiguous(match);
  const inTown = namesOtherProvince(index, best.repeated, own) ? undefined : ofThatName(index, best, match);
  if (inTown) return inTown;
  const street = best.leftover.flatMap(({ text, isStreet }) => (isStreet ? [text] : [])).join(', ');
  if (match.level === 'municity' && street !== '') {
    // Some barangays are named like streets, and may be misspelled.
    const likeStreet = [street, street.replace(SETTLEMENT, '')].map((barangay) =>
      matchColumns(index, { ...best.fields, barangay }, { isGuess: true }),
    );
    const like = likeStreet.flatMap((it) => it.candidates).filter((it) => it.level === 'barangay');
    const candidates = [...new Map(like.map((it) => [it.code, it])).values()].slice(0, MAX_CANDIDATES);
    if (candidates.some((it) => ownScore(it) >= LIKE_BARANGAY)) {
      return { ...match, match: 'ambiguous', candidates, needs: 'barangay', notes: [...match.notes, notFound(street)] };
    }
  }
  // A street lies in a city, which may be among its words: `Baroy Village Lanao del Norte`.
  if (street !== '' && level === undefined && (match.level === 'region' || match.level === 'province')) {
    return { ...match, match: 'ambiguous', needs: 'municity', notes: [...match.notes, passedOver(street)] };
  }
  if (best.lacksName && match.level !== 'barangay') return { ...match, match: 'ambiguous', needs: 'barangay' };
  const { district } = best;
  const note = district && noCodeNote(index, district.text, district.row);
  const notes = [
    ...match.notes,
    ...(note !== undefined && !match.notes.includes(note) ? [note] : []),
    ...(street === '' ? [] : [passedOver(street)]),
  ];
  if (!best.isInOrder)
    return {
      ...weakened(match, best.isLargestFirst ? READ_TURNED : READ_MIXED),
      notes: [...notes, best.isLargestFirst ? READ_TURNED : READ_MIXED],
    };
  const isSame = !isOtherName(index, best.fields, own) && !namesOtherProvince(index, best.repeated, own);
  // A person may be called as a barangay and its town: `Ferdinand Marcos`.
  const isPerson = best.hasNoSeparators && !best.hasMarker && Object.keys(best.fields).join() === 'barangay,municity';
  // The poblacion of a town is a barangay of its own, unless the name says so: `Delabayan West, Poblacion`.
  const { barangay = '' } = best.fields;
  if (/, *pob/i.test(barangay) && !/\bpob/i.test(match.name ?? ''))
    notes.push(passedOver(barangay.slice(barangay.indexOf(',') + 1).trim()));
  if (isTwice(index, best, match)) notes.push(`"${best.repeated}" is named twice.`);
  if (hasBarangayOfName(index, best.fields, match)) notes.push(`There is a barangay "${town}" too.`);
  const isSure = notes.length === 0 && !district && others.length === 0 && isSame && !isPerson;
  return isSure ? match : { ...match, match: 'likely', notes };
}

/**
 * Whether a text names twice what is a town, and the name before may be that of a barangay there: `San Jose, San Jose,
 * Batangas`, `Carigara, Leyte, Leyte`, or that of a second barangay: `Princess Urduja/Narra, Narra, Palawan`. A province that is named twice may have had a town of its name: `Capiz, Capiz`.
 */
function isTwice(index: NameIndex, { repeated, fields }: Reading, { level, code }: Match): boolean {
  if (repeated === undefined) return false;
  if (level === 'barangay') {
    const own = index.rowOf(level, code as string);
    const rows = index.childrenOf('barangay', index.ancestorAt(own, 'municity') as number);
    return othersContaining(index, typedName(index, repeated, 'barangay').base, { rows, but: own }).length > 0;
  }
  if (fields.barangay !== undefined) return false;
  if (level === 'province') return true;
  const towns = findNamed(index, repeated, 'municity');
  return towns.some(({ kind }) => kind < KIND.alias);
}

/** Whether the province or region beside a town has a barangay of its name elsewhere: `San Isidro, Leyte`. */
function hasBarangayOfName(index: NameIndex, { municity, barangay, province, region }: Fields, match: Match): boolean {
  if (match.level !== 'municity' && match.level !== 'submunicipality') return false;
  if (municity === undefined || barangay !== undefined) return false;
  const level = province !== undefined ? 'province' : region !== undefined ? 'region' : undefined;
  if (level === undefined) return false;
  const town = areaOf(index, match) as number;
  const within = index.ancestorAt(town, level);
  return findNamed(index, municity, 'barangay').some(
    ({ row, kind }) => kind < KIND.alias && index.ancestorAt(row, level) === within && !index.isIn(row, town),
  );
}

/** Whether a name that is repeated is that of a province without the area: `Quezon City, Quezon`. */
function namesOtherProvince(index: NameIndex, repeated: string | undefined, row: number): boolean {
  if (repeated === undefined) return false;
  const provinces = findNamed(index, repeated, 'province');
  const called = provinces.filter(({ kind }) => kind < KIND.alias);
  return called.length > 0 && !called.some((it) => index.isIn(row, it.row));
}

/**
 * Whether a text is nothing but a name that an area has beside its published one. A name with a letter wrong can look like
 * it: `Car` like an acronym, `Mambulao` like a former name.
 */
function isOtherName(index: NameIndex, fields: Fields, row: number): boolean {
  const [text = '', ...others] = Object.values(fields).filter((it) => it !== undefined);
  if (others.length > 0) return false;
  if (!isCalledToday(index, text, row)) return true;
  const isSmall = /^[a-z]{2,4}$/i.test(text) && /[a-z]/.test(text);
  return isSmall && !foldWords(cutParentheses(index.source.nameOf(row)).outer).includes(fold(text));
}

/** Whether an area has a text as its name today. */
function isCalledToday(index: NameIndex, text: string, row: number): boolean {
  const same = findNamed(index, text, columnOf(index.levelOf(row)));
  return same.some((it) => it.row === row && it.kind < KIND.alias);
}

/** Factor for a reading that leaves a name over. */
const EXPLAINS_LESS = 0.95;

/**
 * The result of the order of an address for a text whose last name is that of a town, but that is read in another order, as
 * a province named twice, or as one name: `San Juan, Guimba` is no barangay Guimba, nor lies a barangay of `Romblon,
 * Romblon` in another town than that, nor `Brgy. Santa Rosa, Laguna` in another province.
 */
function inOrder(index: NameIndex, { fields, isInOrder, hasMarker, repeated }: Reading): Match | undefined {
  const { barangay, municity, ...others } = fields;
  if (barangay === undefined) return undefined;
  const guessOf = (it: Fields) => matchColumns(index, it, { isGuess: true });
  const [above, ...further] = Object.values({ municity, ...others }).filter((it) => it !== undefined);
  if (above === undefined) {
    const [last = '', ...before] = barangay.split(', ').reverse();
    const parent = (['province', 'municity'] as const).find((column) => isNameOf(index, last, column));
    if (before.length === 0 || parent === undefined) return undefined;
    return guessOf({ barangay: before.reverse().join(', '), [parent]: last });
  }
  if (further.length > 0) {
    // The last name before the province is that of a town there: `Mabini, San Juan, Batangas`.
    if (isInOrder || hasMarker || municity === undefined) return undefined;
    const town = matchColumns(index, { municity: barangay, ...others }, { isGuess: true, isStrict: true });
    if (!isDecided(town) || Object.keys(town.matched).length !== 1 + further.length) return undefined;
    // It has no barangay of the first name, so that it explains less of the text.
    const candidates = town.candidates.map((it) => ({
      ...it,
      score: Math.round(1000 * EXPLAINS_LESS * it.score) / 1000,
    }));
    return { ...town, candidates };
  }
  if (!isInOrder && !hasMarker && isNameOf(index, barangay, 'municity'))
    return guessOf({ barangay: above, municity: barangay });
  if (!isInOrder && !hasMarker && isNameOf(index, barangay, 'province'))
    return matchColumns(index, { municity: above, province: barangay });
  const isTown = repeated !== undefined && municity === undefined && isNameOf(index, above, 'municity');
  return isTown ? guessOf({ barangay, municity: above, ...others }) : undefined;
}

/** The cities that a barangay's name is, beside a province, or a town whose name a province has too: `Lipa, Quezon`. */
function townBesideProvince(index: NameIndex, { fields, hasMarker }: Reading): Match | undefined {
  if (hasMarker) return undefined;
  const { barangay = '', municity, province } = fields;
  const isCity = ({ row, kind }: Candidate) => kind < KIND.alias && / city$|^city /i.test(index.source.nameOf(row));
  const cities =
    province !== undefined && municity === undefined ? findNamed(index, barangay, 'municity').filter(isCity) : [];
  const towns = cities.length > 0 ? ambiguous(index, cities, { needs: 'municity' }) : townInProvince(index, fields);
  return towns && towns.candidates.length > 0 ? towns : undefined;
}

/** The towns that a barangay's name is in a province whose name has that of the text in it: `Liloan, Leyte` may be in Southern Leyte. */
function townOfLongerProvince(index: NameIndex, { fields, hasMarker }: Reading): Match | undefined {
  const { barangay, municity, province } = fields;
  if (hasMarker || barangay === undefined || municity !== undefined || province === undefined) return undefined;
  const provinces = provincesWith(index, province);
  const towns = findNamed(index, barangay, 'municity').filter(
    ({ row, kind }) => kind < KIND.alias && provinces.some((it) => index.isIn(row, it.row)),
  );
  return towns.length > 0 ? ambiguous(index, towns, { needs: 'province' }) : undefined;
}

/** The cities that a name with the word `City` is, where the one of the province beside it is none: `Roxas City, Isabela`. */
function cityOfThatName(index: NameIndex, { municity, barangay }: Fields, own: number): Match | undefined {
  if (municity === undefined || barangay !== undefined) return undefined;
  if (typedName(index, municity, 'municity').placeType !== 'city') return undefined;
  const cities = findNamedToday(index, municity, 'municity');
  const isNamed = cities.length > 0 && !cities.some(({ row }) => row === own);
  return isNamed ? ambiguous(index, cities, { needs: 'municity' }) : undefined;
}

/** The town that stands behind the word for its centre in a text with its province: `Poblacion, San Jose, Occidental Mindoro`. */
function townBehindCentre(index: NameIndex, { barangay = '', municity, ...parents }: Fields): Match | undefined {
  const [centre = '', ...town] = barangay.split(', ');
  if (!EVERYWHERE.test(fold(centre)) || town.length === 0) return undefined;
  if (municity !== undefined || parents.province === undefined) return undefined;
  const match = matchColumns(index, { ...parents, municity: town.join(', ') }, { isGuess: true, isStrict: true });
  return isDecided(match) && match.matched.province !== undefined ? match : undefined;
}

/** A municipality named almost like a barangay, if the text names only the province: `Tabang, Leyte`. */
function likeTown(index: NameIndex, { barangay, municity, ...parents }: Fields, own: number): Match | undefined {
  if (barangay === undefined || municity !== undefined || Object.keys(parents).length === 0) return undefined;
  const match = matchColumns(index, { ...parents, municity: barangay }, { isGuess: true });
  // In a short name one letter is much.
  const least = barangay.length < UNSUPPORTED_LIMITS.letters ? LIKE_AT_ALL : UNSUPPORTED_LIMITS.like;
  const isLike = isDecided(match) && match.score >= least && !index.isIn(own, areaOf(index, match) as number);
  return isLike ? match : undefined;
}

/**
 * The barangays of a province that has the name of the city, or a name that begins with it, if the text names nothing
 * else: `San Roque, Rizal` is one of five in the province Rizal as much as the one of a town Rizal, and `San Isidro,
 * Surigao` is a town of Surigao del Norte too.
 */
function inProvinceOfThatName(
  index: NameIndex,
  { barangay, municity, ...others }: Fields,
  meant: Match,
): Match | undefined {
  if (barangay === undefined || municity === undefined || Object.keys(others).length > 0) return undefined;
  const provinces = isNameOf(index, municity, 'province')
    ? [municity]
    : provincesThatBegin(index, municity).map(({ row }) => index.source.nameOf(row));
  const least = Math.floor(100 * ownScore(meant)) / 100;
  for (const province of provinces) {
    const match = matchColumns(index, { barangay, province });
    if (match.candidates.some((it) => it.level === 'barangay' && it.code !== meant.code && it.score >= least))
      return match;
  }
  return undefined;
}

/** The provinces whose names begin with a text that is only the name of a barangay too: `Agusan`. */
function shortForProvinces(index: NameIndex, { barangay, ...parents }: Fields): Match | undefined {
  const isAlone = barangay !== undefined && Object.keys(parents).length === 0;
  const provinces = isAlone ? provincesThatBegin(index, barangay) : [];
  return provinces.length > 0 ? ambiguous(index, provinces, { needs: 'municity' }) : undefined;
}

/** The ambiguous result of a town that is named twice and has barangays of that name: `Pandan, Pandan, Catanduanes`. */
function ofThatName(index: NameIndex, { fields, repeated }: Reading, match: Match): Match | undefined {
  if (repeated === undefined || fields.barangay !== undefined || match.level !== 'municity') return undefined;
  const { base } = typedName(index, repeated, 'barangay');
  const rows = othersContaining(index, base, { rows: index.childrenOf('barangay', areaOf(index, match) as number) });
  if (rows.length === 0) return undefined;
  const { candidates } = ambiguous(index, equallyGood(rows, match.score), {});
  return { ...match, match: 'ambiguous', candidates, needs: 'barangay' };
}

function notFound(text: string): string {
  return `"${text}" may be a street or a barangay.`;
}

/** What settlements are called, which some barangays are: `Forbes Park Village`. */
const SETTLEMENT = / (?:village|vill|subdivision|subd|homes)\.?$/i;

const READ_TURNED = 'The text was read with the largest area first.';
const READ_MIXED = 'The text was read with its areas in an unusual order.';
