import type { Geometry } from '../geojson/geometry.ts';

/** A part of a filter as either encoding writes it. Names and types are not checked yet. */
export type Term =
  /** `op` is that of CQL2 JSON, in both encodings. */
  | { readonly kind: 'operation'; readonly op: string; readonly args: readonly Term[]; readonly at: string }
  | { readonly kind: 'property'; readonly name: string; readonly at: string }
  | { readonly kind: 'literal'; readonly value: string | number | bigint | boolean; readonly at: string }
  /** Milliseconds since 1970. */
  | { readonly kind: 'instant'; readonly value: number; readonly at: string }
  | { readonly kind: 'geometry'; readonly geometry: Geometry; readonly at: string }
  | { readonly kind: 'list'; readonly items: readonly Term[]; readonly at: string };
