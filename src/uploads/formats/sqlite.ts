import { FileFault, type RandomAccess } from './format.ts';
import { withFaultIfDamaged } from './positions.ts';
import { varintAt } from './sqlite-values.ts';

const MAGIC = 'SQLite format 3\0';
const HEADER_BYTES = 100;
/** Bytes of the file read at once: a multiple of all page sizes. */
const BLOCK_BYTES = 1024 * 1024;
/** Max cached blocks. */
const MAX_BLOCKS = 12;
/** Max block reads: this multiple of the file's blocks, plus a constant. */
const REREADS = 4;
const MORE_READS = 16;
/** Max size of a row, bytes. */
const MAX_ROW_BYTES = 16 * 1024 * 1024;
/** Max depth of a tree. The largest database has a lower one. */
const MAX_DEPTH = 20;

const INTERIOR = 0x05;
const LEAF = 0x0d;

/** A stored row: its values without the rowid. Valid until the next row is read. */
export interface StoredRow {
  readonly rowId: bigint;
  /** The number of the page that it begins in, from 1. */
  readonly page: number;
  readonly record: Uint8Array;
}

/**
 * Reads tables of a SQLite 3 database (https://sqlite.org/fileformat2.html) from a file with random access. It only
 * scans tables; indexes and free pages are not read. Rows that are only in a write-ahead log are not in the file.
 */
export class Sqlite {
  readonly #file: RandomAccess;
  readonly #pageBytes: number;
  /** Usable size of a page, bytes. */
  readonly #usable: number;
  readonly #pageCount: number;
  /** LRU cache of blocks by number, the most recently used last. */
  readonly #blocks = new Map<number, Uint8Array>();
  #readsLeft: number;

  private constructor(file: RandomAccess, pageBytes: number, usable: number) {
    this.#file = file;
    this.#pageBytes = pageBytes;
    this.#usable = usable;
    this.#pageCount = Math.floor(file.bytes / pageBytes);
    this.#readsLeft = Math.ceil(file.bytes / BLOCK_BYTES) * REREADS + MORE_READS;
  }

  /** @throws FileFault if the file is not such a database, is truncated, or has texts in UTF-16 */
  static async open(file: RandomAccess): Promise<Sqlite> {
    const header = await file.read(0, Math.min(file.bytes, HEADER_BYTES));
    if (new TextDecoder('latin1').decode(header.subarray(0, MAGIC.length)) !== MAGIC) {
      throw new FileFault('is no SQLite database: it does not begin as one', 'byte 0');
    }
    if (header.length < HEADER_BYTES) throw new FileFault('is cut off: its header does not end', 'byte 0');
    const view = new DataView(header.buffer, header.byteOffset, header.length);
    // The largest size exceeds its field, and is written as 1.
    const pageBytes = view.getUint16(16) === 1 ? 65_536 : view.getUint16(16);
    const usable = pageBytes - view.getUint8(20);
    if (pageBytes < 512 || (pageBytes & (pageBytes - 1)) !== 0 || usable < 480) {
      throw new FileFault(
        `must have pages of a power of two from 512 to 65536 bytes, at least 480 of them usable (got ${pageBytes}, ${usable} usable)`,
        'byte 16',
      );
    }
    if (view.getUint8(19) > 2) throw new FileFault('is written by a SQLite that is newer than version 3', 'byte 19');
    const encoding = view.getUint32(56);
    if (encoding > 1) throw new FileFault('must have its texts in UTF-8, and has them in UTF-16', 'byte 56');
    // Old versions of SQLite do not update the number of pages (28). Then the change counter (24) differs from the counter at which
    // that number was valid (92).
    const pages = view.getUint32(24) === view.getUint32(92) ? view.getUint32(28) : 0;
    if (pages * pageBytes > file.bytes) {
      throw new FileFault(`is cut off: it has ${pages} pages of ${pageBytes} bytes`, `byte ${file.bytes}`);
    }
    return new Sqlite(file, pageBytes, usable);
  }

  /**
   * The rows of the table with a root page, in the order of their rowids.
   *
   * @throws FileFault for a damaged tree, with its page, and for rows that are too large
   */
  async *rows(root: number): AsyncGenerator<StoredRow> {
    const visited = new Uint8Array(Math.ceil((this.#pageCount + 1) / 8));
    const waiting = [{ number: root, depth: 1 }];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { number, depth } = next;
      if (depth > MAX_DEPTH) throw damaged(number, 'its tree is too deep');
      const page = await this.#visit(number, visited);
      const content = intactPage(number, () => contentOf(page, number === 1 ? HEADER_BYTES : 0));
      if (content.children) {
        for (const child of content.children.reverse()) waiting.push({ number: child, depth: depth + 1 });
        continue;
      }
      let used = 0;
      for (const at of content.cells) {
        const { rowId, local, size, more } = intactPage(number, () => this.#cellAt(page, at, number));
        used += local.length;
        // Rows of a page must not overlap, so that all of them together are no longer than the file.
        if (used > this.#usable) throw damaged(number, 'its rows overlap');
        const record = size === local.length ? local : await this.#whole({ local, size, more, number }, visited);
        yield { rowId, page: number, record };
      }
    }
  }

  /** The local part of a row, its full size, and its first overflow page. */
  #cellAt(
    page: Uint8Array,
    at: number,
    number: number,
  ): { rowId: bigint; local: Uint8Array; size: number; more: number } {
    const view = viewOf(page);
    const length = varintAt(view, at);
    const rowId = varintAt(view, length.end);
    if (length.value < 0n || length.value > BigInt(MAX_ROW_BYTES)) {
      throw new FileFault(`has a row of more than ${MAX_ROW_BYTES} bytes`, `row ${rowId.value}, page ${number}`);
    }
    const size = Number(length.value);
    const start = rowId.end;
    const end = start + localBytes(size, this.#usable);
    if (end > this.#usable) throw new RangeError('A row is out of its page');
    const more = end - start < size ? view.getUint32(end) : 0;
    return { rowId: rowId.value, local: page.subarray(start, end), size, more };
  }

  /** A row with overflow pages. */
  async #whole(
    { local, size, more, number }: { local: Uint8Array; size: number; more: number; number: number },
    visited: Uint8Array,
  ): Promise<Uint8Array> {
    if (size > this.#file.bytes) throw damaged(number, 'a row is longer than the file');
    const record = new Uint8Array(size);
    record.set(local);
    let filled = local.length;
    for (let next = more; filled < size; ) {
      const page = await this.#visit(next, visited);
      const part = page.subarray(4, Math.min(this.#usable, 4 + size - filled));
      record.set(part, filled);
      filled += part.length;
      next = viewOf(page).getUint32(0);
    }
    return record;
  }

  /** A page of a tree. A page that was already visited is refused, so that a cycle ends here. */
  async #visit(number: number, visited: Uint8Array): Promise<Uint8Array> {
    if (number < 1 || number > this.#pageCount) throw damaged(number, 'there is no such page');
    const [index, bit] = [number >> 3, 1 << (number & 7)];
    if ((visited[index] as number) & bit) throw damaged(number, 'it is in its table twice');
    visited[index] = (visited[index] as number) | bit;
    const at = (number - 1) * this.#pageBytes;
    const block = await this.#block(Math.floor(at / BLOCK_BYTES));
    return block.subarray(at % BLOCK_BYTES, (at % BLOCK_BYTES) + this.#pageBytes);
  }

  async #block(number: number): Promise<Uint8Array> {
    let block = this.#blocks.get(number);
    this.#blocks.delete(number);
    if (!block) {
      if (this.#readsLeft === 0) {
        throw new FileFault('has its pages in too scattered an order to be read: run VACUUM on it');
      }
      this.#readsLeft -= 1;
      const at = number * BLOCK_BYTES;
      block = await this.#file.read(at, Math.min(BLOCK_BYTES, this.#file.bytes - at));
      const [oldest] = this.#blocks.keys();
      if (this.#blocks.size === MAX_BLOCKS && oldest !== undefined) this.#blocks.delete(oldest);
    }
    this.#blocks.set(number, block);
    return block;
  }
}

/** The child pages of a page, or the offsets of its rows. */
function contentOf(page: Uint8Array, at: number): { children?: number[]; cells: number[] } {
  const view = viewOf(page);
  const type = view.getUint8(at);
  if (type !== INTERIOR && type !== LEAF) throw new RangeError('Not a page of a table');
  const count = view.getUint16(at + 3);
  const pointers = at + (type === INTERIOR ? 12 : 8);
  const cells = Array.from({ length: Math.min(count, page.length) }, (_, i) => view.getUint16(pointers + 2 * i));
  if (type === LEAF) return { cells };
  return { children: [...cells.map((cell) => view.getUint32(cell)), view.getUint32(at + 8)], cells };
}

/** Local size of a row of `size` bytes; the rest is in overflow pages. @see https://sqlite.org/fileformat2.html#cell_payload_overflow_pages */
function localBytes(size: number, usable: number): number {
  const max = usable - 35;
  if (size <= max) return size;
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const fitting = least + ((size - least) % (usable - 4));
  return fitting <= max ? fitting : least;
}

function intactPage<T>(number: number, work: () => T): T {
  return withFaultIfDamaged(`page ${number} of the database`, work);
}

function damaged(number: number, why: string): FileFault {
  return new FileFault(`is damaged: ${why}`, `page ${number}`);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
