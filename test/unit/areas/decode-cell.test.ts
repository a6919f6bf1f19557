import { describe, expect, it } from 'vitest';
import { CELL_FORMAT, decodeCell } from '../../../src/areas/snapshot/decode-cell.ts';

/** A whole number as it stands in a cell. */
function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return [...bytes, rest];
}

const cell = (...numbers: number[]) => Uint8Array.from(numbers.flatMap(varint));
const CELL = 1000;

/** A set of levels without areas: as many counts as it has levels, then no borders, arcs and vertices. */
const EMPTY = { two: [0, 0, 0, 0, 0], one: [0, 0, 0, 0] };

/** A cell whose first level has areas that all bound every one of some arcs of one edge. */
function crowded(areas: number, arcs: number): Uint8Array {
  const head = [CELL_FORMAT, CELL, areas, 0, ...Array.from({ length: areas }, () => [1, 0]).flat()];
  const border = [1, areas, 0, ...Array<number>(areas - 1).fill(1)];
  const chains = [arcs, ...Array.from({ length: arcs }, () => [2, 0]).flat(), 2 * arcs];
  const vertices = new Uint8Array(16 * arcs);
  return Uint8Array.of(...cell(...head, ...border, ...chains), ...vertices, ...cell(...EMPTY.one, ...EMPTY.one));
}

describe('a cell of foreign bytes', () => {
  it('that has nothing in it is read', () => {
    expect(decodeCell(cell(CELL_FORMAT, CELL, ...EMPTY.two, ...EMPTY.one, ...EMPTY.one)).number).toBe(CELL);
    expect(decodeCell(crowded(100, 100)).levels.region).toMatchObject({ from: 0, to: 100 });
  });

  it.each([
    ['nothing', [], 'cut short'],
    ['another format', [7, CELL], 'format'],
    ['a number of 2^40', [CELL_FORMAT, 2 ** 40], 'too large'],
    ['2^40 areas', [CELL_FORMAT, CELL, 2 ** 40], 'too large'],
    ['more areas than bytes', [CELL_FORMAT, CELL, 2 ** 30], 'cut short'],
    ['more borders than bytes', [CELL_FORMAT, CELL, 0, 0, 2 ** 30], 'cut short'],
    ['more arcs than bytes', [CELL_FORMAT, CELL, 0, 0, 0, 2 ** 30], 'cut short'],
    ['an arc of no border', [CELL_FORMAT, CELL, 0, 0, 0, 1, 2, 0], 'no border'],
    ['a border of an area that is not there', [CELL_FORMAT, CELL, 0, 0, 1, 1, 5], 'not there'],
    ['a row beyond all', [CELL_FORMAT, CELL, 1, 0, 70_000, 0], '65,535'],
    ['more steps than bytes', [CELL_FORMAT, CELL, 1, 0, 1, 2 ** 30], 'cut short'],
    ['an arc of 2^30 edges', [CELL_FORMAT, CELL, 1, 0, 1, 0, 1, 1, 0, 1, 2 ** 30, 0, 2 ** 29 + 1], 'cut short'],
    ['something behind it', [CELL_FORMAT, CELL, ...EMPTY.two, ...EMPTY.one, ...EMPTY.one, 0], 'other bytes'],
  ])('that says %s is refused', (_, numbers, reason) => {
    expect(() => decodeCell(cell(...numbers))).toThrow(RangeError);
    expect(() => decodeCell(cell(...numbers))).toThrow(reason);
  });

  it('in which few bytes stand for millions of pieces is refused', () => {
    expect(() => decodeCell(crowded(2000, 2000))).toThrow(/too many pieces/);
  });
});
