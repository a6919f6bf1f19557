import { collapseSpaces } from './published-names.ts';

/** What a line of footnotes begins with: `3/ …`, `ab/ …`. */
const FOOTNOTE = /^(\d{1,3}|[a-z]{1,2})\/\s*(\S.*)$/;

/**
 * The footnotes of a workbook by their marks. They stand on the sheet of notes, or below the list. A mark that is
 * explained twice keeps its first explanation.
 */
export function readFootnotes(sheets: readonly (readonly unknown[])[][]): Map<string, string> {
  const notes = new Map<string, string>();
  for (const cells of sheets.flat()) {
    const line = collapseSpaces(cells.filter((cell) => typeof cell === 'string').join(' '));
    const [, mark, text] = FOOTNOTE.exec(line) ?? [];
    if (mark !== undefined && text !== undefined && !notes.has(mark)) notes.set(mark, text);
  }
  return notes;
}
