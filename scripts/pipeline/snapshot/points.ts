import { deflateRawSync } from 'node:zlib';
import { LEVEL_SETS } from '../../../src/areas/snapshot/cells.ts';
import { cellAt, columnOf, rowOf } from '../../../src/areas/snapshot/grid.ts';
import type { Level } from '../../../src/areas/store.ts';
import { MAX_EDGE } from './arcs.ts';
import { encodeEdges, encodeHead } from './encode-cell.ts';

/** The detailed boundary of an area. */
export interface PointArea {
  /** Number of the area, below 65,536. */
  row: number;
  level: Level;
  /** Its rings, in any order and direction. */
  rings: readonly PointRing[];
}

/** Longitudes and latitudes of vertices by turns, in whole microdegrees. No vertex follows itself; the first one is also the last. */
export type PointRing = readonly number[];

/** Cells for looking up points, one after another, each compressed on its own (raw deflate). */
export interface Points {
  /** In ascending order of cell numbers. */
  cells: { cell: number; offset: number; length: number }[];
  bytes: Uint8Array;
}

/** What one set of levels has in a cell, while it is collected. */
interface Collected {
  edges: IntegerList;
  steps: number[];
  covered: Set<number>;
}

/**
 * Cuts boundaries into cells.
 *
 * @param areas in ascending order of rows, which is also the order of their levels
 * @throws RangeError for areas in another order, and for edges of more than sixteen degrees
 */
export async function buildPoints(areas: AsyncIterable<PointArea> | Iterable<PointArea>): Promise<Points> {
  const cells = new Map<number, Uint8Array[]>();
  let set = 0;
  let last = -1;
  let ends: number[] = [];
  let collected = new Map<number, Collected>();
  const finish = () => {
    const rows = rowsAfter(ends, set);
    for (const [cell, found] of collected) {
      partsOf(cells, cell, set).push(encodeEdges(cell, { ...found, edges: found.edges.values }, rows));
    }
    collected = new Map();
    ends = [];
    set++;
  };
  for await (const { row, level, rings } of areas) {
    const at = LEVEL_SETS.findIndex((levels) => levels.includes(level));
    const inSet = LEVEL_SETS[at]?.indexOf(level) ?? 0;
    if (row <= last || row > 0xffff || at < set) throw new RangeError(`Row ${row} is not in order, or beyond 65,535`);
    while (set < at) finish();
    if (inSet + 1 < ends.length) throw new RangeError(`Row ${row} is of a level that was done`);
    ends[inSet] = row + 1;
    last = row;
    new Collector(collected, row).add(rings);
  }
  while (set < LEVEL_SETS.length) finish();
  return concatenated(cells);
}

/** Per level of a set: the row after its last; levels without areas end where the one before does. */
function rowsAfter(ends: readonly number[], set: number): number[] {
  let end = 0;
  return (LEVEL_SETS[set] ?? []).map((_, i) => {
    end = ends[i] ?? end;
    return end;
  });
}

/** The parts of a cell up to a set of levels: those before it that had nothing there are empty. */
function partsOf(cells: Map<number, Uint8Array[]>, cell: number, set: number): Uint8Array[] {
  const parts = cells.get(cell) ?? [encodeHead(cell)];
  cells.set(cell, parts);
  const nothing = { edges: new Int32Array(), steps: [], covered: new Set<number>() };
  while (parts.length <= set) {
    parts.push(encodeEdges(cell, nothing, rowsAfter([], parts.length - 1)));
  }
  return parts;
}

function concatenated(cells: Map<number, Uint8Array[]>): Points {
  const chunks: Uint8Array[] = [];
  const index: Points['cells'] = [];
  let offset = 0;
  for (const cell of [...cells.keys()].sort((a, b) => a - b)) {
    const chunk = deflateRawSync(Buffer.concat(partsOf(cells, cell, LEVEL_SETS.length)), { level: 6 });
    cells.delete(cell);
    index.push({ cell, offset, length: chunk.length });
    chunks.push(chunk);
    offset += chunk.length;
  }
  return { cells: index, bytes: Buffer.concat(chunks) };
}

/**
 * The rings of a boundary.
 *
 * @param geojson an RFC 7946 Polygon or MultiPolygon of at most six decimals
 * @param row of its area, for messages
 * @throws RangeError for coordinates of more than six decimals or off the Earth
 */
export function pointRingsOf(geojson: string, row: number): PointRing[] {
  const { type, coordinates } = JSON.parse(geojson) as { type: string; coordinates: unknown };
  if (type !== 'Polygon' && type !== 'MultiPolygon') throw new RangeError(`Row ${row} has a boundary of type ${type}`);
  const polygons = (type === 'Polygon' ? [coordinates] : coordinates) as [number, number][][][];
  return polygons.flat().map((positions) => {
    const ring: number[] = [];
    for (const [lon, lat] of positions) {
      const x = micro(lon, 180, row);
      const y = micro(lat, 90, row);
      if (x !== ring.at(-2) || y !== ring.at(-1)) ring.push(x, y);
    }
    if (ring[0] !== ring.at(-2) || ring[1] !== ring.at(-1))
      throw new RangeError(`Row ${row} has a ring that is not closed`);
    return ring;
  });
}

function micro(degrees: number, max: number, row: number): number {
  const value = Math.round(degrees * 1e6);
  if (value / 1e6 !== degrees || Math.abs(degrees) > max) {
    throw new RangeError(
      `Row ${row} has the coordinate ${degrees}, which has more than six decimals or is off the Earth`,
    );
  }
  return value;
}

/** Hands the edges of one area out to the cells. */
class Collector {
  readonly #cells: Map<number, Collected>;
  readonly #row: number;
  /** Per row of cells: the columns from which on there is an edge more to the west of the cells' southern line. */
  readonly #crossings = new Map<number, number[]>();

  constructor(cells: Map<number, Collected>, row: number) {
    this.#cells = cells;
    this.#row = row;
  }

  add(rings: readonly PointRing[]): void {
    for (const ring of rings) this.#addRing(ring);
    for (const [cellRow, columns] of this.#crossings) {
      columns.sort((a, b) => a - b);
      // Between an odd crossing and the next one the line is inside the area.
      for (let i = 0; i < columns.length; i += 2) {
        for (let column = columns[i] as number; column < (columns[i + 1] as number); column++) {
          this.#at(column, cellRow).covered.add(this.#row);
        }
      }
    }
  }

  #addRing(ring: PointRing): void {
    // The edge before the first one is the last one, since the ring is closed.
    let before = columnOf(Math.max(ring.at(-4) ?? 0, ring[0] ?? 0));
    for (let i = 0; i + 3 < ring.length; i += 2) {
      const [x1, y1, x2, y2] = [ring[i], ring[i + 1], ring[i + 2], ring[i + 3]] as [number, number, number, number];
      const east = columnOf(Math.max(x1, x2));
      this.#addStep(before, east, y1);
      this.#addEdge(x1, y1, x2, y2);
      before = east;
    }
  }

  /** Adds an edge to the cells that its box meets, and to the lines north of which it lies west of cells. */
  #addEdge(...[x1, y1, x2, y2]: [number, number, number, number]): void {
    if (Math.max(Math.abs(x1 - x2), Math.abs(y1 - y2)) > MAX_EDGE) {
      throw new RangeError(`Row ${this.#row} has an edge of more than ${MAX_EDGE / 1e6} degrees`);
    }
    const [west, east] = [columnOf(Math.min(x1, x2)), columnOf(Math.max(x1, x2))];
    const [south, north] = [rowOf(Math.min(y1, y2)), rowOf(Math.max(y1, y2))];
    for (let cellRow = south; cellRow <= north; cellRow++) {
      for (let column = west; column <= east; column++) {
        this.#at(column, cellRow).edges.push([x1, y1, x2, y2, this.#row]);
      }
      // The edge crosses the southern lines of all rows that it reaches but the first.
      if (cellRow > south) {
        const crossings = this.#crossings.get(cellRow) ?? [];
        this.#crossings.set(cellRow, crossings);
        crossings.push(east + 1);
      }
    }
  }

  /** Adds a vertex to the cells east of it which one of its edges reaches and the other does not. */
  #addStep(before: number, after: number, y: number): void {
    const cellRow = rowOf(y);
    for (let column = Math.min(before, after) + 1; column <= Math.max(before, after); column++) {
      this.#at(column, cellRow).steps.push(this.#row, y);
    }
  }

  #at(column: number, cellRow: number): Collected {
    const cell = cellAt(column, cellRow);
    const found = this.#cells.get(cell) ?? { edges: new IntegerList(), steps: [], covered: new Set() };
    this.#cells.set(cell, found);
    return found;
  }
}

/** A list of whole numbers that takes four bytes for each. */
class IntegerList {
  #numbers = new Int32Array(64);
  #length = 0;

  get values(): Int32Array {
    return this.#numbers.subarray(0, this.#length);
  }

  push(values: readonly number[]): void {
    if (this.#length + values.length > this.#numbers.length) {
      const longer = new Int32Array(2 * this.#numbers.length);
      longer.set(this.#numbers);
      this.#numbers = longer;
    }
    for (const value of values) this.#numbers[this.#length++] = value;
  }
}
