import { typedName } from '../names/compare.ts';
import { findLike, findSpelled } from '../names/find.ts';
import { KIND } from '../names/forms.ts';
import type { NameIndex } from '../names/index.ts';
import { columnOf, type NameLevel } from '../names/source.ts';
import type { Token } from './tokens.ts';

/** Tokens that name an area. */
export interface Named {
  readonly row: number;
  readonly level: NameLevel;
  readonly from: number;
  readonly to: number;
}

/** Max words of a name. */
const MAX_WORDS = 6;

/** Words before a name that say its level. */
const TYPE = /^(?:city|lungsod|municipality|mun|bayan|province|prov|lalawigan|probinsya|region)$/;

const TYPE_OF_LARGE = /^(?:province|prov|lalawigan|probinsya|region)$/;

/** Which of the areas that have the same words for a name is meant: a region only if no other is. */
const ORDER: readonly NameLevel[] = ['province', 'municity', 'submunicipality', 'barangay', 'region'];

type Span = readonly [number, number];

interface Where {
  /** Areas and what they lie in, and whether an area is sure. */
  readonly rows: ReadonlyMap<number, boolean>;
  /** Tokens of other parts. */
  readonly taken: readonly boolean[];
  /** Where the names of barangays begin, as a word before says. */
  readonly marked: ReadonlySet<number>;
  /** The area that the address means. */
  readonly own: number | undefined;
}

/** Which tokens name which of some areas. Names that are spelled right come before those that are only like one. */
export function namedIn(index: NameIndex, tokens: readonly Token[], { rows, taken, marked, own }: Where): Named[] {
  const free = taken.map((it) => !it);
  const found: Named[] = [];
  const left = new Map([...rows.keys()].map((row) => [row, index.levelOf(row)] as const));
  for (const find of [findSpelled, findLike]) {
    for (const [from, to] of windowsOf(tokens, free, marked)) {
      if (free.slice(from, to).includes(false)) continue;
      const isMarked = marked.has(from);
      const levels = isMarked ? (['barangay'] as const) : ORDER;
      const named = [...left]
        .filter(
          ([row, level]) =>
            levels.some((it) => it === level) &&
            mayName(tokens, [from, to], {
              level,
              isSure: rows.get(row) === true || isMarked,
              isLike: find === findLike,
              isLast: !free[to] || tokens[to]?.piece !== tokens[from]?.piece,
            }),
        )
        .sort(([, a], [, b]) => ORDER.indexOf(a) - ORDER.indexOf(b))
        .find(([row]) => {
          // The word is a part of some names: `Bgy. 47 - Arimbay`.
          const starts = isMarked ? [from, from - 1] : [from];
          return starts.some((start) => isNamed(index, find, { text: textOf(tokens, [start, to]), row }));
        });
      if (!named) continue;
      const [row, level] = named;
      const span = widened(tokens, free, [from, to]);
      for (let at = span[0]; at < span[1]; at += 1) free[at] = false;
      left.delete(row);
      found.push({ row, level, from: span[0], to: span[1] });
    }
  }
  return own === undefined || !left.has(own) ? found : found.map((it) => asOwn(index, tokens, it, own));
}

/** Whether a text names an area. A place in it is no name of it: `Bonifacio Global City`, nor is `Cebu IT Park` one of a province. */
function isNamed(index: NameIndex, find: typeof findLike, { text, row }: { text: string; row: number }): boolean {
  const level = index.levelOf(row);
  const mayBePart = level !== 'province' && level !== 'region';
  return find(index, typedName(index, text, columnOf(level)), [row]).some(
    ({ kind, how }) => kind !== KIND.district && (mayBePart || how !== 'part'),
  );
}

/** The name of a province as that of the city in it that is meant: `Tarlac 2300`. */
function asOwn(index: NameIndex, tokens: readonly Token[], named: Named, own: number): Named {
  const { row, from, to } = named;
  const isOwn = index.isIn(own, row) && isNamed(index, findSpelled, { text: textOf(tokens, [from, to]), row: own });
  return isOwn ? { ...named, row: own, level: index.levelOf(own) } : named;
}

/** The words of some tokens. */
export function textOf(tokens: readonly Token[], [from, to]: Span): string {
  return tokens
    .slice(from, to)
    .map(({ text }) => text)
    .join(' ');
}

/** Free tokens of one part of the text: those behind a mark first, then all of a part, then the last, of these the longest. */
function windowsOf(tokens: readonly Token[], free: readonly boolean[], marked: ReadonlySet<number>): Span[] {
  const windows: Span[] = [];
  for (let to = tokens.length; to > 0; to -= 1) {
    for (
      let from = to - 1;
      from >= Math.max(0, to - MAX_WORDS) && free[from] && tokens[from]?.piece === tokens[to - 1]?.piece;
      from -= 1
    ) {
      windows.push([from, to]);
    }
  }
  const isOpen = (at: number, piece: number | undefined) => free[at] === true && tokens[at]?.piece === piece;
  const rank = ([from, to]: Span) => {
    const piece = tokens[from]?.piece;
    return 2 * Number(marked.has(from)) + Number(!isOpen(from - 1, piece) && !isOpen(to, piece));
  };
  return windows.sort((a, b) => rank(b) - rank(a) || b[1] - a[1] || a[0] - b[0]);
}

/** Whether tokens may be the name of an area of a level. */
function mayName(
  tokens: readonly Token[],
  [from, to]: Span,
  { level, isSure, isLike, isLast }: { level: NameLevel; isSure: boolean; isLike: boolean; isLast: boolean },
): boolean {
  const before = tokens[from - 1];
  const isBehindNumber = before?.piece === tokens[from]?.piece && /^\d/.test(before?.key ?? '');
  // Of an area that is not sure, a name that is only like it may be anything, and behind the number of a house it is a street.
  if (!isSure && (isLike || isBehindNumber)) return false;
  if (isLike && level === 'region') return false;
  const keys = tokens.slice(from, to).map(({ key }) => key);
  // A number is a part of the names of barangays and regions only.
  if (level !== 'barangay' && level !== 'region' && keys.some((it) => /^\d/.test(it))) return false;
  const isLarge = level === 'province' || level === 'region';
  if (!isLarge) return true;
  // `Davao` of `Davao City` is no province, nor is `Cebu` of `Cebu Business Park`.
  const isLonger = keys.includes('city') || !(isLast || TYPE_OF_LARGE.test(tokens[to]?.key ?? ''));
  return !isLonger && !(before?.key === 'of' && tokens[from - 2]?.key === 'city');
}

/** A name with the words around it that say its level: `City of`, `Province`. */
function widened(tokens: readonly Token[], free: readonly boolean[], [from, to]: Span): Span {
  const { piece } = tokens[from] as Token;
  const isOwn = (at: number) => free[at] === true && tokens[at]?.piece === piece;
  let [first, end] = [from, to];
  if (
    isOwn(first - 1) &&
    isOwn(first - 2) &&
    /^(?:of|ng|sa)$/.test(tokens[first - 1]?.key ?? '') &&
    TYPE.test(tokens[first - 2]?.key ?? '')
  )
    first -= 2;
  if (isOwn(end) && TYPE.test(tokens[end]?.key ?? '')) end += 1;
  return [first, end];
}
