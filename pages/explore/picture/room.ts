import { type Frame, projectionOf, type Shape } from '../own/paths.ts';

/** A part of a picture, in its units. */
export interface Part {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The side of the squares in which a picture is looked at. */
const CELL = 6;
/** How far something stands from what lies around it, in squares. */
const SPARE = 2;

/** Where a picture is free, and what was put there since. */
export interface Room {
  /** Takes a part that nothing else may cover. */
  take(part: Part): void;
  /** Whether nothing lies or was put into a part. */
  isFree(part: Part): boolean;
  /** Finds and takes a free part of a size, as near as possible to a corner; undefined if there is none. */
  find(width: number, height: number): Pick<Part, 'x' | 'y'> | undefined;
}

/** Looks where shapes leave room in a picture. */
export function roomBeside(shapes: readonly Pick<Shape, 'path' | 'isArea' | 'points'>[], frame: Frame): Room {
  const columns = Math.ceil(frame.width / CELL);
  const rows = Math.ceil(frame.height / CELL);
  const taken = new Uint8Array(columns * rows);
  const fill = (left: number, right: number, row: number) => {
    if (row < 0 || row >= rows) return;
    const from = Math.max(0, Math.floor(left / CELL));
    const to = Math.min(columns - 1, Math.floor(right / CELL));
    for (let column = from; column <= to; column += 1) taken[row * columns + column] = 1;
  };
  for (const { path, isArea, points } of shapes) {
    for (const [x, y] of points) fill(x, x, Math.floor(y / CELL));
    const lines = linesOf(path);
    for (const [x1, y1, x2, y2] of lines) {
      const steps = Math.ceil(Math.max(Math.abs(x2 - x1), Math.abs(y2 - y1)) / (CELL / 2)) || 1;
      for (let step = 0; step <= steps; step += 1) {
        const x = x1 + ((x2 - x1) * step) / steps;
        fill(x, x, Math.floor((y1 + ((y2 - y1) * step) / steps) / CELL));
      }
    }
    if (!isArea) continue;
    // What lies between its borders on a line through the middle of each row.
    const crossings = new Map<number, number[]>();
    for (const [x1, y1, x2, y2] of lines) {
      const [low, high] = y1 < y2 ? [y1, y2] : [y2, y1];
      const last = Math.min(rows - 1, Math.ceil(high / CELL - 0.5) - 1);
      for (let row = Math.max(0, Math.ceil(low / CELL - 0.5)); row <= last; row += 1) {
        const y = (row + 0.5) * CELL;
        const x = x1 + ((x2 - x1) * (y - y1)) / (y2 - y1);
        const known = crossings.get(row);
        if (known) known.push(x);
        else crossings.set(row, [x]);
      }
    }
    for (const [row, all] of crossings) {
      all.sort((a, b) => a - b);
      for (let at = 0; at + 1 < all.length; at += 2) fill(all[at] ?? 0, all[at + 1] ?? 0, row);
    }
  }

  const take = ({ x, y, width, height }: Part) => {
    for (let row = Math.floor(y / CELL); row <= Math.floor((y + height) / CELL); row += 1) fill(x, x + width, row);
  };
  const isFree = ({ x, y, width, height }: Part) => {
    for (
      let row = Math.max(0, Math.floor(y / CELL));
      row <= Math.min(rows - 1, Math.floor((y + height) / CELL));
      row += 1
    )
      for (
        let column = Math.max(0, Math.floor(x / CELL));
        column <= Math.min(columns - 1, (x + width) / CELL);
        column += 1
      )
        if (taken[row * columns + column]) return false;
    return true;
  };
  const find = (width: number, height: number) => {
    // How many squares are taken above and to the left of each.
    const sums = new Uint32Array((columns + 1) * (rows + 1));
    const at = (column: number, row: number) => row * (columns + 1) + column;
    for (let row = 0; row < rows; row += 1)
      for (let column = 0; column < columns; column += 1)
        sums[at(column + 1, row + 1)] =
          (taken[row * columns + column] ?? 0) +
          (sums[at(column, row + 1)] ?? 0) +
          (sums[at(column + 1, row)] ?? 0) -
          (sums[at(column, row)] ?? 0);
    const [wide, high] = [Math.ceil(width / CELL) + 2 * SPARE, Math.ceil(height / CELL) + 2 * SPARE];
    let best: { column: number; row: number; far: number } | undefined;
    for (let row = 0; row + high <= rows; row += 1)
      for (let column = 0; column + wide <= columns; column += 1) {
        const inside =
          (sums[at(column + wide, row + high)] ?? 0) -
          (sums[at(column, row + high)] ?? 0) -
          (sums[at(column + wide, row)] ?? 0) +
          (sums[at(column, row)] ?? 0);
        if (inside > 0) continue;
        const far = Math.min(column, columns - wide - column) + Math.min(row, rows - high - row);
        if (!best || far < best.far) best = { column, row, far };
      }
    if (!best) return undefined;
    const found = { x: (best.column + SPARE) * CELL, y: (best.row + SPARE) * CELL };
    take({ ...found, width, height });
    return found;
  };
  return { take, isFree, find };
}

type Line = [x1: number, y1: number, x2: number, y2: number];

/** The lines of a path of `M`, `L` and `Z`. */
function linesOf(path: string): Line[] {
  return path
    .split('M')
    .slice(1)
    .flatMap((part) => {
      const positions = part
        .replace('Z', '')
        .split('L')
        .map((pair) => pair.split(' ').map(Number) as [number, number]);
      if (part.endsWith('Z')) positions.push(positions[0] ?? [0, 0]);
      return positions.slice(1).map((to, index): Line => [...(positions[index] ?? to), ...to]);
    });
}

/** The length of a bar of scale, and what it stands for: the longest round distance that has room. */
export function scaleOf(frame: Frame, room: number): { length: number; km: number } {
  const { box } = frame;
  const [lon, lat] = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
  const project = projectionOf(frame);
  const perKm =
    (project([lon + 1, lat])[0] - project([lon, lat])[0]) / (KM_PER_DEGREE * Math.cos((lat * Math.PI) / 180));
  const most = room / perKm;
  const power = 10 ** Math.floor(Math.log10(most));
  const km = ([5, 2].find((one) => one * power <= most) ?? 1) * power;
  return { length: km * perKm, km };
}

/** A degree of the equator. */
const KM_PER_DEGREE = 111.32;
