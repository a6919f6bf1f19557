import { orient2d } from 'robust-predicates';
import { DomainError } from '../errors.ts';
import { turn } from '../turn.ts';
import { areaWestOf } from './ellipsoid.ts';
import { isCrossedWestOf, type Polygon, VISITED_PER_TURN } from './polygon.ts';
import { boxOf, directed, type Ring, signedArea } from './rings.ts';

// The area that a polygon and an area have in common is bounded by the edges of either that lie in the other. So it is the
// sum of what lies west of these (Green's theorem). Where an edge of one crosses one of the other, both go in or out.

/** Edges of an area, one after another, for which the edges of the polygon near them are looked up together. */
const EDGES_OF_RUN = 32;

/** Edges of areas that are looked at in one turn: some ten milliseconds of the processor. */
const EDGES_OF_TURN = 512 * EDGES_OF_RUN;

/** How many of these are looked through for each edge. Of more, those near it are looked up anew. */
const MANY = 16;

/** A place on an edge of the polygon where its boundary goes into the area or out of it: the number of the edge and how far along, 0 to 1. */
type Place = readonly [edge: number, share: number];

/** How much of an area lies in a polygon, square kilometres. */
export interface Overlap {
  readonly area: number;
  /** Of the whole area. */
  readonly whole: number;
}

/**
 * @param drawn the rings of an area's boundary, holes as inner ones
 * @param maxVisited max `polygon.visitedEdges`
 * @throws DomainError `too_many_areas` above that
 */
export async function overlapOf(
  polygon: Polygon,
  drawn: readonly Ring[],
  maxVisited = Number.POSITIVE_INFINITY,
): Promise<Overlap> {
  const rings = drawn.map((ring) => directed(ring));
  const places: Place[] = [];
  let whole = 0;
  let area = 0;
  let edges = 0;
  for (const ring of rings) {
    const own = signedArea(ring);
    whole += own;
    const cover = polygon.coverOf(ring.box);
    if (cover !== 'none') area += cover === 'whole' ? own : await insideOf(polygon, ring, { places, maxVisited });
    edges += ring.at.length / 2;
    if (edges < EDGES_OF_TURN) continue;
    edges = 0;
    await turn();
  }
  area += polygonInside(polygon, rings, places);
  return { area: Math.min(Math.max(area, 0), whole, polygon.area), whole };
}

/** What lies west of the parts of a ring that are inside the polygon. Adds the places where it crosses. */
async function insideOf(
  polygon: Polygon,
  { at }: Ring,
  { places, maxVisited }: { places: Place[]; maxVisited: number },
): Promise<number> {
  let isInside = polygon.contains(at[0] as number, at[1] as number);
  let sum = 0;
  let next = polygon.visitedEdges + VISITED_PER_TURN;
  for (let start = 0; start < at.length - 2; start += 2 * EDGES_OF_RUN) {
    if ((start % (2 * EDGES_OF_TURN) === 0 && start > 0) || polygon.visitedEdges > next) {
      next = polygon.visitedEdges + VISITED_PER_TURN;
      await turn();
    }
    if (polygon.visitedEdges > maxVisited) throw tooIntricate();
    const run = at.subarray(start, start + 2 * EDGES_OF_RUN + 2);
    const near = polygon.meeting(boxOf(run));
    for (let i = 2; i < run.length; i += 2) {
      const [x1, y1] = [run[i - 2] as number, run[i - 1] as number];
      const [x2, y2] = [run[i] as number, run[i + 1] as number];
      const shares = near.length === 0 ? NONE : crossings(polygon, near, { edge: [x1, y1, x2, y2], places });
      let from = 0;
      for (const share of shares) {
        if (isInside) sum += partWestOf(x1, y1, x2, y2, from, share);
        from = share;
        isInside = !isInside;
      }
      if (isInside) sum += partWestOf(x1, y1, x2, y2, from, 1);
    }
  }
  return sum;
}

export function tooIntricate(): DomainError {
  return new DomainError(
    'too_many_areas',
    'geometry: runs to and fro over too many boundaries. Ask for parts of it, or leave out positions that change little.',
  );
}

type Edge = readonly [x1: number, y1: number, x2: number, y2: number];

/** How far along an edge of an area it crosses edges of the polygon, in order. Adds the places on these. */
function crossings(polygon: Polygon, near: readonly number[], { edge, places }: { edge: Edge; places: Place[] }) {
  const [x1, y1, x2, y2] = edge;
  const box: Edge = [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)];
  const shares: number[] = [];
  for (const other of near.length > MANY ? polygon.meeting(box) : near) {
    if (!polygon.meets(other, box)) continue;
    const crossing = crossingOf(polygon.ends, 4 * other, edge);
    if (crossing === undefined) continue;
    shares.push(crossing.own);
    places.push([other, crossing.others]);
  }
  return shares.sort((a, b) => a - b);
}

const NONE: readonly number[] = [];

function partWestOf(x1: number, y1: number, x2: number, y2: number, from: number, to: number): number {
  const [dx, dy] = [x2 - x1, y2 - y1];
  return areaWestOf(x1 + from * dx, y1 + from * dy, x1 + to * dx, y1 + to * dy);
}

/** Where an edge of the polygon and one of an area cross: how far along each, 0 to 1. Undefined where they don't. */
function crossingOf(
  ends: Float64Array,
  at: number,
  [x1, y1, x2, y2]: Edge,
): { own: number; others: number } | undefined {
  const [p1, q1] = [ends[at] as number, ends[at + 1] as number];
  const [p2, q2] = [ends[at + 2] as number, ends[at + 3] as number];
  // An end that lies on the other edge counts as lying at one side, so that two edges that meet there cross once or not at all.
  const [a, b] = [orient2d(p1, q1, p2, q2, x1, y1), orient2d(p1, q1, p2, q2, x2, y2)];
  if (a > 0 === b > 0) return undefined;
  const [c, d] = [orient2d(x1, y1, x2, y2, p1, q1), orient2d(x1, y1, x2, y2, p2, q2)];
  if (c > 0 === d > 0) return undefined;
  return { own: a / (a - b), others: c / (c - d) };
}

/** What lies west of the parts of the polygon's boundary that are inside an area. */
function polygonInside(polygon: Polygon, rings: readonly Ring[], places: Place[]): number {
  places.sort(([a, b], [c, d]) => a - c || b - d);
  let next = 0;
  let sum = 0;
  for (const i of polygon.rings.keys()) {
    const [first, end] = [polygon.firstOf[i] as number, polygon.firstOf[i + 1] as number];
    const [x, y] = [polygon.ends[4 * first] as number, polygon.ends[4 * first + 1] as number];
    let isInside = containsPoint(rings, x, y);
    let from: Place = [first, 0];
    for (; next < places.length && (places[next] as Place)[0] < end; next++) {
      const to = places[next] as Place;
      if (isInside) sum += westBetween(polygon, from, to);
      isInside = !isInside;
      from = to;
    }
    if (isInside) sum += westBetween(polygon, from, [end, 0]);
  }
  return sum;
}

function containsPoint(rings: readonly Ring[], x: number, y: number): boolean {
  let isInside = false;
  for (const { at, box } of rings) {
    if (x < box[0] || y < box[1] || y > box[3]) continue;
    for (let i = 0; i < at.length - 2; i += 2) if (isCrossedWestOf(at, i, x, y)) isInside = !isInside;
  }
  return isInside;
}

/** What lies west of the polygon's boundary from one place to another of the same ring. */
function westBetween({ ends, westBefore }: Polygon, [from, start]: Place, [to, end]: Place): number {
  const before = ([edge, share]: Place) => {
    if (share === 0) return westBefore[edge] as number;
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = ends.subarray(4 * edge, 4 * edge + 4);
    return (westBefore[edge] as number) + areaWestOf(x1, y1, x1 + share * (x2 - x1), y1 + share * (y2 - y1));
  };
  return before([to, end]) - before([from, start]);
}
