import { fold, foldWords } from './fold.ts';
import { OF_WORDS } from './forms.ts';
import { BARANGAY_WORDS } from './spellings.ts';

/** Max words of a text that are read: the last ones, because the end decides. Sets of them are bits of an integer. */
const MAX_WORDS = 30;

export const MAX_NAME_WORDS = 8;

/** How often a repeated word counts. */
const MAX_REPEATED = 3;

/** Max characters read of an address. */
const MAX_LENGTH = 500;

/** Max parts of an address that are read, the last ones. */
const MAX_PARTS = 8;

/** Separators of the parts of an address. */
const SEPARATORS = /[,;\n\r|\t>»→•\\()[\]{}]|\s[-–—]+\s|(?<!\d)\/|\/(?!\d)/;

/** Names of this country, as addresses end with them, in lower case: alternatives of a regular expression. */
export const COUNTRY_WORDS = 'philippines|phils?|ph|phl|pilipinas';

/** The country at the end of an address. */
const COUNTRY = new RegExp(`^(?:${COUNTRY_WORDS})$`);
const BEFORE_COUNTRY = /^(?:the|republic|of|republika|ng)$/;

const OF_WORD = new RegExp(`^(?:${OF_WORDS})$`);

const IS_MARKER = new RegExp(`^(?:${BARANGAY_WORDS})$`);

/** Words for types of places. */
export const TYPE = /^(?:city|province|municipality|mun|region)$/;

/** Words after the name of a street or of a settlement in a barangay. */
const STREET_LAST =
  /^(?:st|str|street|ave?|avenue|rd|road|blvd|boulevard|highway|hwy|drive|lane|ext|extension|bldg|building)$/;
const SETTLEMENT_LAST = /^(?:subd|subdivision|village|vill|compound|homes|condominium|tower)$/;

/** Words before such a name or before a number. */
const STREET_FIRST =
  /^(?:blk|block|lot|phase|purok|prk|sitio|unit|floor|flr|rm|room|corner|cor|km|house|hse|building|bldg|no)$/;

/** Factors of the weight of a street's word, and of an insignificant word. */
const STREET_FACTOR = 0.04;
const MINOR_FACTOR = 0.4;

/** Weight of a number of any length. */
const NUMBER_WEIGHT = 4;
const MINOR = new Set('de del dela delos la las los el of the ng na sa y and'.split(' '));

export interface Word {
  readonly text: string;
  readonly folded: string;
  /** Index of its part between separators. */
  readonly part: number;
  /** Cost of a reading that leaves it over. */
  weight: number;
  /** Whether it names a street or a house instead of an area. */
  isStreet: boolean;
}

/** Adjacent words that spell a name: those from an index up to another, which is not among them. */
export interface Span {
  readonly from: number;
  readonly to: number;
  /** One bit for each of its words. */
  readonly mask: number;
  /** The sum of their weights. */
  readonly weight: number;
  /** Cost of crossing a separator. */
  readonly cost: number;
}

/** The words of a text with facts about each. */
export class Text {
  readonly words: readonly Word[];
  /** Indexes at which no name can begin or end, because the word there types the name before or after it. */
  readonly #noStart = new Set<number>();
  readonly #noEnd = new Set<number>();
  /** Indexes at which a barangay's name begins or ends, as marked by a word. */
  readonly marked: ReadonlySet<number>;
  readonly markedEnds: ReadonlySet<number>;
  /** Whether a word marks a barangay whose name is missing: `Barangay, Antipolo City`. */
  readonly lacksName: boolean;
  /** Whether a word marks a barangay's name. */
  readonly hasMarker: boolean;

  /** @param isName whether a folded text is the name of an area */
  constructor(text: string, isName: (folded: string) => boolean) {
    const words = withoutRepeated(wordsOf(text.slice(-MAX_LENGTH)).slice(-MAX_WORDS));
    this.words = words;
    const marked = new Set<number>();
    const ends = new Set<number>();
    let lacksName = false;
    words.forEach((word, at) => {
      const isLast = words[at + 1]?.part !== word.part;
      const isFirst = words[at - 1]?.part !== word.part;
      if (IS_MARKER.test(word.folded)) {
        word.weight = 0;
        if (!isLast) marked.add(at + 1);
        else if (!isFirst) ends.add(at);
        lacksName ||= isFirst && isLast;
        // Behind a marker even a long number is a barangay's.
        const next = words[at + 1];
        if (!isLast && next && isLongNumber(next)) next.weight = NUMBER_WEIGHT;
      }
      if (TYPE.test(word.folded)) {
        const next = words[at + 1];
        const isBefore = !isLast && next !== undefined && OF_WORD.test(next.folded);
        if (isBefore) this.#noStart.add(at + 2);
        else if (!isFirst && this.isType(at, word.folded)) this.#noEnd.add(at);
      }
    });
    this.marked = marked;
    this.markedEnds = ends;
    this.lacksName = lacksName;
    this.hasMarker = marked.size + ends.size > 0;
    weighStreets(words, isName);
  }

  /** Whether a name can span two indexes. */
  mayBeName(from: number, to: number): boolean {
    if (this.#noStart.has(from) || this.#noEnd.has(to)) return false;
    if (to === from + 1) return !(this.words[from] as Word).isStreet;
    for (let at = from; at < to; at += 1) {
      const word = this.words[at] as Word;
      const { isStreet, folded } = word;
      if (!isStreet || [STREET_LAST, SETTLEMENT_LAST, STREET_FIRST].some((it) => it.test(folded))) return true;
    }
    return false;
  }

  /**
   * Widens a name by the adjacent words of its part that no other name takes, up to streets and markers.
   *
   * @param taken one bit for each word that a name takes
   */
  widened({ from, to }: Span, taken: number): { from: number; to: number } {
    const isFree = (at: number, part: number) => {
      const word = this.words[at];
      return word?.part === part && !word.isStreet && word.weight > 0 && (taken & (1 << at)) === 0;
    };
    // A number is often followed by a name: `Bgy. 47 - Arimbay`.
    const last = this.words[to - 1] as Word;
    const next = last.part + 1;
    const isNumbered = isNumber(last.folded) && this.words[to]?.part === next;
    const follows = isNumbered && this.words.every(({ part }, at) => part !== next || isFree(at, next));
    let [first, end] = [from, to];
    while (!this.marked.has(first) && isFree(first - 1, (this.words[first] as Word).part)) first -= 1;
    const part = follows ? next : last.part;
    while (!this.marked.has(end) && isFree(end, part)) end += 1;
    return { from: first, to: end };
  }

  /** Whether a folded name that begins at an index is only a type of place. */
  isType(from: number, folded: string): boolean {
    return isType((this.words[from] as Word).text, folded);
  }

  /** Whether a name has other words in its part of the text. */
  sharesPart({ from, to }: Span): boolean {
    const part = this.words[from]?.part;
    return this.words[from - 1]?.part === part || this.words[to]?.part === part;
  }

  textOf(from: number, to: number): string {
    let text = '';
    for (let at = from; at < to; at += 1) {
      const word = this.words[at] as Word;
      const mark = at === from ? '' : word.part === (this.words[at - 1] as Word).part ? ' ' : ', ';
      text += mark + word.text;
    }
    return text;
  }
}

/** Whether a text with a folded form is only a type of place. Barangays are called `Lungsod` and `Ciudad`. */
export function isType(text: string, folded: string): boolean {
  return TYPE.test(folded) && text.toLowerCase().includes(folded.slice(0, 3));
}

const CITY = /^city(?: of)?$/i;

/**
 * A text without the separator between the name of a city and the word `City`: `Cebu, City`, `Cebu (City)`.
 *
 * @param isCity whether a text is the name of a city
 */
export function withCitiesJoined(text: string, isCity: (name: string) => boolean): string {
  if (!/\bcity\b/i.test(text)) return text;
  const parts: string[] = [];
  let isJoined = false;
  for (const part of text.split(SEPARATORS).map((it) => it.trim())) {
    const before = parts.at(-1) ?? '';
    const words = before.split(/\s+/).slice(-MAX_NAME_WORDS);
    const isOwn =
      CITY.test(part) && !isMarked(before) && words.some((_, at) => isCity(`${words.slice(at).join(' ')} City`));
    isJoined ||= isOwn;
    if (isOwn) parts[parts.length - 1] = `${before} City`;
    else if (part !== '') parts.push(part);
  }
  return isJoined ? parts.join(', ') : text;
}

function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  for (const [part, content] of text.split(SEPARATORS).entries()) {
    const own: Word[] = [];
    // `Brgy.Poblacion` is two words, `B.F.` is one.
    for (const word of content.replace(/\.(?=\p{L}{3})/gu, '. ').split(/\s+/)) {
      const folded = fold(word);
      if (folded !== '') own.push({ text: word, folded, part, weight: weightOf(word, folded), isStreet: false });
    }
    const endsIn = (word: RegExp) => word.test(own.at(-1)?.folded ?? '');
    // The country is left out behind a place. Alone it stays, as a word that names no place.
    while (own.length > (part > 0 ? 0 : 1) && endsIn(COUNTRY)) {
      own.pop();
      while (endsIn(BEFORE_COUNTRY)) own.pop();
    }
    words.push(...own);
  }
  return words;
}

/** The words without those that come `MAX_REPEATED` times behind them: more say nothing new. */
function withoutRepeated(words: readonly Word[]): Word[] {
  const counts = new Map<string, number>();
  const kept = words.toReversed().filter(({ folded }) => {
    const count = (counts.get(folded) ?? 0) + 1;
    counts.set(folded, count);
    return count <= MAX_REPEATED;
  });
  return kept.reverse();
}

/** Whether a word is a postal code, a telephone number, or the number of a house in a long street. */
export function isLongNumber({ text }: Pick<Word, 'text'>): boolean {
  return /^\D*\d{4,}\D*$/.test(text);
}

function weightOf(text: string, folded: string): number {
  if (isLongNumber({ text })) return 0;
  if (isNumber(folded)) return NUMBER_WEIGHT;
  return folded.length * (MINOR.has(folded) ? MINOR_FACTOR : 1);
}

/** Whether a folded text is only a number, with or without a letter after it. */
export function isNumber(folded: string): boolean {
  return /^\d+(?: [a-z])?$/.test(folded);
}

/** Lowers the weight of words of streets and houses. */
function weighStreets(words: readonly Word[], isName: (folded: string) => boolean): void {
  const lower = (word: Word | undefined) => {
    if (word === undefined || word.isStreet) return;
    word.isStreet = true;
    word.weight *= STREET_FACTOR;
  };
  words.forEach((word, at) => {
    const inPart = (other: number) => words[other]?.part === word.part;
    const isSettlement = SETTLEMENT_LAST.test(word.folded);
    if ((isSettlement || STREET_LAST.test(word.folded)) && inPart(at - 1)) {
      // Some barangays are named like settlements: `Bayan Park Village`.
      const before = [1, 2, 3].filter((count) => inPart(at - count)).map((count) => words.slice(at - count, at + 1));
      if (isSettlement && before.some((it) => isName(it.map(({ folded }) => folded).join(' ')))) return;
      // `St.` before a name means saint.
      if (word.folded === 'st' && inPart(at + 1) && IS_MARKER.test((words[at - 1] as Word).folded)) return;
      lower(word);
      for (let before = at - 1; before >= at - 3 && inPart(before); before -= 1) {
        const it = words[before] as Word;
        if (it.isStreet || IS_MARKER.test(it.folded)) break;
        lower(it);
        if (isNumber(it.folded)) break;
      }
    } else if (STREET_FIRST.test(word.folded) && inPart(at + 1) && !IS_MARKER.test(words[at - 1]?.folded ?? '')) {
      // Behind a name a number is a part of it: `Poblacion No. 2`.
      if (word.folded === 'no' && inPart(at - 1) && !words[at - 1]?.isStreet) return;
      lower(word);
      lower(words[at + 1]);
    } else if (isNumber(word.folded) && !inPart(at - 1) && inPart(at + 1)) lower(word);
  });
}

/** The parts of a text between separators, without the country. */
export function partsOf(text: string): string[] {
  const parts = new Map<number, string>();
  for (const { text: word, part, weight } of wordsOf(text.slice(-MAX_LENGTH))) {
    if (weight > 0) parts.set(part, parts.has(part) ? `${parts.get(part)} ${word}` : word);
  }
  return [...parts.values()].slice(-MAX_PARTS);
}

/** Whether a part of an address is a street, a building or a house. */
export function isStreet(text: string): boolean {
  const words = wordsOf(text);
  weighStreets(words, () => false);
  return words.some((word) => word.isStreet) && !words.some(({ folded }) => IS_MARKER.test(folded));
}

/** Whether a text marks a name as a barangay's. */
export function isMarked(text: string): boolean {
  return foldWords(text).includes('barangay');
}

/** A part of a text that is an island group, or Panay: an island of four provinces, one of which has a town Panay. */
export const ISLANDS = /^\W*(?:luzon|visayas|mindanao|panay)\W*$/i;
