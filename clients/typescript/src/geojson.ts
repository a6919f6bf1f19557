/** Longitude and latitude in degrees (WGS 84), and a height where there is one. */
export type Position = [longitude: number, latitude: number, height?: number];

export interface Polygon {
  type: 'Polygon';
  coordinates: Position[][];
}

export interface MultiPolygon {
  type: 'MultiPolygon';
  coordinates: Position[][][];
}

/** A Feature of RFC 7946. */
export interface Feature<Geometry, Properties> {
  type: 'Feature';
  /** The PSGC code of an area; the id of a feature of a dataset. */
  id: string;
  /** West, south, east, north in degrees. */
  bbox?: [west: number, south: number, east: number, north: number];
  geometry: Geometry | null;
  properties: Properties;
}

export interface FeatureCollection<Geometry, Properties> {
  type: 'FeatureCollection';
  features: Feature<Geometry, Properties>[];
}

/** What a boundary is. */
export type Boundary = Polygon | MultiPolygon;
