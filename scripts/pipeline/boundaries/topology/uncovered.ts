import type { AreaLevel } from '../../psgc/area.ts';
import type { Topology } from './arcs.ts';
import { splitCrossings } from './crossings.ts';
import { findFaces } from './faces.ts';
import { Plane } from './plane.ts';

/** A polygon that the areas of its level should cover together. */
export interface Outline {
  level: AreaLevel;
  /** Closed rings in microdegrees, longitudes and latitudes by turns; the interior lies on their left. */
  rings: readonly Int32Array[];
}

/**
 * Measures the land of outlines that lies in no area of their level, face by face: land that went from one area to
 * another is not lost, and what is gained in one place does not make up for what is lost in another.
 * @param isLandOf whether the land of a unit belongs to the areas of a level
 * @returns square microdegrees, per outline
 */
export function measureUncovered(
  { xs, ys, arcs }: Topology,
  outlines: readonly Outline[],
  isLandOf: (level: AreaLevel, unit: number) => boolean,
): Float64Array {
  const plane = new Plane();
  for (const [i, { rings }] of outlines.entries()) for (const ring of rings) plane.addRing(i, ring);
  // All land of a level is one more shape.
  const levels = [...new Set(outlines.map(({ level }) => level))];
  for (const [i, level] of levels.entries()) {
    const isLand = (unit: number) => unit >= 0 && isLandOf(level, unit);
    for (const { path, left, right } of arcs) {
      if (isLand(left) === isLand(right)) continue;
      const inOrder = isLand(left) ? path : path.toReversed();
      const positions = inOrder.flatMap((vertex) => [xs[vertex] as number, ys[vertex] as number]);
      plane.addRing(outlines.length + i, positions);
    }
  }
  splitCrossings(plane);
  const { covers, areas } = findFaces(plane);
  const landOf = outlines.map(({ level }) => outlines.length + levels.indexOf(level));
  const uncovered = new Float64Array(outlines.length);
  for (const [face, cover] of covers.entries()) {
    for (const shape of cover) {
      if (shape >= outlines.length || cover.includes(landOf[shape] as number)) continue;
      (uncovered[shape] as number) += areas[face] as number;
    }
  }
  return uncovered;
}
