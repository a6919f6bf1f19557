/**
 * A ring without its last position, which is the first one: longitudes and latitudes by turns, in microdegrees. Outer rings
 * run counter-clockwise, holes clockwise.
 */
export type PieceRing = number[];

/** The rings of a polygon, the outer one first. */
export type PiecePolygon = PieceRing[];

/** Max vertices of a piece: few enough for a quick test, many enough that pieces don't multiply the rows. */
export const PIECE_VERTICES = 128;

/**
 * Divides a polygon into pieces of few vertices, by halves of its extent. PostGIS's `ST_Subdivide` overlays polygon and half
 * each time, which takes ten times as long, and most of the time of a load in the embedded database.
 *
 * @param polygon a valid one whose vertices are whole microdegrees
 */
export function cutPolygon(polygon: PiecePolygon): PiecePolygon[] {
  const pieces: PiecePolygon[] = [];
  const left = [polygon];
  for (let next = left.pop(); next; next = left.pop()) {
    const line = verticesOf(next) > PIECE_VERTICES ? lineThrough(next[0] as PieceRing) : undefined;
    if (line) left.push(...polygonsFrom(halfOf(next, line, true)), ...polygonsFrom(halfOf(next, line, false)));
    else pieces.push(next);
  }
  return pieces;
}

/** With the last position of each ring. */
function verticesOf(polygon: PiecePolygon): number {
  return polygon.reduce((sum, ring) => sum + ring.length / 2 + 1, 0);
}

/** A line along which a polygon is cut. */
interface Line {
  /** 0: of one longitude, 1: of one latitude. */
  readonly axis: 0 | 1;
  /** Microdegrees. */
  readonly at: number;
}

/**
 * The line through the middle of the longer side of a ring's extent; undefined if that is shorter than two microdegrees. It
 * lies between whole microdegrees, so that it goes through none of the vertices that are given.
 */
function lineThrough(ring: PieceRing): Line | undefined {
  const low = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY] as [number, number];
  const high = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY] as [number, number];
  for (let i = 0; i < ring.length; i += 1) {
    const [axis, value] = [(i % 2) as 0 | 1, ring[i] as number];
    if (value < low[axis]) low[axis] = value;
    if (value > high[axis]) high[axis] = value;
  }
  const axis = high[0] - low[0] >= high[1] - low[1] ? 0 : 1;
  if (high[axis] - low[axis] < 2) return undefined;
  return { axis, at: Math.floor((low[axis] + high[axis]) / 2) + 0.5 };
}

/** A part of a ring on one side of the line, from one crossing to the next one. */
interface Chain {
  /** With the two crossings. */
  readonly ring: PieceRing;
  /** The number of the crossing with which it begins, among those of its direction in their order along the line. */
  start: number;
  end: number;
}

/** Where a ring crosses the line. */
interface Crossing {
  /** Its place on the line. */
  readonly along: number;
  /** The chain that it ends, or begins. */
  readonly chain: Chain;
}

/**
 * The rings on one side of a line. The inside of a polygon lies to the left of its rings, so that crossings to one side and
 * to the other take turns along the line, and between the first of each lies the inside, between the second of each, and so
 * on. A vertex on the line counts as above it.
 */
function halfOf(polygon: PiecePolygon, line: Line, isAbove: boolean): PieceRing[] {
  const { axis, at } = line;
  const rings: PieceRing[] = [];
  const [begins, ends]: [Crossing[], Crossing[]] = [[], []];
  const isHere = (ring: PieceRing, i: number) => (ring[i + axis] as number) >= at === isAbove;
  for (const ring of polygon) {
    // The first vertex on this side that follows one on the other.
    let first = -1;
    let here = 0;
    for (let i = 0; i < ring.length; i += 2) {
      if (!isHere(ring, i)) continue;
      here += 2;
      if (first < 0 && !isHere(ring, (i || ring.length) - 2)) first = i;
    }
    if (here === ring.length) rings.push(ring);
    if (first < 0) continue;
    let chain: Chain | undefined;
    for (let k = 0; k < ring.length; k += 2) {
      const i = (first + k) % ring.length;
      if (!isHere(ring, i)) continue;
      if (!chain) {
        chain = { ring: [], start: 0, end: 0 };
        begins.push({ along: cross(chain, ring, [(i || ring.length) - 2, i], line), chain });
      }
      chain.ring.push(ring[i] as number, ring[i + 1] as number);
      const next = (i + 2) % ring.length;
      if (isHere(ring, next)) continue;
      ends.push({ along: cross(chain, ring, [i, next], line), chain });
      chain = undefined;
    }
  }
  for (const [crossings, name] of [
    [begins, 'start'],
    [ends, 'end'],
  ] as const) {
    crossings.sort((a, b) => a.along - b.along);
    for (const [i, { chain }] of crossings.entries()) chain[name] = i;
  }
  const isUsed = new Set<Chain>();
  for (const { chain: first } of begins) {
    if (isUsed.has(first)) continue;
    const ring: PieceRing = [];
    for (let chain = first; !isUsed.has(chain); chain = (begins[chain.end] as Crossing).chain) {
      isUsed.add(chain);
      append(ring, chain.ring);
    }
    if (ring[0] === ring.at(-2) && ring[1] === ring.at(-1)) ring.length -= 2;
    // Only a hole that touches the ring around it in a vertex, and has become a part of it, makes a ring meet itself.
    if (polygon.length === 1) rings.push(ring);
    else rings.push(...loopsOf(ring));
  }
  return rings;
}

/** Adds the crossing of an edge, from one vertex to another one, to a chain. Returns its place on the line. */
function cross(chain: Chain, ring: PieceRing, [from, to]: [number, number], { axis, at }: Line): number {
  // From the lower to the higher vertex, so that it is the same for both sides and for both areas at a border.
  const [low, high] = (ring[from + axis] as number) < (ring[to + axis] as number) ? [from, to] : [to, from];
  const [lowAt, highAt] = [ring[low + axis] as number, ring[high + axis] as number];
  const [lowAlong, highAlong] = [ring[low + 1 - axis] as number, ring[high + 1 - axis] as number];
  const along = highAt === at ? highAlong : lowAlong + ((at - lowAt) / (highAt - lowAt)) * (highAlong - lowAlong);
  if (axis === 0) chain.ring.push(at, along);
  else chain.ring.push(along, at);
  return along;
}

/** A ring in parts that come to no vertex twice. */
function loopsOf(ring: PieceRing): PieceRing[] {
  const loops: PieceRing[] = [];
  /** The vertices since the last one that was come to again, and where each is. */
  const open: PieceRing = [];
  const places = new Map<string, number>();
  for (let i = 0; i < ring.length; i += 2) {
    const [x, y] = [ring[i] as number, ring[i + 1] as number];
    const before = places.get(`${x},${y}`);
    if (before !== undefined) {
      const loop = open.splice(before);
      for (let k = 0; k < loop.length; k += 2) places.delete(`${loop[k]},${loop[k + 1]}`);
      loops.push(loop);
    }
    places.set(`${x},${y}`, open.length);
    open.push(x, y);
  }
  return [...loops, open];
}

/** Appends positions, without those that follow themselves. */
function append(ring: PieceRing, positions: PieceRing): void {
  for (let i = 0; i < positions.length; i += 2) {
    const [x, y] = [positions[i] as number, positions[i + 1] as number];
    if (ring.length > 0 && ring.at(-2) === x && ring.at(-1) === y) continue;
    ring.push(x, y);
  }
}

/** The polygons that rings are of: each hole is in the smallest of those that it is inside of. */
function polygonsFrom(rings: PieceRing[]): PiecePolygon[] {
  const polygons: PiecePolygon[] = [];
  const holes: PieceRing[] = [];
  const sizes = new Map<PiecePolygon, number>();
  for (const ring of rings) {
    const area = areaOf(ring);
    // Where a border only touches the line, nothing of it is on the other side.
    if (area < 0) holes.push(ring);
    if (area <= 0) continue;
    const polygon = [ring];
    polygons.push(polygon);
    sizes.set(polygon, area);
  }
  for (const hole of holes) {
    // No vertex, because holes may touch the ring around them in one.
    const [x, y] = [((hole[0] as number) + (hole[2] as number)) / 2, ((hole[1] as number) + (hole[3] as number)) / 2];
    let around: PiecePolygon | undefined;
    for (const polygon of polygons) {
      const isSmaller = !around || (sizes.get(polygon) as number) < (sizes.get(around) as number);
      if (isSmaller && (polygons.length === 1 || contains(polygon[0] as PieceRing, x, y))) around = polygon;
    }
    around?.push(hole);
  }
  return polygons;
}

function contains(ring: PieceRing, x: number, y: number): boolean {
  let isInside = false;
  let [x1, y1] = [ring.at(-2) as number, ring.at(-1) as number];
  for (let i = 0; i < ring.length; i += 2) {
    const [x2, y2] = [ring[i] as number, ring[i + 1] as number];
    if (y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)) isInside = !isInside;
    [x1, y1] = [x2, y2];
  }
  return isInside;
}

/** Twice the area of a ring, positive where it runs counter-clockwise. */
function areaOf(ring: PieceRing): number {
  // Positions are taken relative to the first one, because small differences keep all their digits.
  const [left, bottom] = [ring[0] as number, ring[1] as number];
  let area = 0;
  let [x, y] = [0, 0];
  for (let i = 2; i < ring.length; i += 2) {
    const [nextX, nextY] = [(ring[i] as number) - left, (ring[i + 1] as number) - bottom];
    area += x * nextY - nextX * y;
    [x, y] = [nextX, nextY];
  }
  return area;
}

const [POLYGON, COLLECTION] = [3, 7];

/** A GeometryCollection of polygons in degrees, as WKB. */
export function collectionOf(polygons: readonly PiecePolygon[]): Buffer {
  const size = polygons.reduce((sum, rings) => sum + 9 + 4 * rings.length + 16 * verticesOf(rings), 9);
  const bytes = Buffer.allocUnsafe(size);
  let at = 0;
  const count = (number: number) => {
    at = bytes.writeUInt32LE(number, at);
  };
  const head = (type: number, members: number) => {
    // The order of bytes: the lowest first.
    at = bytes.writeUInt8(1, at);
    count(type);
    count(members);
  };
  head(COLLECTION, polygons.length);
  for (const rings of polygons) {
    head(POLYGON, rings.length);
    for (const ring of rings) {
      count(ring.length / 2 + 1);
      for (let i = 0; i < ring.length + 2; i += 1) {
        at = bytes.writeDoubleLE((ring[i % ring.length] as number) / 1e6, at);
      }
    }
  }
  return bytes;
}
