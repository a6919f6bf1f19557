import { FileFault } from './format.ts';
import { type CellStyle, MAX_CELL, styledNumber, textOf } from './sheet-values.ts';
import { MAX_ROW } from './table-rows.ts';
import { type XmlHandler, XmlReader } from './xml.ts';

/** Max columns of a table, as in text. */
const MAX_COLUMNS = 1000;

/** What a sheet's cells refer to. */
export interface SheetContext {
  readonly texts: readonly string[];
  readonly styles: readonly CellStyle[];
  readonly isFrom1904: boolean;
  /** Max characters of all cells: a few bytes of a file may stand for much text that cells share. */
  readonly maxText: number;
}

interface Cell {
  readonly column: number;
  readonly type: string;
  readonly style: number;
  hasFormula: boolean;
  value: string;
}

export interface SheetRow {
  /** Its texts, up to the last one. */
  readonly fields: string[];
  /** Characters of these. */
  readonly length: number;
  /** The indexes of those that are errors, such as `#N/A`. */
  readonly errors: ReadonlySet<number>;
  /** Number of the row, from 1. */
  readonly row: number;
}

/**
 * The rows of a sheet that have something in them. Cells have what a person sees where that is safe: days and times as in
 * ISO 8601, and zeros before a code whose format asks for them. Other numbers have all of their digits; formulas
 * are their last values, and errors their names, such as `#N/A`.
 *
 * @throws FileFault if the sheet is damaged, a row too long, or a formula without a value
 */
export async function* sheetRows(chunks: AsyncIterable<Uint8Array>, context: SheetContext): AsyncGenerator<SheetRow> {
  const reader = new XmlReader<SheetRow>(new Rows(context));
  for await (const chunk of chunks) yield* reader.push(chunk);
  yield* reader.end();
}

class Rows implements XmlHandler<SheetRow> {
  readonly #context: SheetContext;
  #row = 0;
  #fields: string[] = [];
  #errors = new Set<number>();
  #length = 0;
  /** Characters of all rows so far. */
  #all = 0;
  #cell: Cell | undefined;
  /** Column of the cell before, which the next one follows if it does not say where it is. */
  #column = -1;

  constructor(context: SheetContext) {
    this.#context = context;
  }

  open(name: string, { r, t = 'n', s = '0' }: Readonly<Record<string, string>>, path: readonly string[]): number {
    if (name === 'row') {
      this.#row = r === undefined ? this.#row + 1 : Number(r);
      this.#fields = [];
      this.#errors = new Set();
      this.#length = 0;
      this.#column = -1;
    } else if (name === 'c') {
      this.#column = r === undefined ? this.#column + 1 : columnOf(r);
      this.#cell = { column: this.#column, type: t, style: Number(s), hasFormula: false, value: '' };
    } else if (this.#cell && name === 'f') this.#cell.hasFormula = true;
    else if (this.#cell && isValue(name, path)) return MAX_CELL;
    return 0;
  }

  close(name: string, text: string): SheetRow | undefined {
    const cell = this.#cell;
    if (cell && (name === 'v' || name === 't')) {
      if (cell.value.length + text.length > MAX_CELL) {
        throw new FileFault(`has a cell of more than ${MAX_CELL} characters`, `row ${this.#row}`);
      }
      cell.value += text;
    } else if (cell && name === 'c') {
      this.#add(cell);
      this.#cell = undefined;
    } else if (name === 'row' && this.#fields.length > 0) {
      return { fields: this.#fields, errors: this.#errors, length: this.#length, row: this.#row };
    }
    return undefined;
  }

  #add(cell: Cell): void {
    const text = this.#textOf(cell);
    if (text === '') return;
    const at = `row ${this.#row}`;
    if (!(cell.column >= 0 && cell.column < MAX_COLUMNS)) {
      throw new FileFault(`has a cell outside of its first ${MAX_COLUMNS} columns`, at);
    }
    this.#length += text.length;
    this.#all += text.length;
    const { maxText } = this.#context;
    if (this.#all > maxText) throw new FileFault(`has more than ${maxText} characters in a sheet of its size`, at);
    if (this.#length > MAX_ROW) throw new FileFault(`must have at most ${MAX_ROW} characters`, at);
    while (this.#fields.length < cell.column) this.#fields.push('');
    this.#fields[cell.column] = text;
    if (cell.type === 'e') this.#errors.add(cell.column);
  }

  #textOf({ type, style, value, hasFormula }: Cell): string {
    const { texts, styles, isFrom1904 } = this.#context;
    // A program that writes formulas and can't compute them leaves their values out.
    if (hasFormula && type === 'n' && value === '') {
      throw new FileFault(
        'has a formula without its value: open the workbook in a spreadsheet program, and save it there',
        `row ${this.#row}`,
      );
    }
    if (type === 's') return value === '' ? '' : this.#sharedText(texts[Number(value)]);
    if (type === 'b') return value === '1' ? 'TRUE' : value === '0' ? 'FALSE' : value;
    if (type !== 'n') return textOf(value);
    return styledNumber(value, styles[style] ?? 'plain', isFrom1904);
  }

  #sharedText(text: string | undefined): string {
    if (text === undefined) throw new FileFault('has a cell whose text is not in the workbook', `row ${this.#row}`);
    return text;
  }
}

/** Whether the text of an element is a cell's value, and not its phonetic reading. */
function isValue(name: string, path: readonly string[]): boolean {
  return name === 'v' || (name === 't' && !path.includes('rPh'));
}

/** Index of the column of a cell: 0 for `A7`. */
function columnOf(reference: string): number {
  let column = 0;
  for (const letter of reference.slice(0, 4)) {
    const value = letter.charCodeAt(0) - 64;
    if (value < 1 || value > 26) break;
    column = column * 26 + value;
  }
  return column - 1;
}
