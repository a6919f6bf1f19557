/** A layer of a vector tileset, in the words of TileJSON 3.0. */
export interface VectorLayer {
  id: string;
  description?: string | undefined;
  minzoom?: number | undefined;
  maxzoom?: number | undefined;
  /** Names of attributes and what they say. */
  fields: Record<string, string>;
}
