import { PsgcError } from './errors.ts';

/** Chunks of a table, read one by one. */
export type Chunks = AsyncIterable<string | Uint8Array>;

/**
 * A table as CSV: text, a file, bytes, chunks of these, or a function that returns new chunks each time that the table is sent.
 */
export type Table = string | Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | Chunks | (() => Chunks);

/** The word at the beginning of the line with which the service ends a table that it can't go on with. */
const MARK = '#error';

const LINE_FEED = 0x0a;
const LINE_ENDS = [LINE_FEED, 0x0d];

/** A table as the body of requests. */
export class TableBody {
  readonly #table: Table;
  #thrown: { readonly error: unknown } | undefined;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Whether the table can be sent more than once: chunks can be read only once. */
  get isRepeatable(): boolean {
    return !(isChunks(this.#table) || this.#table instanceof ReadableStream);
  }

  /** The error of the caller's own chunks when the table was last sent. */
  get thrown(): { readonly error: unknown } | undefined {
    return this.#thrown;
  }

  /** The body of one request. Chunks are read as they can be sent. */
  open(): NonNullable<RequestInit['body']> {
    this.#thrown = undefined;
    const table = typeof this.#table === 'function' ? this.#table() : this.#table;
    if (table instanceof ReadableStream || !isChunks(table)) return table;
    return streamOf(table, (error) => {
      this.#thrown = { error };
    });
  }
}

function isChunks(table: Table): table is Chunks {
  return typeof table === 'object' && Symbol.asyncIterator in table && !(table instanceof ReadableStream);
}

/** Chunks as a stream of bytes. @param failed is told what the source of the chunks throws */
export function streamOf(source: Chunks, failed: (error: unknown) => void = () => undefined): ReadableStream {
  const chunks = source[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value);
      } catch (error) {
        failed(error);
        throw error;
      }
    },
    async cancel(reason) {
      await chunks.return?.(reason);
    },
  });
}

/**
 * The table of an answer, as it comes. Where the service could not go on, reading ends with the error that its last line
 * tells of, which is not part of the table.
 */
export function tableOf({ body, headers, status }: Response): ReadableStream<Uint8Array<ArrayBuffer>> {
  const requestId = headers.get('X-Request-Id') ?? undefined;
  const reader = (body ?? new Blob([]).stream()).getReader();
  // The last line is held back until it is known not to be the last, or not to be an error. Behind an error stands an empty
  // line, which may be lost.
  let held = new Uint8Array();
  const failure = (cause?: unknown): PsgcError | undefined => {
    const cells = cellsOf(new TextDecoder().decode(held));
    if (cells[0] === MARK) {
      return new PsgcError({ status, requestId, code: cells[1] ?? '', message: cells[2] ?? '', cause });
    }
    if (cause === undefined) return undefined;
    return new PsgcError({ status, requestId, code: 'broken_answer', message: 'The table broke off.', cause });
  };
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) {
          const error = failure();
          if (error) return controller.error(error);
          if (held.length > 0) controller.enqueue(held);
          return controller.close();
        }
        const all = new Uint8Array(held.length + value.length);
        all.set(held);
        all.set(value, held.length);
        const start = lastLineIn(all);
        held = all.slice(start);
        controller.enqueue(all.slice(0, start));
      } catch (cause) {
        controller.error(failure(cause));
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** Where the last line begins that has anything in it. */
function lastLineIn(bytes: Uint8Array): number {
  let end = bytes.length;
  while (end > 0 && LINE_ENDS.includes(bytes[end - 1] as number)) end -= 1;
  return end === 0 ? 0 : bytes.lastIndexOf(LINE_FEED, end - 1) + 1;
}

/** The cells of a line whose separator stands after its first word. */
function cellsOf(line: string): string[] {
  if (!line.startsWith(MARK)) return [line];
  const separator = line.charAt(MARK.length);
  const [, code = '', message = ''] =
    line.trimEnd().split(separator).length > 2 ? parts(line.trimEnd(), separator) : [];
  return [MARK, code, message];
}

/** The first two cells, and the rest as the third, without its quotes. */
function parts(line: string, separator: string): string[] {
  const [mark = '', code = '', ...rest] = line.split(separator);
  const message = rest.join(separator);
  return [mark, code, /^".*"$/s.test(message) ? message.slice(1, -1).replaceAll('""', '"') : message];
}
