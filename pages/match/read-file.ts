import { MAX_BYTES, readTextFile, TableFault } from './read-text.ts';
import { type Cell, isBlank, type Sheet, type Source } from './table.ts';

const SAVE = 'Open it in the program that it comes from, save it as .xlsx or CSV, and drop that file.';

/**
 * Reads a spreadsheet that was dropped or picked.
 *
 * @throws TableFault for a file that can not be read, with what to do about it
 */
export async function readFile(file: File): Promise<Source> {
  const name = file.name.replace(/\.[^.]+$/, '') || file.name;
  if (file.size === 0) throw new TableFault('The file is empty.');
  if (file.size > MAX_BYTES) {
    throw new TableFault(
      `The file is larger than ${MAX_BYTES / 1_000_000} MB. Cut it into parts, or leave other sheets and pictures out.`,
    );
  }
  const start = new Uint8Array(await file.slice(0, 200).arrayBuffer());
  const latin = new TextDecoder('latin1').decode(start);
  if (latin.startsWith('PK')) return await readWorkbook(file, name, latin);
  if (latin.startsWith('\xd0\xcf\x11\xe0')) throw new TableFault(await aboutOldFile(file));
  if (latin.startsWith('%PDF'))
    throw new TableFault(`This is a PDF, and no spreadsheet. Drop the spreadsheet that it was made from.`);
  if (/^\s*<(!doctype|html|table|\?xml)/i.test(latin))
    throw new TableFault(`This is a web page or XML, whatever its name ends with. ${SAVE}`);
  return await readTextFile(file, name);
}

/** Excel keeps a workbook with a password in a file of the old kind, in a part with this name. */
const ENCRYPTED = [...'EncryptedPackage'].map((letter) => `${letter}\0`).join('');

async function aboutOldFile(file: File): Promise<string> {
  const text = new TextDecoder('latin1').decode(await file.arrayBuffer());
  return text.includes(ENCRYPTED)
    ? 'The workbook is protected with a password. Open it, remove the password (in Excel: File, Info, Protect Workbook), save it, and drop it again.'
    : `This is a workbook of the old kind (.xls). ${SAVE}`;
}

async function readWorkbook(file: File, name: string, start: string): Promise<Source> {
  if (start.includes('opendocument')) throw new TableFault(`This is an OpenDocument file. ${SAVE}`);
  const { inWorker } = await import('./workbook.ts');
  const read = await inWorker({ task: 'read', bytes: await file.arrayBuffer() });
  if (read.fault === 'rows')
    throw new TableFault(
      'The workbook is too large when it is unpacked. Save only the sheet with the places, without formats, and drop that.',
    );
  if (read.fault !== undefined) throw new TableFault(`The file is damaged, or no workbook. ${SAVE}`);
  const sheets = read.sheets.map(withoutRest).filter(({ rows }) => rows.length > 0);
  if (sheets.length === 0) throw new TableFault('There is nothing in it: no sheet has a row with text.');
  return { name, sheets, separator: ',', notes: [] };
}

/** A sheet without the empty rows at its end, which formats leave behind. */
function withoutRest({ name, rows }: Sheet): Sheet {
  return { name, rows: rows.slice(0, rows.findLastIndex((row: readonly Cell[]) => !isBlank(row)) + 1) };
}
