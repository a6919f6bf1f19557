import type { Context } from 'hono';
import { requireActiveKey } from '../auth/authenticate.ts';
import type { AppContext } from '../context.ts';
import { DomainError } from '../errors.ts';
import { privateStream } from '../http/answers.ts';
import { CSV_TYPE } from '../http/csv-body.ts';
import { header } from '../http/error-schemas.ts';
import { requirePlain } from '../http/json-body.ts';
import { timelyChunks } from '../http/stream.ts';
import { RowPace } from '../rate-limits/rows.ts';
import { readAhead } from './read-ahead.ts';
import { Table, type TableWork } from './table.ts';
import { piecesOf, TableText, TextFault } from './text.ts';

/** How long the last line of an answer that breaks off has to get through to the client, milliseconds. */
const LAST_LINE_MS = 250;

/** The header that says in which encoding a table was read. */
const INPUT_ENCODING = 'X-Input-Encoding';

/** The header that says which columns of a table were read. */
const COLUMNS = 'X-Columns';

/** The headers of answers that are tables. */
export const TABLE_HEADERS = {
  [INPUT_ENCODING]: header(
    'Of a table: utf-8 where all of it is, and a later line that is not breaks the answer off; windows-1252 where the request says so, or where lines of it are not UTF-8, which are read so; both of a table whose first quarter of a megabyte is ASCII: each later line is read as UTF-8 where it is UTF-8, else as Windows-1252',
  ),
  [COLUMNS]: header(
    'Of a table: which columns were read as what, such as province=Prov; municity=Town,City%20Code. Headings are percent-encoded; of several the first that is filled in a row is read',
  ),
};

const GRAMMAR =
  'RFC 4180 with a row of headings, before which a line such as sep=; may stand. Commas, semicolons, tabs or bars (|) separate cells, as in the first row';

/** A table as a request has it: bytes, because its encoding is told by `charset` or found out. */
export const csvBody = (example: string) => ({
  'text/csv': { schema: { type: 'string' as const, format: 'binary', description: GRAMMAR }, example },
});

/** A table as answers have it, by the media type that they name. */
export const csvAnswer = (example: string) => ({
  [CSV_TYPE]: { schema: { type: 'string' as const, description: GRAMMAR }, example },
});

/**
 * Answers a table with the columns that were sent, as they were sent, and some more. Rows are worked on as they come and
 * leave in their order, so memory does not grow with the table. What is wrong in the first quarter of a megabyte is
 * answered as an error. Later, the last line of the answer says it, and the body breaks off.
 *
 * @param open is given the headings
 * @throws DomainError `invalid_csv`, `payload_too_large`, `unsupported_media_type`, and what `open` throws
 */
export async function tableAnswer(c: AppContext, open: (headings: readonly string[]) => TableWork): Promise<Response> {
  const { UPLOAD_MAX_BYTES } = c.get('config');
  requireSize(Number(c.req.header('Content-Length') ?? 0), UPLOAD_MAX_BYTES);
  const text = new TableText(charsetOf(c));
  const body = c.req.raw.body;
  const sizes = { most: UPLOAD_MAX_BYTES, announced: Number(c.req.header('Content-Length') ?? 0) };
  const chunks = body ? sized(timelyChunks(body, c.get('deadline').unhurried, brokenOff), sizes) : nothing();
  const ahead = readAhead(chunks);
  const table = new Table(open, new RowPace(c, () => requireActiveKey(c)));
  const pieces = piecesOf(ahead.chunks, text);
  try {
    // The answer is made from the first piece on, whose encoding is known then.
    const first = await pieces.next();
    if (first.done) throw new Error('A body without a piece');
    const encoding = text.settle(first.value.isLast);
    const answer = await privateStream(c, lingering(table, table.texts(first.value, pieces), ahead.drained), {
      'Content-Type': CSV_TYPE,
    });
    answer.headers.set(INPUT_ENCODING, encoding);
    answer.headers.set(COLUMNS, table.columns);
    return answer;
  } catch (error) {
    await ahead.drained();
    throw table.placed(error);
  }
}

/** Lets the last line of a table that breaks off get through to the client, once the rest of the body was taken. */
async function* lingering(
  table: Table,
  texts: AsyncGenerator<string>,
  drained: () => Promise<void>,
): AsyncGenerator<string> {
  try {
    yield* texts;
  } catch (error) {
    if (table.hasBegun) {
      await drained();
      // What is written last is lost when a body breaks off: it is an empty line.
      yield table.lineEnd;
      await scheduler.wait(LAST_LINE_MS);
    }
    throw error;
  }
}

/** @throws DomainError `unsupported_media_type` */
function charsetOf(c: Context): string | undefined {
  requirePlain(c.req.header('Content-Encoding'));
  const [, charset] = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(c.req.header('Content-Type') ?? '') ?? [];
  if (charset === undefined || /^(utf-?8|us-ascii)$/i.test(charset)) return undefined;
  if (/^(windows-1252|cp1252|iso-8859-1|latin-?1)$/i.test(charset)) return 'windows-1252';
  throw new DomainError(
    'unsupported_media_type',
    `The table must be in UTF-8 or Windows-1252 (got charset "${charset.slice(0, 60)}").`,
  );
}

function requireSize(bytes: number, most: number): void {
  if (bytes > most) throw new DomainError('payload_too_large', `The table must have at most ${most} bytes.`);
}

function brokenOff(): TextFault {
  return new TextFault('The table broke off: its end did not arrive');
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** The chunks of a body that may not have more bytes than are allowed, nor fewer than were announced. */
async function* sized(
  chunks: AsyncGenerator<Uint8Array>,
  { most, announced }: { most: number; announced: number },
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    requireSize(bytes, most);
    yield chunk;
  }
  if (bytes < announced) throw brokenOff();
}
