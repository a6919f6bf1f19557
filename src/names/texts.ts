import { matchColumns, OWN_SHARE } from './columns.ts';
import { type Candidate, typedName } from './compare.ts';
import { explained, hasLeft } from './explain.ts';
import { findSame, isNameOf } from './find.ts';
import { KIND } from './forms.ts';
import { isMarked, isStreet, Reader, type Reading } from './free-text.ts';
import type { NameIndex } from './index.ts';
import {
  atLevel,
  compareMatches,
  type Fields,
  isDecided,
  type Match,
  NO_MATCH,
  rowOf,
  unsure,
  weakened,
} from './result.ts';
import { COLUMNS, type Column, columnOf, type NameLevel } from './source.ts';

/** A text to be read, and the columns beside it. */
interface Given {
  readonly text: string;
  /** What the text doesn't say. */
  readonly columns: Fields;
  readonly level?: NameLevel | undefined;
  /** The area that the columns mean: a reading that contradicts them is none. */
  readonly within?: number | undefined;
}

/** The result of a text, by the reading that explains most of it. */
export function matchText(index: NameIndex, { text, columns, level, within }: Given): Match {
  const isAlone = Object.keys(columns).length === 0;
  const same = isAlone ? ofOneName(index, text, { level, levels: ['region', 'province', 'municity'] }) : undefined;
  if (same) return same;
  const reads = readAll(index, text, (fields, how) => {
    if (within !== undefined && explained(index, overlapOf(fields, columns), within).notes.length > 0) return NO_MATCH;
    const match = matchColumns(index, { ...fields, ...columns }, { level, ...how });
    const isGuessed = !how.isGuess && isAlone && !isDecided(match) && match.code !== null;
    // A city that is not spelled right and of which nothing else is known is not one to fall back to.
    if (isGuessed && !isBacked(index, fields)) return NO_MATCH;
    return atLevel(match, level);
  });
  const [best] = reads;
  if (!best) return NO_MATCH;
  const { match, rest } = best;
  const rival = reads.find((read) => isRival(read, best));
  if (rival) {
    const candidates = [...match.candidates.slice(0, 3), ...rival.match.candidates.slice(0, 2)];
    return { ...NO_MATCH, match: 'ambiguous', score: match.score, candidates, needs: 'municity' };
  }
  if (rest === '' || !isDecided(match)) return match;
  const notes = [...match.notes, `"${rest}" was passed over.`];
  const isUnknown = unknownBehind(text, best);
  // A street may be passed over. What else stands before a city is a barangay that was not found.
  if ((isStreet(rest) || match.level === 'barangay') && !isUnknown) return { ...match, match: 'likely', notes };
  const needs =
    match.level === 'barangay' || isUnknown ? 'municity' : match.level === 'municity' ? 'barangay' : 'municity';
  const unsure: Match = { ...match, match: 'ambiguous', needs, notes };
  return isUnknown ? { ...unsure, code: null, level: null, name: null } : unsure;
}

/** The fields of a text that columns have too. */
function overlapOf(fields: Fields, columns: Fields): Fields {
  return Object.fromEntries(
    COLUMNS.flatMap((it) => (columns[it] !== undefined && fields[it] ? [[it, fields[it]]] : [])),
  );
}

/** Whether a reading's city is spelled right or has a parent beside it. */
function isBacked(index: NameIndex, { region, province, municity }: Fields): boolean {
  return (
    region !== undefined || province !== undefined || (municity !== undefined && isNameOf(index, municity, 'municity'))
  );
}

/** A result that leaves the choice where a text is nothing but the name of several areas; undefined where it is not. */
function ofOneName(
  index: NameIndex,
  text: string,
  { level, levels }: { level: NameLevel | undefined; levels: readonly Column[] },
): Match | undefined {
  if (/[,;|/]/.test(text)) return undefined;
  const all = levels.flatMap((it) => (level === undefined || columnOf(level) === it ? sameNamed(index, text, it) : []));
  const plain = all.filter(({ kind }) => kind < KIND.alias);
  const kept = plain.length > 0 ? plain : all;
  const [first] = kept;
  // The name of a sub-municipality alone says no more than that of a barangay.
  const isDistrict = first !== undefined && index.levelOf(first.row) === 'submunicipality';
  if (kept.length === 1 && isDistrict && level === undefined) kept.push(...sameNamed(index, text, 'barangay'));
  if (kept.length < 2) return undefined;
  const isOneLevel = kept.every(({ row }) => index.levelOf(row) === index.levelOf((kept[0] as Candidate).row));
  const needs = isOneLevel && !levels.includes('barangay') ? 'province' : 'municity';
  return unsure(
    index,
    kept.map(({ row }) => ({ row, score: SAME_NAMED })),
    { needs },
  );
}

/** The score of each of several areas of one name. */
const SAME_NAMED = 0.98;

/** The areas of a level that a text is the name of today, cities first. */
function sameNamed(index: NameIndex, text: string, level: Column): Candidate[] {
  const found = findSame(index, typedName(index, text, level))
    .sorted()
    .filter(({ kind, score }) => kind !== KIND.former && score === 1);
  const isTown = ({ row }: Candidate) => Number(!/\bcity\b/i.test(index.source.nameOf(row)));
  return found.sort((a, b) => isTown(a) - isTown(b));
}

interface Read {
  readonly match: Match;
  readonly fields: Fields;
  /** What of the text the reading leaves over, and how much that is. */
  readonly rest: string;
  readonly over: number;
}

type MatchReading = (fields: Fields, how: { isGuess: boolean; isStrict: boolean }) => Match;

/** What the readings of a text mean, as far as they have to be looked at, the best first. */
function readAll(index: NameIndex, text: string, match: MatchReading): Read[] {
  const reader = new Reader(index, text);
  const readSome = (readings: readonly Reading[], { isGuess, isStrict }: { isGuess: boolean; isStrict: boolean }) => {
    const reads: Read[] = [];
    let first: Read | undefined;
    for (const { fields, rest, over } of readings) {
      // What leaves more over is worse, and no rival.
      if (first && over > first.over && rest.length > first.rest.length) continue;
      const read = { match: match(fields, { isGuess, isStrict }), fields, rest, over };
      if (straysBehind(index, text, read)) continue;
      reads.push(read);
      if (isStrict ? explainsAll(read) : isDecided(read.match)) first ??= read;
    }
    return { reads: reads.sort((a, b) => compareReadings(b, a)), isEnough: first !== undefined };
  };
  // Most addresses are spelled right, and slips cost a hundred times as much to look for.
  const spelled = reader.fromTheRight().filter(({ rest }) => rest === '' || isStreet(rest));
  const strict = readSome(spelled, { isGuess: true, isStrict: true });
  if (strict.isEnough) return strict.reads;
  const isTown = (['region', 'province', 'municity'] as const).some((level) => isNameOf(index, text, level));
  const several = isTown ? undefined : ofOneName(index, text, { level: undefined, levels: ['barangay'] });
  if (several) return [{ match: several, fields: { barangay: text }, rest: '', over: 0 }];
  // A text that is a barangay and its city as it stands isn't turned round because it is also a city and its barangay.
  const isSpelled = strict.reads.some(
    ({ match, fields, rest }) => rest === '' && Object.keys(fields).length > 1 && match.candidates.length > 0,
  );
  if (!isSpelled && !isMarked(text)) {
    const turned = readSome(
      reader.fromTheLeft().filter(({ rest }) => rest === ''),
      { isGuess: true, isStrict: true },
    );
    if (turned.isEnough) return turned.reads.map((read) => ({ ...read, match: weakened(read.match, READ_TURNED) }));
  }
  const all = reader.all();
  const guessed = readSome(all, { isGuess: true, isStrict: false });
  if (guessed.isEnough) return guessed.reads;
  const whole = all.filter(({ rest }) => rest === '');
  const { reads } = readSome(whole, { isGuess: false, isStrict: false });
  return [...guessed.reads, ...reads].sort((a, b) => compareReadings(b, a));
}

const READ_TURNED = 'The text was read with the largest area first.';

/** The parts that a reading leaves over behind the finest name that it takes. */
function leftBehind(text: string, { fields, rest }: Pick<Read, 'fields' | 'rest'>): string[] {
  const finest = COLUMNS.findLast((it) => fields[it] !== undefined);
  if (finest === undefined || rest === '') return [];
  const at = text.indexOf(fields[finest] as string);
  return rest.split(', ').filter((part) => part !== '' && text.lastIndexOf(part) > at);
}

/** Whether a decided reading leaves a place over behind its name that the area it means does not lie in. */
function straysBehind(index: NameIndex, text: string, read: Read): boolean {
  if (read.rest === '' || !isDecided(read.match)) return false;
  const row = rowOf(index, read.match);
  if (row === undefined) return false;
  return leftBehind(text, read).some((part) => {
    const places = (['region', 'province', 'municity'] as const).flatMap((level) =>
      findSame(index, typedName(index, part, level)).sorted(),
    );
    return places.length > 0 && !places.some((it) => index.isIn(row, it.row)) && !hasLeft(index, part, row);
  });
}

/** Whether words that nobody knows stand behind the only name of a reading: it may be in another country. */
function unknownBehind(text: string, read: Read): boolean {
  if (Object.keys(read.fields).length > 1) return false;
  return leftBehind(text, read).some((part) => /\p{L}{3}/u.test(part) && !isStreet(part) && !ISLANDS.test(part));
}

const ISLANDS = /^\W*(?:luzon|visayas|mindanao)\W*$/i;

/** Whether a reading is sure, and leaves nothing over but a street. */
function explainsAll({ match, rest }: Read): boolean {
  return match.match === 'exact' && (rest === '' || (match.level === 'barangay' && isStreet(rest)));
}

/** How much less another reading's score has to be. */
const RIVAL = 0.1;

/** The score of a result's own name: that of a barangay holds its city's too. */
function ownScore({ level, score }: Match): number {
  return level === 'barangay' ? (score - (1 - OWN_SHARE)) / OWN_SHARE : score;
}

/** Whether another reading of the whole text leads elsewhere and is about as good. */
function isRival({ match, rest }: Read, best: Read): boolean {
  if (!isDecided(match) || !isDecided(best.match) || match.code === best.match.code) return false;
  if (rest.length > best.rest.length || match.match !== best.match.match) return false;
  return ownScore(match) > ownScore(best.match) - RIVAL;
}

/** Above zero where one reading says more than another: whether it decides, what it leaves over, then how surely. */
function compareReadings(a: Read, b: Read): number {
  const decided = Number(isDecided(a.match)) - Number(isDecided(b.match));
  const exact = Number(a.match.match === 'exact') - Number(b.match.match === 'exact');
  return decided || b.over - a.over || exact || a.match.score - b.match.score || compareMatches(a.match, b.match);
}
