import { findNamed, mayBeCalled } from './find.ts';
import { fold, unglued } from './fold.ts';
import { formerParentsOf } from './former-parents.ts';
import { bareOf, baseOf, DIRECTION, JOINS, KIND, type Kind } from './forms.ts';
import type { NameIndex } from './index.ts';
import type { Fields } from './result.ts';
import { COLUMNS, type Column, columnOf } from './source.ts';
import {
  isLongNumber,
  isNumber,
  MAX_NAME_WORDS,
  type Span,
  Text,
  TYPE,
  type Word,
  withCitiesJoined,
} from './text-words.ts';

/** One reading of a text: which words name an area, and which its ancestors. */
export interface Reading {
  readonly fields: Fields;
  /** The areas meant; several if their names and parents are the same. */
  readonly rows: readonly number[];
  /** Cost of the reading: leftover words, former names, an unusual order. */
  readonly cost: number;
  readonly rest: readonly Rest[];
  /** The smallest area's name with adjacent leftover words, which may be parts of a longer name. */
  readonly whole: string;
  /** The name of a place without a code of its own, if the reading uses one. */
  readonly district: { readonly text: string; readonly row: number } | undefined;
  /** Whether the names stand in the order of an address, the smallest area first. */
  readonly isInOrder: boolean;
  /** Whether the largest area stands first. */
  readonly isTurned: boolean;
  /** Whether a word marks a barangay's name. */
  readonly isMarked: boolean;
  /** Whether a word marks a barangay whose name is missing. */
  readonly lacksName: boolean;
  /** Whether the text has no separators. */
  readonly isUndivided: boolean;
  /** The words by which the text names an area for the second time. */
  readonly repeated: string | undefined;
}

/** Adjacent leftover words. */
export interface Rest {
  readonly text: string;
  /** Whether they name a street, a building or a house. */
  readonly isStreet: boolean;
  /** Whether they come after all names of the reading. */
  readonly isBehind: boolean;
  /** Whether a word before them marks them as a barangay's name. */
  readonly isMarked: boolean;
  /** Whether they are parts of `whole`. */
  readonly isBeside: boolean;
  /** Whether they stand beside a name, with no separator between, so that they may be a part of it. */
  readonly isAttached: boolean;
}

/** Costs, measured in leftover letters. */
const COSTS = {
  part: 0.05,
  alias: 0.1,
  former: 0.5,
  district: 0.3,
  /** A name that runs over a separator. */
  crossing: 0.3,
  /** The same area named twice. */
  repeated: 0.3,
  formerParent: 0.4,
  /** A place that is called a city but is none, or vice versa. */
  otherType: 2,
  /** A barangay without a city. */
  noTown: 0.8,
  /** A barangay without any parent. */
  alone: 0.2,
  /** A barangay with only its city, not marked as a barangay. */
  unmarked: 0.3,
  /** Names not in order from the smallest area up, with a province or without. */
  otherOrder: 0.2,
  otherOrderOfTwo: 0.6,
  /** Each name of the reading. */
  cut: 0.1,
} as const;

const KIND_COSTS: Readonly<Record<Kind, number>> = {
  [KIND.whole]: 0,
  [KIND.part]: COSTS.part,
  [KIND.alias]: COSTS.alias,
  [KIND.former]: COSTS.former,
  [KIND.district]: COSTS.district,
};

/** Max extra cost of a second reading that counts as equal to the first. */
export const RIVAL = 0.32;

/** Max cost above the best reading. */
const MAX_EXTRA_COST = 1.5;

/** A place that a span may name. */
interface Mention {
  readonly span: Span;
  readonly row: number;
  readonly kind: Kind;
  readonly cost: number;
}

/** How well mentions of parents cover a text. */
interface Cover {
  readonly gain: number;
  readonly mentions: readonly Mention[];
}

/** An area with the parents that cover most of a text, and their cost. */
interface Weighed {
  readonly mention: Mention;
  readonly cover: Cover;
  readonly cost: number;
}

/** All readings of a text as an area and its ancestors, best first. */
export function readings(index: NameIndex, text: string): Reading[] {
  return index.cached('readings', text, () => {
    const isName = (folded: string) => index.keys.find(folded) !== -1;
    return new Reader(index, new Text(withCities(index, text), isName)).read();
  });
}

/** A text in which `City` stands beside the name of its city, with no separator between. */
export function withCities(index: NameIndex, text: string): string {
  return withCitiesJoined(text, (name) =>
    findNamed(index, name, 'municity').some(({ kind, score }) => kind < KIND.former && score === 1),
  );
}

class Reader {
  readonly #index: NameIndex;
  readonly #text: Text;
  /** Names of every level. */
  readonly #mentions: Mention[] = [];
  /** Mentions of possible parents, by row. */
  readonly #parents = new Map<number, Mention[]>();
  readonly #keys = new Map<string, number>();
  readonly #weight: number;
  readonly #found: Weighed[] = [];
  #best = Number.POSITIVE_INFINITY;

  constructor(index: NameIndex, text: Text) {
    this.#index = index;
    this.#text = text;
    this.#weight = text.words.reduce((sum, { weight }) => sum + weight, 0);
  }

  read(): Reading[] {
    this.#findMentions();
    // The best covered mentions come first, so that most others can be skipped.
    this.#mentions.sort((a, b) => b.span.weight - a.span.weight || a.row - b.row);
    for (const mention of this.#mentions) this.#weigh(mention);
    const plausible = this.#found.filter(({ cost }) => cost <= this.#best + MAX_EXTRA_COST);
    plausible.sort((a, b) => a.cost - b.cost || a.mention.row - b.mention.row);
    const byWords = new Map<string, { reading: Reading; rows: number[] }>();
    for (const it of plausible) {
      const all = [it.mention, ...it.cover.mentions];
      const key = all
        .map(({ span, row }) => `${span.from} ${span.to} ${this.#column(row)}`)
        .sort()
        .join();
      const existing = byWords.get(key);
      if (existing) existing.rows.push(it.mention.row);
      else if (byWords.size < MAX_READINGS) {
        const rows = [it.mention.row];
        byWords.set(key, { reading: this.#readingOf(it, rows), rows });
      }
    }
    return [...byWords.values()].map(({ reading }) => reading);
  }

  /** The number of the key of a folded text; -1 where there is none. Columns are looked up one after the other. */
  #keyOf(folded: string): number {
    let key = this.#keys.get(folded);
    if (key === undefined) {
      key = this.#index.keys.find(folded);
      this.#keys.set(folded, key);
    }
    return key;
  }

  #column(row: number): Column {
    return columnOf(this.#index.levelOf(row));
  }

  #findMentions(): void {
    const { words, marked, markedEnds } = this.#text;
    const hasMark = marked.size + markedEnds.size > 0;
    for (let from = 0; from < words.length; from += 1) {
      for (let to = from + 1; to <= Math.min(words.length, from + MAX_NAME_WORDS); to += 1) {
        if (!this.#text.mayBeName(from, to)) continue;
        const crossings = (words[to - 1] as Word).part - (words[from] as Word).part;
        if (crossings > 1) break;
        // A name marked as a barangay's has no other level.
        const isMarked = marked.has(from) || marked.has(from + 1) || markedEnds.has(to) || markedEnds.has(to - 1);
        const folded = fold(this.#text.textOf(from, to));
        if ((folded.length < 2 && !isMarked) || this.#text.isType(from, folded)) continue;
        let weight = 0;
        for (let at = from; at < to; at += 1) weight += (words[at] as Word).weight;
        const span = { from, to, words: ((1 << (to - from)) - 1) << from, weight, cost: crossings * COSTS.crossing };
        if (!hasMark || isMarked) this.#find(span, folded, 'barangay', isMarked);
        if (isMarked || isNumber(folded)) continue;
        for (const column of ['municity', 'province', 'region'] as const) this.#find(span, folded, column, false);
      }
    }
  }

  #find(span: Span, folded: string, column: Column, isMarked: boolean): void {
    const { base, placeType: type } =
      column === 'barangay' ? { base: bareOf(folded), placeType: undefined } : baseOf(folded);
    if (type !== undefined && span.cost > 0) return;
    // Only English puts the word after the name: `Lalawigan` and `Lungsod` there are barangays.
    const last = this.#text.words[span.to - 1] as Word;
    if (type !== undefined && TYPE.test(last.folded) && !this.#text.isType(span.to - 1, last.folded)) return;
    if (type === 'city' || type === 'town' ? column !== 'municity' : type !== undefined && type !== column) return;
    // A number alone is a house number, unless marked as a barangay's.
    if (column === 'barangay' && isNumber(base) && !isMarked && base === folded) return;
    const forms = type === 'city' ? [`${base} city`, base] : base === folded ? [folded] : [folded, base];
    if (column === 'barangay') {
      // A direction beside other words belongs to their name: `Ilocos Sur`.
      if (!isMarked && DIRECTION.test(folded) && this.#text.sharesPart(span)) return;
      // `SanManuelI`, if there is no such name.
      if (forms.every((form) => this.#keyOf(form) === -1)) forms.push(...unglued(base));
    }
    const seen = new Set<number>();
    for (const form of forms) {
      const key = this.#keyOf(form);
      if (key === -1) continue;
      this.#index.eachArea(key, column, (row, kind) => {
        if (seen.has(row) || (column === 'barangay' && !mayBeCalled(this.#index, row, { folded, form }))) return;
        seen.add(row);
        const isCity = type !== undefined && column === 'municity' && /\bcity\b/i.test(this.#index.source.nameOf(row));
        const isOther = column === 'municity' && type !== undefined && isCity !== (type === 'city');
        const mention = { span, row, kind, cost: span.cost + KIND_COSTS[kind] + (isOther ? COSTS.otherType : 0) };
        this.#mentions.push(mention);
        if (column === 'barangay') return;
        const existing = this.#parents.get(row);
        if (existing) existing.push(mention);
        else this.#parents.set(row, [mention]);
      });
    }
  }

  /** Adds an area with the mentions of its parents that cover most of the other words. */
  #weigh(mention: Mention): void {
    const { span, row } = mention;
    const mentions = this.#parentsOf(row);
    const room = mentions.reduce((sum, it) => sum + it.span.weight, 0);
    if (this.#weight - span.weight - room + mention.cost > this.#best + MAX_EXTRA_COST) return;
    const cover = covered(mentions, mention);
    const isBarangay = this.#column(row) === 'barangay';
    const at = (column: Column) => cover.mentions.find((it) => it.row !== row && this.#column(it.row) === column);
    const [town, province, region] = [at('municity'), at('province'), at('region')];
    const isMarked = isBarangay && this.#text.marked.size + this.#text.markedEnds.size > 0;
    let cost = this.#weight - span.weight - cover.gain + mention.cost;
    if (isBarangay && !town) cost += cover.mentions.length > 0 ? COSTS.noTown : COSTS.alone;
    if (isBarangay && town && !province && !region && !isMarked) cost += COSTS.unmarked;
    if (!isAscending([mention, ...cover.mentions].map((it) => ({ ...it, order: this.#order(it.row) })))) {
      cost += province || region || isMarked ? COSTS.otherOrder : COSTS.otherOrderOfTwo;
    }
    if (cost > this.#best + MAX_EXTRA_COST) return;
    this.#best = Math.min(this.#best, cost);
    this.#found.push({ mention, cover, cost });
  }

  #order(row: number): number {
    return COLUMNS.indexOf(this.#column(row));
  }

  /** Mentions of the parents and former parents of an area, and of the area itself. */
  #parentsOf(row: number): Mention[] {
    const { regions, provinces, hosts, municities, submunicipalities } = this.#index.source;
    const found = [...(this.#parents.get(row) ?? [])];
    for (const parents of [submunicipalities, municities, provinces, hosts, regions]) {
      const parent = parents[row] as number;
      const mentions = this.#parents.get(parent);
      if (mentions && parent !== row) found.push(...mentions);
    }
    if (this.#parents.size === 0) return found;
    for (const parent of formerParentsOf(this.#index, row)) {
      for (const it of this.#parents.get(parent) ?? []) found.push({ ...it, cost: it.cost + COSTS.formerParent });
    }
    return found;
  }

  #readingOf({ mention, cover, cost }: Weighed, rows: number[]): Reading {
    const fields: { [column in Column]?: string } = {};
    const all = [mention, ...cover.mentions];
    // A sub-municipality and its city share a column. The city's name says more.
    const levels = all.map((it) => ({ ...it, level: this.#index.levelOf(it.row) }));
    const orderOf = ({ level, kind }: (typeof levels)[number]) =>
      (level === 'submunicipality' ? 0 : 1) + (kind === KIND.district ? 2 : 0);
    levels.sort((a, b) => orderOf(a) - orderOf(b));
    const seen = new Set<number>();
    let repeated: string | undefined;
    for (const { span, row, level } of levels) {
      const text = this.#text.textOf(span.from, span.to);
      if (seen.has(row)) {
        repeated = text;
        continue;
      }
      seen.add(row);
      const column = columnOf(level);
      fields[column] = fields[column] === undefined ? text : `${fields[column]}, ${text}`;
    }
    const taken = all.reduce((bits, { span }) => bits | span.words, 0);
    const ordered = all.map((it) => ({ ...it, order: this.#order(it.row) }));
    const isInOrder = isAscending(ordered);
    const isTurned = !isInOrder && isAscending(ordered.map((it) => ({ ...it, order: -it.order })));
    const part = all.find(({ kind }) => kind === KIND.district);
    const district = part && { text: this.#text.textOf(part.span.from, part.span.to), row: part.row };
    const { from, to } = this.#text.widened(mention.span, taken);
    const isBarangay = this.#column(mention.row) === 'barangay';
    const rest = restOf(this.#text, { taken, from, to, house: isBarangay ? mention.span.from - 1 : -1 });
    const isMarked = this.#text.marked.size + this.#text.markedEnds.size > 0;
    const whole = this.#text.textOf(from, to);
    const { lacksName, words } = this.#text;
    const isUndivided = words.every(({ part }) => part === words[0]?.part);
    const order = { isInOrder, isTurned, isMarked, lacksName, isUndivided };
    return { fields, rows, cost, rest, whole, district, repeated, ...order };
  }
}

const MAX_READINGS = 12;

/** Whether no area comes before a smaller one. */
function isAscending(mentions: { readonly span: Span; readonly order: number }[]): boolean {
  const sorted = mentions.sort((a, b) => a.span.from - b.span.from);
  return sorted.every(({ order }, at) => at === 0 || order <= (sorted[at - 1] as { order: number }).order);
}

/** The mentions that together cover the most words without using taken ones. */
function covered(mentions: readonly Mention[], { span: { words: taken }, row: own }: Mention): Cover {
  let best: Cover = { gain: 0, mentions: [] };
  const fitting = mentions.filter(({ span }) => (span.words & taken) === 0).slice(0, MAX_MENTIONS);
  const most = (it: Mention) => Math.max(0, it.span.weight - it.cost - COSTS.cut);
  const total = fitting.reduce((sum, it) => sum + most(it), 0);
  const look = (at: number, bits: number, { gain, left, chosen }: Chosen) => {
    if (gain > best.gain) best = { gain, mentions: chosen };
    let open = left;
    for (let next = at; next < fitting.length; next += 1) {
      // What is open can't make it better. Without this, a text of one name many times takes all subsets.
      if (gain + open <= best.gain) return;
      const it = fitting[next] as Mention;
      open -= most(it);
      if ((it.span.words & bits) !== 0) continue;
      const isRepeated = it.row === own || chosen.some(({ row }) => row === it.row);
      const more = it.span.weight - it.cost - COSTS.cut - (isRepeated ? COSTS.repeated : 0);
      if (more > 0) look(next + 1, bits | it.span.words, { gain: gain + more, left: open, chosen: [...chosen, it] });
    }
  };
  look(0, taken, { gain: 0, left: total, chosen: [] });
  return best;
}

/** Chosen mentions, what they gain, and the most that those after them can gain. */
interface Chosen {
  readonly gain: number;
  readonly left: number;
  readonly chosen: readonly Mention[];
}

const MAX_MENTIONS = 12;

/**
 * The words not taken, in groups of adjacent ones.
 *
 * @param at `taken`: their bits; `from`, `to`: the whole name of the smallest area; `house`: the word where the number of a
 * house may stand, before a name that may be its street's: `1521 Mabini, Tanauan City`
 */
function restOf(
  text: Text,
  { taken, from: first, to: last, house }: { taken: number; from: number; to: number; house: number },
): Rest[] {
  const { words, marked } = text;
  const rest: { from: number; to: number }[] = [];
  const isHouse = (at: number) =>
    at === house && isLongNumber(words[at] as Word) && words[at - 1]?.part !== words[at]?.part;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] as Word;
    if ((taken & (1 << at)) !== 0 || (word.weight === 0 && !isHouse(at))) continue;
    const previous = rest.at(-1);
    const before = words[at - 1];
    const isNext = previous?.to === at && before?.part === word.part && before.isStreet === word.isStreet;
    const isLink = JOINS.test(word.folded) || JOINS.test(before?.folded ?? '');
    if (isNext && previous && !isLink && !marked.has(at)) previous.to = at + 1;
    else rest.push({ from: at, to: at + 1 });
  }
  const end = 32 - Math.clz32(taken);
  const isBy = (at: number, other: number) =>
    (taken & (1 << other)) !== 0 && (words[at] as Word).part === words[other]?.part;
  return rest.map(({ from, to }) => ({
    text: text.textOf(from, to),
    isStreet: (words[from] as Word).isStreet || isHouse(from),
    isBehind: from >= end,
    isMarked: marked.has(from),
    isBeside: from >= first && to <= last,
    isAttached: isBy(from, from - 1) || isBy(to - 1, to),
  }));
}

/** Whether a reading leaves over only a street and insignificant words. */
export function isWhole({ rest }: Reading): boolean {
  return rest.every(({ text, isStreet }) => isStreet || LINKS.test(text));
}

const LINKS = /^(?:of|ng|the)$/i;

/** Whether the text marks a barangay that a reading leaves over. */
export function lacksMarked({ fields, rest }: Pick<Reading, 'fields' | 'rest'>): boolean {
  return fields.barangay === undefined && rest.some(({ isMarked }) => isMarked);
}
