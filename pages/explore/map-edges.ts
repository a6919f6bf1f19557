import type { FeatureCollection } from 'geojson';
import type { LayerSpecification, SourceSpecification } from 'maplibre-gl';

// What stands at the edges of the map and has no ink. MapLibre places no name over it, so that none is cut by an edge.

/** Id of the source and of the layer. The layer must be the uppermost one, so that it is placed first. */
export const EDGES = 'edges';

/** The picture without ink, a pixel. */
export const NO_INK = 'no-ink';

/** How far the square around each point reaches, pixels. */
const REACH = 24;

/** A square outside of the map that touches its edge. */
interface EdgeSquare {
  /** A point in the map, beside the square. */
  readonly at: readonly [x: number, y: number];
  /** From there to the middle of the square. */
  readonly offset: readonly [x: number, y: number];
}

/** Squares beside one another around a map of a size, pixels. */
export function edgeSquares(width: number, height: number): EdgeSquare[] {
  const along = (length: number) =>
    Array.from({ length: Math.ceil(length / (2 * REACH)) }, (_, index) =>
      Math.min(length - 1, (2 * index + 1) * REACH),
    );
  const out = REACH + 1;
  return [
    ...along(width).flatMap((x): EdgeSquare[] => [
      { at: [x, 1], offset: [0, -out] },
      { at: [x, height - 1], offset: [0, out] },
    ]),
    ...along(height).flatMap((y): EdgeSquare[] => [
      { at: [1, y], offset: [-out, 0] },
      { at: [width - 1, y], offset: [out, 0] },
    ]),
  ];
}

/** The squares at their positions. @param positionAt of a point of the map */
export function edgePoints(
  squares: readonly EdgeSquare[],
  positionAt: (point: readonly [x: number, y: number]) => readonly [lon: number, lat: number],
): FeatureCollection {
  return {
    type: 'FeatureCollection',
    features: squares.map(({ at, offset }) => ({
      type: 'Feature',
      properties: { offset },
      geometry: { type: 'Point', coordinates: [...positionAt(at)] },
    })),
  };
}

export const NO_EDGES: FeatureCollection = { type: 'FeatureCollection', features: [] };

export function edgesSource(data: FeatureCollection): Record<string, SourceSpecification> {
  return { [EDGES]: { type: 'geojson', data } };
}

export const EDGES_LAYER: LayerSpecification = {
  id: EDGES,
  type: 'symbol',
  source: EDGES,
  layout: {
    'icon-image': NO_INK,
    'icon-offset': ['array', 'number', 2, ['get', 'offset']],
    'icon-padding': REACH,
    'icon-allow-overlap': true,
  },
};
