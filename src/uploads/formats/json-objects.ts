import { MAX_ARRAYS, MAX_POSITIONS } from '../../geojson/geometry.ts';
import { MAX_DEPTH } from '../../geojson/json.ts';
import { FileFault } from './format.ts';

/** Max size of an object in memory, bytes: a feature, or a collection without its features. */
const MAX_OBJECT_BYTES = 8 * 1024 * 1024;
/** Max objects and strings in one object, because each takes more memory than its text. */
const MAX_OBJECTS = 100_000;
const MAX_STRINGS = 500_000;
/** Max length of the name of a member of interest with escapes, bytes. */
const MAX_NAME_BYTES = 96;
/** Max members of interest of an object. A feature has four. */
const MAX_MEMBERS = 16;

const QUOTE = 34;
export const COMMA = 44;
const COLON = 58;
const OPEN_ARRAY = 91;
const BACKSLASH = 92;
export const CLOSE_ARRAY = 93;
export const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/** Bytes that change the depth or begin a string. Below the object's members no other bytes matter. */
const STRUCTURAL = new Uint8Array(256);
for (const byte of [QUOTE, OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT]) STRUCTURAL[byte] = 1;

/** A member of the object, and the offsets of its value: bytes from the beginning of the object. */
export interface Member {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Collects the bytes of one JSON object that arrives in chunks, up to its end. It limits the size, the depth, and the
 * numbers of arrays, objects and strings. It does not check that the bytes are JSON.
 */
export class ObjectCollector {
  readonly #names: ReadonlySet<string>;
  #buffer = new Uint8Array(64 * 1024);
  #length = 0;
  #depth = 0;
  #arrays = 0;
  #objects = 0;
  #strings = 0;
  #inString = false;
  #escaped = false;
  /** Whether a value is expected at depth 1; otherwise a name. */
  #inValue = false;
  #keyStart = 0;
  #keyEnd = 0;
  #valueStart = 0;
  /** Whether an array has begun in this value. A later array can't be the whole value. */
  #hasArray = false;
  /** Members of interest, in their order. */
  members: Member[] = [];
  /** Whether `take` stopped before an array. */
  stopped = false;
  /** The bytes of the object once it is complete. They are valid until more bytes are taken, unless `keep` was called. */
  bytes: Uint8Array = this.#buffer.subarray(0, 0);

  /** @param names members of interest, whose offsets are recorded */
  constructor(names: readonly string[]) {
    this.#names = new Set(names);
  }

  get open(): boolean {
    return this.#depth > 0;
  }

  /** Begins a new object. The next byte must be `{`. */
  begin(): void {
    this.#length = 0;
    this.#depth = 0;
    this.#arrays = 0;
    this.#objects = 0;
    this.#strings = 0;
    this.#inValue = false;
    this.members = [];
  }

  /**
   * Takes bytes of a chunk from an index on, up to the end of the object. The object is complete when it is no longer
   * open. Stops before an array that is the value of the member `stopAt`; `stopped` is true then.
   *
   * @returns the index after the last byte taken
   * @throws FileFault if the object is too large or too deep
   */
  take(chunk: Uint8Array, from: number, stopAt?: string): number {
    const end = chunk.length;
    let start = from;
    let i = from;
    while (i < end) {
      if (this.#inString) {
        i = this.#passString(chunk, i);
        if (!this.#inString && this.#depth === 1 && !this.#inValue) this.#keyEnd = this.#length + i - start - 1;
        continue;
      }
      if (this.#depth > 1) {
        while (i < end && STRUCTURAL[chunk[i] as number] === 0) i += 1;
        if (i === end) break;
      }
      switch (chunk[i]) {
        case QUOTE:
          this.#inString = true;
          this.#strings += 1;
          if (this.#strings > MAX_STRINGS) throw new FileFault(`must not have more than ${MAX_STRINGS} strings`);
          if (this.#depth === 1 && !this.#inValue) this.#keyStart = this.#length + i - start + 1;
          break;
        case OPEN_ARRAY:
          if (stopAt !== undefined && this.#depth === 1 && this.#inValue && !this.#hasArray) {
            this.#hasArray = true;
            this.#append(chunk.subarray(start, i));
            start = i;
            if (this.#text(this.#keyStart, this.#keyEnd) === stopAt && this.#isBlank(this.#valueStart)) {
              this.stopped = true;
              return i;
            }
          }
          this.#arrays += 1;
          this.#descend();
          break;
        case OPEN_OBJECT:
          this.#objects += 1;
          if (this.#objects > MAX_OBJECTS) throw new FileFault(`must not have more than ${MAX_OBJECTS} objects`);
          this.#descend();
          break;
        case CLOSE_ARRAY:
        case CLOSE_OBJECT:
          this.#depth -= 1;
          if (this.#depth === 0) {
            this.#record(chunk, start, this.#length + i - start);
            i += 1;
            this.#complete(chunk, start, i);
            return i;
          }
          break;
        case COMMA:
          if (this.#depth === 1) this.#record(chunk, start, this.#length + i - start);
          break;
        case COLON:
          if (this.#depth === 1 && !this.#inValue) {
            this.#inValue = true;
            this.#hasArray = false;
            this.#valueStart = this.#length + i - start + 1;
          }
          break;
        default:
      }
      i += 1;
    }
    this.#append(chunk.subarray(start, end));
    return end;
  }

  /** The bytes of a complete member while the object is open. Valid until more bytes are taken. */
  bytesOf({ start, end }: Member): Uint8Array {
    return this.#buffer.subarray(start, end);
  }

  /** Continues after the array before which it stopped. An empty array takes its place. */
  resume(): void {
    this.stopped = false;
    this.#append(Uint8Array.of(OPEN_ARRAY, CLOSE_ARRAY));
  }

  /** Copies the bytes of the object, so that they stay valid. */
  keep(): void {
    this.bytes = this.bytes.slice();
  }

  /** Skips a string up to its end or the end of the chunk. Returns the index after it. */
  #passString(chunk: Uint8Array, from: number): number {
    let i = from;
    while (i < chunk.length) {
      if (this.#escaped) {
        this.#escaped = false;
        i += 1;
        continue;
      }
      while (i < chunk.length && chunk[i] !== QUOTE && chunk[i] !== BACKSLASH) i += 1;
      if (i === chunk.length) break;
      if (chunk[i] === QUOTE) {
        this.#inString = false;
        return i + 1;
      }
      this.#escaped = true;
      i += 1;
    }
    return i;
  }

  #descend(): void {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new FileFault(`must not be nested deeper than ${MAX_DEPTH} levels`);
    if (this.#arrays > MAX_ARRAYS) throw new FileFault(`must not have more than ${MAX_POSITIONS} positions`);
  }

  /** Records a complete member if it is of interest. */
  #record(chunk: Uint8Array, start: number, end: number): void {
    const keyLength = this.#keyEnd - this.#keyStart;
    if (this.#inValue && keyLength > 0 && keyLength <= MAX_NAME_BYTES) {
      const name = this.#name(chunk, start);
      if (this.#names.has(name)) {
        if (this.members.length === MAX_MEMBERS) throw new FileFault('has members of the same name');
        this.members.push({ name, start: this.#valueStart, end });
      }
    }
    this.#inValue = false;
    this.#keyStart = 0;
    this.#keyEnd = 0;
  }

  /** The name of the member. One part of it may be in the buffer and the other in the chunk. */
  #name(chunk: Uint8Array, start: number): string {
    let name = '';
    for (let at = this.#keyStart; at < this.#keyEnd; at += 1) {
      const byte = at < this.#length ? this.#buffer[at] : chunk[start + at - this.#length];
      name += String.fromCharCode(byte as number);
    }
    return name.includes('\\') ? unescaped(name) : name;
  }

  #text(start: number, end: number): string {
    return new TextDecoder().decode(this.#buffer.subarray(start, end));
  }

  #isBlank(start: number): boolean {
    return this.#text(start, this.#length).trim() === '';
  }

  #complete(chunk: Uint8Array, start: number, end: number): void {
    if (this.#length === 0) this.bytes = chunk.subarray(start, end);
    else {
      this.#append(chunk.subarray(start, end));
      this.bytes = this.#buffer.subarray(0, this.#length);
    }
    if (this.bytes.length > MAX_OBJECT_BYTES) throw tooLarge();
  }

  #append(bytes: Uint8Array): void {
    const length = this.#length + bytes.length;
    if (length > MAX_OBJECT_BYTES) throw tooLarge();
    if (length > this.#buffer.length) {
      const larger = new Uint8Array(Math.min(MAX_OBJECT_BYTES, Math.max(length, this.#buffer.length * 2)));
      larger.set(this.#buffer.subarray(0, this.#length));
      this.#buffer = larger;
    }
    this.#buffer.set(bytes, this.#length);
    this.#length = length;
  }
}

function unescaped(name: string): string {
  try {
    return JSON.parse(`"${name}"`) as string;
  } catch {
    throw new FileFault('is no valid JSON');
  }
}

function tooLarge(): FileFault {
  return new FileFault(`must not be larger than ${MAX_OBJECT_BYTES} bytes`);
}
