import { nameKey } from '../../../src/areas/names.ts';

/** What a footnote of a list says in the PSA's usual wording. Names are keys. */
export type NotedChange =
  /** The area was made of the named ones. */
  | { kind: 'merged'; names: string[] }
  /** The named areas were made out of this one, or in it. */
  | { kind: 'created'; names: string[] }
  /** The area was made out of the named ones, which go on. */
  | { kind: 'parted'; names: string[] }
  /** The area had another name. */
  | { kind: 'renamed'; names: string[] };

const UNIT = String.raw`(?:barangays?|brgys?\.?|bgys?\.?|municipality|municipalities|city|province)`;

/**
 * Reads a footnote, with its mark: `ac/ sum of the population of the merged barangays per … (Barangays Aniban I, III, and
 * V)`. Null where it has none of the usual wordings; it is shown as it is then.
 */
export function readNote(note: string): NotedChange | null {
  const text = note.replace(/^\w+\/\s*/, '');
  const both = INTO.exec(text);
  if (both) return { kind: 'merged', names: both.slice(1).flatMap((names) => namesIn(untilLaw(names ?? ''))) };
  const merged = firstOf(text, MERGED);
  if (merged !== undefined) return { kind: 'merged', names: namesIn(untilLaw(merged)) };
  const before = firstOf(text, RENAMED);
  if (before !== undefined) return { kind: 'renamed', names: [nameKey(untilLaw(before).replace(/\s+to\s.*$/i, ''))] };
  if (/\btransferred\b|\bexcluding\b|\bopted\b/i.test(text)) return null;
  const parted = firstOf(text, PARTED);
  if (parted !== undefined) return { kind: 'parted', names: namesIn(untilLaw(parted)) };
  const made = firstOf(text, CREATED)?.replace(/\s+which (?:was|were)\b.*$/i, '');
  return made === undefined ? null : { kind: 'created', names: namesIn(untilLaw(made)) };
}

const MERGED = [
  /\bmerge[dr]\b.*\(([^()]*)\)\s*\.?$/i,
  new RegExp(String.raw`\bof (?:the )?(${UNIT}\s.+?)\s+(?:which|that) (?:was|were) merged\b`, 'i'),
  new RegExp(String.raw`\b(?:merged ${UNIT} of|merger of|merging of|merged (?:here|in it)? ?with)\s+(.+)`, 'i'),
];
/** What says of either area which one went into the other: `San Rafael merged into Dacanlao`. */
const INTO = /^(?!.*\b(?:which|that)\b)(.+?),?\s+(?:(?:was|were|is|are)\s+)?merged\s+(?:in|un)?(?:to|with)\s+(.+)/i;
const RENAMED = [
  new RegExp(
    String.raw`\b(?:formerly|renamed from|previously (?:known as|named)|changed (?:its |the )?name from|name (?:was )?changed from)\s+(?:${UNIT}\s+)?(.+)`,
    'i',
  ),
];
const PARTED = [
  new RegExp(String.raw`\b(?:created|carved|taken|made|separated) (?:from|out of)\s+(?:the )?(${UNIT}\s.+)`, 'i'),
];
const CREATED = [
  new RegExp(String.raw`\bincluding the popula\w+ counts? of (?:the )?(?:newly[- ]created )?(${UNIT}\s.+)`, 'i'),
];

function firstOf(text: string, wordings: readonly RegExp[]): string | undefined {
  for (const wording of wordings) {
    const found = wording.exec(text)?.[1];
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A list of names without the law, the ordinance or the date that follows it. */
function untilLaw(list: string): string {
  return list.replace(/,?\s+(?:per|by|under|pursuant|through|thru|effective|ratified)\b.*$/i, '').replace(/\s*\.$/, '');
}

/**
 * The names in a list. The PSA writes the common part of several names once: `Barangays Aniban I, III, and V` are three
 * names that begin with Aniban.
 */
function namesIn(list: string): string[] {
  const items = list
    .split(/\s*,\s*(?:and\s+)?|\s+and\s+/i)
    .map((item) => item.replace(new RegExp(String.raw`^(?:formerly\s+)?${UNIT}\s+|^formerly\s+`, 'i'), '').trim())
    .filter((item) => item !== '');
  const stem = /^(.*\S)\s+(?:[IVX]+|\d+)$/.exec(items[0] ?? '')?.[1];
  const isNumeral = (item: string) => /^(?:[IVX]+|\d+)$/.test(item);
  return items.flatMap((item) => {
    if (!isNumeral(item)) return [nameKey(item)];
    return [nameKey(stem === undefined ? `Barangay ${item}` : `${stem} ${item}`)];
  });
}

const ROMAN: readonly string[] = ['', 'i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix', 'x'];

/** A key in which numerals are Arabic and remarks are left out: `aniban iii` and `Aniban 3` are one. */
export function plainKey(key: string): string {
  return key
    .replace(/\b(?:barangay|brgy|bgy|pob|poblacion)\b/g, '')
    .replace(/\b[ivx]+\b/g, (numeral) => {
      const value = ROMAN.indexOf(numeral);
      return value > 0 ? String(value) : numeral;
    })
    .replace(/\s+/g, ' ')
    .trim();
}
