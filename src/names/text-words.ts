import { fold, foldWords } from './fold.ts';
import { BARANGAY_WORDS } from './spellings.ts';

/** Max words of a text that are read: the last ones, because the end decides. Sets of them are bits of an integer. */
const MAX_WORDS = 30;

export const MAX_NAME_WORDS = 8;

/** How often a word is read. */
const MAX_REPEATED = 3;

/** Max characters read of an address. */
const MAX_LENGTH = 500;

/** Separators of the parts of an address. */
const SEPARATORS = /[,;\n\r|\t>»→•\\()[\]{}]|\s[-–—]+\s|(?<!\d)\/|\/(?!\d)/;

/** The country at the end of an address. */
const COUNTRY = /^(?:philippines|phils?|ph|pilipinas|phl)$/;
const BEFORE_COUNTRY = /^(?:the|republic|of|republika|ng)$/;

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

/** Cost of a leftover letter of a street, and of an insignificant word. */
const STREET_COUNTS = 0.04;
const MINOR_COUNTS = 0.4;

/** Cost of a leftover number of any length. */
const NUMBER_COUNTS = 4;
const MINOR = new Set('de del dela delos la las los el of the ng na sa y and'.split(' '));

export interface Word {
  readonly text: string;
  readonly folded: string;
  /** Index of its part between separators. */
  readonly piece: number;
  /** Cost of leaving it over. */
  weight: number;
  /** Whether it names a street or a house instead of an area. */
  isStreet: boolean;
}

/** Adjacent words that spell a name. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly words: number;
  readonly weight: number;
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

  /** @param isName whether a folded text is the name of an area */
  constructor(text: string, isName: (folded: string) => boolean) {
    const words = withoutRepeated(wordsOf(text.slice(-MAX_LENGTH)).slice(-MAX_WORDS));
    this.words = words;
    const marked = new Set<number>();
    const ends = new Set<number>();
    let lacksName = false;
    words.forEach((word, at) => {
      const isLast = words[at + 1]?.piece !== word.piece;
      const isFirst = words[at - 1]?.piece !== word.piece;
      if (IS_MARKER.test(word.folded)) {
        word.weight = 0;
        if (!isLast) marked.add(at + 1);
        else if (!isFirst) ends.add(at);
        lacksName ||= isFirst && isLast;
        // Behind a marker even a long number is a barangay's.
        const next = words[at + 1];
        if (!isLast && next && isLongNumber(next)) next.weight = NUMBER_COUNTS;
      }
      if (TYPE.test(word.folded)) {
        const next = words[at + 1];
        const isBefore = !isLast && next !== undefined && /^(?:of|ng|de|sa|sang|ti)$/.test(next.folded);
        if (isBefore) this.#noStart.add(at + 2);
        else if (!isFirst && this.isType(at, word.folded)) this.#noEnd.add(at);
      }
    });
    this.marked = marked;
    this.markedEnds = ends;
    this.lacksName = lacksName;
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

  /** Widens a name by the free adjacent words of its part, except streets and marked ones. */
  widened({ from, to }: Span, taken: number): { from: number; to: number } {
    const isFree = (at: number, piece: number) => {
      const word = this.words[at];
      return word?.piece === piece && !word.isStreet && word.weight > 0 && (taken & (1 << at)) === 0;
    };
    // A number is often followed by a name: `Bgy. 47 - Arimbay`.
    const last = this.words[to - 1] as Word;
    const next = last.piece + 1;
    const isNumbered = isNumber(last.folded) && this.words[to]?.piece === next;
    const follows = isNumbered && this.words.every(({ piece }, at) => piece !== next || isFree(at, next));
    let [first, end] = [from, to];
    while (!this.marked.has(first) && isFree(first - 1, (this.words[first] as Word).piece)) first -= 1;
    const piece = follows ? next : last.piece;
    while (!this.marked.has(end) && isFree(end, piece)) end += 1;
    return { from: first, to: end };
  }

  /** Whether a folded name that begins at an index is only a type of place. */
  isType(from: number, folded: string): boolean {
    return isType((this.words[from] as Word).text, folded);
  }

  /** Whether a name has other words in its part of the text. */
  isPart({ from, to }: Span): boolean {
    const piece = this.words[from]?.piece;
    return this.words[from - 1]?.piece === piece || this.words[to]?.piece === piece;
  }

  textOf(from: number, to: number): string {
    let text = '';
    for (let at = from; at < to; at += 1) {
      const word = this.words[at] as Word;
      const mark = at === from ? '' : word.piece === (this.words[at - 1] as Word).piece ? ' ' : ', ';
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
 * A text in which the word `City` stands beside the name that a separator parts it from: `Cebu, City`, `Cebu (City)`.
 *
 * @param isCity whether a text is the name of a city
 */
export function withCitiesJoined(text: string, isCity: (name: string) => boolean): string {
  if (!/\bcity\b/i.test(text)) return text;
  const pieces: string[] = [];
  let isJoined = false;
  for (const piece of text.split(SEPARATORS).map((it) => it.trim())) {
    const before = pieces.at(-1) ?? '';
    const words = before.split(/\s+/).slice(-MAX_NAME_WORDS);
    const isOwn =
      CITY.test(piece) && !isMarked(before) && words.some((_, at) => isCity(`${words.slice(at).join(' ')} City`));
    isJoined ||= isOwn;
    if (isOwn) pieces[pieces.length - 1] = `${before} City`;
    else if (piece !== '') pieces.push(piece);
  }
  return isJoined ? pieces.join(', ') : text;
}

function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  const pieces = text.split(SEPARATORS);
  for (const [piece, part] of pieces.entries()) {
    const own: Word[] = [];
    // `Brgy.Poblacion` is two words, `B.F.` is one.
    for (const word of part.replace(/\.(?=\p{L}{3})/gu, '. ').split(/\s+/)) {
      const folded = fold(word);
      if (folded !== '') own.push({ text: word, folded, piece, weight: weightOf(word, folded), isStreet: false });
    }
    const endsIn = (word: RegExp) => word.test(own.at(-1)?.folded ?? '');
    // The country alone is no place here, but behind one it says nothing.
    while (own.length > (piece > 0 ? 0 : 1) && endsIn(COUNTRY)) {
      own.pop();
      while (endsIn(BEFORE_COUNTRY)) own.pop();
    }
    words.push(...own);
  }
  return words;
}

/** The words without those that come many times more behind them, which say nothing new. */
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
  if (isNumber(folded)) return NUMBER_COUNTS;
  return folded.length * (MINOR.has(folded) ? MINOR_COUNTS : 1);
}

/** Whether a folded text is only a number, with or without a letter after it. */
export function isNumber(folded: string): boolean {
  return /^\d+(?: [a-z])?$/.test(folded);
}

/** Lowers the weight of words of streets and houses. */
function weighStreets(words: readonly Word[], isName: (folded: string) => boolean): void {
  const put = (word: Word | undefined) => {
    if (word === undefined || word.isStreet) return;
    word.isStreet = true;
    word.weight *= STREET_COUNTS;
  };
  words.forEach((word, at) => {
    const inPiece = (other: number) => words[other]?.piece === word.piece;
    const isSettlement = SETTLEMENT_LAST.test(word.folded);
    if ((isSettlement || STREET_LAST.test(word.folded)) && inPiece(at - 1)) {
      // Some barangays are named like settlements: `Bayan Park Village`.
      const before = [1, 2, 3].filter((count) => inPiece(at - count)).map((count) => words.slice(at - count, at + 1));
      if (isSettlement && before.some((it) => isName(it.map(({ folded }) => folded).join(' ')))) return;
      // `St.` before a name means saint.
      if (word.folded === 'st' && inPiece(at + 1) && IS_MARKER.test((words[at - 1] as Word).folded)) return;
      put(word);
      for (let before = at - 1; before >= at - 3 && inPiece(before); before -= 1) {
        const it = words[before] as Word;
        if (it.isStreet || IS_MARKER.test(it.folded)) break;
        put(it);
        if (isNumber(it.folded)) break;
      }
    } else if (STREET_FIRST.test(word.folded) && inPiece(at + 1) && !IS_MARKER.test(words[at - 1]?.folded ?? '')) {
      // Behind a name a number is a part of it: `Poblacion No. 2`.
      if (word.folded === 'no' && inPiece(at - 1) && !words[at - 1]?.isStreet) return;
      put(word);
      put(words[at + 1]);
    } else if (isNumber(word.folded) && !inPiece(at - 1) && inPiece(at + 1)) put(word);
  });
}

/** The parts of a text between separators, without the country. */
export function partsOf(text: string): string[] {
  const parts = new Map<number, string>();
  for (const { text: word, piece, weight } of wordsOf(text.slice(-MAX_LENGTH))) {
    if (weight > 0) parts.set(piece, parts.has(piece) ? `${parts.get(piece)} ${word}` : word);
  }
  return [...parts.values()].slice(-MAX_PARTS);
}

const MAX_PARTS = 8;

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

/** A part of a text that is one of the three groups of islands, or the island of four provinces, of which one has a town Panay. */
export const ISLANDS = /^\W*(?:luzon|visayas|mindanao|panay)\W*$/i;
