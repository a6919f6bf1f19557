import type { Shape } from './shapes.ts';

/** Integers have 32 bits, long ones and numbers 64. Values of the type `json` are JSON as text. */
export type ColumnType = 'text' | 'integer' | 'long' | 'number' | 'boolean' | 'json';

/** Values of long columns are bigint. */
export type Value = string | number | bigint | boolean | null;

/** A feature does not fit the layer, because it was changed after the layer was made. */
export class LayerChanged extends Error {}

/** A column of a feature file of any format. */
export interface Column {
  readonly name: string;
  /** Also set if every value is null. */
  readonly type: ColumnType;
}

/** Facts of a file of features, of any format. */
export interface Layer {
  readonly name: string;
  readonly columns: readonly Column[];
  /** The type of all geometries; undefined where there are several. */
  readonly type: Shape['type'] | undefined;
  /** Whether positions have heights. FlatGeobuf then gives 0 to positions without one. */
  readonly hasZ: boolean;
  /** Whose it is and under which terms. */
  readonly description?: string;
}

/** A row of such a file. */
export interface Feature {
  /** In the order of the columns. */
  readonly values: readonly Value[];
  readonly shape: Shape | null;
}
