import { FileFault } from './format.ts';
import type { XmlHandler } from './xml.ts';

/** Max length of a cell, characters: 32 times what Excel allows. */
export const MAX_CELL = 1024 * 1024;

/** Max characters of the texts that cells share, with 16 counted for each, since all of them are in memory. */
const MAX_SHARED = 16 * 1024 * 1024;
const SHARED = 16;

/** Max formats and styles of cells: those that Excel allows. */
const MAX_STYLES = 65_490;

/** How a number is shown: a day with or without a time, a time of day, hours, a number of at least so many digits, or plain. */
export type CellStyle = 'date' | 'time' | 'duration' | 'plain' | number;

/** Collects the texts that cells share (ECMA-376, part 1, 18.4), without their phonetic readings (`rPh`). */
export function sharedTexts(): { handler: XmlHandler; texts: string[] } {
  const texts: string[] = [];
  let text = '';
  let length = 0;
  const handler: XmlHandler = {
    open: (name, _, path) => {
      if (name === 'si') text = '';
      return name === 't' && !path.includes('rPh') ? MAX_CELL : 0;
    },
    close: (name, part) => {
      if (name !== 't' && name !== 'si') return undefined;
      length += name === 't' ? part.length : SHARED;
      if (length > MAX_SHARED) {
        throw new FileFault(`has more than ${MAX_SHARED} characters of texts in its sheets: save the sheet as CSV`);
      }
      if (name === 't') text += part;
      else texts.push(textOf(text));
      return undefined;
    },
  };
  return { handler, texts };
}

/** Characters that XML has no way for, as workbooks write them (18.18.98): `_x000D_`. */
export function textOf(text: string): string {
  return text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text;
}

/** Collects how cells show their numbers (18.8). */
export function cellStyles(): { handler: XmlHandler; styles: () => CellStyle[] } {
  const codes = new Map<string, string>();
  const formats: string[] = [];
  const handler: XmlHandler = {
    open: (name, { numFmtId = '0', formatCode = '' }, path) => {
      if (name === 'numFmt' && codes.size < MAX_STYLES) codes.set(numFmtId, formatCode.slice(0, 255));
      if (name === 'xf' && path.at(-2) === 'cellXfs' && formats.length < MAX_STYLES) formats.push(numFmtId);
      return 0;
    },
    close: () => undefined,
  };
  return { handler, styles: () => formats.map((id) => styleOf(Number(id), codes.get(id))) };
}

/** Numbers of the formats that every workbook has (18.8.30), the later ones in East Asia. */
const BUILT_IN: readonly (readonly [from: number, to: number, style: CellStyle])[] = [
  [14, 17, 'date'],
  [18, 21, 'time'],
  [22, 22, 'date'],
  [27, 31, 'date'],
  [32, 35, 'time'],
  [36, 36, 'date'],
  [45, 45, 'time'],
  [46, 46, 'duration'],
  [47, 47, 'time'],
  [50, 58, 'date'],
];

/** The style of a format by its number or, if it is not built in, by its code (18.8.31). */
function styleOf(id: number, code: string | undefined): CellStyle {
  if (code === undefined) return BUILT_IN.find(([from, to]) => from <= id && id <= to)?.[2] ?? 'plain';
  if (/\[(h+|m+|s+)\]/i.test(code)) return 'duration';
  // Texts in it, colours, and the letter behind a backslash, underscore or asterisk show as they are.
  const [positive = ''] = code.replace(/"[^"]*"|\[[^\][]*\]|[\\_*]./g, '').split(';');
  const letters = positive.trim();
  if (/^0+$/.test(letters)) return letters.length;
  // Digits are a number's, but for those of a second.
  if (/general|standard/i.test(letters) || /[0#?]/.test(letters.replace(/s\.0+/i, 's'))) return 'plain';
  if (/[dy]/i.test(letters)) return 'date';
  if (/[hs]/i.test(letters)) return 'time';
  return /m/i.test(letters) ? 'date' : 'plain';
}

const DAY_MS = 86_400_000;
/** Day 0 of either way to count. Excel has a 29 February 1900, so that days before March are one later. */
const DAY_0 = { 1900: Date.UTC(1899, 11, 30), 1904: Date.UTC(1904, 0, 1) };
/** The day after 31 December 9999, the last that Excel knows. */
const END_OF_DAYS = Date.UTC(10_000, 0, 1);

/** A number as text, as its style says. What is no number stays as it is. */
export function styledNumber(value: string, style: CellStyle, isFrom1904: boolean): string {
  const number = Number(value);
  if (value.trim() === '' || !Number.isFinite(number)) return value;
  // A double has fewer digits than a long code.
  const plain = /^-?\d+$/.test(value) ? value : String(number);
  if (style === 'plain' || number < 0) return plain;
  if (typeof style === 'number') return Number.isInteger(number) ? plain.padStart(style, '0') : plain;
  if (style === 'duration' || (style === 'time' && number < 1)) return hoursOf(number);
  // Excel shows a day 0, which there is not.
  if (number < 1 && !isFrom1904) return number === 0 ? plain : hoursOf(number);
  const shift = !isFrom1904 && number < 60 ? 1 : 0;
  const moment = DAY_0[isFrom1904 ? 1904 : 1900] + secondsOf(number + shift) * 1000;
  if (moment >= END_OF_DAYS) return plain;
  const [day, time] = new Date(moment).toISOString().split(/[T.]/) as [string, string];
  return Number.isInteger(number) ? day : `${day}T${time}`;
}

/** The whole seconds of days, of which a double may have a little less. */
function secondsOf(days: number): number {
  return Math.floor(Math.round(days * DAY_MS) / 1000);
}

/** Days as hours, minutes and seconds: `36:00:00`. */
function hoursOf(days: number): string {
  const seconds = secondsOf(days);
  return [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}
