import { FileFault } from './format.ts';
import type { XmlHandler } from './xml.ts';

/** Max length of a cell, characters: 32 times what Excel allows. */
export const MAX_CELL = 1024 * 1024;

/** Max characters of the texts that cells share, with 16 counted for each, since all of them are in memory. */
const MAX_SHARED = 16 * 1024 * 1024;
const SHARED = 16;

/** Max formats and styles of cells: those that Excel allows. */
const MAX_STYLES = 65_490;

/** How a number is shown: a day or a time, a number of at least so many digits, or plain. */
export type CellStyle = 'date' | 'plain' | number;

/** Collects the texts that cells share (ECMA-376, part 1, 18.4), without how to say them. */
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
      if (name === 't') text += part;
      if (name !== 'si') return undefined;
      length += text.length + SHARED;
      if (length > MAX_SHARED) {
        throw new FileFault(`has more than ${MAX_SHARED} characters of texts in its sheets: save the sheet as CSV`);
      }
      texts.push(textOf(text));
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

/** Numbers of the formats of days and times that every workbook has (18.8.30), the later ones in East Asia. */
const DATE_FORMATS = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
] as const;

function styleOf(id: number, code: string | undefined): CellStyle {
  if (code === undefined) return DATE_FORMATS.some(([from, to]) => from <= id && id <= to) ? 'date' : 'plain';
  if (/^0+$/.test(code)) return code.length;
  // [h] is a duration. Texts in it, colours, and the letter behind a backslash, underscore or asterisk show as they are.
  const letters = code.replace(/\[[hms]+\]/gi, 'h').replace(/"[^"]*"|\[[^\][]*\]|[\\_*]./g, '');
  return /[dmyhs]/i.test(letters) && !/general/i.test(letters) ? 'date' : 'plain';
}

const DAY_MS = 86_400_000;
/** Day 0 of either way to count. Excel has a 29 February 1900, so that days before March are one later. */
const DAY_0 = { 1900: Date.UTC(1899, 11, 30), 1904: Date.UTC(1904, 0, 1) };
/** The day after 31 December 9999, the last that Excel knows. */
const END_OF_DAYS = 2_958_466;

/** A number as text, as its style says. What is no number stays as it is. */
export function styledNumber(value: string, style: CellStyle, isFrom1904: boolean): string {
  const number = Number(value);
  if (value.trim() === '' || !Number.isFinite(number)) return value;
  if (style === 'plain' || number < 0) return String(number);
  if (style !== 'date') return String(number).padStart(Number.isInteger(number) ? style : 0, '0');
  if (number >= END_OF_DAYS) return String(number);
  const shift = !isFrom1904 && number >= 1 && number < 60 ? 1 : 0;
  const ms = Math.round(((number + shift) * DAY_MS) / 1000) * 1000;
  const time = new Date(ms).toISOString().slice(11, 19);
  if (number < 1 && number > 0) return time;
  const day = new Date(DAY_0[isFrom1904 ? 1904 : 1900] + ms).toISOString().slice(0, 10);
  return Number.isInteger(number) ? day : `${day}T${time}`;
}
