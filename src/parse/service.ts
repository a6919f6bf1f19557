import { MATCH_COLUMNS } from '../match/cells.ts';
import type { AddressReader } from '../match/columns.ts';
import { answeredMatch, inTurns } from '../match/service.ts';
import type { NameIndex } from '../names/index.ts';
import type { TableWork } from '../tables/table.ts';
import { parseAddress } from './address.ts';
import { PARSE_COLUMNS, parsedCells } from './cells.ts';

function parsed(index: NameIndex, text: string) {
  const { match, parts } = parseAddress(index, text);
  return { text, ...answeredMatch(index, match), parts };
}

/** Parses addresses. Returns the results in their order, and their counts by kind of match. */
export async function parseAddresses(index: NameIndex, texts: readonly string[]) {
  const meta = { exact: 0, likely: 0, ambiguous: 0, none: 0 };
  const rows = texts.map((text) => ({ text }));
  const data = await inTurns(rows, ({ text }) => {
    const address = parsed(index, text);
    meta[address.match] += 1;
    return address;
  });
  return { data, meta };
}

/** The `TableWork` that parses the addresses of a table. */
export function tableParsing(index: NameIndex, { reads, read }: AddressReader): TableWork {
  return {
    reads,
    columns: [...PARSE_COLUMNS, ...MATCH_COLUMNS],
    linesOf: (rows) =>
      inTurns(
        rows.map((fields) => ({ text: read(fields) })),
        ({ text }) => {
          const { parts, ...address } = parsed(index, text);
          return [parsedCells(parts, address)];
        },
      ),
  };
}
