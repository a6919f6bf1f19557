import { type CsvRecord, CsvRecords } from '../../csv/records.ts';
import type { NewFeature } from '../../features/feature.ts';
import { separatorLine } from '../../tables/text.ts';
import { TableDecoder } from './decode.ts';
import {
  type FeatureReader,
  FileFault,
  type Format,
  type GuessedLines,
  type PlaceRow,
  type ReadOptions,
} from './format.ts';
import { MAX_ROW, TableRows } from './table-rows.ts';

export const csv: Format = {
  name: 'CSV',
  kind: 'stream',
  extensions: ['.csv', '.tsv'],
  storesFeatures: true,
  hasEncodings: true,
  hasPlaces: true,
  skipsInvalid: true,
  reader: (options) => new CsvReader(options),
};

/** Reads a table of text, as `TableRows` does. In tables separated by semicolons a comma may be the decimal point. */
class CsvReader implements FeatureReader {
  readonly #decoder: TableDecoder;
  readonly #rows: TableRows;
  readonly #records = new CsvRecords({
    maxLength: MAX_ROW,
    fault: (message, line) => new FileFault(message, `line ${line}`),
  });

  constructor(options: ReadOptions) {
    this.#rows = new TableRows(options);
    this.#decoder = new TableDecoder(options.encoding);
  }

  get guessedLines(): GuessedLines | undefined {
    return this.#decoder.guessedLines;
  }

  get placeHeadings(): FeatureReader['placeHeadings'] {
    return this.#rows.placeHeadings;
  }

  *push(chunk: Uint8Array): Generator<NewFeature | PlaceRow> {
    yield* this.#features(this.#records.push(this.#decoder.push(chunk)));
  }

  *end(): Generator<NewFeature | PlaceRow> {
    yield* this.#features(this.#records.push(this.#decoder.end()));
    yield* this.#features(this.#records.end());
    this.#rows.end();
  }

  *#features(records: Iterable<CsvRecord>): Generator<NewFeature | PlaceRow> {
    for (const { fields, raw, line } of records) {
      // The first line may name the separator, which is the most frequent one in it.
      if (line === 1 && separatorLine(`${raw}\n`).separator !== undefined) continue;
      this.#rows.hasDecimalCommas = this.#records.separator === ';';
      yield* this.#rows.row(fields, `line ${line}`);
    }
  }
}
