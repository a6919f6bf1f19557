import type { Geometry } from '../../geojson/geometry.ts';
import type { Arcs, Transform } from './arcs.ts';
import { FileFault } from './format.ts';
import { Positions } from './positions.ts';

const MAX_NESTING = 16;

/** Levels of objects and arrays down to a reference: two for each level of nesting, and the arrays of a MultiPolygon. */
const MAX_DEPTH = 2 * MAX_NESTING + 4;

/** Max positions of all lines of a topology: as many as a GeoJSON file of 100 MiB has. */
const MAX_LINE_POSITIONS = 5_000_000;

/** The arcs and transform to which a topology's objects refer. */
export interface Topology {
  readonly arcs: Arcs;
  readonly transform: Transform | undefined;
}

/** A geometry object of a topology, not checked. */
export interface TopologyObject {
  readonly type?: unknown;
  readonly coordinates?: unknown;
  readonly arcs?: unknown;
  readonly geometries?: unknown;
}

/**
 * The GeoJSON geometry of a topology's object, not checked yet; null if its type is null. Heights are left out unless
 * all positions have one. Quantization may leave too few positions of a line or ring: then the first one is repeated,
 * as topojson-client does.
 *
 * @throws FileFault for missing arcs, and for more than a geometry may have
 */
export function geometryOfObject(topology: Topology, object: TopologyObject): Geometry | null {
  const reader = new ObjectReader(topology);
  const geometry = reader.geometry(object, 0);
  reader.positions.dropPartialHeights();
  return geometry;
}

/**
 * Refuses a topology whose objects refer to its arcs so often that their lines would have too many positions. Only lengths
 * are added up, because a file of one megabyte may stand for billions of positions.
 *
 * @param objects the topology's objects, not checked
 * @throws FileFault
 */
export function requireFewPositions(arcs: Arcs, objects: object): void {
  const positions = Object.values(objects).reduce((sum, object) => sum + positionsOf(arcs, object, MAX_DEPTH), 0);
  if (positions <= MAX_LINE_POSITIONS) return;
  throw new FileFault(
    `must not have lines of more than ${MAX_LINE_POSITIONS} positions together (got ${positions}), where a shared arc counts for each of them`,
  );
}

/**
 * The number of positions of an object's lines. Deeper objects count 0 here; `geometry` refuses them later.
 *
 * @param depth how many more levels of objects or arrays are counted
 */
function positionsOf(arcs: Arcs, value: unknown, depth: number): number {
  if (typeof value === 'number') return arcs.length(arcOf(value));
  if (value === null || typeof value !== 'object' || depth < 0) return 0;
  const { arcs: references, geometries } = value as TopologyObject;
  const parts = Array.isArray(value) ? value : [references, geometries];
  return parts.reduce<number>((sum, part) => sum + positionsOf(arcs, part, depth - 1), 0);
}

/** The index of the arc that a reference means (TopoJSON 2.1.4: the ones' complement means the arc from its end to its start). */
function arcOf(reference: number): number {
  return reference < 0 ? -1 - reference : reference;
}

class ObjectReader {
  readonly positions = new Positions();
  readonly #topology: Topology;

  constructor(topology: Topology) {
    this.#topology = topology;
  }

  geometry({ type, coordinates, arcs, geometries }: TopologyObject, depth: number): Geometry | null {
    if (depth > MAX_NESTING) throw new FileFault(`must not be nested deeper than ${MAX_NESTING} levels`);
    this.positions.countPart();
    switch (type) {
      case null:
      case undefined:
        return null;
      case 'Point':
        return { type, coordinates: this.#position(coordinates) };
      case 'MultiPoint':
        return { type, coordinates: listOf(coordinates, 'coordinates').map((item) => this.#position(item)) };
      case 'LineString':
        return { type, coordinates: this.#line(arcs, 2) };
      case 'MultiLineString':
        return { type, coordinates: this.#lines(arcs, 2) };
      case 'Polygon':
        return { type, coordinates: this.#lines(arcs, 4) };
      case 'MultiPolygon':
        return { type, coordinates: listOf(arcs, 'arcs').map((polygon) => this.#lines(polygon, 4)) };
      case 'GeometryCollection': {
        const parts = listOf(geometries, 'geometries').map((part) => this.geometry(objectOf(part), depth + 1));
        return { type, geometries: parts.filter((part) => part !== null) };
      }
      default:
        throw new FileFault(`type must be a type of GeoJSON geometries (got ${JSON.stringify(type).slice(0, 40)})`);
    }
  }

  /** @param least min positions of each */
  #lines(value: unknown, least: number): number[][][] {
    return listOf(value, 'arcs').map((arcs) => this.#line(arcs, least));
  }

  /** Joins the arcs of a list. Each begins where the previous one ends. */
  #line(value: unknown, least: number): number[][] {
    this.positions.countPart();
    const { arcs } = this.#topology;
    const line: number[][] = [];
    for (const reference of listOf(value, 'arcs')) {
      const arc = typeof reference === 'number' ? arcOf(reference) : reference;
      if (typeof arc !== 'number' || !Number.isInteger(arc) || arc >= arcs.count) {
        throw new FileFault(
          `arcs must be numbers of the ${arcs.count} arcs (got ${JSON.stringify(reference).slice(0, 40)})`,
        );
      }
      const isReversed = arc !== reference;
      const length = arcs.length(arc);
      this.positions.requireRoomFor(length);
      for (let i = line.length > 0 ? 1 : 0; i < length; i += 1) {
        line.push(this.positions.add(...arcs.position(arc, isReversed ? length - 1 - i : i)));
      }
    }
    const [first] = line;
    while (first && line.length < least)
      line.push(this.positions.add(first[0] as number, first[1] as number, first[2]));
    return line;
  }

  #position(value: unknown): number[] {
    const numbers = listOf(value, 'positions');
    if (numbers.length < 2 || !numbers.every((number) => typeof number === 'number')) {
      if (numbers.length === 0) return [];
      throw new FileFault('positions must be arrays of two or three numbers');
    }
    this.positions.requireRoomFor(1);
    const [x = 0, y = 0, z] = numbers as number[];
    const { transform } = this.#topology;
    if (!transform) return this.positions.add(x, y, z);
    const { scale, translate } = transform;
    return this.positions.add(x * scale[0] + translate[0], y * scale[1] + translate[1], z);
  }
}

function listOf(value: unknown, name: string): unknown[] {
  if (Array.isArray(value)) return value;
  throw new FileFault(`${name} must be an array`);
}

function objectOf(value: unknown): TopologyObject {
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value;
  throw new FileFault('geometries must be objects');
}
