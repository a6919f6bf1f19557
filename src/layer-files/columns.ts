/** Integers have 32 bits, long ones and numbers 64. Values of the type `json` are JSON as text. */
export type ColumnType = 'text' | 'integer' | 'long' | 'number' | 'boolean' | 'json';

/** A bigint in long columns. */
export type Value = string | number | bigint | boolean | null;

/** A column of a file of features, whatever its format. */
export interface Column {
  readonly name: string;
  /** It holds where every value is null too. */
  readonly type: ColumnType;
}
