import { atMostLikely, type Fields, isDecided, type Match, NO_MATCH, quoted } from './result.ts';

/** A mark of doubt behind a word. One within a word stands for a lost letter: `Para?aque`. */
const QUESTION = /[?¿](?!\p{L})/u;

/** More than the number before it, or a number whose letter is missing: `Barangay 62 -`. */
const AND_MORE = /\d\s*\+|\d\s?-\s?(?:$|,)/;

/** Words for two types of one place: `Province of Davao City`, `City of Cebu Province`. */
const TWO_TYPES =
  /^province of [^,;/]*\bcity$|^(?:city|municipality) [^,;/]*\b(?:region|province)$|\b(?:city|municipality) (?:region|province)$/i;

/** A word that says which place is not meant. Lists remark on their own rows: `(Not a Province)`. */
const NEGATION =
  /(?:^|[\s,;(])(?:not(?! (?:an?|applicable|available|specified|stated|indicated|known|found)\b)|hindi|dili|except|excluding)\s/i;

/** The result of a row in which something says that its writer was not sure, or says two things. */
export function doubted(match: Match, fields: Fields): Match {
  if (!isDecided(match)) return match;
  const texts = Object.entries(fields);
  const [negated] = texts.filter(([, text]) => NEGATION.test(text));
  if (negated) {
    const { candidates, score, level, notes } = match;
    const note = `${negated[0]} ${quoted(negated[1])} says which place is not meant.`;
    return { ...NO_MATCH, match: 'ambiguous', candidates, score, needs: level, notes: [...notes, note] };
  }
  const notes = texts.flatMap(([field, text]) => {
    const [mark] = QUESTION.exec(text) ?? AND_MORE.exec(text) ?? [];
    if (mark !== undefined) return [`${field} has "${mark}".`];
    return TWO_TYPES.test(text.trim()) ? [`${field} ${quoted(text)} has words for two types of places.`] : [];
  });
  return atMostLikely(match, notes);
}
