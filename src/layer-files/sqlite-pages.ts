import { joinBytes } from '../bytes.ts';

// Writes tables of a SQLite 3 database page by page: https://sqlite.org/fileformat2.html

export const PAGE = 4096;
/** Max and min local size of a row, bytes. */
const MAX_LOCAL = PAGE - 35;
const MIN_LOCAL = Math.floor(((PAGE - 12) * 32) / 255) - 23;
/** Bytes of a row per overflow page. */
const REST = PAGE - 4;
/** Max children of an interior page: as many as fit with the longest rowids. */
const MAX_CHILDREN = 250;
/** The page at 1 GiB, which SQLite locks and never uses. */
const LOCKED = 2 ** 30 / PAGE + 1;

const INTERIOR = 5;
const LEAF = 13;
const KEYS = 10;

/** Integers of a record are bigints, and numbers are doubles. */
export type SqlValue = null | boolean | bigint | number | string | Uint8Array;

const encoder = new TextEncoder();

/** An integer of variable length, of up to 49 bits, or -1. */
function varint(value: number): Uint8Array {
  if (value < 0) return new Uint8Array(9).fill(255);
  const bytes = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) bytes.unshift((rest % 128) + 128);
  return Uint8Array.from(bytes);
}

function numberBytes(bytes: number, write: (view: DataView) => void): Uint8Array {
  const view = new DataView(new ArrayBuffer(bytes));
  write(view);
  return new Uint8Array(view.buffer);
}

const pointer = (page: number) => numberBytes(4, (view) => view.setUint32(0, page));

/** Encodes a record: the values of a row, or a key and its rowid. */
export function recordOf(values: readonly SqlValue[]): Uint8Array {
  const types: Uint8Array[] = [];
  const bodies: Uint8Array[] = [];
  const push = (type: number, body?: Uint8Array) => {
    types.push(varint(type));
    if (body) bodies.push(body);
  };
  for (const value of values) {
    if (value === null) push(0);
    else if (typeof value === 'boolean') push(value ? 9 : 8);
    else if (typeof value === 'bigint')
      push(
        6,
        numberBytes(8, (view) => view.setBigInt64(0, value)),
      );
    else if (typeof value === 'number')
      push(
        7,
        numberBytes(8, (view) => view.setFloat64(0, value)),
      );
    else {
      const isText = typeof value === 'string';
      const body = isText ? encoder.encode(value) : value;
      push(2 * body.length + (isText ? 13 : 12), body);
    }
  }
  const length = types.reduce((sum, type) => sum + type.length, 1);
  return joinBytes([varint(length < 128 ? length : length + 1), ...types, ...bodies]);
}

/** Pages in the order of the file. */
export class Pages {
  #next: number;
  #made: Uint8Array[] = [];

  /** @param next the number of the first page */
  constructor(next: number) {
    this.#next = next;
  }

  /** The number of the next page. */
  get next(): number {
    return this.#next === LOCKED ? LOCKED + 1 : this.#next;
  }

  add(page: Uint8Array): number {
    const number = this.next;
    if (number > this.#next) this.#made.push(new Uint8Array(PAGE));
    this.#made.push(page);
    this.#next = number + 1;
    return number;
  }

  /** Adds the first page, which was left out. */
  prepend(page: Uint8Array): void {
    this.#made.unshift(page);
  }

  /** Takes the bytes of pages added since the last call. */
  take(): Uint8Array {
    const bytes = joinBytes(this.#made);
    this.#made = [];
    return bytes;
  }
}

/** Local size of a payload, bytes. */
export function localBytes(payload: number): number {
  if (payload <= MAX_LOCAL) return payload;
  const whole = MIN_LOCAL + ((payload - MIN_LOCAL) % REST);
  return whole <= MAX_LOCAL ? whole : MIN_LOCAL;
}

/** The cell of a row. Adds its overflow pages. */
export function rowCell(pages: Pages, row: number, payload: Uint8Array): Uint8Array {
  const local = localBytes(payload.length);
  const head = [varint(payload.length), varint(row), payload.subarray(0, local)];
  if (local === payload.length) return joinBytes(head);
  const first = pages.next;
  for (let at = local; at < payload.length; at += REST) {
    const page = new Uint8Array(PAGE);
    page.set(payload.subarray(at, at + REST), 4);
    pages.add(page);
    if (at + REST < payload.length) page.set(pointer(pages.next), 0);
  }
  return joinBytes([...head, pointer(first)]);
}

/** @param skip bytes of the database header before the tree */
function treePage(
  type: number,
  cells: readonly Uint8Array[],
  { skip = 0, right }: { skip?: number; right?: number } = {},
): Uint8Array {
  const page = new Uint8Array(PAGE);
  const view = new DataView(page.buffer);
  const pointers = skip + (right === undefined ? 8 : 12);
  let end = PAGE;
  for (const [i, cell] of cells.entries()) {
    end -= cell.length;
    page.set(cell, end);
    view.setUint16(pointers + 2 * i, end);
  }
  page[skip] = type;
  view.setUint16(skip + 3, cells.length);
  view.setUint16(skip + 5, end);
  if (right !== undefined) view.setUint32(skip + 8, right);
  return page;
}

/** A table whose rows fit into one page. */
export function tablePage(cells: readonly Uint8Array[], skip = 0): Uint8Array {
  return treePage(LEAF, cells, { skip });
}

/** An index of one key, of at most 1,002 bytes. */
export function indexPage(values: readonly SqlValue[]): Uint8Array {
  const key = recordOf(values);
  return treePage(KEYS, [joinBytes([varint(key.length), key])]);
}

interface Child {
  readonly page: number;
  /** The number of its last row. */
  readonly last: number;
}

/** A table of any number of rows, which are numbered from 1. Only the numbers of its pages are in memory. */
export class Rows {
  readonly #pages: Pages;
  readonly #leaves: Child[] = [];
  #cells: Uint8Array[] = [];
  #used = 0;
  count = 0;

  constructor(pages: Pages) {
    this.#pages = pages;
  }

  add(payload: Uint8Array): void {
    const cell = rowCell(this.#pages, this.count + 1, payload);
    if (this.#used + cell.length + 2 > PAGE - 8) this.#endLeaf();
    this.#cells.push(cell);
    this.#used += cell.length + 2;
    this.count += 1;
  }

  /** @returns the number of the root page */
  end(): number {
    this.#endLeaf();
    let level: Child[] = this.#leaves;
    while (level.length > 1) {
      const groups = Math.ceil(level.length / MAX_CHILDREN);
      const startOf = (group: number) => Math.floor((group * level.length) / groups);
      level = Array.from({ length: groups }, (_, i) => this.#interior(level.slice(startOf(i), startOf(i + 1))));
    }
    return (level[0] as Child).page;
  }

  #endLeaf(): void {
    this.#leaves.push({ page: this.#pages.add(tablePage(this.#cells)), last: this.count });
    this.#cells = [];
    this.#used = 0;
  }

  #interior(children: readonly Child[]): Child {
    const { page: right, last } = children.at(-1) as Child;
    const cells = children.slice(0, -1).map((child) => joinBytes([pointer(child.page), varint(child.last)]));
    return { page: this.#pages.add(treePage(INTERIOR, cells, { right })), last };
  }
}
