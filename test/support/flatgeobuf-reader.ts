import { ByteBuffer } from 'flatbuffers';

/** A feature as FlatGeobuf 3 stores it. */
export interface StoredFeature {
  values: Record<string, unknown>;
  /** Polygons, of rings, of flat coordinates. */
  polygons: number[][][];
  geometry: StoredGeometry | null;
}

interface StoredGeometry {
  type: number;
  xy: number[];
  z: number[];
  ends: number[];
  parts: StoredGeometry[];
}

type Box = readonly [number, number, number, number];

const NODE_BYTES = 40;

const decoder = new TextDecoder();

/** Bytes of values of the types that have a fixed size and are not 32 bits. */
const SIZES: Readonly<Record<number, number>> = { 2: 1, 7: 8, 10: 8 };

/** Reads FlatGeobuf by its published schema, apart from the code that writes it. */
export class FlatGeobufReader {
  readonly columns: { name: string; type: number }[];
  readonly count: number;
  readonly nodeSize: number;
  readonly geometryType: number;
  readonly crs: number;
  readonly hasZ: boolean;
  readonly #bytes: Uint8Array;
  readonly #buffer: ByteBuffer;
  readonly #tree: number;
  readonly #features: number;
  readonly #levels: { first: number; end: number }[];

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#buffer = new ByteBuffer(bytes);
    if (decoder.decode(bytes.subarray(0, 7)) !== 'fgb\x03fgb') throw new Error('no FlatGeobuf');
    const header = this.#table(12);
    this.columns = this.#tables(header, 7).map((column) => ({
      name: this.#text(column, 0),
      type: this.#buffer.readUint8(this.#field(column, 1)),
    }));
    const count = this.#field(header, 8);
    this.count = count === 0 ? 0 : Number(this.#buffer.readUint64(count));
    const nodeSize = this.#field(header, 9);
    this.nodeSize = nodeSize === 0 ? 16 : this.#buffer.readUint16(nodeSize);
    const geometryType = this.#field(header, 2);
    this.geometryType = geometryType === 0 ? 0 : this.#buffer.readUint8(geometryType);
    const crs = this.#field(header, 10);
    this.crs = this.#buffer.readInt32(this.#field(crs + this.#buffer.readInt32(crs), 1));
    this.#tree = 12 + this.#buffer.readUint32(8);
    this.hasZ = this.#field(header, 3) !== 0;
    this.#levels = this.nodeSize === 0 ? [] : this.#levelBounds();
    this.#features = this.#tree + NODE_BYTES * (this.#levels[0]?.end ?? 0);
  }

  all(): StoredFeature[] {
    const found: StoredFeature[] = [];
    for (let at = this.#features; at < this.#bytes.length; at += 4 + this.#buffer.readUint32(at)) {
      found.push(this.#feature(at));
    }
    return found;
  }

  /** What a client with a box finds: the tree from the root down. */
  search(box: Box): { found: StoredFeature[]; nodes: number } {
    const found: StoredFeature[] = [];
    const leaves = this.#levels[0]?.first ?? 0;
    const queue = [{ node: 0, level: this.#levels.length - 1 }];
    let nodes = 0;
    for (let next = queue.shift(); next; next = queue.shift()) {
      const end = Math.min(next.node + this.nodeSize, this.#levels[next.level]?.end ?? 0);
      for (let node = next.node; node < end; node += 1) {
        nodes += 1;
        const at = this.#tree + NODE_BYTES * node;
        const side = (i: number) => this.#buffer.readFloat64(at + 8 * i);
        if (box[2] < side(0) || box[3] < side(1) || box[0] > side(2) || box[1] > side(3)) continue;
        const offset = Number(this.#buffer.readUint64(at + 32));
        if (node >= leaves) found.push(this.#feature(this.#features + offset));
        else queue.push({ node: offset, level: next.level - 1 });
      }
    }
    return { found, nodes };
  }

  /** Numbers of the nodes of each level, the leaves first, which stand last. */
  #levelBounds(): { first: number; end: number }[] {
    const sizes = [this.count];
    do sizes.push(Math.ceil((sizes.at(-1) as number) / this.nodeSize));
    while (sizes.at(-1) !== 1);
    let end = sizes.reduce((sum, size) => sum + size, 0);
    return sizes.map((size) => {
      const bounds = { first: end - size, end };
      end -= size;
      return bounds;
    });
  }

  #feature(at: number): StoredFeature {
    const feature = this.#table(at + 4);
    const properties = this.#vector(feature, 1);
    const values: Record<string, unknown> = {};
    for (let i = properties.at; i < properties.at + properties.length; ) {
      const { name, type } = this.columns[this.#buffer.readUint16(i)] as { name: string; type: number };
      i += 2;
      if (type === 5) values[name] = this.#buffer.readInt32(i);
      if (type === 2) values[name] = this.#buffer.readUint8(i) === 1;
      if (type === 7) values[name] = this.#buffer.readInt64(i);
      if (type === 10) values[name] = this.#buffer.readFloat64(i);
      const length = type === 11 || type === 12 ? this.#buffer.readUint32(i) : 0;
      if (type === 11 || type === 12) values[name] = decoder.decode(this.#bytes.subarray(i + 4, i + 4 + length));
      i += SIZES[type] ?? 4 + length;
    }
    const stored = this.#field(feature, 0);
    if (stored === 0) return { values, polygons: [], geometry: null };
    const geometry = this.#table(stored);
    const polygons = this.#tables(geometry, 7).map((part) => this.#rings(part));
    return { values, polygons, geometry: this.#geometry(geometry) };
  }

  #geometry(table: number): StoredGeometry {
    const numbers = (field: number, size: number, read: (at: number) => number) => {
      const { at, length } = this.#vector(table, field);
      return Array.from({ length }, (_, i) => read(at + size * i));
    };
    const double = (at: number) => this.#buffer.readFloat64(at);
    return {
      type: this.#buffer.readUint8(this.#field(table, 6)),
      xy: numbers(1, 8, double),
      z: numbers(2, 8, double),
      ends: numbers(0, 4, (at) => this.#buffer.readUint32(at)),
      parts: this.#tables(table, 7).map((part) => this.#geometry(part)),
    };
  }

  #rings(part: number): number[][] {
    const xy = this.#vector(part, 1);
    const numbers = Array.from({ length: xy.length }, (_, i) => this.#buffer.readFloat64(xy.at + 8 * i));
    if (this.#field(part, 0) === 0) return [numbers];
    const ends = this.#vector(part, 0);
    let start = 0;
    return Array.from({ length: ends.length }, (_, i) => {
      const end = 2 * this.#buffer.readUint32(ends.at + 4 * i);
      const ring = numbers.slice(start, end);
      start = end;
      return ring;
    });
  }

  /** The table that an offset at a position leads to. */
  #table(at: number): number {
    return at + this.#buffer.readInt32(at);
  }

  /** Where a field of a table stands; zero where it is left out. */
  #field(table: number, field: number): number {
    const offset = this.#buffer.__offset(table, 4 + 2 * field);
    return offset === 0 ? 0 : table + offset;
  }

  #vector(table: number, field: number): { at: number; length: number } {
    if (this.#field(table, field) === 0) return { at: 0, length: 0 };
    const at = this.#table(this.#field(table, field));
    return { at: at + 4, length: this.#buffer.readInt32(at) };
  }

  #tables(table: number, field: number): number[] {
    const { at, length } = this.#vector(table, field);
    return Array.from({ length }, (_, i) => this.#table(at + 4 * i));
  }

  #text(table: number, field: number): string {
    const at = this.#table(this.#field(table, field));
    return decoder.decode(this.#bytes.subarray(at + 4, at + 4 + this.#buffer.readInt32(at)));
  }
}
