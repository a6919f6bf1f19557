/**
 * Folding: the form in which published and typed names are compared. A folded name has words of `a-z` and numbers, with
 * single spaces between: `Brgy. Sto. Niño IV-A` → `barangay santo nino 4 a`. Written-out short forms are in
 * `spellings.json`.
 */

import { NUMBER_WORDS, NUMBERED, SHORT, TITLES, WRITTEN_OUT } from './spellings.ts';

/** Letters by how their second UTF-8 byte looks in Windows-1252, after `Ã`. */
const MISREAD: ReadonlyMap<string, string> = new Map([
  ['±', 'n'],
  ['‘', 'n'],
  ['\u0091', 'n'],
  ['©', 'e'],
  ['¡', 'a'],
  ['\u0081', 'a'],
  ['³', 'o'],
  ['\u00ad', 'i'],
  ['º', 'u'],
  ['¼', 'u'],
]);

const ROMAN: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10 };

/** The value of a Roman numeral of `i`, `v` and `x`, up to 39; zero if it is none. */
export function romanValue(word: string): number {
  if (!/^x{0,3}(ix|iv|v?i{0,3})$/.test(word)) return 0;
  let sum = 0;
  for (let at = 0; at < word.length; at += 1) {
    const value = ROMAN[word[at] as string] as number;
    sum += value < (ROMAN[word[at + 1] ?? ''] ?? 0) ? -value : value;
  }
  return sum;
}

/** Letters and single spaces only, as in most published names. */
const PLAIN = /^[a-z]+(?: [a-z]+)*$/;

/** A word with a Roman numeral behind it and no space between. */
const GLUED = new RegExp(`^(${NUMBERED})([ivx]+)$`);

/** A region's number with its letter and no hyphen between: `Region IVA`. */
const LETTERED = /^([ivx]+)([ab])$/;

/** A word that folding may change. */
const CHANGING = new RegExp(
  `(?:^| )(?:${[...SHORT.keys(), ...TITLES.keys(), ...NUMBER_WORDS, ...WRITTEN_OUT.keys(), '[ivx]+[ab]?', `(?:${NUMBERED})[ivx]+`].join('|')})(?: |$)`,
);

/** The folded form of a name; empty where it has neither letters nor digits. Folding a folded name changes nothing. */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  // Fast path: an index folds forty thousand names, and most need no more than this.
  if (PLAIN.test(lower) && !CHANGING.test(lower)) return lower;
  return foldWords(text).join(' ');
}

export function foldWords(text: string): string[] {
  return expanded(plainWords(text));
}

/** The words of a text without accents and case, as they are typed: short forms and numerals are left. */
export function plainWords(text: string): string[] {
  // `Ma-ayon` is no `Ma. Ayon`.
  const readable = unescaped(text).replace(/\bma-(?=\p{L})/giu, 'ma');
  return wordsOf(isAscii(readable) ? readable : withoutAccents(readable));
}

const ESCAPED = /&#?\w{2,8};|\\u[0-9a-f]{4}/i;

/** Letters as wide as Chinese ones, and the space between them. */
const WIDE = /[\u3000\uff01-\uff5e]+/g;

/** Decodes HTML entities and JSON escapes that exports leave in texts, and full-width letters. */
export function unescaped(typed: string): string {
  const text = typed.replace(WIDE, (wide) => wide.normalize('NFKC'));
  if (!ESCAPED.test(text)) return text;
  const character = (_: string, decimal?: string, hexadecimal?: string, escaped?: string) =>
    String.fromCharCode(
      decimal === undefined ? Number.parseInt((hexadecimal ?? escaped) as string, 16) : Number(decimal),
    );
  return text
    .replaceAll('&amp;', '&')
    .replaceAll('&nbsp;', ' ')
    .replace(/&([a-z])(?:tilde|acute|grave|circ|uml);/gi, '$1')
    .replace(/&#(\d{2,5});|&#x([0-9a-f]{2,4});|\\u([0-9a-f]{4})/gi, character);
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 126) return false;
  return true;
}

/** Removes accents; a garbled `ñ` becomes `n`. */
function withoutAccents(text: string): string {
  return (
    text
      .replace(/Ãƒ(?:Â|â€)?/g, 'Ã')
      .replace(/Ã(.)/gsu, (whole, second: string) => MISREAD.get(second) ?? whole)
      .replace(/(?<=\p{L})[\uFFFD¤¥]+/gu, 'n')
      // Marks of footnotes.
      .replace(/[¹²³⁰⁴-⁹]+/g, ' ')
      .replace(/[´‘’ʼ`]/g, "'")
      .normalize('NFKD')
      .replace(/[\p{M}\p{Cf}]+/gu, '')
      .replaceAll('ı', 'i')
  );
}

const APOSTROPHE = 39;
const QUESTION = 63;
const ZERO = 48;

/** Runs of letters and runs of digits in lower case. Digits that begin with zeros lose them, ordinals their letters. */
function wordsOf(text: string): string[] {
  const words: string[] = [];
  let word = '';
  let isNumber = false;
  const end = () => {
    if (word === '') return;
    words.push(isNumber ? word.replace(/^0+(?=\d)/, '') : word);
    word = '';
  };
  for (let at = 0; at < text.length; at += 1) {
    let code = text.charCodeAt(at);
    if (code >= 65 && code <= 90) code += 32;
    // A question mark inside a word is a letter that an encoding has lost, which in names is `ñ`.
    if (code === QUESTION && word !== '' && !isNumber && isLetter(text.charCodeAt(at + 1))) code = 110;
    if (code === ZERO && !isNumber && isLetterO(word, text.charCodeAt(at + 1))) code = 111;
    if (code >= 97 && code <= 122) {
      if (isNumber && word !== '') {
        const isOrdinal = /^(st|nd|rd|th)(?![a-z])/i.test(text.slice(at, at + 3));
        end();
        if (isOrdinal) {
          at += 1;
          continue;
        }
      }
      isNumber = false;
      word += String.fromCharCode(code);
    } else if (code >= 48 && code <= 57) {
      if (!isNumber) end();
      isNumber = true;
      word += String.fromCharCode(code);
    } else if (code === 38) {
      end();
      words.push('and');
    } else if (code !== APOSTROPHE && code !== 96) end();
  }
  end();
  return words;
}

/** Whether a zero behind letters is an `o` that was typed or scanned wrongly: `S0uth`, `Ceb0`. In `Purok 10a` it is a zero. */
function isLetterO(before: string, next: number): boolean {
  return isLetter(next) ? before !== '' : before.length > 2 && !(next >= 48 && next <= 57);
}

function isLetter(code: number): boolean {
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

/** Writes out short forms, and numerals in digits. */
function expanded(words: string[]): string[] {
  const out: string[] = [];
  const put = (word: string) => {
    const next = out.at(-1);
    if (next !== undefined && NUMBER_WORDS.has(word) && isNumeral(next)) return;
    const full = SHORT.get(word) ?? (next === undefined ? undefined : TITLES.get(word));
    out.push(full ?? word);
  };
  for (let at = words.length - 1; at >= 0; at -= 1) {
    const word = words[at] as string;
    const glued = GLUED.exec(word);
    if (glued) {
      put(glued[2] as string);
      put(glued[1] as string);
    } else put(word === 'ma' && (words[at - 1] === 'santa' || words[at - 1] === 'sta') ? 'maria' : word);
  }
  out.reverse();
  const written = out.length > 1 ? WRITTEN_OUT.get(out.at(-1) as string) : undefined;
  // Some barangays are called `Cinco`, which is not the fifth.
  const isName = out.length === 2 && out[0] === 'barangay' && Number(written) > 3;
  if (written !== undefined && !isName) out[out.length - 1] = written;
  for (let at = 0; at < out.length; at += 1) {
    const word = out[at] as string;
    const lettered = out[at - 1] === 'region' ? LETTERED.exec(word) : null;
    if (lettered && romanValue(lettered[1] as string) > 0) {
      out.splice(at, 1, String(romanValue(lettered[1] as string)), lettered[2] as string);
      continue;
    }
    if (word.length > 6 || !isRomanAt(out, at)) continue;
    out[at] = String(romanValue(word));
  }
  return out;
}

function isNumeral(word: string): boolean {
  return isDigits(word) || romanValue(word) > 0;
}

export function isDigits(word: string): boolean {
  const code = word.charCodeAt(0);
  return code >= 48 && code <= 57;
}

/** Whether a word is a numeral. A single letter before a name is an initial: `V. Villanueva`. */
function isRomanAt(words: readonly string[], at: number): boolean {
  const word = words[at] as string;
  const first = word[0];
  if (first !== 'i' && first !== 'v' && first !== 'x') return false;
  if (romanValue(word) === 0) return false;
  if (word.length > 1 || at > 0) return true;
  const next = words[1];
  return next === undefined || next.length === 1 || isNumeral(next);
}

/** A folded name without spaces, except between two numbers, so that spaces and hyphens make no difference. */
export function compact(folded: string): string {
  return folded.replace(/(?<!\d) | (?!\d)/g, '');
}

/**
 * Alternatives for a folded name whose last words were joined to the one before: `san manueli` → `san manuel 1`,
 * `dampol iia` → `dampol 2 a`, `campouno` → `campo 1`, `posopob` → `poso`. In `piapiii` the numeral's start is
 * ambiguous.
 */
export function unglued(folded: string): string[] {
  const name = folded.length > 5 && folded.endsWith('pob') ? folded.slice(0, -3) : folded;
  const found = name === folded ? [] : [name];
  const word = name.length > 6 ? [...WRITTEN_OUT.keys()].find((it) => it.length > 2 && name.endsWith(it)) : undefined;
  if (word !== undefined) found.push(`${name.slice(0, -word.length).trimEnd()} ${WRITTEN_OUT.get(word)}`);
  const isLettered = /[ivx] ?[a-h]$/.test(name);
  const end = name.length - (isLettered ? (name.at(-2) === ' ' ? 2 : 1) : 0);
  for (let start = end - 1; start >= 2 && /[ivx]/.test(name[start] as string); start -= 1) {
    const value = romanValue(name.slice(start, end));
    const before = name.slice(0, start).trimEnd();
    if (value > 0 && before !== '') found.push(`${before} ${value}${isLettered ? ` ${name.at(-1)}` : ''}`);
  }
  return found;
}
