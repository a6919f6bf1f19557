// Placeholder of the work tree only.
import type { Level } from '../store.ts';
export interface Cell {
  readonly byteLength: number;
}
export function cellAt(_lon: number, _lat: number): number | undefined {
  return undefined;
}
export function cellsNear(_lon: number, _lat: number, _metres: number): number[] {
  return [];
}
export function decodeCell(bytes: Uint8Array): Cell {
  return bytes;
}
export function containingRow(_cell: Cell, _level: Level, _lon: number, _lat: number): number {
  return -1;
}
export function nearestRow(
  _c: Cell[],
  _l: Level,
  _x: number,
  _y: number,
  _w: number,
  _a: (row: number) => boolean,
): { row: number; distance: number } | undefined {
  return undefined;
}
