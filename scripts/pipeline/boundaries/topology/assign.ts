import type { Faces } from './faces.ts';
import type { Plane } from './plane.ts';

/** A polygon that takes part in the topology of the country. */
export interface Shape {
  /** The unit that its land becomes where no shape of a lower rank covers it. */
  unit: number;
  /** 0 for barangays, then upwards: an area's own polygon counts only where nothing below it is drawn. */
  rank: number;
}

/**
 * Microdegrees, some fifty metres: what is narrower than this (twice its area divided by its perimeter) lies between
 * borders that the source drew twice, differently. Rivers and lakes that belong to nobody are wider.
 */
const SLIVER = 500;

/**
 * Gives every face to one unit. Where shapes overlap, the lower rank counts, and among barangays the smaller one, which
 * would suffer more. Slivers between units, and between a shape and the units that are drawn in it, go to the
 * neighbour with the longest border, or to the sea.
 * @returns per face its unit; -1 for none
 */
export function assignFaces(plane: Plane, faces: Faces, shapes: readonly Shape[]): Int32Array {
  const sizes = new Float64Array(shapes.length);
  for (const [face, cover] of faces.covers.entries())
    for (const shape of cover) (sizes[shape] as number) += faces.areas[face] as number;
  const before = (one: number, other: number) =>
    rankOf(shapes, one) - rankOf(shapes, other) || (sizes[one] as number) - (sizes[other] as number) || one - other;
  const top = faces.covers.map((cover) => (cover.length === 0 ? -1 : [...cover].sort(before)[0]) as number);
  const unitOf = Int32Array.from(top, (shape) => (shape < 0 ? -1 : (shapes[shape] as Shape).unit));
  const slivers = findSlivers(plane, faces, (face) => top[face] === -1 || rankOf(shapes, top[face] as number) > 0);
  for (const [face, borders] of slivers) {
    const shape = top[face] as number;
    const rank = shape < 0 ? Number.POSITIVE_INFINITY : rankOf(shapes, shape);
    const lengths = new Map<number, number>();
    let outside = 0;
    for (const [other, length] of borders) {
      const beside = top[other] as number;
      if (beside < 0) outside += length;
      else if (rankOf(shapes, beside) < rank && !(slivers.has(other) && rankOf(shapes, beside) > 0)) {
        const unit = (shapes[beside] as Shape).unit;
        lengths.set(unit, (lengths.get(unit) ?? 0) + length);
      }
    }
    const [best] = [...lengths].sort(([, one], [, other]) => other - one);
    if (best !== undefined) unitOf[face] = shape >= 0 && outside > best[1] ? -1 : best[0];
  }
  return unitOf;
}

function rankOf(shapes: readonly Shape[], shape: number): number {
  return (shapes[shape] as Shape).rank;
}

/** The narrow ones of some faces, each with the lengths of its borders with other faces. */
function findSlivers(plane: Plane, faces: Faces, among: (face: number) => boolean): Map<number, Map<number, number>> {
  const { from, to, vertices } = plane;
  const { xs, ys } = vertices;
  const borders = new Map<number, Map<number, number>>();
  for (const face of faces.covers.keys()) if (face !== faces.outside && among(face)) borders.set(face, new Map());
  for (let edge = 0; edge < from.length; edge += 1) {
    const [a, b] = [from[edge] as number, to[edge] as number];
    const [left, right] = [faces.of[2 * edge] as number, faces.of[2 * edge + 1] as number];
    if (a === b || left === right) continue;
    const length = Math.hypot((xs[a] as number) - (xs[b] as number), (ys[a] as number) - (ys[b] as number));
    for (const [face, other] of [
      [left, right],
      [right, left],
    ] as const) {
      const lengths = borders.get(face);
      lengths?.set(other, (lengths.get(other) ?? 0) + length);
    }
  }
  for (const [face, lengths] of borders) {
    const perimeter = [...lengths.values()].reduce((sum, length) => sum + length, 0);
    if (2 * (faces.areas[face] as number) >= SLIVER * perimeter) borders.delete(face);
  }
  return borders;
}
