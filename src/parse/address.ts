import { typedName } from '../names/compare.ts';
import { findSame, findSpelled, isNameOf } from '../names/find.ts';
import { KIND } from '../names/forms.ts';
import type { NameIndex } from '../names/index.ts';
import { matchRow } from '../names/match.ts';
import { atMostLikely, compareMatches, isDecided, isFiner, type Match, passedOver } from '../names/result.ts';
import type { NameLevel } from '../names/source.ts';
import { areasOfZip } from '../names/zip-areas.ts';
import { zipsIn } from '../names/zip-hint.ts';
import { type Claim, isCorner, isCountry, isHouseNumber, type Marked, marksOf, type PartName } from './markers.ts';
import { namedIn, textOf } from './places.ts';
import { type Token, tokensOf } from './tokens.ts';

/** A part of an address. `start` and `end` are offsets in UTF-16 units, the end not included. */
export interface Part {
  readonly part: PartName;
  /** As it stands in the text. */
  readonly text: string;
  /** Without the word that marks it: `4` of `Blk 4`. */
  readonly value: string;
  readonly start: number;
  readonly end: number;
  /** PSGC code, if the part names an area for certain. */
  readonly code: string | null;
}

export interface ParsedAddress {
  readonly match: Match;
  /** In the order of the text. */
  readonly parts: readonly Part[];
}

/** Max words that are read: the last ones of longer texts, because areas stand at the end. */
const MAX_TOKENS = 32;

/** Max pieces between separators and other parts that are searched for a place: the last ones. */
const MAX_PIECES = 10;

/** Max first pieces that may be left out to find a place in the others. */
const MAX_DROPPED = 4;

const PART_OF: Readonly<Record<NameLevel, PartName>> = {
  region: 'region',
  province: 'province',
  municity: 'municity',
  submunicipality: 'district',
  barangay: 'barangay',
};

/** Splits an address into its parts, and finds the area that it lies in. Takes time in proportion to the length of the text. */
export function parseAddress(index: NameIndex, text: string): ParsedAddress {
  const tokens = tokensOf(text).slice(-MAX_TOKENS);
  const { claims: marks, marked } = marksOf(tokens);
  const claims = [...marks];
  const isMarked = (at: number) => marks.some((it) => covers(it, at));
  const zip = zipClaim(index, text, { tokens, isMarked });
  if (zip) claims.push(zip);
  // A settlement may be named like a barangay: `Bayan Park Village`.
  const taken = tokens.map((_, at) => claims.some((it) => it.part !== 'subdivision' && covers(it, at)));
  const markedText = { tokens, taken, claims, marked: marked.map(({ at }) => at), zip };
  const areasFor = (place: Place) => areasOf(index, { tokens, taken, claims, marked, place });
  let place = placeOf(index, text, markedText);
  let found = areasFor(place);
  // Words of a street name no barangay: `St. Peter St., Villa Arca Subd., Quezon City`.
  if (place.isOfAll && isDecided(place.match) && !found.areas.some(({ code }) => code === place.match.code)) {
    place = placeOf(index, undefined, markedText);
    found = areasFor(place);
  }
  const { match } = place;
  const { areas, codes } = found;
  const kept = claims.filter(
    (it) => !/^(?:subdivision|purok)$/.test(it.part) || !areas.some(({ from, to }) => from < it.to && it.from < to),
  );
  const all: (Claim & { code?: string | null })[] = [...areas, ...kept];
  const isFree = (at: number) => tokens[at] !== undefined && !all.some((it) => covers(it, at));
  for (const { part, at } of marked) {
    if (!isFree(at) || !isFree(at + 1)) continue;
    let to = at + 1;
    while (isFree(to) && tokens[to]?.piece === tokens[at]?.piece && !marked.some((it) => it.at === to)) to += 1;
    all.push({ part, from: at, to, valueFrom: at + 1, valueTo: to });
  }
  const towns = [...codes.keys()].filter((row) => index.levelOf(row) === 'municity');
  all.push(...restOf(index, tokens, { claims: all, towns }));
  all.sort((a, b) => a.from - b.from);
  return { match, parts: all.map((claim) => partOf(text, tokens, claim)) };
}

/** A part with its texts. */
function partOf(text: string, tokens: readonly Token[], claim: Claim & { code?: string | null }): Part {
  const { part, from, to, valueFrom, valueTo, code = null } = claim;
  const slice = (first: number, next: number) => {
    const [start, end] = [(tokens[first] as Token).start, (tokens[next - 1] as Token).end];
    return { start, end: trimmedEnd(text, start, end) };
  };
  const whole = slice(from, to);
  const value = slice(valueFrom, valueTo);
  return { part, text: text.slice(whole.start, whole.end), value: text.slice(value.start, value.end), ...whole, code };
}

/** Whether a part has the token at an index. */
function covers({ from, to }: Claim, at: number): boolean {
  return from <= at && at < to;
}

type Area = Claim & { readonly code: string | null };

/** The words that name the place of an address and its ancestors, and the codes of these by row. */
function areasOf(
  index: NameIndex,
  {
    tokens,
    taken,
    claims,
    marked,
    place: { match, isOfAll },
  }: Pick<MarkedText, 'tokens' | 'taken' | 'claims'> & { marked: readonly Marked[]; place: Place },
): { areas: Area[]; codes: ReadonlyMap<number, string | null> } {
  const { level, code } = match;
  const codes = codesOf(index, match);
  // Some barangays are called zones: `Zone 3, Baybay`.
  const isZone = (at: number) => isOfAll && claims.some((it) => it.part === 'purok' && covers(it, at));
  const notNames = tokens.map(
    (_, at) =>
      (taken[at] === true && !isZone(at)) ||
      marked.some((it) => it.at === at || (it.part !== 'barangay' && it.at + 1 === at)),
  );
  const starts = new Set(marked.flatMap(({ part, at }) => (part === 'barangay' ? [at + 1] : [])));
  const rows = new Map([...codes].map(([row, code]) => [row, code !== null]));
  const named = namedIn(index, tokens, {
    rows,
    taken: notNames,
    marked: starts,
    own: level === null || code === null ? undefined : index.rowOf(level, code),
  });
  const areas = named.map(({ row, level, from, to }) => {
    const isMarked = level === 'barangay' && starts.has(from);
    return {
      part: PART_OF[level],
      from: isMarked ? from - 1 : from,
      to,
      valueFrom: from,
      valueTo: to,
      code: codes.get(row) ?? null,
    };
  });
  return { areas, codes };
}

/** The end of words without a colon or quotation mark behind them. */
function trimmedEnd(text: string, start: number, end: number): number {
  let last = end;
  while (last > start + 1 && /[:"”*!]/.test(text[last - 1] as string)) last -= 1;
  return last;
}

/** The last ZIP code of a text that an area has, or else the last one. */
function zipClaim(
  index: NameIndex,
  text: string,
  { tokens, isMarked }: { tokens: readonly Token[]; isMarked: (at: number) => boolean },
): (Claim & { zip: string }) | undefined {
  const all = zipsIn(text)
    .map(({ zip, at: start }) => ({ zip, at: tokens.findIndex((it) => it.start === start) }))
    .filter(({ at }) => at !== -1 && !isMarked(at));
  const found = all.findLast(({ zip }) => areasOfZip(index, zip).length > 0) ?? all.at(-1) ?? zipBefore(index, tokens);
  if (found === undefined) return undefined;
  const { at } = found;
  let from = at;
  while (
    from > 0 &&
    /^(?:zip|code|zipcode|postal)$/.test(tokens[from - 1]?.key ?? '') &&
    tokens[from - 1]?.piece === tokens[at]?.piece
  )
    from -= 1;
  return { part: 'zip_code', from, to: at + 1, valueFrom: at, valueTo: at + 1, zip: found.zip };
}

/** A ZIP code that begins a text, where the town behind it has it: `2300 Capas`. */
function zipBefore(index: NameIndex, tokens: readonly Token[]): { zip: string; at: number } | undefined {
  const [first, ...others] = tokens;
  if (first === undefined || !/^\d{4}$/.test(first.key)) return undefined;
  const piece = others.filter((it) => it.piece === first.piece);
  const name = typedName(index, textOf(piece, [0, piece.length]), 'municity');
  return findSpelled(index, name, areasOfZip(index, first.key)).length > 0 ? { zip: first.key, at: 0 } : undefined;
}

/** The words of an address, and the parts that words mark. */
interface MarkedText {
  readonly tokens: readonly Token[];
  /** Per token whether a part has it that is no area. */
  readonly taken: readonly boolean[];
  readonly claims: readonly Claim[];
  /** Indexes of the words that mark names without an end. */
  readonly marked: readonly number[];
  readonly zip: { readonly zip: string } | undefined;
}

interface Place {
  readonly match: Match;
  /** Whether all words of the text were searched, also those of other parts. */
  readonly isOfAll: boolean;
}

/**
 * The area that an address lies in: found by the words of no other part, or else by all words.
 *
 * @param text undefined: only the words of no other part are searched
 */
function placeOf(
  index: NameIndex,
  text: string | undefined,
  { tokens, taken, claims, marked, zip }: MarkedText,
): Place {
  const isSettlement = (at: number) => claims.some((it) => it.part === 'subdivision' && covers(it, at));
  const pieces: { text: string; from: number; isSettlement: boolean }[] = [];
  tokens.forEach((token, at) => {
    if (taken[at]) return;
    const last = pieces.at(-1);
    const isNext =
      at > 0 && !taken[at - 1] && tokens[at - 1]?.piece === token.piece && isSettlement(at) === isSettlement(at - 1);
    if (isNext && last) last.text += ` ${token.text}`;
    else pieces.push({ text: token.text, from: at, isSettlement: isSettlement(at) });
  });
  pieces.splice(0, Math.max(0, pieces.length - MAX_PIECES));
  const matched = (from: number, isWhole: boolean) => {
    const used = pieces.slice(from).filter((it) => isWhole || !it.isSettlement);
    return matchRow(index, { text: used.map((it) => it.text).join(', '), zip: zip?.zip });
  };
  const whole = pieces.some((it) => it.isSettlement) ? matched(0, true) : undefined;
  // Some settlements are barangays: `BF Homes, Parañaque`.
  if (whole && isDecided(whole) && whole.level === 'barangay' && marked.length === 0)
    return { match: whole, isOfAll: false };
  const isTown = marked.length === 0 && claims.some(isBelowTowns) && !claims.some(isBelowBarangays);
  const plain = isTown ? townFirst(index, matched(0, false)) : matched(0, false);
  if (isDecided(plain)) return { match: plain, isOfAll: false };
  let best = whole && compareMatches(whole, plain) > 0 ? whole : plain;
  const all = text === undefined ? undefined : matchRow(index, { text: text.slice(tokens[0]?.start ?? 0) });
  const isOfAll = all !== undefined && compareMatches(all, best) > 0;
  if (isOfAll) best = all;
  if (isDecided(best) || best.code !== null) return { match: best, isOfAll };
  for (let from = 1; from < pieces.length && from <= MAX_DROPPED; from += 1) {
    // A barangay that is marked must not be passed over.
    if (marked.some((at) => at < (pieces[from]?.from ?? 0))) break;
    const match = matched(from, false);
    if (isDecided(match)) {
      const notes = pieces.slice(0, from).map((it) => passedOver(it.text));
      return { match: atMostLikely(match, notes), isOfAll: false };
    }
  }
  return { match: best, isOfAll };
}

function isBelowBarangays({ part }: Claim): boolean {
  return part === 'purok' || part === 'sitio';
}

/** Whether a town may stand behind a part without a barangay between. */
function isBelowTowns(claim: Claim): boolean {
  return claim.part !== 'zip_code' && claim.part !== 'country' && !isBelowBarangays(claim);
}

/** By how much the score of a town must exceed those of barangays with its name. */
const MIN_LEAD = 0.1;

/** Max barangays with the name of the town. */
const MAX_RIVALS = 10;

/** Chooses a town that follows a street or house, if few barangays have its name. With many, one whose town was left out may be meant. */
function townFirst(index: NameIndex, match: Match): Match {
  const [best, ...others] = match.candidates;
  const [rival] = others;
  if (match.match !== 'ambiguous' || match.code !== null || best?.level !== 'municity' || !rival) return match;
  const isClear = others.every(({ level, score }) => level === 'barangay' && score <= best.score - MIN_LEAD);
  const isRare = findSame(index, typedName(index, rival.name, 'barangay')).size <= MAX_RIVALS;
  const { code, level, name } = best;
  if (!isClear || !isRare) return match;
  const notes = [...match.notes, `There is a barangay "${rival.name}" too.`];
  return { ...match, match: 'likely', code, level, name, needs: null, notes };
}

/** The rows of areas that an address names or may name, with their codes; null where another area may be meant. */
function codesOf(index: NameIndex, { match, code, level, needs, candidates }: Match): Map<number, string | null> {
  const codes = new Map<number, string | null>();
  const put = (row: number, own: string | null) => codes.set(row, codes.get(row) ?? own);
  const [first] = candidates;
  // The only barangay with a name is not sure either while its town is missing: `Xyz Abc, Guadalupe Nuevo`.
  if (match === 'ambiguous' && level !== null && needs !== null && !isFiner(needs, level)) return codes;
  if (code !== null && level !== null) {
    const row = index.rowOf(level, code);
    for (const it of [row, ...index.ancestorsOf(row)]) put(it, index.codeOf(it));
  }
  if (first !== undefined) {
    const rows = candidates.map((it) => index.rowOf(it.level, it.code));
    const isCommon = (row: number) => rows.every((it) => index.isIn(it, row));
    const row = rows[0] as number;
    const isOwn =
      code === null || (index.isIn(row, index.rowOf(level as NameLevel, code)) && index.codeOf(row) !== code);
    if (isOwn)
      for (const it of [row, ...index.ancestorsOf(row)])
        put(it, isCommon(it) && code === null && rows.length > 1 ? index.codeOf(it) : null);
  }
  return codes;
}

/** The parts of the words that are left: a house and its street before the first area, and others. */
function restOf(
  index: NameIndex,
  tokens: readonly Token[],
  { claims, towns }: { claims: readonly Claim[]; towns: readonly number[] },
): Claim[] {
  const rest: Claim[] = [];
  const put = (part: PartName, from: number, to: number) => rest.push({ part, from, to, valueFrom: from, valueTo: to });
  const isTaken = (at: number) => claims.some((it) => covers(it, at));
  const first = Math.min(
    ...claims
      .filter(({ part }) => /^(?:barangay|district|municity|province|region)$/.test(part))
      .map(({ from }) => from),
    tokens.length,
  );
  const has = (part: PartName) => claims.some((it) => it.part === part) || rest.some((it) => it.part === part);
  for (let from = 0; from < tokens.length; ) {
    if (isTaken(from)) {
      from += 1;
      continue;
    }
    let to = from + 1;
    while (to < tokens.length && !isTaken(to) && tokens[to]?.piece === tokens[from]?.piece) to += 1;
    const isCrossing = tokens.slice(from, to).some(isCorner);
    if (from < first && isHouseNumber(tokens[from] as Token) && !has('house_number')) {
      put('house_number', from, from + 1);
      if (to > from + 1) put(has('street') ? 'other' : 'street', from + 1, to);
    } else {
      const isNation = to === from + 1 && from > first && isCountry(tokens[from] as Token);
      const isDistrict = districtIn(index, tokens.slice(from, to), towns);
      const isCentre = to === from + 1 && /^pob(?:lacion)?$/.test(tokens[from]?.key ?? '') && !has('barangay');
      const area = isNation
        ? 'country'
        : isDistrict
          ? 'district'
          : isCentre
            ? 'barangay'
            : areaIn(index, tokens, { from, to, has, claims });
      put(isCrossing && !has('street') ? 'street' : (area ?? 'other'), from, to);
    }
    from = to;
  }
  return rest;
}

/** Whether words name a place without a code of its own in one of some cities: `Diliman, Quezon City`. */
function districtIn(index: NameIndex, tokens: readonly Token[], towns: readonly number[]): boolean {
  const name = typedName(index, textOf(tokens, [0, tokens.length]), 'municity');
  return findSpelled(index, name, towns).some(({ kind }) => kind === KIND.district);
}

/** The parts that may follow the name of an area of a level. */
const MAY_FOLLOW = { province: /^(?:zip_code|country)$/, municity: /^(?:province|region|zip_code|country)$/ } as const;

/** The level of the area that words name, where the match is of another area, or of none for certain. */
function areaIn(
  index: NameIndex,
  tokens: readonly Token[],
  { from, to, has, claims }: { from: number; to: number; has: (part: PartName) => boolean; claims: readonly Claim[] },
): 'province' | 'municity' | undefined {
  const isLast = tokens.slice(to).every((_, at) => claims.some((it) => covers(it, to + at)));
  return (['province', 'municity'] as const).find(
    (level) =>
      !has(level) &&
      (isLast || level === 'municity') &&
      claims.every((it) => it.from < from || MAY_FOLLOW[level].test(it.part)) &&
      isNameOf(index, textOf(tokens, [from, to]), level),
  );
}
