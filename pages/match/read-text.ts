import { CsvRecords } from '../../src/csv/records.ts';
import { piecesOf, separatorLine, TableText } from '../../src/tables/text.ts';
import { MAX_ROWS } from './limits.ts';
import type { Sheet, Source } from './table.ts';

/** The largest file that the page takes, bytes. */
export const MAX_BYTES = 50_000_000;

/** Max characters of a row. */
const MAX_RECORD = 1024 * 1024;

/** What is wrong with a table, in a sentence for people. */
export class TableFault extends Error {}

/** @throws TableFault */
function requireRows(count: number): void {
  if (count <= MAX_ROWS) return;
  throw new TableFault(
    `The table has more than ${MAX_ROWS.toLocaleString('en')} rows. Cut it into parts, or send it as CSV to the service itself, which has no such limit: see the reference.`,
  );
}

/**
 * Reads a file of text: CSV or tabs, in UTF-8, in UTF-16 with its mark, or else in Windows-1252.
 *
 * @throws TableFault
 */
export async function readTextFile(file: Blob, name: string): Promise<Source> {
  const start = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const utf16 =
    start[0] === 0xff && start[1] === 0xfe ? 'utf-16le' : start[0] === 0xfe && start[1] === 0xff && 'utf-16be';
  const reader = new RecordReader();
  const notes: string[] = [];
  if (utf16) {
    reader.push(new TextDecoder(utf16).decode(await file.arrayBuffer()));
    notes.push('The file is in UTF-16.');
  } else {
    const text = new TableText();
    for await (const piece of piecesOf(chunksOf(file), text)) reader.push(piece.text);
    if (text.encoding === 'windows-1252') {
      notes.push('Some lines are not UTF-8 and were read as Windows-1252: look whether letters such as ñ are right.');
    }
  }
  const { rows, separator } = reader.end();
  return sourceOf({ name, rows, separator, notes });
}

/** What a list is called that has no name. */
export const PASTED = 'pasted';

/**
 * Reads text that was pasted: cells of a spreadsheet, which have tabs between them, or CSV.
 *
 * @throws TableFault
 */
export function readPasted(text: string): Source {
  const { separator: said } = separatorLine(text);
  const [first = ''] = text.trimStart().split(/\r?\n/, 1);
  const hasTabs = said === undefined && (text.includes('\t') || !/[,;|]/.test(first));
  const reader = new RecordReader(hasTabs ? '\t' : undefined);
  reader.push(text.endsWith('\n') ? text : `${text}\n`);
  const { rows, separator } = reader.end();
  return sourceOf({ name: PASTED, rows, separator: separator === '\t' ? ',' : separator, notes: [] });
}

function sourceOf({ name, rows, separator, notes }: Omit<Source, 'sheets' | 'separator'> & Read): Source {
  if (rows.length === 0) throw new TableFault('There is nothing in it: it has no row with text.');
  const sheets: Sheet[] = [{ name: '', rows }];
  return { name, sheets, separator: separator === ';' || separator === '\t' ? separator : ',', notes };
}

interface Read {
  readonly rows: readonly string[][];
  readonly separator: string;
}

/** Reads the records of a text that comes in pieces. */
class RecordReader {
  readonly #rows: string[][] = [];
  #records: CsvRecords;
  #isFirst = true;

  constructor(separator?: string) {
    this.#records = recordsOf(separator === undefined ? {} : { separator });
  }

  push(text: string): void {
    let given = text;
    if (this.#isFirst && text !== '') {
      this.#isFirst = false;
      const { marks, separator } = separatorLine(text);
      given = text.slice(marks.length);
      if (separator !== undefined) this.#records = recordsOf({ separator, firstLine: 2 });
    }
    if (given.includes('\0')) {
      throw new TableFault(
        'This is no text in an encoding that is known here. Save the table as “CSV UTF-8” or as .xlsx, and try again.',
      );
    }
    this.#take(this.#records.push(given));
  }

  end(): Read {
    this.#take(this.#records.end());
    return { rows: this.#rows, separator: this.#records.separator };
  }

  #take(records: Iterable<{ readonly fields: readonly string[] }>): void {
    for (const { fields } of records) this.#rows.push([...fields]);
    // One more for the headings.
    requireRows(this.#rows.length - 1);
  }
}

function recordsOf(options: { separator?: string; firstLine?: number }): CsvRecords {
  return new CsvRecords({
    ...options,
    maxLength: MAX_RECORD,
    keepsEmpty: true,
    fault: (message, line) => new TableFault(worded(message, line)),
  });
}

function worded(message: string, line: number): string {
  return `Line ${line} can’t be read: ${message}. Save the table as .xlsx, or put the quotes of that line right, and try again.`;
}

/** The parts of a file. Not every browser lets a stream be read with `for await`. */
async function* chunksOf(file: Blob): AsyncGenerator<Uint8Array> {
  const reader = file.stream().getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}
