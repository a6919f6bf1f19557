import type { Topology } from '../topology/arcs.ts';
import type { Ring } from '../topology/polygons.ts';

/** Bytes that are reserved for a position: the longest is `[-179.123456,-89.123456],`. */
const SLOT = 28;

const [OPEN, CLOSE, CLOSE_BRACE, COMMA, POINT, MINUS, ZERO] = [0x5b, 0x5d, 0x7d, 0x2c, 0x2e, 0x2d, 0x30];

const HEADS = { Polygon: '{"type":"Polygon","coordinates":', MultiPolygon: '{"type":"MultiPolygon","coordinates":' };

/**
 * Writes polygons as GeoJSON in ASCII bytes. The bytes of a position are cached for all areas and resolutions, which is five
 * times as fast as making strings.
 */
export class PolygonTexts {
  readonly #xs: ArrayLike<number>;
  readonly #ys: ArrayLike<number>;
  readonly #slots: Uint8Array;
  /** How many bytes of its slot each vertex's position takes, with the comma after it; zero if it is not written yet. */
  readonly #lengths: Uint8Array;
  #bytes = new Uint8Array(1 << 20);
  #at = 0;

  constructor({ xs, ys }: Pick<Topology, 'xs' | 'ys'>) {
    this.#xs = xs;
    this.#ys = ys;
    this.#slots = new Uint8Array(SLOT * xs.length);
    this.#lengths = new Uint8Array(xs.length);
  }

  /** The size of one area's text, without writing it. */
  bytesOf(polygons: readonly (readonly Ring[])[]): number {
    const isOne = polygons.length === 1;
    // Each list has brackets around it and commas between its members. The last position of a ring has no comma after it.
    let bytes = (isOne ? HEADS.Polygon : HEADS.MultiPolygon).length + 1 + (isOne ? 0 : polygons.length + 1);
    for (const rings of polygons) {
      bytes += rings.length + 1;
      for (const ring of rings) {
        bytes += 1 + this.#lengthOf(ring[0] as number);
        for (const vertex of ring) bytes += this.#lengthOf(vertex);
      }
    }
    return bytes;
  }

  /** The text of one area, in bytes of its own. */
  write(polygons: readonly (readonly Ring[])[]): Uint8Array {
    this.#at = 0;
    const isOne = polygons.length === 1;
    this.#ascii(isOne ? HEADS.Polygon : HEADS.MultiPolygon);
    if (!isOne) this.#byte(OPEN);
    for (const [i, rings] of polygons.entries()) {
      if (i > 0) this.#byte(COMMA);
      this.#byte(OPEN);
      for (const [k, ring] of rings.entries()) {
        if (k > 0) this.#byte(COMMA);
        this.#ring(ring);
      }
      this.#byte(CLOSE);
    }
    if (!isOne) this.#byte(CLOSE);
    this.#byte(CLOSE_BRACE);
    return this.#bytes.slice(0, this.#at);
  }

  #ring(ring: Ring): void {
    this.#reserve(SLOT * (ring.length + 2));
    const [bytes, slots] = [this.#bytes, this.#slots];
    bytes[this.#at++] = OPEN;
    let at = this.#at;
    for (let i = 0; i <= ring.length; i += 1) {
      const vertex = (i === ring.length ? ring[0] : ring[i]) as number;
      const length = this.#lengthOf(vertex);
      const from = vertex * SLOT;
      for (let k = 0; k < length; k += 1) bytes[at + k] = slots[from + k] as number;
      at += length;
    }
    // Replaces the comma after the last position.
    bytes[at - 1] = CLOSE;
    this.#at = at;
  }

  #lengthOf(vertex: number): number {
    return this.#lengths[vertex] || this.#writeSlot(vertex);
  }

  /** Writes the position of a vertex into its slot. Returns its length. */
  #writeSlot(vertex: number): number {
    const start = vertex * SLOT;
    let at = start;
    this.#slots[at++] = OPEN;
    at = this.#degrees(this.#xs[vertex] as number, at);
    this.#slots[at++] = COMMA;
    at = this.#degrees(this.#ys[vertex] as number, at);
    this.#slots[at++] = CLOSE;
    this.#slots[at++] = COMMA;
    this.#lengths[vertex] = at - start;
    return at - start;
  }

  /** Writes microdegrees as degrees, without zeros at the end. */
  #degrees(microdegrees: number, start: number): number {
    const slots = this.#slots;
    let at = start;
    if (microdegrees < 0) slots[at++] = MINUS;
    const positive = Math.abs(microdegrees);
    const whole = Math.floor(positive / 1_000_000);
    if (whole >= 100) slots[at++] = ZERO + Math.floor(whole / 100);
    if (whole >= 10) slots[at++] = ZERO + (Math.floor(whole / 10) % 10);
    slots[at++] = ZERO + (whole % 10);
    let rest = positive % 1_000_000;
    if (rest === 0) return at;
    slots[at++] = POINT;
    for (let unit = 100_000; rest > 0; unit /= 10) {
      const digit = Math.floor(rest / unit);
      slots[at++] = ZERO + digit;
      rest -= digit * unit;
    }
    return at;
  }

  #ascii(text: string): void {
    this.#reserve(text.length);
    for (let i = 0; i < text.length; i += 1) this.#bytes[this.#at++] = text.charCodeAt(i);
  }

  #byte(byte: number): void {
    this.#reserve(1);
    this.#bytes[this.#at++] = byte;
  }

  #reserve(more: number): void {
    if (this.#at + more <= this.#bytes.length) return;
    const longer = new Uint8Array(2 * (this.#at + more));
    longer.set(this.#bytes.subarray(0, this.#at));
    this.#bytes = longer;
  }
}
