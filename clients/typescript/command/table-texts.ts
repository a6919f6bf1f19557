import type { Table } from '../../../src/tables/table.ts';
import { piecesOf, TableText } from '../../../src/tables/text.ts';

/**
 * The lines that become of a table which comes as bytes.
 *
 * @throws DomainError with the line of a fault
 */
export async function* textsOf(table: Table, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const text = new TableText();
  try {
    const pieces = piecesOf(chunks, text);
    const first = await pieces.next();
    if (first.done) return;
    // The encoding of the rest is told by the beginning, as the service does it.
    text.settle(first.value.isLast);
    yield* table.texts(first.value, pieces);
  } catch (error) {
    throw table.placed(error);
  }
}
