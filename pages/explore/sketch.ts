import type { Polygon, Position } from 'geojson';

/** What a person draws on the map: a box by two corners, or a polygon by three or more. */
export type SketchKind = 'box' | 'polygon';

export interface SketchOptions {
  readonly kind: SketchKind;
  /** Called with what to do next. */
  readonly onHint: (sentence: string) => void;
  /** Called once; with nothing if the drawing was given up. */
  readonly onEnd: (shape: Polygon | undefined) => void;
}

/** Starts a drawing, in place of one that was not ended. */
type StartSketch = (options: SketchOptions) => void;

const open = Promise.withResolvers<StartSketch>();

/** Lets the page draw on the map, once it is open. */
export function keepSketches(start: StartSketch): void {
  open.resolve(start);
}

/** Starts a drawing as soon as the map is open. */
export async function startSketch(options: SketchOptions): Promise<void> {
  (await open.promise)(options);
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
