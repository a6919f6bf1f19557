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

/** Units: about a pixel, which is eight. A smaller island is left out, or is drawn as a dot of this size. */
const ISLET = 8;

/** Units of a corner of such a dot. */
const DOT_CORNER = 2;

/**
 * Units of the squares of the map by which such islands are chosen: one is drawn only where neither its square nor the eight
 * around it have larger land or another one. Beside a coast, many dots with their edges would be a fringe of boxes.
 */
const SPACING = 8 * ISLET;

/** Squares from one row to the next in the number of a square: more than the finest zoom has. */
const ROW = 2 ** 24;

/** Units: the square that stands for an area of which nothing is left between its neighbours. */
const SPECK = 2;

type Position = readonly number[];

/**
 * Puts the parts of each area together. Islands that are too small to be seen at the zoom are left out beside larger land, and
 * are dots of about a pixel far from it. Every area has at least one polygon that is left on the grid of the tiles.
 */
export function shapesOf(parts: readonly Part[], zoom: number): Shape[] {
  const grid = new Grid(zoom);
  const isAlone = isAloneAmong(parts, (part) => grid.sizeOf(part) < ISLET);
  const lonely = grid.lonelyAmong(parts, isAlone);
  const byCode = Map.groupBy(
    parts.filter(({ geometry }) => geometry !== null),
    ({ properties }) => properties.code,
  );
  return [...byCode].map(([code, ofArea]) => {
    const dots = ofArea.filter((part) => lonely.has(part)).map((part) => grid.dotAt(grid.middleOf(part)));
    const coordinates = [...ofArea.filter((part) => !isAlone(part)).map(polygonOf), ...dots];
    if (!coordinates.some(([ring]) => grid.isLeft(ring ?? []))) {
      const [largest] = ofArea.toSorted((a, b) => grid.sizeOf(b) - grid.sizeOf(a));
      if (largest) coordinates.push(grid.standInFor(largest, isAlone(largest)));
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

  /** The islets that have neither larger land nor a larger islet near them. */
  lonelyAmong(parts: readonly Part[], isIslet: (part: Part) => boolean): ReadonlySet<Part> {
    const islets = parts.filter(isIslet).toSorted((a, b) => this.sizeOf(b) - this.sizeOf(a));
    const near = new Set(islets.flatMap((islet) => this.#squaresAround(this.middleOf(islet))));
    const taken = new Set<number>();
    for (const part of near.size > 0 ? parts : []) {
      if (isIslet(part)) continue;
      for (const square of this.#squaresAlong(outerRing(part))) if (near.has(square)) taken.add(square);
    }
    return new Set(
      islets.filter((islet) => {
        const middle = this.middleOf(islet);
        if (this.#squaresAround(middle).some((square) => taken.has(square))) return false;
        taken.add(this.#squareOf(middle));
        return true;
      }),
    );
  }

  /** The number of the square of the map in which a position is. */
  #squareOf(position: Position): number {
    return squareAt(this.#pointOf(position));
  }

  /** The squares of a ring, also those that a long side crosses. */
  *#squaresAlong(ring: readonly Position[]): Generator<number> {
    let before: readonly [x: number, y: number] | undefined;
    for (const position of ring) {
      const [x, y] = this.#pointOf(position);
      const [fromX, fromY] = before ?? [x, y];
      const steps = Math.max(1, Math.ceil(Math.max(Math.abs(x - fromX), Math.abs(y - fromY)) / SPACING));
      for (let step = 1; step <= steps; step += 1) {
        yield squareAt([fromX + ((x - fromX) * step) / steps, fromY + ((y - fromY) * step) / steps]);
      }
      before = [x, y];
    }
  }

  #squaresAround(position: Position): number[] {
    const square = this.#squareOf(position);
    return [-ROW, 0, ROW].flatMap((row) => [-1, 0, 1].map((column) => square + row + column));
  }

  /** What stands for an area of which nothing is left. */
  standInFor(part: Part, isIslet: boolean): number[][][] {
    if (isIslet) return this.dotAt(this.middleOf(part));
    const corners = [0, 0, 0, 1, 1, 1, 1, 0].map((share) => share * SPECK);
    return this.#ringAt(this.middleOf(part), corners, SPECK);
  }

  /** An octagon. */
  dotAt(middle: Position): number[][][] {
    const [near, far] = [DOT_CORNER, ISLET - DOT_CORNER];
    return this.#ringAt(
      middle,
      [near, 0, 0, near, 0, far, near, ISLET, far, ISLET, ISLET, far, ISLET, near, far, 0],
      ISLET,
    );
  }

  /** @param corners of the ring to the right of and below its top left corner, in units, one after the other */
  #ringAt(middle: Position, corners: readonly number[], size: number): number[][][] {
    const [left, top] = this.#pointOf(middle).map((unit) => Math.round(unit - size / 2)) as [number, number];
    const ring = corners.flatMap((right, index) =>
      index % 2 === 0 ? [this.#positionOf(left + right, top + (corners[index + 1] ?? 0))] : [],
    );
    return [[...ring, ...ring.slice(0, 1)]];
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

function squareAt([x, y]: readonly [x: number, y: number]): number {
  return Math.floor(y / SPACING) * ROW + Math.floor(x / SPACING);
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
