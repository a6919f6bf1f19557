import { Inflate } from 'fflate';
import { crc32 } from '../../crc32.ts';
import { turn } from '../../turn.ts';
import { FileFault, type RandomAccess } from './format.ts';

/** Max entries of an archive. A shapefile has about five. */
const MAX_ENTRIES = 1000;
/** Max compression ratio of an entry. Shapes, tables and KML don't compress better. */
const MAX_RATIO = 200;
/** Max total size of all decompressed entries, bytes. */
const MAX_TOTAL = 1024 * 1024 * 1024;
const MAX_DIRECTORY_BYTES = 4 * 1024 * 1024;
/** The sizes of the end record of zip64 and of its locator, bytes, which stand before the other end record. */
const END64_BYTES = 56;
const LOCATOR_BYTES = 20;
/** The size of all end records with the longest comment, bytes. */
const MAX_END_BYTES = END64_BYTES + LOCATOR_BYTES + 22 + 0xffff;
/** Compressed bytes inflated at once. In memory they take up to a thousand times as much, the max ratio of deflate. */
const SLICE = 4 * 1024;
/** Decompressed bytes after which other requests of the instance have a turn: content that gives no feature never waits. */
const TURN_BYTES = 512 * 1024;

const END = 0x06054b50;
const END64 = 0x06064b50;
const LOCATOR64 = 0x07064b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;

/** Files that macOS adds to archives: metadata under the names of the files. */
const NOTE = /(^|[\\/])(__MACOSX[\\/]|\._)/;

export interface ZipEntry {
  /** Its name, which is only compared and shown, never used as a path. */
  readonly name: string;
  /** Size of the compressed content, bytes. */
  readonly compressedBytes: number;
  /** Size of the decompressed content, bytes. */
  readonly bytes: number;
  /** CRC-32 of the decompressed content. */
  readonly crc: number;
  /** Compression method: 0 is stored, 8 is deflate. */
  readonly method: number;
  /** Offset of its local header, bytes from the beginning of the archive. */
  readonly at: number;
}

/**
 * The entries in the central directory of an archive, without folders and macOS metadata.
 *
 * @throws FileFault if the file is not an archive, or damaged, encrypted, split, or too large when decompressed
 */
export async function zipEntries(file: RandomAccess): Promise<ZipEntry[]> {
  const tailAt = Math.max(0, file.bytes - MAX_END_BYTES);
  const tail = await file.read(tailAt, file.bytes - tailAt);
  const end = endOf(tail);
  if (end === undefined) throw new FileFault('is no zip archive, or is cut off: it has no directory at its end');
  const { parts, count, size, at, until } = endRecord(tail, end);
  if (parts !== 0) throw new FileFault('is one of several parts of an archive');
  if (count === 0) throw new FileFault('is an empty archive');
  if (count > MAX_ENTRIES) throw new FileFault(`has more than ${MAX_ENTRIES} entries`);
  const latest = tailAt + until - size;
  if (size > MAX_DIRECTORY_BYTES || at > latest) throw new FileFault('has a damaged directory');
  // A self-extracting archive has a program before the offsets of its directory begin.
  const isMoved = viewOf(await file.read(at, 4)).getUint32(0, true) !== ENTRY;
  const before = isMoved ? latest - at : 0;
  const directory = await file.read(at + before, size);
  const entries = [...directoryOf(directory, count, before)].filter(
    ({ name }) => !name.endsWith('/') && !NOTE.test(name),
  );
  const total = entries.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total > MAX_TOTAL) throw new FileFault(`unpacks to more than ${MAX_TOTAL} bytes`);
  return entries;
}

/** Offset of the end record: the one whose comment ends with the file, or else the last that looks like one. */
function endOf(tail: Uint8Array): number | undefined {
  const view = viewOf(tail);
  let last: number | undefined;
  for (let at = tail.length - 22; at >= 0; at -= 1) {
    if (tail[at] !== 0x50 || view.getUint32(at, true) !== END) continue;
    if (view.getUint16(at + 20, true) === tail.length - at - 22) return at;
    last ??= at;
  }
  return last;
}

/** The fields of the end records; from zip64's record those that the other one leaves to it. */
function endRecord(tail: Uint8Array, end: number) {
  const view = viewOf(tail);
  const [parts, count, size, at] = [
    view.getUint16(end + 4, true),
    view.getUint16(end + 10, true),
    view.getUint32(end + 12, true),
    view.getUint32(end + 16, true),
  ];
  const locator = end - LOCATOR_BYTES;
  const record = locator - END64_BYTES;
  const isWide = record >= 0 && view.getUint32(locator, true) === LOCATOR64 && view.getUint32(record, true) === END64;
  if (!isWide) return { parts, count, size, at, until: end };
  const wide = (value: number, max: number, offset: number) => (value === max ? longAt(view, record + offset) : value);
  return {
    parts: parts === 0xffff ? view.getUint32(record + 16, true) : parts,
    count: wide(count, 0xffff, 32),
    size: wide(size, 0xffffffff, 40),
    at: wide(at, 0xffffffff, 48),
    until: record,
  };
}

function longAt(view: DataView, at: number): number {
  return Number(view.getBigUint64(at, true));
}

/**
 * The sizes and offset of an entry; from its zip64 extra field those that its record leaves to it.
 *
 * @param sizes of the record: decompressed, compressed, and the offset
 */
function widened(extra: Uint8Array, sizes: readonly number[]): number[] {
  const view = viewOf(extra);
  let at = 0;
  while (at + 4 <= extra.length && view.getUint16(at, true) !== 1) at += 4 + view.getUint16(at + 2, true);
  at += 4;
  return sizes.map((size) => {
    if (size !== 0xffffffff || at + 8 > extra.length) return size;
    at += 8;
    return longAt(view, at - 8);
  });
}

/** @param before number of bytes before the archive in its file */
function* directoryOf(directory: Uint8Array, count: number, before: number): Generator<ZipEntry> {
  const view = viewOf(directory);
  let at = 0;
  for (let i = 0; i < count; i += 1) {
    if (at + 46 > directory.length || view.getUint32(at, true) !== ENTRY)
      throw new FileFault('has a damaged directory');
    const flags = view.getUint16(at + 8, true);
    const [nameLength, extra, comment] = [28, 30, 32].map((offset) => view.getUint16(at + offset, true)) as [
      number,
      number,
      number,
    ];
    const written = directory.subarray(at + 46, at + 46 + nameLength);
    const name = new TextDecoder(flags & 0x800 ? 'utf-8' : 'windows-1252').decode(written);
    const [bytes = 0, compressedBytes = 0, offset = 0] = widened(
      directory.subarray(at + 46 + nameLength, at + 46 + nameLength + extra),
      [24, 20, 42].map((offset) => view.getUint32(at + offset, true)),
    );
    const entry: ZipEntry = {
      name,
      method: view.getUint16(at + 10, true),
      crc: view.getUint32(at + 16, true),
      compressedBytes,
      bytes,
      at: before + offset,
    };
    if (flags & 1) throw new FileFault(`${shown(name)} is encrypted`);
    if (entry.bytes > 0xffff && entry.bytes > entry.compressedBytes * MAX_RATIO) {
      throw new FileFault(`${shown(name)} would unpack to more than ${MAX_RATIO} times its size`);
    }
    yield entry;
    at += 46 + nameLength + extra + comment;
  }
}

/**
 * Yields the content of an entry, decompressed while it is read.
 *
 * @throws FileFault if the content is damaged, or longer than the directory says
 */
export async function* unpacked(file: RandomAccess, entry: ZipEntry): AsyncGenerator<Uint8Array> {
  const damaged = () => new FileFault(`${shown(entry.name)} is damaged`);
  if (entry.at + 30 > file.bytes) throw damaged();
  const local = viewOf(await file.read(entry.at, 30));
  const start = entry.at + 30 + local.getUint16(26, true) + local.getUint16(28, true);
  if (local.getUint32(0, true) !== LOCAL || start + entry.compressedBytes > file.bytes) throw damaged();
  if (entry.method !== 0 && entry.method !== 8) throw new FileFault(`${shown(entry.name)} is packed in an unknown way`);
  let crc = 0;
  let bytes = 0;
  const check = (chunk: Uint8Array): Uint8Array => {
    bytes += chunk.length;
    if (bytes > entry.bytes) throw damaged();
    crc = crc32(chunk, crc);
    return chunk;
  };
  if (entry.compressedBytes > 0) {
    const content = await file.stream(start, entry.compressedBytes);
    let sinceTurn = 0;
    for await (const chunk of entry.method === 0 ? content : inflated(content, damaged)) {
      yield check(chunk);
      sinceTurn += chunk.length;
      if (sinceTurn < TURN_BYTES) continue;
      await turn();
      sinceTurn = 0;
    }
  }
  if (bytes !== entry.bytes || crc !== entry.crc) throw damaged();
}

async function* inflated(content: AsyncIterable<Uint8Array>, damaged: () => FileFault): AsyncGenerator<Uint8Array> {
  let chunks: Uint8Array[] = [];
  const inflate = new Inflate((chunk) => {
    if (chunk.length > 0) chunks.push(chunk);
  });
  const push = (slice: Uint8Array, last: boolean) => {
    try {
      inflate.push(slice, last);
    } catch {
      throw damaged();
    }
  };
  for await (const chunk of content) {
    for (let at = 0; at < chunk.length; at += SLICE) {
      push(chunk.subarray(at, at + SLICE), false);
      yield* chunks;
      chunks = [];
    }
  }
  push(new Uint8Array(0), true);
  yield* chunks;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** A name for messages, escaped, because entries of archives may have any name. */
export function shown(name: string): string {
  return JSON.stringify(name.slice(-80));
}
