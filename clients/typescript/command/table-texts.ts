import type { Table } from '../../../src/tables/table.ts';
import { piecesOf, TableText } from '../../../src/tables/text.ts';

/**
 * The resulting lines of a table that arrives as bytes.
 *
 * @throws DomainError with the line of a fault
 */
export async function* textsOf(table: Table, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const text = new TableText();
  try {
    const pieces = piecesOf(chunks, text);
    const first = await pieces.next();
    if (first.done) return;
    // Like in the service, the beginning decides on the encoding of the rest.
    text.settle(first.value.isLast);
    yield* table.texts(first.value, pieces);
  } catch (error) {
    throw table.located(error);
  }
}
