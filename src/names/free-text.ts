import { isCurrentNameSpelledRight } from './compare.ts';
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
  readonly leftover: readonly Leftover[];
  /** The smallest area's name with adjacent leftover words, which may be parts of a longer name. */
  readonly fullName: string;
  /** The name of a place without a code of its own, if the reading uses one. */
  readonly district: { readonly text: string; readonly row: number } | undefined;
  /** Whether the names stand in the order of an address, the smallest area first. */
  readonly isInOrder: boolean;
  /** Whether the largest area stands first. */
  readonly isLargestFirst: boolean;
  /** Whether a word marks a barangay's name. */
  readonly hasMarker: boolean;
  /** Whether a word marks a barangay whose name is missing. */
  readonly lacksName: boolean;
  readonly hasNoSeparators: boolean;
  /** The words by which the text names an area for the second time. */
  readonly repeated: string | undefined;
}

/** Adjacent leftover words. */
export interface Leftover {
  readonly text: string;
  /** Whether they name a street, a building or a house. */
  readonly isStreet: boolean;
  /** Whether they come after all names of the reading. */
  readonly isAfterNames: boolean;
  /** Whether a word before them marks them as a barangay's name. */
  readonly followsMarker: boolean;
  /** Whether they are parts of `fullName`. */
  readonly isInFullName: boolean;
  /** Whether they stand beside a name, with no separator between, so that they may be a part of it. */
  readonly touchesName: boolean;
}

/** Costs, measured in leftover letters. */
const COSTS = {
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
  /** Names that don't stand smallest first, with a province, a region or a marked barangay. */
  otherOrder: 0.2,
  /** The same without any of these. */
  otherOrderOfTwo: 0.6,
  perName: 0.1,
} as const;

const KIND_COSTS: Readonly<Record<Kind, number>> = {
  [KIND.full]: 0,
  [KIND.part]: 0.05,
  [KIND.alias]: 0.1,
  [KIND.former]: 0.5,
  [KIND.district]: 0.3,
};

/** Max extra cost of a second reading that counts as equal to the first. */
export const MAX_RIVAL_COST = 0.32;

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
  return withCitiesJoined(text, (name) => findNamed(index, name, 'municity').some(isCurrentNameSpelledRight));
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
    const byWords = new Map<string, [Weighed, ...Weighed[]]>();
    for (const it of plausible) {
      const key = [it.mention, ...it.cover.mentions]
        .map(({ span, row }) => `${span.from} ${span.to} ${this.#column(row)}`)
        .sort()
        .join();
      const same = byWords.get(key);
      if (same) same.push(it);
      else if (byWords.size < MAX_READINGS) byWords.set(key, [it]);
    }
    return [...byWords.values()].map((same) => this.#readingOf(same));
  }

  /** The number of the key of a folded text; -1 if none. Cached, because each span is looked up once per column. */
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
    for (let from = 0; from < words.length; from += 1) {
      for (let to = from + 1; to <= Math.min(words.length, from + MAX_NAME_WORDS); to += 1) {
        if (!this.#text.mayBeName(from, to)) continue;
        const crossings = (words[to - 1] as Word).part - (words[from] as Word).part;
        if (crossings > 1) break;
        // A name marked as a barangay's has no other level. The span may include the marker itself: `Brgy. San Juan`.
        const isMarked = marked.has(from) || marked.has(from + 1) || markedEnds.has(to) || markedEnds.has(to - 1);
        const folded = fold(this.#text.textOf(from, to));
        if ((folded.length < 2 && !isMarked) || this.#text.isType(from, folded)) continue;
        let weight = 0;
        for (let at = from; at < to; at += 1) weight += (words[at] as Word).weight;
        const span = { from, to, mask: ((1 << (to - from)) - 1) << from, weight, cost: crossings * COSTS.crossing };
        if (!this.#text.hasMarker || isMarked) this.#find(span, folded, 'barangay', isMarked);
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
    const isMarked = isBarangay && this.#text.hasMarker;
    let cost = this.#weight - span.weight - cover.gain + mention.cost;
    if (isBarangay && !town) cost += cover.mentions.length > 0 ? COSTS.noTown : COSTS.alone;
    if (isBarangay && town && !province && !region && !isMarked) cost += COSTS.unmarked;
    if (!isSmallestFirst([mention, ...cover.mentions].map((it) => ({ ...it, order: this.#order(it.row) })))) {
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

  /** @param same areas that the same words name, best first */
  #readingOf(same: readonly [Weighed, ...Weighed[]]): Reading {
    const [{ mention, cover, cost }] = same;
    const rows = same.map((it) => it.mention.row);
    const fields: { [column in Column]?: string } = {};
    const all = [mention, ...cover.mentions];
    // A sub-municipality and its city share a column, smaller first: `Tondo, Manila`. Districts come last.
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
    const taken = all.reduce((bits, { span }) => bits | span.mask, 0);
    const ordered = all.map((it) => ({ ...it, order: this.#order(it.row) }));
    const isInOrder = isSmallestFirst(ordered);
    const isLargestFirst = !isInOrder && isSmallestFirst(ordered.map((it) => ({ ...it, order: -it.order })));
    const part = all.find(({ kind }) => kind === KIND.district);
    const district = part && { text: this.#text.textOf(part.span.from, part.span.to), row: part.row };
    const { from, to } = this.#text.widened(mention.span, taken);
    const isBarangay = this.#column(mention.row) === 'barangay';
    const leftover = leftoverOf(this.#text, { taken, from, to, house: isBarangay ? mention.span.from - 1 : -1 });
    const fullName = this.#text.textOf(from, to);
    const { hasMarker, lacksName, words } = this.#text;
    const hasNoSeparators = words.every(({ part }) => part === words[0]?.part);
    const facts = { isInOrder, isLargestFirst, hasMarker, lacksName, hasNoSeparators };
    return { fields, rows, cost, leftover, fullName, district, repeated, ...facts };
  }
}

const MAX_READINGS = 12;

/** Whether the areas stand smallest first, as in an address. */
function isSmallestFirst(mentions: readonly { readonly span: Span; readonly order: number }[]): boolean {
  const sorted = mentions.toSorted((a, b) => a.span.from - b.span.from);
  return sorted.every(({ order }, at) => at === 0 || order <= (sorted[at - 1] as { order: number }).order);
}

/** The mentions that together cover the most words without using taken ones. */
function covered(mentions: readonly Mention[], { span: { mask: taken }, row: own }: Mention): Cover {
  let best: Cover = { gain: 0, mentions: [] };
  const fitting = mentions.filter(({ span }) => (span.mask & taken) === 0).slice(0, MAX_MENTIONS);
  const maxGain = (it: Mention) => Math.max(0, it.span.weight - it.cost - COSTS.perName);
  const total = fitting.reduce((sum, it) => sum + maxGain(it), 0);
  const search = (at: number, bits: number, { gain, left, chosen }: Chosen) => {
    if (gain > best.gain) best = { gain, mentions: chosen };
    let bound = left;
    for (let next = at; next < fitting.length; next += 1) {
      // Branch and bound: the remaining mentions can't beat the best cover. Without it, a text that repeats a name tries all subsets.
      if (gain + bound <= best.gain) return;
      const it = fitting[next] as Mention;
      bound -= maxGain(it);
      if ((it.span.mask & bits) !== 0) continue;
      const isRepeated = it.row === own || chosen.some(({ row }) => row === it.row);
      const more = it.span.weight - it.cost - COSTS.perName - (isRepeated ? COSTS.repeated : 0);
      if (more <= 0) continue;
      search(next + 1, bits | it.span.mask, { gain: gain + more, left: bound, chosen: [...chosen, it] });
    }
  };
  search(0, taken, { gain: 0, left: total, chosen: [] });
  return best;
}

/** Chosen mentions, what they gain, and the most that those after them can gain. */
interface Chosen {
  readonly gain: number;
  readonly left: number;
  readonly chosen: readonly Mention[];
}

const MAX_MENTIONS = 12;

/** What the names of a reading take of a text. */
interface Taken {
  /** Bits of the taken words. */
  readonly taken: number;
  /** Span of the full name of the smallest area. */
  readonly from: number;
  readonly to: number;
  /** Index of the word where a house number may stand, before a name that may be its street's: `1521 Mabini, Tanauan City`. */
  readonly house: number;
}

/** The words not taken, in groups of adjacent ones. */
function leftoverOf(text: Text, { taken, from: first, to: last, house }: Taken): Leftover[] {
  const { words, marked } = text;
  const groups: { from: number; to: number }[] = [];
  const isHouse = (at: number) =>
    at === house && isLongNumber(words[at] as Word) && words[at - 1]?.part !== words[at]?.part;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] as Word;
    if ((taken & (1 << at)) !== 0 || (word.weight === 0 && !isHouse(at))) continue;
    const previous = groups.at(-1);
    const before = words[at - 1];
    const isNext = previous?.to === at && before?.part === word.part && before.isStreet === word.isStreet;
    const isLink = JOINS.test(word.folded) || JOINS.test(before?.folded ?? '');
    if (isNext && previous && !isLink && !marked.has(at)) previous.to = at + 1;
    else groups.push({ from: at, to: at + 1 });
  }
  const end = 32 - Math.clz32(taken);
  const isBy = (at: number, other: number) =>
    (taken & (1 << other)) !== 0 && (words[at] as Word).part === words[other]?.part;
  return groups.map(({ from, to }) => ({
    text: text.textOf(from, to),
    isStreet: (words[from] as Word).isStreet || isHouse(from),
    isAfterNames: from >= end,
    followsMarker: marked.has(from),
    isInFullName: from >= first && to <= last,
    touchesName: isBy(from, from - 1) || isBy(to - 1, to),
  }));
}

/** Whether a reading leaves over only a street and insignificant words. */
export function explainsAll({ leftover }: Reading): boolean {
  return leftover.every(({ text, isStreet }) => isStreet || LINKS.test(text));
}

const LINKS = /^(?:of|ng|the)$/i;

/** Whether the text marks a barangay that a reading leaves over. */
export function lacksMarked({ fields, leftover }: Pick<Reading, 'fields' | 'leftover'>): boolean {
  return fields.barangay === undefined && leftover.some(({ followsMarker }) => followsMarker);
}
