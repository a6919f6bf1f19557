import { strToU8, zipSync } from 'fflate';
import { BARRED } from '../../src/control-characters.ts';
import type { Cell } from './table.ts';

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** The parts of a workbook beside its sheet (ECMA-376, part 1): style 1 is a day, 2 a day and a time, 3 is text, 4 a time. */
const PARTS: Readonly<Record<string, string>> = {
  '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/></Types>`,
  '_rels/.rels': relations(['officeDocument', 'xl/workbook.xml']),
  'xl/_rels/workbook.xml.rels': relations(['worksheet', 'worksheets/sheet1.xml'], ['styles', 'styles.xml']),
  'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="PSGC" sheetId="1" r:id="r1"/></sheets></workbook>`,
  'xl/styles.xml': `<styleSheet xmlns="${MAIN}"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="5">${[0, 164, 165, 49, 21].map((format) => `<xf numFmtId="${format}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`).join('')}</cellXfs></styleSheet>`,
};

function relations(...targets: readonly [type: string, target: string][]): string {
  const all = targets.map(
    ([type, target], i) => `<Relationship Id="r${i + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="${PACKAGE}/relationships">${all.join('')}</Relationships>`;
}

/**
 * Writes a workbook (`.xlsx`) with one sheet. Text stays text, so codes keep their zeros and nothing becomes a formula.
 * The library that reads workbooks does not write them, and that of the same author deflates in web workers that the
 * security policy does not let in.
 */
export function writeWorkbook(rows: readonly (readonly Cell[])[]): Uint8Array<ArrayBuffer> {
  const files = Object.entries(PARTS).map(([name, text]) => [name, strToU8(HEAD + text)] as const);
  const lines = rows.map(
    (cells, i) =>
      `<row r="${i + 1}">${cells.map((cell, at) => cellText(cell, columnName(at) + (i + 1))).join('')}</row>`,
  );
  const sheet = `<worksheet xmlns="${MAIN}"><sheetData>${lines.join('')}</sheetData></worksheet>`;
  return zipSync(
    { ...Object.fromEntries(files), 'xl/worksheets/sheet1.xml': strToU8(HEAD + sheet) },
    { level: 1 },
  ) as Uint8Array<ArrayBuffer>;
}

const DAY_MS = 86_400_000;

/** The day 0 of Excel, as Excel counts from March 1900 on. */
const DAY_0 = Date.UTC(1899, 11, 30);

function cellText(cell: Cell, at: string): string {
  if (typeof cell === 'number' && Number.isFinite(cell)) return `<c r="${at}"><v>${cell}</v></c>`;
  if (typeof cell === 'boolean') return `<c r="${at}" t="b"><v>${cell ? 1 : 0}</v></c>`;
  if (cell instanceof Date) {
    const days = (cell.getTime() - DAY_0) / DAY_MS;
    const style = days >= 0 && days < 1 ? 4 : Number.isInteger(days) ? 1 : 2;
    return Number.isFinite(days) ? `<c r="${at}" s="${style}"><v>${days}</v></c>` : '';
  }
  if (cell === null || cell === '') return '';
  return `<c r="${at}" s="3" t="inlineStr"><is><t xml:space="preserve">${escaped(String(cell))}</t></is></c>`;
}

/** The letters of a column: A to Z, then AA. */
function columnName(at: number): string {
  const letter = String.fromCharCode(65 + (at % 26));
  return at < 26 ? letter : columnName(Math.floor(at / 26) - 1) + letter;
}

const NOT_IN_XML = new RegExp(`[${BARRED.inLines}\\ufffe\\uffff]`, 'g');

/** Text for XML 1.0, which has no control characters but tabs and line ends. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(NOT_IN_XML, '');
}
