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
import { type OpenTable, Table } from './table.ts';
import { piecesOf, TableText, TextFault } from './text.ts';

/** Time for the last line of an aborted response to reach the client, milliseconds. */
const LAST_LINE_MS = 250;

/** Response header with the encoding in which the table was read. */
const INPUT_ENCODING = 'X-Input-Encoding';

/** Response header with the columns of the table that were read. */
const COLUMNS = 'X-Columns';

/** Declared headers of table responses. */
export const TABLE_HEADERS = {
  [INPUT_ENCODING]: header(
    'How the table was read. utf-8: a later line that is not UTF-8 breaks the answer off. windows-1252: the request says so, or some lines are not UTF-8, and those are read as Windows-1252. Both: the first quarter of a megabyte is ASCII, and each later line is read as UTF-8 where it can be, else as Windows-1252',
  ),
  [COLUMNS]: header(
    'Of a table: which columns were read as what, such as province=Prov; municity=Town,City%20Code. Headings are percent-encoded; of several the first that is filled in a row is read',
  ),
};

const GRAMMAR =
  'RFC 4180 with a row of headings, before which a line such as sep=; may stand. Commas, semicolons, tabs or bars (|) separate cells, as in the first row';

/** A table as request body: bytes, because its encoding comes from `charset` or is detected. */
export const csvBody = (example: string) => ({
  'text/csv': { schema: { type: 'string' as const, format: 'binary', description: GRAMMAR }, example },
});

/** A table as response body. */
export const csvAnswer = (example: string) => ({
  [CSV_TYPE]: { schema: { type: 'string' as const, description: GRAMMAR }, example },
});

/**
 * Responds with the table as sent plus appended columns. Rows are streamed in order, so memory does not grow with the
 * table. A fault in the first quarter of a megabyte is an error response. Later ones are written as the last line, and
 * the body is aborted.
 *
 * @param open receives the headings and the rows of the first quarter of a megabyte
 * @throws DomainError `invalid_csv`, `payload_too_large`, `unsupported_media_type`, and what `open` throws
 */
export async function tableAnswer(c: AppContext, open: OpenTable): Promise<Response> {
  const { UPLOAD_MAX_BYTES } = c.get('config');
  requireSize(Number(c.req.header('Content-Length') ?? 0), UPLOAD_MAX_BYTES);
  const text = new TableText(charsetOf(c));
  const body = c.req.raw.body;
  const sizes = { max: UPLOAD_MAX_BYTES, announced: Number(c.req.header('Content-Length') ?? 0) };
  const chunks = body ? sized(timelyChunks(body, c.get('deadline').unhurried, brokenOff), sizes) : nothing();
  const ahead = readAhead(chunks);
  const table = new Table(open, new RowPace(c, () => requireActiveKey(c)));
  const pieces = piecesOf(ahead.chunks, text);
  try {
    // The response begins with the first piece, by which the encoding is known.
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
    throw table.located(error);
  }
}

/** Waits before aborting, so that the last line reaches the client, and drains the rest of the request's body first. */
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
      // The last write is lost when a body is aborted, so an empty line follows.
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

function requireSize(bytes: number, max: number): void {
  if (bytes > max) throw new DomainError('payload_too_large', `The table must have at most ${max} bytes.`);
}

function brokenOff(): TextFault {
  return new TextFault('The table broke off: its end did not arrive');
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** Passes on the chunks of a body; throws if it has more bytes than allowed or fewer than announced. */
async function* sized(
  chunks: AsyncGenerator<Uint8Array>,
  { max, announced }: { max: number; announced: number },
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    requireSize(bytes, max);
    yield chunk;
  }
  if (bytes < announced) throw brokenOff();
}
