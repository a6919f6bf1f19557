import type { Value } from '../../../src/layer-files/columns.ts';
import type { Box, Shape } from '../../../src/layer-files/shapes.ts';

/** An area as the files of a layer have it. */
export interface LayerFeature {
  readonly code: string;
  /** In the order of the layer's columns. */
  readonly values: readonly Value[];
  readonly shape: Shape;
  readonly box: Box;
}
