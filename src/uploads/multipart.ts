import { DomainError } from '../errors.ts';

/** A part of a multipart/form-data body (RFC 7578). */
export interface Part {
  readonly name: string;
  /** The client's name for the file; undefined for a plain field. */
  readonly fileName: string | undefined;
  /** The content as it arrives. Unread content is skipped when the next part is requested. */
  readonly chunks: AsyncGenerator<Uint8Array>;
}

const MAX_PARTS = 32;
const MAX_HEADER_BYTES = 8 * 1024;
/** Max bytes buffered while more is read: headers, or the beginning of a delimiter. */
const MAX_BUFFERED_BYTES = 16 * 1024;
/** Max bytes before the first part. */
const MAX_PREAMBLE_BYTES = 1024;

const CR = 13;
const LF = 10;
const DASH = 45;

/**
 * The boundary in a Content-Type.
 *
 * @throws DomainError `unsupported_media_type` if the type is not that of a multipart form
 */
export function boundaryOf(contentType: string | undefined): string {
  const [, quoted, plain] =
    /^\s*multipart\/form-data\s*;.*?boundary=(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i.exec(contentType ?? '') ?? [];
  const boundary = quoted ?? plain;
  if (boundary !== undefined) return boundary;
  throw new DomainError(
    'unsupported_media_type',
    'The body must be a form with a file: send "Content-Type: multipart/form-data; boundary=…".',
  );
}

/**
 * Yields the parts of a body in order while it arrives. At most a chunk and the headers of a part are in memory.
 *
 * @throws DomainError `invalid_multipart` with the offset of the fault
 */
export async function* partsOf(body: ReadableStream<Uint8Array>, boundary: string): AsyncGenerator<Part> {
  const source = new ByteSource(body);
  const delimiter = new TextEncoder().encode(`\r\n--${boundary}`);
  try {
    // A delimiter begins with a line end, which the first one may lack at the beginning of the body.
    source.prepend(Uint8Array.of(CR, LF));
    for await (const chunk of upTo(source, delimiter)) {
      if (chunk.length > MAX_PREAMBLE_BYTES) throw fault(source, 'there is no boundary where the first part should be');
    }
    for (let count = 0; await hasNextPart(source); count += 1) {
      if (count === MAX_PARTS) throw fault(source, `there are more than ${MAX_PARTS} parts`);
      const { name, fileName } = dispositionOf(await headersOf(source), source);
      const chunks = upTo(source, delimiter);
      yield { name, fileName, chunks };
      while (!(await chunks.next()).done);
    }
  } finally {
    await source.close();
  }
}

const READ_BYTES = 256 * 1024;

/**
 * Reads a stream through a buffer with lookahead. All reads use the same memory, so bytes taken are valid only until
 * the next read.
 */
class ByteSource {
  readonly #reader: ReadableStreamBYOBReader;
  /** The memory of the buffer. A read detaches it and returns it as a new object. */
  #memory = new ArrayBuffer(READ_BYTES + MAX_BUFFERED_BYTES);
  /** Bytes read and not yet taken. */
  buffered: Uint8Array = new Uint8Array(this.#memory, 0, 0);
  taken = 0;

  constructor(body: ReadableStream<Uint8Array>) {
    this.#reader = body.getReader({ mode: 'byob' });
  }

  prepend(bytes: Uint8Array): void {
    new Uint8Array(this.#memory).set(bytes);
    this.buffered = new Uint8Array(this.#memory, 0, bytes.length);
    this.taken -= bytes.length;
  }

  take(length: number): Uint8Array {
    const bytes = this.buffered.subarray(0, length);
    this.buffered = this.buffered.subarray(length);
    this.taken += length;
    return bytes;
  }

  /**
   * Reads more bytes into the buffer, which must have at most `MAX_BUFFERED_BYTES` so far.
   *
   * @throws DomainError `invalid_multipart` if the body has ended
   */
  async readMore(): Promise<void> {
    const { length } = this.buffered;
    new Uint8Array(this.#memory).copyWithin(0, this.buffered.byteOffset, this.buffered.byteOffset + length);
    const { done, value } = await this.#reader.read(new Uint8Array(this.#memory, length, READ_BYTES));
    if (done || !value) throw fault(this, 'the body ends before its last boundary');
    this.#memory = value.buffer as ArrayBuffer;
    this.buffered = new Uint8Array(this.#memory, 0, length + value.length);
  }

  async close(): Promise<void> {
    // The rest of the body is not needed. Cancelling fails if the connection is gone, which does not matter here.
    await this.#reader.cancel().catch(() => undefined);
  }
}

/** Yields the content before a delimiter, and takes the delimiter too. */
async function* upTo(source: ByteSource, delimiter: Uint8Array): AsyncGenerator<Uint8Array> {
  for (;;) {
    const at = indexOf(source.buffered, delimiter);
    if (at >= 0) {
      if (at > 0) yield source.take(at);
      source.take(delimiter.length);
      return;
    }
    // The last bytes in the buffer may be the beginning of a delimiter, so they stay there.
    const safe = source.buffered.length - delimiter.length + 1;
    if (safe > 0) yield source.take(safe);
    await source.readMore();
  }
}

function indexOf(bytes: Uint8Array, wanted: Uint8Array): number {
  const last = bytes.length - wanted.length;
  for (let at = bytes.indexOf(CR); at >= 0 && at <= last; at = bytes.indexOf(CR, at + 1)) {
    let same = 1;
    while (same < wanted.length && bytes[at + same] === wanted[same]) same += 1;
    if (same === wanted.length) return at;
  }
  return -1;
}

/** Whether another part follows a delimiter, or the end of the body. */
async function hasNextPart(source: ByteSource): Promise<boolean> {
  while (source.buffered.length < 2) await source.readMore();
  if (source.buffered[0] === DASH && source.buffered[1] === DASH) return false;
  // White space may follow a delimiter in its line (RFC 2046, 5.1.1).
  for (let padding = 0; ; padding += 1) {
    while (source.buffered.length < 2) await source.readMore();
    const [first, second] = source.buffered;
    if (first === CR && second === LF) break;
    if ((first !== 32 && first !== 9) || padding > 64) throw fault(source, 'a boundary is not followed by a line end');
    source.take(1);
  }
  source.take(2);
  return true;
}

/** The headers of a part as text. Takes the empty line that ends them too. */
async function headersOf(source: ByteSource): Promise<string> {
  const end = Uint8Array.of(CR, LF, CR, LF);
  for (;;) {
    if (source.buffered[0] === CR && source.buffered[1] === LF) throw fault(source, 'a part has no headers');
    const at = indexOf(source.buffered, end);
    if (at >= 0) {
      const text = new TextDecoder().decode(source.take(at));
      source.take(end.length);
      return text;
    }
    if (source.buffered.length > MAX_HEADER_BYTES) throw fault(source, 'the headers of a part are too long');
    await source.readMore();
  }
}

function dispositionOf(headers: string, source: ByteSource): Pick<Part, 'name' | 'fileName'> {
  const line = headers.split('\r\n').find((header) => /^content-disposition\s*:/i.test(header)) ?? '';
  const name = parameter(line, NAME);
  if (!/:\s*form-data\s*;/i.test(line) || name === undefined) {
    throw fault(source, 'a part does not say which field it is (Content-Disposition: form-data; name="…")');
  }
  return { name, fileName: parameter(line, FILE_NAME) };
}

const NAME = /;\s*name=(?:"((?:[^"\\]|\\.)*)("?)|([^\s;"]+))/i;
const FILE_NAME = /;\s*filename=(?:"((?:[^"\\]|\\.)*)("?)|([^\s;"]+))/i;

/**
 * A parameter of a Content-Disposition. Browsers write a quote in it as %22, curl as \". Browsers don't escape a
 * backslash, so it may precede the last quote.
 */
function parameter(line: string, form: RegExp): string | undefined {
  const [, quoted, end, plain] = form.exec(line) ?? [];
  if (quoted === undefined) return plain;
  const [literal = '', ...rest] = quoted.split('"');
  if (end === '' && rest.length === 0) return undefined;
  return (end === '' ? literal : quoted)
    .replace(/\\(["\\])/g, '$1')
    .replaceAll('%22', '"')
    .replaceAll('%0D', '\r')
    .replaceAll('%0A', '\n');
}

function fault(source: ByteSource, what: string): DomainError {
  return new DomainError('invalid_multipart', `The form can not be read: ${what} (byte ${Math.max(0, source.taken)}).`);
}
