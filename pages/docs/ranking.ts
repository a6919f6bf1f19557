import { slipsBetween } from '../../src/names/edits.ts';
import { type Entry, keyOf, type Part, type SearchFile } from './search-file.ts';

/** What the search has found. */
export interface Found {
  readonly entry: Entry;
  /** The text of it that says most of what was asked. */
  readonly text: string;
  /** The parameter or field that the text is about. */
  readonly part: Part | undefined;
  /** The most exact URL. */
  readonly href: string;
}

export interface Findings {
  /** Best first. */
  readonly found: readonly Found[];
  /** A text in pieces, of which every second was asked for. */
  piecesOf(text: string): string[];
}

/** How much a word counts by where it stands. */
const WEIGHTS = { title: 8, names: 7, about: 5, part: 4, text: 2, partText: 1 };

/** How much a word counts that only begins as asked, and one that is only similar. */
const BEGINNING = 0.6;
const SIMILAR = 0.7;

const MAX_SLIPS = 2;

/** What a topic adds that says exactly what was asked. */
const TOPIC = 120;
/** What the very name adds. It is less for titles of what counts less. */
const EXACT = 200;
/** How alike a topic and a question must be. */
const MIN_LIKENESS = 0.45;

/** The least share of the words of a question that an entry has. */
const MIN_SHARE = 0.5;

/** Max words of a question that count. */
const MAX_WORDS = 12;

const WORD = /[\p{L}\p{N}]+/gu;

/** The words that match a word of the question, with how well they do. */
type Matches = ReadonlyMap<string, number>;

/** The index of the reference. It is made in the browser, which takes some milliseconds. */
export class Ranking {
  readonly #entries: readonly Entry[];
  readonly #small: ReadonlySet<string>;
  readonly #topics: readonly { readonly words: readonly string[]; readonly entries: readonly number[] }[];
  /** For each word, how much it counts in the entries that have it. */
  readonly #places = new Map<string, Map<number, number>>();
  /** Everyday words, with those of the reference. */
  readonly #same = new Map<string, string>();
  /** All words that somebody may mean. */
  readonly #known: ReadonlySet<string>;

  constructor({ entries, everyday }: SearchFile) {
    this.#entries = entries;
    this.#small = new Set(everyday.small);
    for (const [i, entry] of entries.entries()) {
      const { title, names = '', about, text, parts = [] } = entry;
      this.#add(i, title, WEIGHTS.title);
      this.#add(i, names, WEIGHTS.names);
      this.#add(i, about, WEIGHTS.about);
      this.#add(i, text, WEIGHTS.text);
      for (const part of parts) {
        this.#add(i, part.name, WEIGHTS.part);
        this.#add(i, part.text, WEIGHTS.partText);
      }
    }
    for (const [word, other] of Object.entries(everyday.same)) this.#same.set(stemOf(word), stemOf(other));
    const numbers = new Map(entries.map((entry, i) => [keyOf(entry), i]));
    this.#topics = everyday.topics.flatMap(({ say, see }) => {
      const answers = see.flatMap((key) => numbers.get(key) ?? []);
      return say.map((phrase) => ({ words: this.#wordsOf(phrase), entries: answers }));
    });
    this.#known = new Set([
      ...this.#places.keys(),
      ...this.#same.keys(),
      ...this.#topics.flatMap(({ words }) => words),
    ]);
  }

  find(question: string): Findings {
    const words = this.#wordsOf(question).slice(0, MAX_WORDS);
    if (words.length === 0) return { found: [], piecesOf: (text) => [text] };
    const matches = words.map((word) => this.#matchesOf(word));
    const scores = this.#scoresOf(matches);
    for (const [entry, score] of [...this.#topicScores(matches), ...this.#exactScores(question)]) {
      scores.set(entry, (scores.get(entry) ?? 0) + score);
    }
    const asked = new Set(matches.flatMap((each) => [...each.keys()]));
    const isAsked = (word: string) => stemsOf(word).some((stem) => asked.has(stem));
    const found = [...scores]
      .sort(([a, one], [b, other]) => other - one || a - b)
      .map(([i]) => shownOf(this.#entries[i] as Entry, matches));
    return { found, piecesOf: (text) => piecesOf(text, isAsked) };
  }

  #add(entry: number, text: string, weight: number): void {
    for (const [word] of text.matchAll(WORD)) {
      for (const stem of stemsOf(word)) {
        const places = this.#places.get(stem) ?? new Map<number, number>();
        places.set(entry, Math.max(places.get(entry) ?? 0, weight));
        this.#places.set(stem, places);
      }
    }
  }

  /** The words of a question or a topic; of `getProvince` each. Small words count only where there are no others. */
  #wordsOf(text: string): string[] {
    const words = [...text.matchAll(WORD)].flatMap(([word]) => word.split(/(?<=[a-z])(?=[A-Z])/));
    const large = words.filter((word) => !this.#small.has(word.toLowerCase()));
    return [...new Set((large.length > 0 ? large : words).map(stemOf))];
  }

  /** The words that somebody may mean: the word itself, words that begin with it, or else similar ones. */
  #matchesOf(word: string): Matches {
    const matches = new Map<string, number>();
    const add = (match: string, quality: number) => {
      for (const each of [match, this.#same.get(match)]) {
        if (each !== undefined) matches.set(each, Math.max(matches.get(each) ?? 0, quality));
      }
    };
    for (const known of this.#known) {
      if (known === word) add(known, 1);
      else if (word.length > 1 && known.startsWith(word)) add(known, BEGINNING);
    }
    if (matches.size > 0) return matches;
    const near = [...this.#known]
      .filter((known) => Math.abs(known.length - word.length) <= MAX_SLIPS)
      // Short words have many others beside them.
      .filter((known) => known.charAt(0) === word.charAt(0) || word.length > 5)
      .map((known): [string, number] => [known, slipsBetween(word, known)])
      .filter(([known, slips]) => slips <= slipsOf(Math.min(word.length, known.length)));
    const least = Math.min(...near.map(([, slips]) => slips));
    for (const [known, slips] of near) if (slips === least) add(known, SIMILAR);
    return matches;
  }

  #scoresOf(matches: readonly Matches[]): Map<number, number> {
    const shares = new Map<number, { sum: number; words: number }>();
    for (const words of matches) {
      const best = new Map<number, number>();
      for (const [word, quality] of words) {
        for (const [entry, weight] of this.#places.get(word) ?? []) {
          best.set(entry, Math.max(best.get(entry) ?? 0, weight * quality));
        }
      }
      // A word that few entries have says more.
      const rarity = Math.log(1 + this.#entries.length / (1 + best.size));
      for (const [entry, weight] of best) {
        const { sum, words: count } = shares.get(entry) ?? { sum: 0, words: 0 };
        shares.set(entry, { sum: sum + weight * rarity, words: count + 1 });
      }
    }
    const scores = new Map<number, number>();
    for (const [entry, { sum, words }] of shares) {
      const share = words / matches.length;
      if (share >= MIN_SHARE) scores.set(entry, sum * share ** 2 * (this.#entries[entry] as Entry).weight);
    }
    return scores;
  }

  #exactScores(question: string): [number, number][] {
    const name = question.trim().toLowerCase();
    return [...this.#entries.entries()].flatMap(([i, { title, names = '', about, weight }]): [number, number][] => {
      if (names.split(' ').includes(name)) return [[i, EXACT]];
      return [title, about].some((each) => each.toLowerCase() === name) ? [[i, EXACT * weight ** 2]] : [];
    });
  }

  #topicScores(matches: readonly Matches[]): Map<number, number> {
    const scores = new Map<number, number>();
    for (const { words, entries } of this.#topics) {
      const common = matches.reduce((sum, each) => {
        const quality = Math.max(0, ...words.map((word) => each.get(word) ?? 0));
        return sum + Math.sqrt(quality);
      }, 0);
      const likeness = common ** 2 / (words.length * matches.length);
      if (likeness < MIN_LIKENESS) continue;
      for (const [index, entry] of entries.entries()) {
        scores.set(entry, Math.max(scores.get(entry) ?? 0, TOPIC * likeness * 0.9 ** index));
      }
    }
    return scores;
  }
}

/** Max slips of a word by its number of letters. Short words and numbers are often others. */
function slipsOf(length: number): number {
  return length < 4 ? 0 : length < 8 ? 1 : MAX_SLIPS;
}

/** A word without accents, case and common endings: `Boundaries` → `boundary`, `neighbours` → `neighbor`. */
function stemOf(word: string): string {
  const plain = word
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/our(?=s?$)/, 'or');
  if (plain.length < 4) return plain;
  if (plain.endsWith('ies')) return `${plain.slice(0, -3)}y`;
  if (plain.length > 6 && plain.endsWith('ing')) return plain.slice(0, -3);
  return plain.replace(/(?<=[^sui])s$/, '');
}

/** The stem of a word, and those of its parts: `GeoJSON` is also `json`. */
function stemsOf(word: string): string[] {
  const parts = word.split(/(?<=[a-z])(?=[A-Z])/);
  return [word, ...(parts.length > 1 ? parts : [])].map(stemOf);
}

/** What is shown of an entry: the part of it that has more of the words than its title and text, if there is one. */
function shownOf(entry: Entry, matches: readonly Matches[]): Found {
  const { href, title, names = '', about, text, parts = [] } = entry;
  const own = sumOf(`${title} ${names} ${about}`, matches) * 2 + sumOf(text, matches);
  let most = own;
  let part: Part | undefined;
  for (const each of parts) {
    const sum = sumOf(each.name, matches) * 2 + sumOf(each.text, matches);
    if (sum <= most) continue;
    most = sum;
    part = each;
  }
  return { entry, part, text: part?.text ?? text, href: part?.href ?? href };
}

/** How well a text has the words of a question. */
function sumOf(text: string, matches: readonly Matches[]): number {
  const stems = [...text.matchAll(WORD)].flatMap(([word]) => stemsOf(word));
  return matches.reduce((sum, words) => sum + Math.max(0, ...stems.map((stem) => words.get(stem) ?? 0)), 0);
}

function piecesOf(text: string, isAsked: (word: string) => boolean): string[] {
  const pieces: string[] = [];
  let plain = '';
  let end = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    plain += text.slice(end, index);
    end = index + word.length;
    if (isAsked(word)) {
      pieces.push(plain, word);
      plain = '';
    } else {
      plain += word;
    }
  }
  return [...pieces, plain + text.slice(end)];
}
