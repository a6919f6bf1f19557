import { FileFault } from './format.ts';

/** Max positions of all arcs; an arc counts as one more. They stay in memory until the file ends. */
const MAX_ARC_POSITIONS = 1_000_000;
/** Positions per memory block, and numbers per position. */
const BLOCK = 16_384;
const AXES = 3;
const MAX_NUMBER_BYTES = 64;

const OPEN = 91;
const CLOSE = 93;
const COMMA = 44;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Bytes that JSON numbers consist of. */
const NUMERIC = new Uint8Array(256);
for (const character of '0123456789+-.eE') NUMERIC[character.charCodeAt(0)] = 1;

/** The transform from integers to coordinates. */
export interface Transform {
  readonly scale: readonly [number, number];
  readonly translate: readonly [number, number];
}

/** Reads the arcs of a topology: the items of an array of arrays of positions, which arrives in chunks. */
export class Arcs {
  readonly #blocks: Float64Array[] = [];
  #positions = 0;
  /** Index of the first position of each arc. */
  readonly #starts: number[] = [];
  /** Number of open arrays within the outermost one: an arc, and a position. */
  #level = 0;
  /** The expected next token: `any` is an item or the end of the array. */
  #due: 'any' | 'item' | 'comma' = 'any';
  #number = '';
  #axis = 0;
  /** Whether the outermost array has ended. */
  closed = false;

  get count(): number {
    return this.#starts.length;
  }

  /**
   * Takes bytes of a chunk from an index on. In the first chunk it is the index after the outermost array's bracket.
   *
   * @returns the index after the last byte taken
   * @throws FileFault with the offset of the fault from the beginning of the chunk, bytes; negative in an earlier chunk
   */
  take(chunk: Uint8Array, from: number): number {
    for (let i = from; i < chunk.length; i += 1) {
      const byte = chunk[i] as number;
      if (NUMERIC[byte] === 1) {
        const start = i;
        while (i + 1 < chunk.length && NUMERIC[chunk[i + 1] as number] === 1) i += 1;
        if (this.#level < 2 || this.#due === 'comma') throw this.#wrong(start);
        if (this.#number.length + i - start >= MAX_NUMBER_BYTES) throw this.#wrong(start - this.#number.length);
        this.#number += String.fromCharCode(...chunk.subarray(start, i + 1));
        continue;
      }
      if (this.#number !== '') this.#endNumber(i);
      if (byte === COMMA && this.#due === 'comma') this.#due = 'item';
      else if (byte === OPEN && this.#due !== 'comma' && this.#level < 2) this.#open(i);
      else if (byte === CLOSE && this.#due !== 'item') {
        if (this.#level === 2) this.#endPosition(i);
        this.#due = 'comma';
        this.#level -= 1;
        if (this.#level < 0) {
          this.closed = true;
          return i + 1;
        }
      } else if (byte !== 32 && byte !== 10 && byte !== 13 && byte !== 9) throw this.#wrong(i);
    }
    return chunk.length;
  }

  /** Decodes coordinates from integers, each the difference to the previous one of its arc. */
  transform({ scale, translate }: Transform): void {
    for (let arc = 0; arc < this.count; arc += 1) {
      const [start, end] = this.#range(arc);
      let [x, y] = [0, 0];
      for (let i = start; i < end; i += 1) {
        const [block, at] = this.#slotOf(i);
        x += block[at] as number;
        y += block[at + 1] as number;
        block[at] = x * scale[0] + translate[0];
        block[at + 1] = y * scale[1] + translate[1];
      }
    }
  }

  /** The number of positions of an arc; 0 where there is no such arc. */
  length(arc: number): number {
    const [start, end] = this.#range(arc);
    return end - start;
  }

  /** The numbers of a position of an arc; the third is NaN without a height. */
  position(arc: number, i: number): readonly [x: number, y: number, z: number] {
    const [block, at] = this.#slotOf((this.#starts[arc] as number) + i);
    return [block[at] as number, block[at + 1] as number, block[at + 2] as number];
  }

  #range(arc: number): [number, number] {
    return [this.#starts[arc] ?? this.#positions, this.#starts[arc + 1] ?? this.#positions];
  }

  #slotOf(i: number): [Float64Array, number] {
    return [this.#blocks[Math.floor(i / BLOCK)] as Float64Array, (i % BLOCK) * AXES];
  }

  #open(i: number): void {
    if (this.#positions + this.count >= MAX_ARC_POSITIONS) {
      const message = `has arcs of more than ${MAX_ARC_POSITIONS} positions, arcs counting for one`;
      throw new FileFault(message, undefined, { offset: i });
    }
    this.#due = 'any';
    this.#level += 1;
    if (this.#level === 1) {
      this.#starts.push(this.#positions);
      return;
    }
    this.#axis = 0;
    if (this.#positions % BLOCK === 0) this.#blocks.push(new Float64Array(BLOCK * AXES));
    const [block, at] = this.#slotOf(this.#positions);
    block[at + 2] = Number.NaN;
  }

  #endNumber(i: number): void {
    const number = Number(this.#number);
    if (!NUMBER.test(this.#number) || !Number.isFinite(number)) throw this.#wrong(i - 1);
    const [block, at] = this.#slotOf(this.#positions);
    // Further numbers have no meaning (RFC 7946, 3.1.1).
    if (this.#axis < AXES) block[at + this.#axis] = number;
    this.#axis += 1;
    this.#number = '';
    this.#due = 'comma';
  }

  #endPosition(i: number): void {
    if (this.#axis < 2)
      throw new FileFault(`arcs[${this.count - 1}]: a position must have two numbers`, undefined, { offset: i });
    this.#positions += 1;
  }

  #wrong(i: number): FileFault {
    const where = this.count === 0 ? 'arcs' : `arcs[${this.count - 1}]`;
    return new FileFault(`${where}: must be an array of positions, which are arrays of numbers`, undefined, {
      offset: i,
    });
  }
}
