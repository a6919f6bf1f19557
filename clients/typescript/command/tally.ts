import { CsvRecords } from '../../../src/csv/records.ts';
import { MATCH_COLUMNS } from '../../../src/match/cells.ts';
import { separatorLine } from '../../../src/tables/text.ts';
import { number } from './words.ts';

const RESULTS = ['exact', 'likely', 'ambiguous', 'none'] as const;

/** Counts the results of a table's rows. */
export class Tally {
  exact = 0;
  likely = 0;
  ambiguous = 0;
  none = 0;
  /** Rows with a code. */
  coded = 0;
  readonly #counted: (rows: number) => void;
  #records: CsvRecords | undefined;
  #hasHeadings = false;

  /** @param counted called with the number of rows so far */
  constructor(counted: (rows: number) => void) {
    this.#counted = counted;
  }

  get rows(): number {
    return this.exact + this.likely + this.ambiguous + this.none;
  }

  /** `1,204 rows: 1,100 exact, 80 likely, 20 ambiguous, 4 none; 1,190 have a code.` */
  get text(): string {
    const counts = RESULTS.map((result) => `${number(this[result])} ${result}`).join(', ');
    return `${number(this.rows)} ${this.rows === 1 ? 'row' : 'rows'}: ${counts}; ${number(this.coded)} with a code.`;
  }

  add(result: string, code: string | null): void {
    const kind = RESULTS.find((it) => it === result);
    if (kind) this[kind] += 1;
    if (code) this.coded += 1;
    this.#counted(this.rows);
  }

  /** Counts the rows of a CSV response, whose last columns are those of the match. */
  addLines(text: string): void {
    // The text before the headings comes with them.
    const { marks, separator } = this.#records ? { marks: '', separator: undefined } : separatorLine(text);
    this.#records ??= recordsOf(separator);
    this.#addAll(this.#records.push(text.slice(marks.length)));
  }

  endLines(): void {
    if (this.#records) this.#addAll(this.#records.end());
  }

  #addAll(records: Iterable<{ readonly fields: readonly string[] }>): void {
    for (const { fields } of records) {
      const cells = fields.slice(-MATCH_COLUMNS.length);
      const cellOf = (column: string) => cells[MATCH_COLUMNS.indexOf(column)] ?? '';
      if (this.#hasHeadings) this.add(cellOf('psgc_match'), cellOf('psgc_code'));
      this.#hasHeadings = true;
    }
  }
}

function recordsOf(separator: string | undefined): CsvRecords {
  return new CsvRecords({
    maxLength: Number.POSITIVE_INFINITY,
    ...(separator !== undefined && { separator }),
    fault: (message, line) => new Error(`The answer ${message} (line ${line})`),
  });
}
