import { csvCell, inertText } from '../../src/csv/cells.ts';
import { MATCH_COLUMNS, matchCells, roundedScore } from '../../src/match/cells.ts';
import { LEVELS } from '../shared/levels.ts';
import { foundIn, type Group, matchOf, type Outcome, placeOf } from './groups.ts';
import { type Cell, type Table, textOf } from './table.ts';

/** Lines of a part of the file. */
const PART = 2000;

/** Those of a table that the service matches, and what speaks against a row. */
const COLUMNS: readonly string[] = [...MATCH_COLUMNS, 'psgc_notes'];

const NOTHING: readonly string[] = COLUMNS.map(() => '');

/** The columns that a result adds and the table has already. */
export function takenColumns({ headings }: Pick<Table, 'headings'>): string[] {
  return COLUMNS.filter((column) => headings.includes(column));
}

/** The rows of the result, headings first: the cells that were given, as they were given, and those of the match. */
export function* resultRows({ headings, rows }: Table, groups: readonly Group[]): Generator<Cell[]> {
  const cells: (readonly string[])[] = [];
  for (const group of groups) {
    const ours = cellsOf(group).map(inertText);
    for (const row of group.rows) cells[row] = ours;
  }
  yield [...headings, ...COLUMNS];
  for (const [i, given] of rows.entries()) yield [...given, ...(cells[i] ?? NOTHING)];
}

/**
 * The rows of a table that an upload reads, headings first: what was given, and the code of each row and how it was found,
 * under the two headings that are given. Headings that are empty or occur twice get a name.
 */
export function* mapRows(
  { headings, rows }: Table,
  groups: readonly Group[],
  added: readonly [codes: string, matches: string],
): Generator<Cell[]> {
  const cells: (readonly string[])[] = [];
  for (const group of groups) {
    const ours = placeOf(group) ? [placeOf(group)?.code ?? '', matchOf(group) ?? ''] : ['', ''];
    for (const row of group.rows) cells[row] = ours;
  }
  const names: string[] = [];
  for (const [at, heading] of [...headings, ...added].entries()) {
    const name = heading.trim() || `Column ${at + 1}`;
    let own = name;
    for (let n = 2; names.includes(own); n += 1) own = `${name} ${n}`;
    names.push(own);
  }
  yield names;
  for (const [i, given] of rows.entries()) yield [...given, ...(cells[i] ?? ['', ''])];
}

function cellsOf(group: Group): readonly string[] {
  const { outcome, choice, isBulkAccepted } = group;
  // Whoever has chosen a place has seen what speaks against it.
  const notes = outcome && (!choice || isBulkAccepted) ? notesOf(group, outcome) : '';
  if (choice === null && outcome) {
    // Somebody may still find the place among the candidates.
    const candidates = matchCells({ ...outcome, name: '' }).at(-1) ?? '';
    return ['', '', '', matchOf(group) ?? '', '', candidates, notes];
  }
  if (choice !== undefined) {
    // The score says how sure the service was of a place that a person has accepted. Of others it knows nothing.
    const isAccepted = choice !== null && choice.code === outcome?.code;
    const score = isAccepted ? String(roundedScore(outcome.score)) : '';
    return [choice?.code ?? '', choice?.level ?? '', choice?.name ?? '', matchOf(group) ?? '', score, '', notes];
  }
  return outcome ? [...matchCells({ ...outcome, name: foundIn(outcome)?.name ?? null }), notes] : NOTHING;
}

function notesOf({ lacks }: Group, { notes, code, level }: Outcome): string {
  // Without a code it does not matter that it may be that of a larger place.
  return [
    ...(lacks === undefined || code === null || level === lacks
      ? []
      : [`The ${LEVELS[lacks].noun.toLowerCase()} is blank.`]),
    ...notes,
  ].join(' ');
}

/** The result as CSV, in parts. Only the first begins with a byte order mark, by which Excel knows UTF-8. */
export function* csvParts(
  rows: Iterable<readonly Cell[]>,
  { separator, hasMark }: { readonly separator: string; readonly hasMark: boolean },
): Generator<string> {
  let part = hasMark ? '\ufeff' : '';
  let lines = 0;
  for (const cells of rows) {
    part += `${cells.map((cell) => csvCell(textOf(cell))).join(separator)}\r\n`;
    lines += 1;
    if (lines % PART === 0) {
      yield part;
      part = '';
    }
  }
  yield part;
}
