import { LEVEL_NAMES } from '../areas/level-names.ts';
import { isBlankCell } from '../names/blank.ts';
import type { NameIndex } from '../names/index.ts';
import { type MatchInput, matchRow } from '../names/match.ts';
import type { Match, MatchCandidate } from '../names/result.ts';
import type { Column, NameLevel } from '../names/source.ts';
import type { TableWork } from '../tables/table.ts';
import { Pace } from '../turn.ts';
import { MATCH_COLUMNS, matchCells, roundedScore } from './cells.ts';
import type { PlaceReader } from './columns.ts';

type Row = MatchInput & { readonly id?: string | number | null | undefined };

interface Rows {
  readonly rows: readonly Row[];
  readonly level?: NameLevel | undefined;
}

/**
 * How much text is matched in one turn, characters. The worst rows take 10 ms for a thousand. Lists that come at once have their
 * turns one after another, so that another request waits for a turn of each and not for all of them.
 */
const TURN_CHARACTERS = 1000;

/** What a row counts as at least: one without text takes time too. */
const MIN_CHARACTERS = 5;

/** The pace of a list, or of a table that is worked on in parts. */
export function paceOfText(): Pace {
  return new Pace(TURN_CHARACTERS);
}

/** Calls `each` for every row. Other requests of the instance have a turn in between. */
export async function inTurns<R extends MatchInput, T>(
  rows: readonly R[],
  each: (row: R) => T,
  pace = paceOfText(),
): Promise<T[]> {
  const results: T[] = [];
  for (const row of rows) {
    const cells = Object.values(row).map((cell) => (typeof cell === 'string' ? cell.length : 0));
    await pace.did(
      Math.max(
        MIN_CHARACTERS,
        cells.reduce((sum, it) => sum + it, 0),
      ),
    );
    results.push(each(row));
  }
  return results;
}

/** Matches rows. Returns the results in the order of the rows, and their counts by kind. */
export async function matchRows(index: NameIndex, { rows, level }: Rows) {
  const meta = { exact: 0, likely: 0, ambiguous: 0, none: 0 };
  const data = await inTurns(rows, ({ id, ...row }) => {
    const found = matchRow(index, row, level);
    meta[found.match] += 1;
    return { id: id ?? null, ...answeredMatch(index, found, row) };
  });
  return { data, meta };
}

/**
 * A result as it is answered.
 *
 * @param row what was matched
 */
export function answeredMatch(
  index: NameIndex,
  { match, code, level, name, score, candidates, needs, notes }: Match,
  row: MatchInput,
) {
  const listed = candidates.map((it) => ({ since: null, until: null, ...it, ancestors: parentsOf(index, it) }));
  const deciding = needs === null ? undefined : decidingNote(listed, needs, row);
  return {
    match,
    code,
    level,
    name,
    score: roundedScore(score),
    ancestors: code === null || level === null ? [] : parentsOf(index, { code, level }),
    candidates: listed,
    notes: deciding === undefined ? notes : [...notes, deciding],
  };
}

/** A place with the areas that it lies in. */
type Listed = Pick<MatchCandidate, 'code' | 'level'> & { readonly ancestors: ReturnType<typeof parentsOf> };

/** How a sentence ends that says what would decide a row. */
const WOULD_DECIDE = ' would decide.';

/** The sentence among the notes of a row that says what would decide it, if there is one. */
export function decidingNoteIn(notes: readonly string[]): string | undefined {
  return notes.find((note) => note.endsWith(WOULD_DECIDE));
}

/**
 * What would decide between places: the name of an area that the row does not give yet and that tells them apart, or a name that
 * it gives, in full. Undefined where all of them are in one such area.
 */
function decidingNote(places: readonly Listed[], needs: NameLevel, row: MatchInput): string | undefined {
  // Districts of Manila stand in the column of cities.
  const column = needs === 'submunicipality' ? 'municity' : needs;
  const isGiven = (level: Column) => !isBlankCell((row[level] ?? '').trim());
  if (isCommon(places, needs)) return undefined;
  const other = isGiven(column) ? PARENTS.find((level) => !isGiven(level) && areApart(places, level)) : column;
  return other === undefined
    ? `The full name of the ${LEVEL_NAMES[column].noun}${WOULD_DECIDE}`
    : `A ${LEVEL_NAMES[other].noun} beside it${WOULD_DECIDE}`;
}

/** The levels whose areas tell places apart, the smallest first. */
const PARENTS = ['municity', 'province', 'region'] as const;

/** Whether places lie in different areas of a level, and each in one. */
function areApart(places: readonly Listed[], at: NameLevel): boolean {
  const codes = parentCodes(places, at);
  return codes.size > 1 && !codes.has(undefined);
}

/** Whether places lie in the same area of a level, which then does not distinguish them. */
function isCommon(places: readonly Listed[], at: NameLevel): boolean {
  const codes = parentCodes(places, at);
  return places.length > 1 && codes.size === 1 && !codes.has(undefined);
}

function parentCodes(places: readonly Listed[], at: NameLevel): ReadonlySet<string | undefined> {
  return new Set(places.map(({ ancestors }) => ancestors.find(({ level }) => level === at)?.code));
}

/** What a row means, as it is answered. */
export type MatchedRow = Awaited<ReturnType<typeof matchRows>>['data'][number];

/** The areas that an area lies in, from the region down. */
function parentsOf(index: NameIndex, { code, level }: { readonly code: string; readonly level: NameLevel }) {
  return index.ancestorsOf(index.rowOf(level, code)).map((row) => ({
    code: index.codeOf(row),
    level: index.levelOf(row),
    name: index.source.nameOf(row),
  }));
}

/** The `TableWork` that matches the rows of a table. */
export function tableMatching(
  index: NameIndex,
  { reads, read, level }: PlaceReader & { level: NameLevel | undefined },
): TableWork {
  const pace = paceOfText();
  return {
    reads,
    columns: MATCH_COLUMNS,
    linesOf: (rows) => inTurns(rows.map(read), (row) => [cellsOf(index, matchRow(index, row, level))], pace),
  };
}

function cellsOf(index: NameIndex, found: Match): string[] {
  const others = found.match === 'exact' ? [] : found.candidates;
  return matchCells({ ...found, candidates: others.map((it) => ({ ...it, ancestors: parentsOf(index, it) })) });
}
