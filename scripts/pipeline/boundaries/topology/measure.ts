import type { Arc, Topology } from './arcs.ts';

/** How much an area differs from what it was before its borders were simplified. */
export interface Deviation {
  name: string;
  /** Square microdegrees, before. */
  area: number;
  /** What it gained, as a share of its area; negative where it lost. */
  growth: number;
  /** Its symmetric difference with what it was, as a share of its area; at most, where a border ran to and fro. */
  difference: number;
}

/**
 * Measures the areas of one level against what they were, border by border.
 * @param simplified the same arcs in the same order, with some of their vertices
 * @param nameOf the area to which a unit belongs at this level; null for none
 */
export function deviationsOf(
  original: Topology,
  simplified: Topology,
  nameOf: (unit: number) => string | null,
): Deviation[] {
  const areas = new Map<string, { area: number; growth: number; difference: number }>();
  const add = (name: string | null, area: number, growth: number, difference: number) => {
    if (name === null) return;
    const sum = areas.get(name) ?? { area: 0, growth: 0, difference: 0 };
    sum.area += area;
    sum.growth += growth;
    sum.difference += difference;
    areas.set(name, sum);
  };
  for (const [i, arc] of original.arcs.entries()) {
    const [left, right] = [nameOf(arc.left), nameOf(arc.right)];
    if (left === right) continue;
    const { path } = simplified.arcs[i] as Arc;
    const area = areaUnder(original, arc.path);
    const growth = areaUnder(original, path) - area;
    const difference = differenceOf(original, arc.path, path);
    add(left, area, growth, difference);
    add(right, -area, -growth, difference);
  }
  return [...areas].map(([name, { area, growth, difference }]) => ({
    name,
    area,
    growth: growth / area,
    difference: difference / area,
  }));
}

/** The part of an arc in the area of what lies on its left. */
export function areaUnder({ xs, ys }: Pick<Topology, 'xs' | 'ys'>, path: readonly number[]): number {
  let area = 0;
  for (let i = 1; i < path.length; i += 1) {
    const [a, b] = [path[i - 1] as number, path[i] as number];
    area += (xs[a] as number) * (ys[b] as number) - (xs[b] as number) * (ys[a] as number);
  }
  return area / 2;
}

/** The area between a path and a coarser one through some of its vertices, which is empty where a ring is gone. */
export function differenceOf(topology: Topology, path: readonly number[], coarser: readonly number[]): number {
  if (coarser.length === 0) return Math.abs(areaUnder(topology, path));
  let sum = 0;
  // A ring that was simplified may begin at another vertex.
  const start = Math.max(path.indexOf(coarser[0] as number), 0);
  const whole = start === 0 ? path : [...path.slice(start, -1), ...path.slice(0, start + 1)];
  for (let i = 1, from = 0; i < coarser.length; i += 1) {
    const to = whole.indexOf(coarser[i] as number, from + 1);
    if (to > from + 1) sum += betweenChord(topology, whole, from, to);
    from = to;
  }
  return sum;
}

/** The area between a piece of a path and the straight line between its ends, on both sides of the line. */
function betweenChord({ xs, ys }: Topology, path: readonly number[], from: number, to: number): number {
  const [a, b] = [path[from] as number, path[to] as number];
  const [x0, y0] = [xs[a] as number, ys[a] as number];
  const [dx, dy] = [(xs[b] as number) - x0, (ys[b] as number) - y0];
  const length = Math.hypot(dx, dy);
  if (length === 0) return 0;
  let sum = 0;
  let lobe = 0;
  // Along the line, and across it.
  let [u, v] = [0, 0];
  for (let i = from + 1; i <= to; i += 1) {
    const [x, y] = [(xs[path[i] as number] as number) - x0, (ys[path[i] as number] as number) - y0];
    const [nextU, nextV] = [(x * dx + y * dy) / length, i === to ? 0 : (x * -dy + y * dx) / length];
    if (v * nextV < 0) {
      const crossing = u + ((nextU - u) * v) / (v - nextV);
      sum += Math.abs(lobe + ((crossing - u) * v) / 2);
      lobe = ((nextU - crossing) * nextV) / 2;
    } else lobe += ((nextU - u) * (v + nextV)) / 2;
    [u, v] = [nextU, nextV];
  }
  return sum + Math.abs(lobe);
}
