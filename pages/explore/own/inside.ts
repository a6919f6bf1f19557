import type { Geometry, Position } from 'geojson';

/** Where a word can stand in an area, and how wide the area is there, degrees. */
export interface Inside {
  readonly at: readonly [lon: number, lat: number];
  readonly width: number;
}

/** The heights at which an area is measured, as shares of its own. Words stand best near its middle. */
const HEIGHTS = [0.5, 0.45, 0.55, 0.4, 0.6, 0.35, 0.65, 0.3, 0.7];

/** The middle of the widest part of an area, of several its largest one; undefined where a geometry is no area. */
export function insideOf(geometry: Geometry | null): Inside | undefined {
  const polygons =
    geometry?.type === 'Polygon'
      ? [geometry.coordinates]
      : geometry?.type === 'MultiPolygon'
        ? geometry.coordinates
        : [];
  const [first, ...others] = polygons.flatMap((rings) => widestIn(rings) ?? []);
  return others.reduce((widest, one) => (one.width > (widest?.width ?? 0) ? one : widest), first);
}

function widestIn(rings: readonly Position[][]): Inside | undefined {
  const latitudes = rings.flatMap((ring) => ring.map(([, lat = 0]) => lat));
  const [south, north] = latitudes.reduce(
    ([least, most], lat) => [Math.min(least, lat), Math.max(most, lat)] as const,
    [Infinity, -Infinity] as readonly [number, number],
  );
  let widest: Inside | undefined;
  for (const height of HEIGHTS) {
    const lat = south + (north - south) * height;
    const crossings = rings.flatMap((ring) => crossingsOf(ring, lat)).sort((a, b) => a - b);
    // Between the first and the second crossing a line is inside, between the second and the third outside, and so on.
    for (let index = 0; index + 1 < crossings.length; index += 2) {
      const [from = 0, to = 0] = crossings.slice(index, index + 2);
      if (to - from > (widest?.width ?? 0)) widest = { at: [(from + to) / 2, lat], width: to - from };
    }
  }
  return widest;
}

/** Where a ring crosses a latitude. */
function crossingsOf(ring: readonly Position[], lat: number): number[] {
  return ring.flatMap(([x2 = 0, y2 = 0], index) => {
    const [x1 = 0, y1 = 0] = ring.at(index - 1) ?? [];
    return y1 > lat === y2 > lat ? [] : [x1 + ((x2 - x1) * (lat - y1)) / (y2 - y1)];
  });
}
