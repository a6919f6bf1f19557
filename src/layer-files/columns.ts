/** Integers have 32 bits, long ones and numbers 64. Values of the type `json` are JSON as text. */
export type ColumnType = 'text' | 'integer' | 'long' | 'number' | 'boolean' | 'json';

/** Values of long columns are bigint. */
export type Value = string | number | bigint | boolean | null;

/** A column of a feature file of any format. */
export interface Column {
  readonly name: string;
  /** Also set if every value is null. */
  readonly type: ColumnType;
}
