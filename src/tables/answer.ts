import type { Context } from 'hono';
import { requireActiveKey } from '../auth/authenticate.ts';
import type { AppContext } from '../context.ts';
import { csvCell, inertText } from '../csv/cells.ts';
import { type CsvRecord, CsvRecords } from '../csv/records.ts';
import { DomainError } from '../errors.ts';
import { privateStream } from '../http/answers.ts';
import { header } from '../http/error-schemas.ts';
import { requirePlain } from '../http/json-body.ts';
import { timelyChunks } from '../http/stream.ts';
import { RowPace } from '../rate-limits/rows.ts';
import { readAhead } from './read-ahead.ts';
import { MOST_OF_LINE, type Piece, piecesOf, TableText } from './text.ts';

/** Rows that are worked on at a time. */
const BATCH = 100;

/** How long the last line of an answer that breaks off has to get through to the client, milliseconds. */
const LAST_LINE_MS = 250;

/** What Excel writes and reads as the first line, where it has to say what the separator is. */
const SEPARATOR_LINE = /sep=([,;\t|])/i;

const MARKS = /^\ufeff?(?:sep=[,;\t|]\r?\n)?/i;

/** The header that says in which encoding a table was read. */
const INPUT_ENCODING = 'X-Input-Encoding';

/** The headers of answers that are tables. */
export const TABLE_HEADERS = {
  [INPUT_ENCODING]: header(
    'Of a table: utf-8, or windows-1252 where it has lines that are not UTF-8; both where the answer began before its end had come, so that such lines may follow',
  ),
};

/** The body of a request or an answer that is a table. */
export const CSV_BODY = { schema: { type: 'string' as const, description: 'RFC 4180, with a row of headings' } };

/** What is done with a table whose headings are known. */
export interface TableWork {
  /** The places of the columns that are read: no other one may have the heading of one of them. */
  readonly reads: readonly number[];
  /** The headings of the columns that are appended. */
  readonly columns: readonly string[];
  /** The cells of those columns for each of some rows. */
  cellsOf(
    rows: readonly (readonly string[])[],
  ): readonly (readonly string[])[] | Promise<readonly (readonly string[])[]>;
}

/**
 * Answers a table with the columns that were sent, as they were sent, and some more. Rows are worked on as they come and
 * leave in their order, so memory does not grow with the table. What is wrong in the first quarter of a megabyte is
 * answered as an error. Later, the last line of the answer says it, and the body breaks off.
 *
 * @param open is given the headings
 * @throws DomainError `invalid_csv`, `payload_too_large`, `unsupported_media_type`, and what `open` throws
 */
export async function tableAnswer(c: AppContext, open: (headings: readonly string[]) => TableWork): Promise<Response> {
  const { UPLOAD_MAX_BYTES } = c.get('config');
  requireSize(Number(c.req.header('Content-Length') ?? 0), UPLOAD_MAX_BYTES);
  const text = new TableText(charsetOf(c));
  const body = c.req.raw.body;
  const chunks = body ? sized(timelyChunks(body, c.get('patience'), brokenOff), UPLOAD_MAX_BYTES) : nothing();
  const ahead = readAhead(chunks);
  const table = new Table(open, { pace: new RowPace(c, () => requireActiveKey(c)), drained: ahead.drained });
  const pieces = piecesOf(ahead.chunks, text);
  try {
    // The answer is made from the first piece on, whose encoding is known then.
    const first = await pieces.next();
    if (first.done) throw new Error('A body without a piece');
    const answer = await privateStream(c, table.texts(first.value, pieces), {
      'Content-Type': 'text/csv; charset=utf-8',
    });
    // Of a table whose end has not come, lines that are still to come may be in either.
    const isOpen = !first.value.isLast && text.encoding === 'utf-8';
    answer.headers.set(INPUT_ENCODING, isOpen ? 'utf-8, windows-1252' : text.encoding);
    return answer;
  } catch (error) {
    await ahead.drained();
    throw error;
  }
}

/** @throws DomainError `unsupported_media_type` */
function charsetOf(c: Context): string | undefined {
  requirePlain(c.req.header('Content-Encoding'));
  const [, charset] = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(c.req.header('Content-Type') ?? '') ?? [];
  if (charset === undefined || /^(utf-?8|us-ascii)$/i.test(charset)) return undefined;
  if (/^(windows-1252|cp1252|iso-8859-1|latin-?1)$/i.test(charset)) return 'windows-1252';
  throw new DomainError(
    'unsupported_media_type',
    `The table must be in UTF-8 or Windows-1252 (got charset "${charset.slice(0, 60)}").`,
  );
}

function requireSize(bytes: number, most: number): void {
  if (bytes > most) throw new DomainError('payload_too_large', `The table must have at most ${most} bytes.`);
}

function brokenOff(): DomainError {
  return new DomainError('invalid_csv', 'The table broke off: its end did not arrive.');
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

async function* sized(chunks: AsyncGenerator<Uint8Array>, most: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    requireSize(bytes, most);
    yield chunk;
  }
}

/** A table that is being answered. */
class Table {
  readonly #open: (headings: readonly string[]) => TableWork;
  readonly #pace: RowPace;
  readonly #drained: () => Promise<void>;
  #records = recordsOf({});
  #work: TableWork | undefined;
  #width = 0;
  #lineEnd = '\n';
  /** What stands before the headings: a byte order mark, and a line that says what the separator is. */
  #marks = '';
  /** The first line of the answer, which leaves with the first row. */
  #head = '';
  #hasBegun = false;

  constructor(
    open: (headings: readonly string[]) => TableWork,
    { pace, drained }: { pace: RowPace; drained: () => Promise<void> },
  ) {
    this.#open = open;
    this.#pace = pace;
    this.#drained = drained;
  }

  /** The lines of the answer. What fails before the first is thrown; what fails later makes the last line as well. */
  async *texts(first: Piece, others: AsyncGenerator<Piece>): AsyncGenerator<string> {
    try {
      yield* this.#answered(first);
      if (!first.isLast) for await (const piece of others) yield* this.#answered(piece);
    } catch (error) {
      if (this.#hasBegun) {
        const known = error instanceof DomainError ? error : undefined;
        yield this.#line([
          '#error',
          known?.code ?? 'internal_error',
          known?.message ?? 'Something went wrong on our side.',
        ]);
        await this.#drained();
        // What is written last is lost when a body breaks off: it is an empty line.
        yield this.#lineEnd;
        await scheduler.wait(LAST_LINE_MS);
      }
      throw error;
    } finally {
      await others.return(undefined);
      await this.#pace.leave();
    }
  }

  async *#answered({ text: given, isLast }: Piece): AsyncGenerator<string> {
    const text = this.#work ? given : this.#withoutMarks(given);
    const { records, fault } = this.#read(text, isLast);
    // Nothing of a table is answered whose fault is known before.
    if (fault && !this.#hasBegun) throw fault.error;
    let from = 0;
    if (!this.#work) {
      const [heading] = records;
      if (!heading && !isLast) return;
      if (!heading) throw new DomainError('invalid_csv', 'The table is empty: its first row must have the headings.');
      this.#head = this.#marks + this.#begin(heading, text);
      from = 1;
      for (const record of records) this.#requireWidth(record);
    }
    for (; from < records.length || (isLast && this.#head !== ''); from += BATCH) {
      const batch = records.slice(from, from + BATCH);
      const lines = await this.#lines(batch);
      await this.#pace.add(batch.length);
      if (isLast && from + BATCH >= records.length && !fault) await this.#pace.end();
      const head = this.#head;
      this.#head = '';
      this.#hasBegun = true;
      yield head + lines;
    }
    if (fault) throw fault.error;
  }

  /** Takes what stands before the headings, which comes back as it was. */
  #withoutMarks(given: string): string {
    if (this.#marks !== '') return given;
    this.#marks = MARKS.exec(given)?.[0] ?? '';
    const separator = SEPARATOR_LINE.exec(this.#marks)?.[1];
    if (separator !== undefined) this.#records = recordsOf({ separator, firstLine: 2 });
    return given.slice(this.#marks.length);
  }

  /** The records that a piece ends, as far as they can be read, and why no more can be. */
  #read(text: string, isLast: boolean): { records: CsvRecord[]; fault: { readonly error: unknown } | undefined } {
    const records: CsvRecord[] = [];
    const put = (all: Iterable<CsvRecord>) => {
      for (const record of all) {
        if (this.#work) this.#requireWidth(record);
        if (record.raw.includes('\0')) throw nulIn(record);
        records.push(record);
      }
    };
    try {
      put(this.#records.push(text));
      if (isLast) put(this.#records.end());
      return { records, fault: undefined };
    } catch (error) {
      return { records, fault: { error } };
    }
  }

  /** Opens the table by its first record. Gives the first line of the answer. */
  #begin({ fields, raw, line }: CsvRecord, text: string): string {
    this.#lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
    this.#width = fields.length;
    const headings = fields.map((field) => field.trim());
    const work = this.#open(headings);
    const read = work.reads.map((at) => headings[at] as string);
    const twice = read.find((heading) => headings.indexOf(heading) !== headings.lastIndexOf(heading));
    if (twice !== undefined) {
      throw new DomainError(
        'invalid_csv',
        `The table has more than one column ${JSON.stringify(twice.slice(0, 40))}, and which to read is not clear: rename the others (line ${line}).`,
        { line },
      );
    }
    const ours = work.columns.find((column) => headings.includes(column));
    if (ours !== undefined) {
      throw new DomainError(
        'invalid_csv',
        `The table has a column ${ours}, which the answer adds: rename or remove it (line ${line}).`,
        { line },
      );
    }
    this.#work = work;
    return this.#continued(raw, work.columns);
  }

  #requireWidth({ fields, line }: CsvRecord): void {
    if (fields.length === this.#width || fields.length === 0) return;
    throw new DomainError(
      'invalid_csv',
      `The row in line ${line} has ${fields.length} cells, and the first row has ${this.#width}.`,
      { line },
    );
  }

  async #lines(records: readonly CsvRecord[]): Promise<string> {
    const filled = records.filter(({ fields }) => fields.length > 0);
    const cells = (await this.#work?.cellsOf(filled.map(({ fields }) => fields))) ?? [];
    let at = 0;
    let text = '';
    for (const { fields, raw } of records) {
      if (fields.length === 0) text += this.#lineEnd;
      else {
        text += this.#continued(raw, cells[at] ?? []);
        at += 1;
      }
    }
    return text;
  }

  /** A row as it was sent, with more cells. None of them is taken for a formula by a spreadsheet. */
  #continued(raw: string, cells: readonly string[]): string {
    return raw + this.#records.separator + this.#line(cells);
  }

  #line(cells: readonly string[]): string {
    return cells.map((cell) => csvCell(inertText(cell))).join(this.#records.separator) + this.#lineEnd;
  }
}

function recordsOf(options: { separator?: string; firstLine?: number }): CsvRecords {
  return new CsvRecords({
    ...options,
    most: MOST_OF_LINE,
    keepsEmpty: true,
    fault: (message, line) => new DomainError('invalid_csv', `The table ${worded(message)} (line ${line}).`, { line }),
  });
}

function worded(message: string): string {
  return message.startsWith('has ') ? message : `can not be read: ${message}`;
}

function nulIn({ line }: CsvRecord): DomainError {
  return new DomainError(
    'invalid_csv',
    `The row in line ${line} has a NUL character. Save the table as CSV in UTF-8; a table in UTF-16 has one in every other byte.`,
    { line },
  );
}
