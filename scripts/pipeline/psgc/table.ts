/** The lines of a file of comma-separated values in which no field has a line break. */
export class Table {
  readonly #file: string;
  readonly #lines: string[];
  readonly #width: number;

  /** @throws Error if the header is another, or the last line has no end */
  constructor(file: string, text: string, header: string) {
    this.#file = file;
    this.#lines = text.split('\n');
    this.#width = header.split(',').length;
    // As JSON, which also shows a carriage return at the end of a line.
    const found = JSON.stringify(this.#lines[0]);
    if (this.#lines[0] !== header) throw this.fault(0, `the header is ${found}, not "${header}"`);
    if (this.#lines.pop() !== '') throw this.fault(this.#lines.length, 'the line has no end');
  }

  /** Calls a function with the fields of each line below the header, and with the index of the line. */
  each(read: (fields: readonly string[], at: number) => void): void {
    for (let at = 1; at < this.#lines.length; at += 1) {
      const fields = fieldsOf(this.#lines[at] as string);
      if (fields.length !== this.#width) throw this.fault(at, `there are ${fields.length} fields, not ${this.#width}`);
      read(fields, at);
    }
  }

  fault(at: number, what: string): Error {
    return new Error(`${this.#file}, line ${at + 1}: ${what}`);
  }
}

function fieldsOf(line: string): string[] {
  if (!line.includes('"')) return line.split(',');
  return Array.from(line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))(?=,|$)/g), ([, quoted, plain]) =>
    quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'),
  );
}
