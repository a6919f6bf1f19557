/** A cell as `read-excel-file` gives it: rich text as plain text, a formula as its last value. */
export type Cell = string | number | boolean | Date | null;

/** Replaces every run of white space by one space, and removes it at both ends. */
export function collapseSpaces(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** The text of a cell with single spaces; empty for an empty one. */
export function text(cell: unknown): string {
  return cell === null || cell === undefined ? '' : collapseSpaces(String(cell));
}

/** A code as text; empty for none. Spreadsheets keep some codes as numbers, which lose the zero of regions 01 to 09. */
export function digits(cell: unknown, length: number): string {
  const code = text(cell);
  if (code === '-') return '';
  return /^\d+$/.test(code) && code.length === length - 1 ? `0${code}` : code;
}
