import type { MatchedRow } from '../../clients/typescript/src/types.ts';
import { MAX_CELL_LENGTH } from '../../src/match/columns.ts';
import { isBlankCell } from '../../src/names/blank.ts';
import { passedColumn } from '../../src/names/passed-over.ts';
import type { Field } from '../../src/names/result.ts';
import { COLUMNS, type Column } from '../../src/names/source.ts';
import { type Columns, cellOf } from '../../src/tables/columns.ts';
import { type Table, textOf } from './table.ts';

/** The fields in the order in which they are asked for and shown. */
export const FIELDS: readonly Field[] = ['code', 'region', 'province', 'municity', 'barangay', 'text'];

/** The columns of places, by what they hold. */
export type PlaceColumns = Columns<Field>;

export const LABELS: Readonly<Record<Field, string>> = {
  code: 'PSGC code',
  region: 'Region',
  province: 'Province',
  municity: 'City or municipality',
  barangay: 'Barangay',
  text: 'Address, or all in one',
};

/** Which columns have what, in a sentence. */
export function columnsSentence({ headings }: Pick<Table, 'headings'>, columns: PlaceColumns): string {
  const said = FIELDS.flatMap((field) => {
    const names = (columns[field] ?? []).map((at) => `“${headingOf(headings, at).slice(0, 60)}”`);
    return names.length === 0 ? [] : [`${LABELS[field]} from ${names.join(' or, where that is empty, ')}`];
  });
  return `Read: ${said.join('; ')}.`;
}

/** The heading of a column, or its number. */
export function headingOf(headings: readonly string[], at: number): string {
  return headings[at] || `Column ${at + 1}`;
}

/** What the columns of places have in a row. None of them is blank. */
export type Fields = { readonly [field in Field]?: string };

/** A place as the service answers it. */
export type Place = Pick<MatchedRow['candidates'][number], 'code' | 'level' | 'name' | 'ancestors'>;

/** A place to choose, and since or until which edition it is called as the row says. */
export type Option = Place & Partial<Pick<MatchedRow['candidates'][number], 'since' | 'until'>>;

/** What a row means, as the service answers it. */
export type Outcome = Omit<MatchedRow, 'id'>;

/** Rows with the same in their columns of places, but for case and spaces. They are asked for once and decided together. */
export interface Group {
  readonly fields: Fields;
  /** Indexes of the rows, ascending. */
  readonly rows: number[];
  /** The finest column of the list, if these rows have nothing in it. */
  readonly lacks: Column | undefined;
  /** What the service answered; undefined as long as it was not asked. */
  outcome?: Outcome;
  /** What a person chose instead; null for no code. */
  choice?: Place | null | undefined;
  /** Whether the place of the service was accepted in one step with those of other groups. */
  isBulkAccepted?: boolean | undefined;
}

/** The rows of a table by what they say of places. Rows that say nothing are in no group. */
export function groupsOf({ rows }: Table, columns: PlaceColumns): Group[] {
  const groups = new Map<string, Group>();
  const finest = COLUMNS.findLast((column) => columns[column] !== undefined);
  for (const [i, cells] of rows.entries()) {
    const texts = cells.map(textOf);
    const found = FIELDS.flatMap((field) => {
      const text = cellOf(texts, columns[field])?.trim();
      return text === undefined ? [] : [[field, cut(field, text)] as const];
    });
    if (found.every(([, text]) => isBlankCell(text))) continue;
    const key = JSON.stringify(found.map(([field, text]) => [field, folded(text)]));
    const group = groups.get(key);
    if (group) group.rows.push(i);
    else {
      const fields: Fields = Object.fromEntries(found);
      const isLacking = finest !== undefined && fields.text === undefined && isBlankCell(fields[finest] ?? '');
      groups.set(key, { fields, rows: [i], lacks: isLacking ? finest : undefined });
    }
  }
  return [...groups.values()];
}

/** A text without what tells no places apart. */
function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ');
}

/** What a group calls its smallest place, as it is typed. */
export function smallestOf({ fields }: Pick<Group, 'fields'>): string {
  const field = FIELDS.findLast((one) => fields[one] !== undefined);
  return (field && fields[field]) ?? '';
}

/** The same, folded. */
export function smallestIn(group: Group): string {
  return folded(smallestOf(group));
}

/** What a group says of what its smallest place lies in, folded; empty where it says nothing. */
export function parentsIn({ fields }: Pick<Group, 'fields'>): string {
  const [, ...parents] = FIELDS.toReversed().filter((one) => fields[one] !== undefined);
  return parents.map((one) => folded(fields[one] ?? '')).join('\n');
}

/** As much of a cell as the service takes. What decides of an address stands at its end. */
function cut(field: Field, text: string): string {
  return (field === 'text' ? text.slice(-MAX_CELL_LENGTH.text) : text.slice(0, MAX_CELL_LENGTH.name)).toWellFormed();
}

export const STATES = ['left', 'none', 'ambiguous', 'otherProvince', 'likely', 'exact', 'accepted', 'chosen'] as const;

/**
 * How a group stands; the states from the least sure on. `left`: without a code; `otherProvince`: the place does not lie in the province that is written;
 * `accepted`: together with others; `waiting`: the service was not asked.
 */
export type State = (typeof STATES)[number] | 'waiting';

export function stateOf({ outcome, choice, isBulkAccepted }: Group): State {
  if (choice === null) return 'left';
  if (choice !== undefined) return isBulkAccepted ? 'accepted' : 'chosen';
  if (!outcome) return 'waiting';
  if (outcome.match !== 'exact' && outcome.match !== 'likely') return outcome.match;
  return outcome.notes.some((note) => passedColumn(note) === 'province') ? 'otherProvince' : outcome.match;
}

/** The states that somebody should look at, the least sure first. */
export const UNSURE: readonly State[] = ['none', 'ambiguous', 'otherProvince', 'likely'];

export function isUnsure(group: Group): boolean {
  return UNSURE.includes(stateOf(group));
}

/** The number of rows in groups. */
export function rowsIn(groups: readonly Group[]): number {
  return groups.reduce((sum, { rows }) => sum + rows.length, 0);
}

/** The number of rows in each state. */
export function countStates(groups: readonly Group[]): Record<State, number> {
  const counts = Object.fromEntries([...STATES, 'waiting'].map((state) => [state, 0])) as Record<State, number>;
  for (const group of groups) counts[stateOf(group)] += group.rows.length;
  return counts;
}

/** The rows of a table that name no place and so are in no group, ascending: totals, and rows with blanks alone. */
export function rowsBeside(groups: readonly Group[], { rows }: Pick<Table, 'rows'>): number[] {
  const named = new Set(groups.flatMap((group) => group.rows));
  return [...rows.keys()].filter((row) => !named.has(row));
}

/** The codes that rows have, each with how many rows have it. */
export function countsOf(groups: readonly Group[]): [code: string, rows: number][] {
  const counts = new Map<string, number>();
  for (const group of groups) {
    const code = placeOf(group)?.code;
    if (code !== undefined) counts.set(code, (counts.get(code) ?? 0) + group.rows.length);
  }
  return [...counts];
}

/** The groups whose code another group has too: on a map they lie over each other. Those of a place follow each other. */
export function duplicatesOf(groups: readonly Group[]): Group[] {
  const byCode = Map.groupBy(groups, (group) => placeOf(group)?.code);
  return [...byCode].flatMap(([code, same]) => (code !== undefined && same.length > 1 ? same : []));
}

/** The groups with nothing in the finest column, which have the code of a larger place. */
export function coarserOf(groups: readonly Group[]): Group[] {
  return groups.filter((group) => group.lacks !== undefined && placeOf(group) && placeOf(group)?.level !== group.lacks);
}

/** The place that a group has now, by choice or by the service; null if it has none. */
export function placeOf({ outcome, choice }: Group): Place | null {
  return choice === undefined ? foundIn(outcome) : choice;
}

/** The place that the service answered; null if it has none. */
export function foundIn(outcome: Outcome | undefined): Place | null {
  if (!outcome || outcome.code === null || outcome.level === null) return null;
  const { code, level, name, ancestors } = outcome;
  return { code, level, name: name ?? '', ancestors };
}

/** How a group has its place, or none: by the service, or by what a person has decided. */
export function matchOf(group: Group): Outcome['match'] | 'accepted' | 'chosen' | 'left' | undefined {
  const state = stateOf(group);
  return state === 'left' || state === 'accepted' || state === 'chosen' ? state : group.outcome?.match;
}

/** The places to choose from, that of the service first. */
export function optionsOf({ outcome, choice }: Group): Option[] {
  const found = foundIn(outcome);
  const all = [...(found ? [found] : []), ...(outcome?.candidates ?? []), ...(choice ? [choice] : [])];
  return [...new Map(all.map((place) => [place.code, place])).values()];
}
