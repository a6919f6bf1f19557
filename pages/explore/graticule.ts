import type { Feature, FeatureCollection } from 'geojson';

/** Degrees between neighbouring lines. */
const STEP = 2;

/** The box that the lines fill, degrees. */
const WEST = 100;
const EAST = 144;
const SOUTH = -10;
const NORTH = 34;

/** The meridians and parallels of the map. */
export const GRATICULE: FeatureCollection = {
  type: 'FeatureCollection',
  features: [
    ...steps(WEST, EAST).map((lon) => line([lon, SOUTH], [lon, NORTH])),
    ...steps(SOUTH, NORTH).map((lat) => line([WEST, lat], [EAST, lat])),
  ],
};

function steps(from: number, to: number): number[] {
  return Array.from({ length: (to - from) / STEP + 1 }, (_, i) => from + i * STEP);
}

function line(...coordinates: [number, number][]): Feature {
  return { type: 'Feature', properties: {}, geometry: { type: 'LineString', coordinates } };
}
