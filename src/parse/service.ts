import { MATCH_COLUMNS } from '../match/cells.ts';
import type { AddressReader } from '../match/columns.ts';
import { answeredMatch, inTurns, paceOfText } from '../match/service.ts';
import type { NameIndex } from '../names/index.ts';
import type { TableWork } from '../tables/table.ts';
import { parseAddress } from './address.ts';
import { PARSE_COLUMNS, parsedCells } from './cells.ts';

/** Characters of an address that count as one row of a list: most have fewer, and long ones take more time. */
const ROW_CHARACTERS = 100;

/** How many rows an address counts as. */
export function rowsOf(text: string): number {
  return Math.max(1, Math.ceil(text.length / ROW_CHARACTERS));
}

function parsed(index: NameIndex, text: string) {
  const { match, parts } = parseAddress(index, text);
  return { text, ...answeredMatch(index, match, { text }), parts };
}

/**
 * The JSON of parsed addresses in their order, with commas between, as somebody reads it: nothing is parsed for a reader who has left.
 * Returns their counts by kind of match.
 */
export async function* parsedTexts(index: NameIndex, texts: Iterable<string>) {
  const meta = { exact: 0, likely: 0, ambiguous: 0, none: 0 };
  const pace = paceOfText();
  let separator = '';
  for (const text of texts) {
    const address = parsed(index, text);
    meta[address.match] += 1;
    yield separator + JSON.stringify(address);
    separator = ',';
    await pace.did(text.length);
  }
  return meta;
}

/** The `TableWork` that parses the addresses of a table. */
export function tableParsing(index: NameIndex, { reads, read }: AddressReader): TableWork {
  const pace = paceOfText();
  return {
    reads,
    columns: [...PARSE_COLUMNS, ...MATCH_COLUMNS],
    countOf: (fields) => rowsOf(read(fields)),
    linesOf: (rows) =>
      inTurns(
        rows.map((fields) => ({ text: read(fields) })),
        ({ text }) => {
          const { parts, ...address } = parsed(index, text);
          return [parsedCells(parts, address)];
        },
        pace,
      ),
  };
}
