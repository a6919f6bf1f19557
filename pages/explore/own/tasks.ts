import type { Geometry } from 'geojson';
import type { FeatureStyle } from './feature-tiles.ts';
import type { Frame } from './paths.ts';

/** A feature as the web worker hands it to the page, without its geometry. */
export interface ReadFeature {
  readonly id: string;
  readonly properties: Readonly<Record<string, unknown>>;
  /** The type of its geometry; undefined where it has none. */
  readonly type: Geometry['type'] | undefined;
}

/** What the web worker can do. */
export type Task =
  | { readonly name: 'read'; readonly bytes: ArrayBuffer }
  | { readonly name: 'show'; readonly style: Partial<FeatureStyle> }
  | { readonly name: 'tile'; readonly z: number; readonly x: number; readonly y: number }
  | { readonly name: 'geometry'; readonly feature: number }
  | { readonly name: 'zoom'; readonly cluster: number }
  | { readonly name: 'areas' }
  | { readonly name: 'insides' }
  | { readonly name: 'whereabouts' }
  | { readonly name: 'count'; readonly areas: readonly (Geometry | null)[] }
  | { readonly name: 'shapes'; readonly features: readonly number[]; readonly frame: Frame };

/** What it sends: the outcome of a task, or features that it has read meanwhile. */
export type Reply =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly failure: string }
  | { readonly features: readonly ReadFeature[] };
