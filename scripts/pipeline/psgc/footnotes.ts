import { text } from './cells.ts';

const MARK = String.raw`\d{1,3}|[a-z]{1,2}`;

/** What a line of footnotes begins with: `3/ …`, `ab/ …`. */
const FOOTNOTE = new RegExp(String.raw`^(${MARK})\/\s*(\S.*)$`);

/** A cell that ends with a mark that stands for itself, and what is before it: `Naibuan 3/`, `3/, 4/`, `ab/`. */
const MARK_APART = new RegExp(String.raw`^(|.*[\s,;/])(${MARK})\/[\s,;*]*$`);

/** A cell that ends with a mark behind a character that can't be part of it: `Naibuan3/`, `Barangay 5a/`. */
const MARK_JOINED = new RegExp(String.raw`^(.*(?:\D(?=\d)|\P{Ll}(?=[a-z])))(${MARK})\/[\s,;*]*$`, 'u');

/** Footnotes by their marks, without the slash. */
export type Footnotes = ReadonlyMap<string, string>;

export const NO_FOOTNOTES: Footnotes = new Map();

/**
 * The footnotes of a workbook by their marks. They stand on the sheet of notes, or below the list. A mark that is
 * explained twice keeps its first explanation.
 */
export function readFootnotes(sheets: readonly (readonly unknown[])[][]): Map<string, string> {
  const notes = new Map<string, string>();
  for (const cells of sheets.flat()) {
    const [, mark, note] = FOOTNOTE.exec(text(cells.filter((cell) => typeof cell === 'string').join(' '))) ?? [];
    if (mark !== undefined && note !== undefined && !notes.has(mark)) notes.set(mark, note);
  }
  return notes;
}

/**
 * Parts a cell from the footnote marks at its end: `San Jose 1/ 2/` has 1 and 2. A mark without a space before it is one
 * only where a footnote explains it.
 */
export function readMarks(cell: string, footnotes: Footnotes = NO_FOOTNOTES): { content: string; marks: string[] } {
  const marks: string[] = [];
  let content = cell;
  for (;;) {
    const joined = MARK_JOINED.exec(content);
    const found = MARK_APART.exec(content) ?? (joined !== null && footnotes.has(joined[2] ?? '') ? joined : null);
    if (!found) return { content, marks };
    marks.unshift(found[2] ?? '');
    content = (found[1] ?? '').replace(/[\s,;]+$/, '');
  }
}
