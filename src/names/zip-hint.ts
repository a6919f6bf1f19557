import type { NameIndex } from './index.ts';
import { areaOf, candidateOf, isDecided, MAX_CANDIDATES, MAX_NAMESAKES, type Match, meant } from './result.ts';
import { COUNTRY_WORDS } from './text-words.ts';
import { areasOfZip } from './zip-areas.ts';

/** Separators of the parts of an address. */
const SEPARATORS = /[,;|\n\r\t()]/;

/** What stands before a number that is no ZIP code: `Lot 1234`, `0917 123 4567`. */
const OTHER_NUMBER =
  /(?:^|[\s.#])(?:lot|blk|block|no|unit|rm|room|km|phase|box|bldg|building|house|tel)[\s.#]*$|(?:[#-]|\d{3})\s*$/i;

/** The country behind a ZIP code: `Makati 1200 Philippines`. */
const COUNTRY = new RegExp(`(?:^|\\s)(?:${COUNTRY_WORDS})\\.?$`, 'i');

/** How many ZIP codes of a text are looked at. */
const MAX_LOOKED_AT = 4;

/**
 * The ZIP codes that a text may have, where they stand in it: four digits at the end of a part, or at the beginning of any but the
 * first, where a house has its number.
 */
export function zipsIn(text: string): { zip: string; at: number }[] {
  const found: { zip: string; at: number }[] = [];
  let start = 0;
  for (const [piece, part] of text.split(SEPARATORS).entries()) {
    for (const { 0: zip, index } of part.matchAll(/(?<![\d\p{L}])\d{4}(?![\d\p{L}])/gu)) {
      const [before, after] = [
        part.slice(0, index),
        part
          .slice(index + 4)
          .trim()
          .replace(COUNTRY, ''),
      ];
      const isAlone = before.trim() === '' && piece > 0;
      const isLast = /^[\s.]*$/.test(after) && (piece > 0 || before.trim() !== '');
      if ((isAlone || isLast) && !OTHER_NUMBER.test(before)) found.push({ zip, at: start + index });
    }
    start += part.length + 1;
  }
  return found.slice(-MAX_LOOKED_AT);
}

/** The ZIP code of a row: that of its own column, or the last one in its text that an area has. */
export function zipOf(index: NameIndex, { zip, text }: { zip?: string | null | undefined; text?: string | undefined }) {
  const own = /^\D*(\d{4})\D*$/.exec((zip ?? '').slice(0, 40))?.[1];
  const all = own === undefined && text !== undefined ? zipsIn(text).map((it) => it.zip) : [own ?? ''];
  return all.findLast((it) => areasOfZip(index, it).length > 0);
}

/** Candidates whose scores differ by no more are as good as each other. */
const AS_GOOD = 0.01;

/**
 * The result of a row with a ZIP code, which chooses among the best candidates, also if it agrees with the only best one. It
 * changes no decided result: a note says that it contradicts it.
 *
 * @param matchIn matches the row in one of the areas of the ZIP code, for results that do not list all candidates
 */
export function withZip(
  index: NameIndex,
  match: Match,
  { zip, matchIn }: { zip: string; matchIn: (area: number) => Match },
): Match {
  const areas = areasOfZip(index, zip);
  const names = areas.map((area) => index.source.nameOf(area)).join(', ');
  const isRelated = (row: number) => areas.some((it) => index.areRelated(row, it));
  if (isDecided(match)) {
    const row = areaOf(index, match);
    if (row === undefined || isRelated(row)) return match;
    return { ...match, notes: [...match.notes, `ZIP code ${zip} was passed over: it is of ${names}.`] };
  }
  const [best] = match.candidates;
  if (match.match !== 'ambiguous' || best === undefined || match.candidates.length < 2) return match;
  const equal = match.candidates.filter(({ score }) => score >= best.score - AS_GOOD);
  // A province and its city may have one name: `Tarlac 2300`.
  if (match.code !== null && !equal.some(({ code }) => code === match.code)) return match;
  const isOfZip = (row: number) => areas.some((it) => index.isIn(row, it));
  const within = equal.filter(({ level, code }) => isOfZip(index.rowOf(level, code)));
  let fitting = within.length > 0 ? within : equal.filter(({ level, code }) => isRelated(index.rowOf(level, code)));
  // There may be more that are as good.
  if (fitting.length === 0 && equal.length === match.candidates.length && equal.length >= MAX_CANDIDATES) {
    const found = areas.map(matchIn).filter((it) => isDecided(it) && it.level === best.level);
    fitting = found.flatMap((it) => it.candidates.slice(0, 1));
  }
  const [only, ...more] = fitting;
  if (only === undefined || more.length > 0) return match;
  // The candidates may lack a town with the name of its province: `Quezon 4332`.
  const row = areas.find((it) => index.source.nameOf(it) === only.name) ?? index.rowOf(only.level, only.code);
  const others = match.candidates.filter(({ level, code }) => index.rowOf(level, code) !== row);
  const found = meant(index, 'likely', [{ row, score: best.score }]);
  const candidates = [candidateOf(index, row, best.score), ...others].slice(0, MAX_NAMESAKES);
  return { ...match, ...found, candidates, needs: null, notes: [`ZIP code ${zip} is of ${names}, which decides.`] };
}
