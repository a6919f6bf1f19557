import { plainWords } from './fold.ts';
import type { NameIndex } from './index.ts';

/** The Capital Region, whose cities lie in no province. People call it Metro Manila. */
const CAPITAL_REGION = 1_300_000_000;

/**
 * An area's name as the line of an address: `San Isidro, Cainta, Rizal`; `Poblacion, Makati City, Metro Manila`. Above
 * cities and municipalities stands the province, or the region of a city that lies in none.
 */
export function addressLabel(index: NameIndex, row: number): string {
  const { source } = index;
  const ancestors = index.ancestorsOf(row);
  const [region, ...lower] = ancestors;
  const isInProvince = lower.some((it) => index.levelOf(it) === 'province');
  const shown = isInProvince || region === undefined || index.levelOf(row) === 'province' ? lower : ancestors;
  return [row, ...shown.reverse()].map((it) => spokenName(source.nameOf(it), source.codes[it] as number)).join(', ');
}

/** `City of Makati` → `Makati City`. */
function spokenName(name: string, code: number): string {
  if (code === CAPITAL_REGION) return 'Metro Manila';
  const city = /^City of (.+)$/i.exec(name.replace(/ \(Capital\)$/i, ''))?.[1];
  if (city === undefined) return name;
  return / City$/i.test(city) || city === 'Manila' ? city : `${city} City`;
}

/** The first and the last place of a part of a text, the last not included. */
export type Range = readonly [number, number];

const WORD = /[\p{L}\p{M}\p{N}'’]+/gu;

/** The parts of a label that have been typed: the words of the text, in their order, as the beginnings of words of the label. */
export function typedRanges(label: string, typed: string): Range[] {
  const ranges: Range[] = [];
  const words = plainWords(typed);
  let next = 0;
  for (const { 0: word, index: at } of label.matchAll(WORD)) {
    const wanted = words[next];
    if (wanted === undefined) break;
    const [plain = ''] = plainWords(word);
    if (!plain.startsWith(wanted)) continue;
    next += 1;
    ranges.push([at, at + lengthOf(word, wanted.length)]);
  }
  return ranges;
}

/** How many characters of a word have a number of letters, accents of their own and apostrophes aside. */
function lengthOf(word: string, letters: number): number {
  let left = letters;
  for (let at = 0; at < word.length; at += 1) {
    if (/[\p{M}'’]/u.test(word[at] as string)) continue;
    if (left === 0) return at;
    left -= 1;
  }
  return word.length;
}
