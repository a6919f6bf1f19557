import { BARRED } from '../control-characters.ts';

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Style 1 is a day, 2 a day and a time, 3 is text, 4 a time. */
const STYLES = `<styleSheet xmlns="${MAIN}"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="5">${[0, 164, 165, 49, 21].map((format) => `<xf numFmtId="${format}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`).join('')}</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

/** How many rows are made into one text. */
const BATCH_ROWS = 200;

export type WorkbookCell = string | number | boolean | Date | null;

export interface WorkbookSheet {
  /** At most 31 characters, without `\ / ? * [ ] : & < >`. */
  readonly name: string;
  readonly rows: readonly (readonly WorkbookCell[])[];
  /** The first row stays in sight. */
  readonly hasHeadings?: boolean;
}

/** A file of the archive that a workbook is. */
export interface WorkbookFile {
  readonly name: string;
  readonly chunks: Iterable<string>;
}

/**
 * The files of a workbook (`.xlsx`, ECMA-376, part 1), to be zipped. Text stays text, so codes keep their zeros and nothing
 * becomes a formula. The library that reads workbooks does not write them.
 */
export function workbookFiles(sheets: readonly WorkbookSheet[]): WorkbookFile[] {
  const each = (text: (n: number, sheet: WorkbookSheet) => string) =>
    sheets.map((sheet, i) => text(i + 1, sheet)).join('');
  const file = (name: string, text: string): WorkbookFile => ({ name, chunks: [HEAD + text] });
  return [
    file(
      '[Content_Types].xml',
      `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/>${each((n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${TYPE}.worksheet+xml"/>`)}<Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/></Types>`,
    ),
    file('_rels/.rels', relations([['officeDocument', 'xl/workbook.xml']])),
    file(
      'xl/_rels/workbook.xml.rels',
      relations([
        ...sheets.map((_, i) => ['worksheet', `worksheets/sheet${i + 1}.xml`] as const),
        ['styles', 'styles.xml'],
      ]),
    ),
    file(
      'xl/workbook.xml',
      `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${each((n, { name }) => `<sheet name="${name}" sheetId="${n}" r:id="r${n}"/>`)}</sheets></workbook>`,
    ),
    file('xl/styles.xml', STYLES),
    ...sheets.map((sheet, i) => ({ name: `xl/worksheets/sheet${i + 1}.xml`, chunks: sheetTexts(sheet) })),
  ];
}

/** A sheet whose rows are read as it is written. */
export interface StreamedSheet extends Omit<WorkbookSheet, 'rows'> {
  /** The rows, some at a time. */
  readonly pages: AsyncIterable<readonly (readonly WorkbookCell[])[]>;
}

/** The files of a workbook of one such sheet. */
export function streamedWorkbookFiles(
  sheet: StreamedSheet,
): { name: string; chunks: AsyncIterable<string> | Iterable<string> }[] {
  const files = workbookFiles([{ ...sheet, rows: [] }]);
  return files.map(({ name, chunks }, i) => ({ name, chunks: i === files.length - 1 ? streamedTexts(sheet) : chunks }));
}

function relations(targets: readonly (readonly [type: string, target: string])[]): string {
  const all = targets.map(
    ([type, target], i) => `<Relationship Id="r${i + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="${PACKAGE}/relationships">${all.join('')}</Relationships>`;
}

const FROZEN =
  '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetFormatPr defaultColWidth="14" defaultRowHeight="15"/>';

function* sheetTexts({ rows, hasHeadings }: WorkbookSheet): Generator<string> {
  yield sheetHead(hasHeadings);
  for (let at = 0; at < rows.length; at += BATCH_ROWS) yield rowsText(rows.slice(at, at + BATCH_ROWS), at);
  yield SHEET_END;
}

async function* streamedTexts({ pages, hasHeadings }: StreamedSheet): AsyncGenerator<string> {
  yield sheetHead(hasHeadings);
  let at = 0;
  for await (const rows of pages) {
    yield rowsText(rows, at);
    at += rows.length;
  }
  yield SHEET_END;
}

function sheetHead(hasHeadings = false): string {
  return `${HEAD}<worksheet xmlns="${MAIN}">${hasHeadings ? FROZEN : ''}<sheetData>`;
}

const SHEET_END = '</sheetData></worksheet>';

/** @param at how many rows are before them */
function rowsText(rows: readonly (readonly WorkbookCell[])[], at: number): string {
  return rows.map((cells, i) => rowText(cells, at + i + 1)).join('');
}

function rowText(cells: readonly WorkbookCell[], row: number): string {
  let text = `<row r="${row}">`;
  for (const [at, cell] of cells.entries()) text += cellText(cell, at, row);
  return `${text}</row>`;
}

const DAY_MS = 86_400_000;

/** The day 0 of Excel, as Excel counts from March 1900 on. */
const DAY_0 = Date.UTC(1899, 11, 30);

function cellText(cell: WorkbookCell, column: number, row: number): string {
  if (cell === null || cell === '') return '';
  const at = columnName(column) + row;
  if (typeof cell === 'number' && Number.isFinite(cell)) return `<c r="${at}"><v>${cell}</v></c>`;
  if (typeof cell === 'boolean') return `<c r="${at}" t="b"><v>${cell ? 1 : 0}</v></c>`;
  if (cell instanceof Date) {
    const days = (cell.getTime() - DAY_0) / DAY_MS;
    const style = days >= 0 && days < 1 ? 4 : Number.isInteger(days) ? 1 : 2;
    return Number.isFinite(days) ? `<c r="${at}" s="${style}"><v>${days}</v></c>` : '';
  }
  return `<c r="${at}" s="3" t="inlineStr"><is><t xml:space="preserve">${escaped(String(cell))}</t></is></c>`;
}

/** The letters of a column: A to Z, then AA. */
function columnName(at: number): string {
  const letter = String.fromCharCode(65 + (at % 26));
  return at < 26 ? letter : columnName(Math.floor(at / 26) - 1) + letter;
}

/** Line ends that XML reads as others, and what it has no way for. */
const NOT_IN_XML = `\\r${BARRED.inLines}\\ufffe\\uffff`;

/** What most texts have nothing of. */
const SPECIAL = new RegExp(`[&<>${NOT_IN_XML}\\ud800-\\udfff]|_x`);

/** A character that stands in a workbook as `_xHHHH_` (ECMA-376, part 1, 22.9.2.19), and the beginning of a text that looks so. */
const ENCODED = new RegExp(`[${NOT_IN_XML}]|_(?=x[0-9A-Fa-f]{4}_)`, 'g');

/** Text for XML 1.0 in a workbook, which reads as the same text. */
function escaped(text: string): string {
  if (!SPECIAL.test(text)) return text;
  return text
    .toWellFormed()
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(ENCODED, (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`);
}
