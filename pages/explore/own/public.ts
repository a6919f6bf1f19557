import type { Box } from '../places.ts';

/** What a dataset for everyone says of itself, before its features. */
export interface PublicHead {
  readonly name: string;
  readonly description: string | null;
  readonly feature_count: number;
  /** How its author draws it. */
  readonly map_style?: string;
  /** It is missing where no feature has a place. */
  readonly bbox?: Box;
}

/** Where the features begin. Within a JSON text the quotes would have a backslash before them. */
const FEATURES = ',"features":[';

/** The description of a dataset has at most 10,000 characters, and a style 4,000, each of at most six bytes as JSON. */
const MAX_HEAD_BYTES = 128 * 1024;

/**
 * The head of a dataset for everyone, which is read without its features: there may be very many.
 *
 * @param bytes an answer of `/embed/datasets/{id}`
 */
export function headOf(bytes: ArrayBuffer): PublicHead {
  const text = new TextDecoder().decode(new Uint8Array(bytes, 0, Math.min(bytes.byteLength, MAX_HEAD_BYTES)));
  return JSON.parse(`${text.slice(0, text.indexOf(FEATURES))}}`) as PublicHead;
}
