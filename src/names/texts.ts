import { isAbroad } from './abroad.ts';
import { matchColumns } from './columns.ts';
import { type Candidate, isCurrentNameSpelledRight } from './compare.ts';
import { explain } from './explain.ts';
import { findNamed, isNameOf } from './find.ts';
import { KIND } from './forms.ts';
import { explainsAll, lacksMarked, type Reading, readings, withCities } from './free-text.ts';
import { type GivenText, guess } from './guess.ts';
import type { NameIndex } from './index.ts';
import { isInRegion, provincesThatBegin, SAME_NAMED } from './parents.ts';
import {
  ambiguous,
  areaOf,
  equallyGood,
  isDecided,
  isFiner,
  type Match,
  madeAmbiguous,
  NO_MATCH,
  requireLevel,
  weakened,
} from './result.ts';
import { COLUMNS, type Column, columnOf, type NameLevel } from './source.ts';
import { spelledRight } from './spelled-texts.ts';
import { COUNTRY_WORDS, ISLANDS, isMarked, partsOf } from './text-words.ts';

/** The result of a text, by the reading that explains most of it. Where towns are asked for, a poblacion stands for its town. */
export function matchText(index: NameIndex, sent: GivenText): Match {
  const given = { ...sent, text: withCities(index, sent.text) };
  const match = matchReadings(index, given);
  const town = given.level === 'municity' && match.match !== 'exact' ? townOfPoblacion(index, given) : undefined;
  return town && !(isDecided(match) && match.code === town.code) ? town : match;
}

/**
 * The result of a text, by the first of these that it is: a name that several areas share; words that all name an area and its
 * parents; a place abroad; a text that ends with the beginning of a province's name; a name that several barangays share; words of
 * which some are misspelled or name nothing. An ambiguous result of the second gives way to the barangays of that name.
 */
function matchReadings(index: NameIndex, given: GivenText): Match {
  const { text, columns, level } = given;
  const isAlone = Object.keys(columns).length === 0;
  const several = isAlone ? ofOneName(index, text, { level, levels: ['region', 'province', 'municity'] }) : undefined;
  if (several) return several;
  const all = wanted(
    index,
    readings(index, text).filter((it) => !contradicted(index, it, given)),
    level,
  );
  const [best] = all;
  const isExplained = best !== undefined && explainsAll(best) && !lacksMarked(best);
  const spelled = isExplained ? spelledRight(index, all as [Reading], given) : undefined;
  const parts = isAlone && !spelled ? partsOf(text) : [];
  if (parts.some(isAbroad)) return NO_MATCH;
  if (spelled && isDecided(spelled)) {
    // A place abroad or an island has this name too.
    const isOfOthers = isAlone && (isAbroad(text) || ISLANDS.test(text));
    if (isOfOthers) return madeAmbiguous(spelled);
    return (
      (isAlone ? ofOneNameBeside(index, text, { reading: best as Reading, match: spelled, level }) : undefined) ??
      spelled
    );
  }
  const short = isAlone && !spelled ? inShortProvince(index, text, level) : undefined;
  if (short) return short;
  const barangays = isAlone ? ofOneName(index, text, { level: undefined, levels: ['barangay'] }) : undefined;
  if (barangays && !isNameOf(index, text, 'municity')) return barangays;
  return spelled && spelled.match !== 'none' ? spelled : guess(index, all, given);
}

/** The poblacion of a town, behind its name or before it: `San Jose (Pob.)`, `Poblacion, San Jose`. */
const POBLACION = /\(pob(?:lacion)?\.?\)|\bpob(?:lacion)?\.?(?=,|$)/gi;

/**
 * The result of a text without its word for a poblacion, if what is left names a town: `San Jose (Pob.), Occidental Mindoro`, where
 * a barangay San Jose Pob. of another town has the whole name. Else undefined.
 */
function townOfPoblacion(index: NameIndex, given: GivenText): Match | undefined {
  const text = given.text.replace(POBLACION, ' ');
  if (text === given.text || isMarked(text)) return undefined;
  const match = matchReadings(index, { ...given, text });
  const town = areaOf(index, match);
  const isNamed = partsOf(text).some((part) =>
    findNamed(index, part, 'municity').some((it) => it.row === town && it.kind < KIND.alias),
  );
  return isNamed ? weakened(match, 'The poblacion was passed over.') : undefined;
}

/**
 * The result of a text of two or three parts, the last of which is the beginning of a province's name: `Dapa, Surigao`. Readings
 * take it for the city that has it as its name. Undefined if no town of the text lies in such a province.
 */
function inShortProvince(index: NameIndex, text: string, level: NameLevel | undefined): Match | undefined {
  const [province = '', municity, barangay, ...others] = partsOf(text).reverse();
  if (municity === undefined || others.length > 0 || isNameOf(index, province, 'province')) return undefined;
  if (provincesThatBegin(index, province).length === 0) return undefined;
  const town = matchColumns(index, { municity, province }, { isGuess: true, isStrict: true });
  if (!isDecided(town) || town.matched.province === undefined) return undefined;
  const fields = barangay === undefined ? { municity, province } : { barangay, municity, province };
  return requireLevel(weakened(matchColumns(index, fields, { level, isGuess: true })), level);
}

/** The readings of the requested level or a finer one, if any; else all. */
function wanted(index: NameIndex, all: readonly Reading[], level: NameLevel | undefined): readonly Reading[] {
  if (level === undefined) return all;
  const complete = all.filter(explainsAll);
  const levelOf = ({ rows }: Reading) => index.levelOf(rows[0] as number);
  const same = complete.filter((it) => levelOf(it) === level);
  const fitting = same.length > 0 ? same : complete.filter((it) => isFiner(levelOf(it), level));
  return fitting.length > 0 ? fitting : all;
}

/** Whether a reading contradicts the columns beside the text. */
function contradicted(index: NameIndex, { fields }: Reading, { columns, within }: GivenText): boolean {
  if (within === undefined) return false;
  const overlap = COLUMNS.flatMap((it) => (columns[it] !== undefined && fields[it] ? [[it, fields[it]]] : []));
  return explain(index, Object.fromEntries(overlap), within).notes.length > 0;
}

/** A name of this country, beside which a name does not mean a place abroad: `Mexico, Philippines`. */
const THIS_COUNTRY = new RegExp(`\\b(?:${COUNTRY_WORDS})\\b`, 'i');

/**
 * An ambiguous result if several places have the name in a text, and what stands beside it does not decide: a country, a postal
 * code, or a region that has them all (`Surigao, Caraga`). Else undefined.
 */
function ofOneNameBeside(
  index: NameIndex,
  text: string,
  { reading, match, level }: { reading: Reading; match: Match; level: NameLevel | undefined },
): Match | undefined {
  const { region, province, municity, barangay } = reading.fields;
  const name = municity ?? province;
  if (match.match !== 'exact' || name === undefined || barangay !== undefined) return undefined;
  if (municity !== undefined && province !== undefined) return undefined;
  if (ISLANDS.test(name)) return madeAmbiguous(match);
  if (region === undefined && isAbroad(name) && !THIS_COUNTRY.test(text)) return madeAmbiguous(match);
  const isIn = (row: number) => region === undefined || isInRegion(index, row, region);
  return ofOneName(index, name, { level, levels: ['region', 'province', 'municity'], isIn });
}

/**
 * An ambiguous result if a text is only the name of several areas; else undefined.
 *
 * @param level requested of the result; only its column is looked through
 * @param levels columns in which the name may stand
 * @param isIn which areas count
 */
function ofOneName(
  index: NameIndex,
  text: string,
  {
    level,
    levels,
    isIn = () => true,
  }: { level: NameLevel | undefined; levels: readonly Column[]; isIn?: (row: number) => boolean },
): Match | undefined {
  if (/[,;|/]/.test(text)) return undefined;
  const named = levels.flatMap((it) =>
    level === undefined || columnOf(level) === it ? sameNamed(index, text, it) : [],
  );
  const all = named.filter(({ row }) => isIn(row));
  const plain = all.filter(({ kind }) => kind < KIND.alias);
  const candidates = plain.length > 0 ? plain : all;
  const [first] = candidates;
  // Without the word “City” the name of a city can also be short for a province: `Surigao`.
  if (level === undefined && candidates.length === 1 && levels.includes('province'))
    candidates.push(...provincesThatBegin(index, text).filter(({ row }) => isIn(row)));
  // The name of a sub-municipality alone says no more than that of a barangay.
  const isSubMunicipality = first !== undefined && index.levelOf(first.row) === 'submunicipality';
  if (candidates.length === 1 && isSubMunicipality && level === undefined)
    candidates.push(...sameNamed(index, text, 'barangay').filter(({ row }) => isIn(row)));
  if (candidates.length < 2) return undefined;
  const isOneLevel = candidates.every(
    ({ row }) => index.levelOf(row) === index.levelOf((candidates[0] as Candidate).row),
  );
  // Towns of one name are told apart by their province. What is in several levels, or a barangay, is told apart by the town.
  const needs = isOneLevel && !levels.includes('barangay') ? 'province' : 'municity';
  const rows = candidates.map(({ row }) => row);
  return ambiguous(index, equallyGood(rows, SAME_NAMED), { needs });
}

/** The areas of a column that have a text as a name today, spelled right, cities first. */
function sameNamed(index: NameIndex, text: string, level: Column): Candidate[] {
  const found = findNamed(index, text, level).filter(isCurrentNameSpelledRight);
  const notCity = ({ row }: Candidate) => Number(!/\bcity\b/i.test(index.source.nameOf(row)));
  return found.sort((a, b) => notCity(a) - notCity(b));
}
