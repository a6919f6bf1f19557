import type { Polygon, Position } from 'geojson';
import type { Level } from '../shared/levels.ts';

/** What a person draws on the map: a box by two corners, or a polygon by three or more. */
export type SketchKind = 'box' | 'polygon';

export interface SketchOptions {
  readonly kind: SketchKind;
  /** Called with what to do next. */
  readonly onHint: (sentence: string) => void;
  /** Called once; with nothing if the drawing was given up. */
  readonly onEnd: (shape: Polygon | undefined) => void;
}

/** Areas within some kilometres of a position. */
export interface FoundAreas {
  readonly level: Level;
  readonly codes: readonly string[];
  readonly at: readonly [lon: number, lat: number];
  readonly km: number;
}

/** What can be drawn on the map. */
interface Drawer {
  /** Starts a drawing, in place of one that was not ended. */
  readonly start: (options: SketchOptions) => void;
  /** Marks areas and brings them into sight, with the circle in which they were looked for. */
  readonly mark: (found: FoundAreas) => void;
}

const open = Promise.withResolvers<Drawer>();

/** Lets the page draw on the map, once it is open. */
export function keepSketches(drawer: Drawer): void {
  open.resolve(drawer);
}

/** Starts a drawing as soon as the map is open. */
export async function startSketch(options: SketchOptions): Promise<void> {
  (await open.promise).start(options);
}

/** Marks areas as soon as the map is open. */
export async function markFound(found: FoundAreas): Promise<void> {
  (await open.promise).mark(found);
}

/** Kilometres of a degree of latitude in the Philippines, and of one of longitude on the equator. */
const KM_PER_DEGREE = { lat: 110.6, lon: 111.32 } as const;
const CORNERS = 72;

/** The ring of a circle on the ground. */
export function circleOf({ at: [lon, lat], km }: Pick<FoundAreas, 'at' | 'km'>): Position[] {
  const [wide, high] = [km / (KM_PER_DEGREE.lon * Math.cos((lat * Math.PI) / 180)), km / KM_PER_DEGREE.lat];
  return Array.from({ length: CORNERS + 1 }, (_, corner) => {
    const angle = ((corner % CORNERS) / CORNERS) * 2 * Math.PI;
    return [lon + wide * Math.cos(angle), lat + high * Math.sin(angle)];
  });
}

/** The ring of a polygon, or of the box between two corners; undefined before there are enough corners. */
export function ringOf(kind: SketchKind, corners: readonly Position[]): Position[] | undefined {
  const [first, second] = corners;
  if (!first || !second) return undefined;
  if (kind === 'polygon') return corners.length < 3 ? undefined : [...corners, first];
  const [[x1 = 0, y1 = 0], [x2 = 0, y2 = 0]] = [first, second];
  const [west, east] = [Math.min(x1, x2), Math.max(x1, x2)];
  const [south, north] = [Math.min(y1, y2), Math.max(y1, y2)];
  if (west === east || south === north) return undefined;
  // Counterclockwise, as RFC 7946 (3.1.6) says.
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
}
