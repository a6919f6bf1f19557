import { quoted } from './result.ts';
import type { Column } from './source.ts';

/** The note about a column that names another place than the result or what it lies in. */
export function passedColumnNote(column: Column, text: string, why: string): string {
  return `${column} ${quoted(text)} was passed over: ${why}.`;
}

/** The column that such a note is about; undefined for other notes. */
export function passedColumn(note: string): Column | undefined {
  return /^(region|province|municity|barangay) ".*" was passed over: /s.exec(note)?.[1] as Column | undefined;
}
