import { strToU8, zipSync } from 'fflate';
import { workbookFiles } from '../../src/tables/workbook.ts';
import type { Cell } from './table.ts';

/** Writes a workbook (`.xlsx`) with one sheet. */
export function writeWorkbook(rows: readonly (readonly Cell[])[]): Uint8Array<ArrayBuffer> {
  const files = workbookFiles([{ name: 'PSGC', rows }]);
  const bytes = files.map(({ name, chunks }) => [name, strToU8([...chunks].join(''))] as const);
  return zipSync(Object.fromEntries(bytes), { level: 1 }) as Uint8Array<ArrayBuffer>;
}
