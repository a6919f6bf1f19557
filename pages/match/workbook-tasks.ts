import type { Cell, Sheet } from './table.ts';

/** What the web worker is asked for. */
export type Task =
  | { readonly task: 'read'; readonly bytes: ArrayBuffer }
  | { readonly task: 'write'; readonly rows: readonly (readonly Cell[])[] };

/** What it answers. */
export interface Answers {
  /** `rows`: more than the page takes; `file`: it is no workbook, or damaged. */
  readonly read:
    | { readonly sheets: readonly Sheet[]; readonly fault?: undefined }
    | { readonly fault: 'rows' | 'file' };
  readonly write: Uint8Array<ArrayBuffer>;
}
