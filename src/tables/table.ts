import { csvCell, inertText } from '../csv/cells.ts';
import { type CsvRecord, CsvRecords } from '../csv/records.ts';
import { DomainError } from '../errors.ts';
import { type Columns, columnsHeader } from './columns.ts';
import { MAX_LINE_BYTES, type Piece, separatorLine, TextFault } from './text.ts';

/** Rows processed at a time. */
const BATCH = 100;

type Cells = readonly string[];

/** The processing of a table, made from its headings. */
export interface TableWork {
  /** Columns that are read. Their headings must be unique. */
  readonly reads: Columns<string>;
  readonly columns: readonly string[];
  /** How many rows a row counts as; left out where each is one. */
  countOf?(row: Cells): number;
  /** The lines of a batch of rows: the cells of the appended columns, and several of them where a row is answered with several lines. */
  linesOf(rows: readonly Cells[]): readonly (readonly Cells[])[] | Promise<readonly (readonly Cells[])[]>;
}

/** Counts the rows of a table as they are sent, and delays them by the rate limit. */
export interface Pace {
  add(rows: number): Promise<void>;
  /** All rows were added. */
  end(): Promise<void>;
  /** The client is gone. */
  leave(): Promise<void>;
}

/** Opens a table by its headings, and the rows that have come with them. */
export type OpenTable = (headings: readonly string[], rows: readonly Cells[]) => TableWork;

/** A table on its way through the service. */
export class Table {
  readonly #open: OpenTable;
  readonly #pace: Pace | undefined;
  #records = recordsOf({});
  #work: TableWork | undefined;
  #width = 0;
  #lineEnd = '\n';
  /** The text before the headings: a byte order mark, and a line that names the separator. */
  #marks = '';
  /** The first line of the response, sent with the first row. */
  #head = '';
  #hasBegun = false;
  /** Value of the columns header. Set once the first text is produced. */
  columns = '';

  /**
   * @param pace counts the rows that are sent
   */
  constructor(open: OpenTable, pace?: Pace) {
    this.#open = open;
    this.#pace = pace;
  }

  get lineEnd(): string {
    return this.#lineEnd;
  }

  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** The lines of the response. An error before the first line is thrown; a later one is also written as the last line. */
  async *texts(first: Piece, others: AsyncGenerator<Piece>): AsyncGenerator<string> {
    try {
      yield* this.#answered(first);
      if (!first.isLast) for await (const piece of others) yield* this.#answered(piece);
    } catch (error) {
      if (this.#hasBegun) {
        const located = this.located(error);
        const fault = located instanceof DomainError ? located : undefined;
        yield this.#line([
          '#error',
          fault?.code ?? 'internal_error',
          fault?.message ?? 'Something went wrong on our side.',
        ]);
      }
      throw error;
    } finally {
      await others.return(undefined);
      await this.#pace?.leave();
    }
  }

  /** Adds the line to an error in the table's text; returns other errors as they are. */
  located(error: unknown): unknown {
    if (!(error instanceof TextFault)) return error;
    const line = this.#records.line + error.linesAfter;
    return new DomainError('invalid_csv', `${error.message} (line ${line}).`, { facts: { line } });
  }

  async *#answered({ text: given, isLast }: Piece): AsyncGenerator<string> {
    const text = this.#work ? given : this.#withoutMarks(given);
    const { records, fault } = this.#read(text, isLast);
    // A fault found before the first row is sent is an error response.
    if (fault && !this.#hasBegun) throw fault.error;
    let from = 0;
    if (!this.#work) {
      const [heading, ...others] = records;
      if (!heading && !isLast) return;
      if (!heading) throw new DomainError('invalid_csv', 'The table is empty: its first row must have the headings.');
      this.#head = this.#marks + this.#begin(heading, others, text);
      from = 1;
      for (const record of records) this.#requireWidth(record);
    }
    for (; from < records.length || (isLast && this.#head !== ''); from += BATCH) {
      const batch = records.slice(from, from + BATCH);
      const lines = await this.#lines(batch);
      await this.#pace?.add(this.#countOf(batch));
      if (isLast && from + BATCH >= records.length && !fault) await this.#pace?.end();
      const head = this.#head;
      this.#head = '';
      this.#hasBegun = true;
      yield head + lines;
    }
    if (fault) throw fault.error;
  }

  /** Removes the text before the headings and stores it, to send it back unchanged. */
  #withoutMarks(given: string): string {
    if (this.#marks !== '') return given;
    const { marks, separator } = separatorLine(given);
    this.#marks = marks;
    if (separator !== undefined) this.#records = recordsOf({ separator, firstLine: 2 });
    return given.slice(marks.length);
  }

  /** The complete records up to a piece, and the fault that stops the reading, if any. */
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

  /** Opens the table by its first record, and those behind it. Returns the first line of the response. */
  #begin({ fields, raw, line }: CsvRecord, others: readonly CsvRecord[], text: string): string {
    this.#lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
    this.#width = fields.length;
    const headings = fields.map((field) => field.trim());
    const rows = others.map((record) => record.fields);
    const work = this.#open(headings, rows);
    const read = Object.values(work.reads).flatMap((places) => (places ?? []).map((at) => headings[at] as string));
    const twice = read.find((heading) => headings.indexOf(heading) !== headings.lastIndexOf(heading));
    if (twice !== undefined) {
      throw new DomainError(
        'invalid_csv',
        `The table has more than one column ${JSON.stringify(twice.slice(0, 40))}, and which to read is not clear: rename the others (line ${line}).`,
        { facts: { line } },
      );
    }
    const ours = work.columns.find((column) => headings.includes(column));
    if (ours !== undefined) {
      throw new DomainError(
        'invalid_csv',
        `The table has a column ${ours}, which the answer adds: rename or remove it (line ${line}).`,
        { facts: { line } },
      );
    }
    this.#work = work;
    this.columns = columnsHeader(headings, work.reads);
    return this.#continued(raw, work.columns);
  }

  #requireWidth({ fields, line }: CsvRecord): void {
    if (fields.length === this.#width || fields.length === 0) return;
    throw new DomainError(
      'invalid_csv',
      `The row in line ${line} has ${fields.length} cells, and the first row has ${this.#width}.`,
      { facts: { line } },
    );
  }

  /** How many rows some records count as. Lines without a cell are only sent back, up to all of a batch as one row. */
  #countOf(records: readonly CsvRecord[]): number {
    const filled = records.filter(({ fields }) => fields.length > 0);
    const count = filled.reduce((sum, { fields }) => sum + (this.#work?.countOf?.(fields) ?? 1), 0);
    return count + Number(filled.length < records.length);
  }

  async #lines(records: readonly CsvRecord[]): Promise<string> {
    const filled = records.filter(({ fields }) => fields.length > 0);
    const lines = (await this.#work?.linesOf(filled.map(({ fields }) => fields))) ?? [];
    let at = 0;
    let text = '';
    for (const { fields, raw } of records) {
      if (fields.length === 0) text += this.#lineEnd;
      else {
        for (const cells of lines[at] ?? []) text += this.#continued(raw, cells);
        at += 1;
      }
    }
    return text;
  }

  /** A row as sent, with appended cells that no spreadsheet takes for formulas. */
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
    maxLength: MAX_LINE_BYTES,
    keepsEmpty: true,
    fault: (message, line) =>
      new DomainError('invalid_csv', `The table ${worded(message)} (line ${line}).`, { facts: { line } }),
  });
}

function worded(message: string): string {
  return message.startsWith('has ') ? message : `can not be read: ${message}`;
}

function nulIn({ line }: CsvRecord): DomainError {
  return new DomainError(
    'invalid_csv',
    `The row in line ${line} has a NUL character. Save the table as CSV in UTF-8; a table in UTF-16 has one in every other byte.`,
    { facts: { line } },
  );
}
