import { FileFault } from './format.ts';

/** How long a record may be, characters: as long as a GeoJSON feature, so that an export can be uploaded. */
const MAX_RECORD = 8 * 1024 * 1024;
/** How long the line with the names of columns may be, characters. */
const MAX_HEAD = 1024 * 1024;
const MAX_FIELDS = 1000;

const SEPARATORS = [',', ';', '\t', '|'];

export interface CsvRecord {
  readonly fields: readonly string[];
  /** The line that the record begins in, from 1. */
  readonly line: number;
}

/**
 * Reads RFC 4180 records from text that arrives in pieces. The separator is the one of comma, semicolon, tab and bar that
 * the first line has most of, outside quotes. Empty lines are skipped.
 */
export class CsvRecords {
  #separator: string | undefined;
  /** The beginning of the first line, until all of it is there and tells the separator. */
  #head = '';
  #headQuoted = false;
  #fields: string[] = [];
  #field = '';
  #length = 0;
  /** `quoted`: within quotes. `quote`: behind a quote, which ends the field or is half of an escaped one. */
  #state: 'plain' | 'quoted' | 'quote' = 'plain';
  #afterReturn = false;
  #line = 1;
  #begins = 1;

  get separator(): string {
    return this.#separator ?? ',';
  }

  *push(text: string): Generator<CsvRecord> {
    let rest = text;
    if (this.#separator === undefined) {
      this.#head += text;
      if (!this.#lineEnds(text)) {
        if (this.#head.length > MAX_HEAD) throw this.#tooLong(MAX_HEAD);
        return;
      }
      rest = this.#start();
    }
    yield* this.#read(rest);
  }

  *end(): Generator<CsvRecord> {
    if (this.#separator === undefined) yield* this.#read(this.#start());
    if (this.#state === 'quoted') throw new FileFault('a quote is not closed', `line ${this.#begins}`);
    if (this.#length > 0 || this.#fields.length > 0) yield* this.#record();
  }

  /** Whether the next piece of the first line has the end of the line, outside quotes. */
  #lineEnds(text: string): boolean {
    for (let i = 0; i < text.length; i += 1) {
      const char = text[i];
      if (char === '"') this.#headQuoted = !this.#headQuoted;
      else if (!this.#headQuoted && (char === '\n' || char === '\r')) return true;
    }
    return false;
  }

  #start(): string {
    const head = this.#head;
    this.#head = '';
    this.#separator = separatorOf(head);
    return head;
  }

  *#read(text: string): Generator<CsvRecord> {
    const separator = this.#separator as string;
    let from = 0;
    for (let i = 0; i < text.length; i += 1) {
      const char = text[i] as string;
      if (this.#state === 'quoted') {
        if (char === '"') {
          this.#add(text.slice(from, i));
          this.#state = 'quote';
        } else if (char === '\n') this.#line += 1;
        continue;
      }
      if (this.#state === 'quote' && char === '"') {
        this.#state = 'quoted';
        from = i;
        continue;
      }
      if (this.#state === 'quote') {
        if (char !== separator && char !== '\n' && char !== '\r') {
          throw new FileFault('a quote is closed before the end of its field', `line ${this.#line}`);
        }
        this.#state = 'plain';
        from = i;
      }
      if (char === separator || char === '\n' || char === '\r') {
        this.#add(text.slice(from, i));
        from = i + 1;
        const pair = char === '\n' && this.#afterReturn;
        this.#afterReturn = char === '\r';
        if (char === separator) this.#next();
        else if (!pair) {
          if (this.#length > 0 || this.#fields.length > 0) yield* this.#record();
          this.#line += 1;
          this.#begins = this.#line;
        }
        continue;
      }
      this.#afterReturn = false;
      if (char === '"' && this.#field === '' && i === from) {
        this.#state = 'quoted';
        this.#length += 1;
        from = i + 1;
      }
    }
    if (this.#state !== 'quote') this.#add(text.slice(from));
  }

  #add(text: string): void {
    this.#field += text;
    this.#length += text.length;
    if (this.#length > MAX_RECORD) throw this.#tooLong(MAX_RECORD);
  }

  #next(): void {
    this.#fields.push(this.#field);
    this.#field = '';
    if (this.#fields.length > MAX_FIELDS)
      throw new FileFault(`has more than ${MAX_FIELDS} columns`, `line ${this.#line}`);
  }

  *#record(): Generator<CsvRecord> {
    this.#next();
    const record = { fields: this.#fields, line: this.#begins };
    this.#fields = [];
    this.#length = 0;
    yield record;
  }

  #tooLong(max: number): FileFault {
    return new FileFault(`a record is longer than ${max} characters; is a quote not closed?`, `line ${this.#begins}`);
  }
}

function separatorOf(text: string): string {
  const [line = ''] = text.replace(/"[^"]*("|$)/g, '').split(/[\r\n]/, 1);
  const counts = SEPARATORS.map((separator) => line.split(separator).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))] as string;
}
