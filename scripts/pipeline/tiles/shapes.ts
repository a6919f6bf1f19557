/** Units of the grid along one side of a tile. */
export const EXTENT = 4096;

/** One polygon of an area, with its code, coordinates in WGS 84 degrees. */
export interface Part {
  properties: { code: string };
  geometry: { type: 'Polygon'; coordinates: number[][][] } | null;
}

/** An area as it is drawn at a zoom. */
export interface Shape {
  properties: { code: string };
  geometry: { type: 'MultiPolygon'; coordinates: number[][][][] };
}

/** Units: about a pixel, which is eight. A smaller island is drawn as a square of this size. */
const ISLET = 8;

/** Units of the squares of the map in each of which an area has one such island, so that many don't become land. */
const SPACING = 4 * ISLET;

/** How many such islands an area has at a zoom, the largest first. */
const MAX_ISLETS = 64;

/** Units: the square that stands for an area of which nothing is left between its neighbours. */
const SPECK = 2;

type Position = readonly number[];

/**
 * Puts the parts of each area together. What is too small to be seen at the zoom stays: an island becomes a square of
 * about a pixel, and every area has at least one polygon that is left on the grid of the tiles.
 */
export function shapesOf(parts: readonly Part[], zoom: number): Shape[] {
  const grid = new Grid(zoom);
  const isAlone = isAloneAmong(parts, (part) => grid.sizeOf(part) < ISLET);
  const byCode = Map.groupBy(
    parts.filter(({ geometry }) => geometry !== null),
    ({ properties }) => properties.code,
  );
  return [...byCode].map(([code, ofArea]) => {
    const [islets, others] = [ofArea.filter(isAlone), ofArea.filter((part) => !isAlone(part))];
    const coordinates = [...others.map(polygonOf), ...grid.squaresFor(islets)];
    if (!coordinates.some(([ring]) => grid.isLeft(ring ?? []))) {
      const [largest] = ofArea.toSorted((a, b) => grid.sizeOf(b) - grid.sizeOf(a));
      if (largest) coordinates.push(grid.squareAt(grid.middleOf(largest), SPECK));
    }
    return { properties: { code }, geometry: { type: 'MultiPolygon', coordinates } };
  });
}

function polygonOf({ geometry }: Part): number[][][] {
  return geometry?.coordinates ?? [];
}

function outerRing(part: Part): readonly Position[] {
  return polygonOf(part)[0] ?? [];
}

/** Finds the small parts that share no position with another part. Others would cover their neighbours as squares. */
function isAloneAmong(parts: readonly Part[], isSmall: (part: Part) => boolean): (part: Part) => boolean {
  const alone = new Set(parts.filter(isSmall));
  const owners = new Map<string, Part>();
  // Most positions are of large parts. Looking for a number first is many times quicker than making a key of each.
  const longitudes = new Set<number | undefined>();
  for (const part of alone) for (const [lon] of outerRing(part)) longitudes.add(lon);
  const keyOf = ([lon, lat]: Position) => `${lon} ${lat}`;
  for (const part of parts) {
    for (const ring of polygonOf(part)) {
      for (const position of ring) {
        if (!longitudes.has(position[0])) continue;
        const key = keyOf(position);
        const owner = owners.get(key);
        if (owner === undefined) owners.set(key, part);
        else if (owner !== part) {
          alone.delete(owner);
          alone.delete(part);
        }
      }
    }
  }
  return (part) => alone.has(part);
}

/** The grid on whose points all positions in the tiles of a zoom are. Its units are those of the tiles. */
class Grid {
  readonly #units: number;

  constructor(zoom: number) {
    this.#units = EXTENT * 2 ** zoom;
  }

  /** The larger side of a part. */
  sizeOf(part: Part): number {
    const [west, south, east, north] = boxOf(outerRing(part));
    const [[left, top], [right, bottom]] = [this.#pointOf([west, north]), this.#pointOf([east, south])];
    return Math.max(right - left, bottom - top);
  }

  middleOf(part: Part): Position {
    const [west, south, east, north] = boxOf(outerRing(part));
    return [(west + east) / 2, (south + north) / 2];
  }

  /** Whether a ring has an area when its positions are moved to the grid. */
  isLeft(ring: readonly Position[]): boolean {
    let doubledArea = 0;
    let before: readonly [number, number] | undefined;
    for (const position of ring) {
      const [x, y] = this.#pointOf(position).map(Math.round) as [number, number];
      if (before) doubledArea += before[0] * y - x * before[1];
      before = [x, y];
    }
    return doubledArea !== 0;
  }

  /** Squares for the largest of some islands. */
  squaresFor(islets: readonly Part[]): number[][][][] {
    const largestFirst = islets.toSorted((a, b) => this.sizeOf(b) - this.sizeOf(a));
    const taken = new Map<string, Position>();
    for (const islet of largestFirst) {
      const middle = this.middleOf(islet);
      const cell = this.#pointOf(middle).map((unit) => Math.floor(unit / SPACING));
      if (taken.size < MAX_ISLETS && !taken.has(cell.join())) taken.set(cell.join(), middle);
    }
    return [...taken.values()].map((middle) => this.squareAt(middle, ISLET));
  }

  squareAt(middle: Position, side: number): number[][][] {
    const [left, top] = this.#pointOf(middle).map((unit) => Math.round(unit - side / 2)) as [number, number];
    const corner = (right: number, down: number) => this.#positionOf(left + right * side, top + down * side);
    return [[corner(0, 0), corner(0, 1), corner(1, 1), corner(1, 0), corner(0, 0)]];
  }

  #pointOf([lon = 0, lat = 0]: Position): [x: number, y: number] {
    const sine = Math.sin((lat * Math.PI) / 180);
    const y = 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
    return [(lon / 360 + 0.5) * this.#units, y * this.#units];
  }

  #positionOf(x: number, y: number): number[] {
    const lat = (Math.atan(Math.sinh((0.5 - y / this.#units) * 2 * Math.PI)) * 180) / Math.PI;
    return [(x / this.#units - 0.5) * 360, lat];
  }
}

function boxOf(ring: readonly Position[]): [west: number, south: number, east: number, north: number] {
  let [west, south, east, north] = [180, 90, -180, -90];
  for (const [lon = 0, lat = 0] of ring) {
    west = Math.min(west, lon);
    south = Math.min(south, lat);
    east = Math.max(east, lon);
    north = Math.max(north, lat);
  }
  return [west, south, east, north];
}
