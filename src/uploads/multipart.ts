import { DomainError } from '../errors.ts';

/** A part of a multipart/form-data body (RFC 7578). */
export interface Part {
  readonly name: string;
  /** As the client calls the file; undefined where the part is a plain field. */
  readonly fileName: string | undefined;
  /** The content as it arrives. What is not read is passed over when the next part is asked for. */
  readonly chunks: AsyncGenerator<Uint8Array>;
}

const MAX_PARTS = 32;
const MAX_HEADER_BYTES = 8 * 1024;
/** What may be held while more is read: headers, or the beginning of a delimiter, bytes. */
const MAX_HELD_BYTES = 16 * 1024;
/** What may stand before the first part, bytes. */
const MAX_PREAMBLE_BYTES = 1024;

const CR = 13;
const LF = 10;
const DASH = 45;

/**
 * The boundary that a Content-Type names.
 *
 * @throws DomainError `unsupported_media_type` where it is of no multipart form
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
 * The parts of a body in their order, as it arrives: no more is in memory than a chunk of it and a part's headers.
 *
 * @throws DomainError `invalid_multipart` with the offset of what is wrong
 */
export async function* partsOf(body: ReadableStream<Uint8Array>, boundary: string): AsyncGenerator<Part> {
  const source = new Source(body);
  const delimiter = new TextEncoder().encode(`\r\n--${boundary}`);
  try {
    // The first delimiter needs no line before it.
    source.prepend(Uint8Array.of(CR, LF));
    for await (const chunk of upTo(source, delimiter)) {
      if (chunk.length > MAX_PREAMBLE_BYTES) throw fault(source, 'there is no boundary where the first part should be');
    }
    for (let count = 0; await another(source); count += 1) {
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

/** How much is read at once at most, bytes. */
const READ_BYTES = 256 * 1024;

/**
 * The bytes of a stream, some of which have been looked at and not yet taken. All reads go into the same memory: bytes
 * that were taken are good until the next read.
 */
class Source {
  readonly #reader: ReadableStreamBYOBReader;
  /** Where the next read goes, behind what is held. Reading takes it away and gives it back. */
  #buffer = new ArrayBuffer(READ_BYTES + MAX_HELD_BYTES);
  /** What was read and not taken. */
  held: Uint8Array = new Uint8Array(this.#buffer, 0, 0);
  /** How many bytes of the body were taken. */
  taken = 0;

  constructor(body: ReadableStream<Uint8Array>) {
    this.#reader = body.getReader({ mode: 'byob' });
  }

  prepend(bytes: Uint8Array): void {
    new Uint8Array(this.#buffer).set(bytes);
    this.held = new Uint8Array(this.#buffer, 0, bytes.length);
    this.taken -= bytes.length;
  }

  take(length: number): Uint8Array {
    const bytes = this.held.subarray(0, length);
    this.held = this.held.subarray(length);
    this.taken += length;
    return bytes;
  }

  /** Reads on; the body must not be at its end, and no more may be held than a part's headers have. */
  async more(): Promise<void> {
    const { length } = this.held;
    new Uint8Array(this.#buffer).copyWithin(0, this.held.byteOffset, this.held.byteOffset + length);
    const { done, value } = await this.#reader.read(new Uint8Array(this.#buffer, length, READ_BYTES));
    if (done || !value) throw fault(this, 'the body ends before its last boundary');
    this.#buffer = value.buffer as ArrayBuffer;
    this.held = new Uint8Array(this.#buffer, 0, length + value.length);
  }

  async close(): Promise<void> {
    // What is left of the body is nobody's any more; a connection that is gone has nothing to cancel.
    await this.#reader.cancel().catch(() => undefined);
  }
}

/** The content up to a delimiter, which is taken too. */
async function* upTo(source: Source, delimiter: Uint8Array): AsyncGenerator<Uint8Array> {
  for (;;) {
    const at = indexOf(source.held, delimiter);
    if (at >= 0) {
      if (at > 0) yield source.take(at);
      source.take(delimiter.length);
      return;
    }
    // The end of what is held may be the beginning of a delimiter.
    const safe = source.held.length - delimiter.length + 1;
    if (safe > 0) yield source.take(safe);
    await source.more();
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

/** Behind a delimiter: whether another part follows, or the end was marked. */
async function another(source: Source): Promise<boolean> {
  while (source.held.length < 2) await source.more();
  if (source.held[0] === DASH && source.held[1] === DASH) return false;
  // White space may stand between a delimiter and the end of its line (RFC 2046, 5.1.1).
  for (let padding = 0; ; padding += 1) {
    while (source.held.length < 2) await source.more();
    const [first, second] = source.held;
    if (first === CR && second === LF) break;
    if ((first !== 32 && first !== 9) || padding > 64) throw fault(source, 'a boundary is not followed by a line end');
    source.take(1);
  }
  source.take(2);
  return true;
}

/** The headers of a part, as text, without the empty line that ends them. */
async function headersOf(source: Source): Promise<string> {
  const end = Uint8Array.of(CR, LF, CR, LF);
  for (;;) {
    if (source.held[0] === CR && source.held[1] === LF) throw fault(source, 'a part has no headers');
    const at = indexOf(source.held, end);
    if (at >= 0) {
      const text = new TextDecoder().decode(source.take(at));
      source.take(end.length);
      return text;
    }
    if (source.held.length > MAX_HEADER_BYTES) throw fault(source, 'the headers of a part are too long');
    await source.more();
  }
}

function dispositionOf(headers: string, source: Source): Pick<Part, 'name' | 'fileName'> {
  const line = headers.split('\r\n').find((header) => /^content-disposition\s*:/i.test(header)) ?? '';
  const name = parameter(line, 'name');
  if (!/:\s*form-data\s*;/i.test(line) || name === undefined) {
    throw fault(source, 'a part does not say which field it is (Content-Disposition: form-data; name="…")');
  }
  return { name, fileName: parameter(line, 'filename') };
}

/** Browsers write a quote in a name as %22, curl as \". */
function parameter(line: string, name: string): string | undefined {
  const [, quoted, plain] = new RegExp(`;\\s*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;"]+))`, 'i').exec(line) ?? [];
  if (quoted === undefined) return plain;
  return quoted
    .replace(/\\(["\\])/g, '$1')
    .replaceAll('%22', '"')
    .replaceAll('%0D', '\r')
    .replaceAll('%0A', '\n');
}

function fault(source: Source, what: string): DomainError {
  return new DomainError('invalid_multipart', `The form can not be read: ${what} (byte ${Math.max(0, source.taken)}).`);
}
