/** Max length of the heading line, characters. */
const MAX_HEAD = 1024 * 1024;
const MAX_FIELDS = 1000;

const SEPARATORS = [',', ';', '\t', '|'];

export interface CsvRecord {
  /** Empty for an empty line. */
  readonly fields: readonly string[];
  /** The record as sent, without its line end. */
  readonly raw: string;
  /** Number of the line in which the record begins, from 1. */
  readonly line: number;
}

interface Options {
  /** Makes the error for text that is no table. `line` counts from 1. */
  fault(message: string, line: number): Error;
  /** Max length of a record, characters. */
  readonly maxLength: number;
  /** Whether empty lines after the first record are returned, as records without fields. */
  readonly keepsEmpty?: boolean;
  /** Default: the most frequent one in the first line with text. */
  readonly separator?: string;
  /** Number of the line in which the text begins. Default: 1. */
  readonly firstLine?: number;
}

/**
 * Reads RFC 4180 records from text that arrives in pieces. The separator is the most frequent of comma, semicolon, tab
 * and bar in the first line with text, outside quotes.
 */
export class CsvRecords {
  readonly #options: Options;
  #separator: string | undefined;
  /** The first line so far, until it is complete and the separator can be detected. */
  #head = '';
  #headQuoted = false;
  #fields: string[] = [];
  #field = '';
  /** The part of the current record from earlier pieces. */
  #raw = '';
  #length = 0;
  /** `quoted`: within quotes. `quote`: after a quote, which ends the field or is the first half of an escaped quote. */
  #state: 'plain' | 'quoted' | 'quote' = 'plain';
  #afterReturn = false;
  #hasRecords = false;
  #line: number;
  #begins: number;

  constructor(options: Options) {
    this.#options = options;
    this.#separator = options.separator;
    this.#line = this.#begins = options.firstLine ?? 1;
  }

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
    if (this.#state === 'quoted') throw this.#options.fault('a quote is not closed', this.#begins);
    if (this.#length > 0 || this.#fields.length > 0) yield* this.#record();
  }

  /** Number of the current line, from 1. */
  get line(): number {
    return this.#line;
  }

  /** Whether the next piece contains the end of the first line, outside quotes. */
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
    let rawFrom = 0;
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
          throw this.#options.fault('a quote is closed before the end of its field', this.#line);
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
        else {
          this.#raw += text.slice(rawFrom, i);
          rawFrom = from;
          if (!pair) {
            if (this.#length > 0 || this.#fields.length > 0) yield* this.#record();
            else if (this.#options.keepsEmpty && this.#hasRecords) yield { fields: [], raw: '', line: this.#line };
            this.#line += 1;
            this.#begins = this.#line;
          }
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
    this.#raw += text.slice(rawFrom);
  }

  #add(text: string): void {
    this.#field += text;
    this.#length += text.length;
    if (this.#length > this.#options.maxLength) throw this.#tooLong(this.#options.maxLength);
  }

  #next(): void {
    this.#fields.push(this.#field);
    this.#field = '';
    if (this.#fields.length > MAX_FIELDS) throw this.#options.fault(`has more than ${MAX_FIELDS} columns`, this.#line);
  }

  *#record(): Generator<CsvRecord> {
    this.#next();
    const record = { fields: this.#fields, raw: this.#raw, line: this.#begins };
    this.#hasRecords = true;
    this.#fields = [];
    this.#raw = '';
    this.#length = 0;
    yield record;
  }

  #tooLong(max: number): Error {
    return this.#options.fault(`a record is longer than ${max} characters; is a quote not closed?`, this.#begins);
  }
}

function separatorOf(text: string): string {
  const [line = ''] = text
    .replace(/"[^"]*("|$)/g, '')
    .replace(/^[\r\n]+/, '')
    .split(/[\r\n]/, 1);
  const counts = SEPARATORS.map((separator) => line.split(separator).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))] as string;
}
