import type { MatchedRow } from '../../clients/typescript/src/types.ts';
import { MAX_CELL_LENGTH } from '../../src/match/columns.ts';
import type { Field } from '../../src/names/result.ts';
import { type Columns, cellOf } from '../../src/tables/columns.ts';
import { type Table, textOf } from './table.ts';

/** The fields in the order in which they are asked for and shown. */
export const FIELDS: readonly Field[] = ['region', 'province', 'municity', 'barangay', 'text'];

/** The columns of places, by what they hold. */
export type PlaceColumns = Columns<Field>;

export const LABELS: Readonly<Record<Field, string>> = {
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
  /** What the service answered; undefined as long as it was not asked. */
  outcome?: Outcome;
  /** What a person chose instead; null for no code. */
  choice?: Place | null | undefined;
}

/** The rows of a table by what they say of places. Rows that say nothing are in no group. */
export function groupsOf({ rows }: Table, columns: PlaceColumns): Group[] {
  const groups = new Map<string, Group>();
  for (const [i, cells] of rows.entries()) {
    const texts = cells.map(textOf);
    const found = FIELDS.flatMap((field) => {
      const text = cellOf(texts, columns[field])?.trim();
      return text === undefined ? [] : [[field, cut(field, text)] as const];
    });
    if (found.length === 0) continue;
    const key = JSON.stringify(found.map(([field, text]) => [field, folded(text)]));
    const group = groups.get(key);
    if (group) group.rows.push(i);
    else groups.set(key, { fields: Object.fromEntries(found), rows: [i] });
  }
  return [...groups.values()];
}

/** A text without what tells no places apart. */
function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ');
}

/** What a group calls its smallest place, folded. */
export function smallestIn({ fields }: Group): string {
  const field = FIELDS.findLast((one) => fields[one] !== undefined);
  return folded((field && fields[field]) ?? '');
}

/** As much of a cell as the service takes. What decides of an address stands at its end. */
function cut(field: Field, text: string): string {
  return (field === 'text' ? text.slice(-MAX_CELL_LENGTH.text) : text.slice(0, MAX_CELL_LENGTH.name)).toWellFormed();
}

export const STATES = ['none', 'ambiguous', 'likely', 'exact', 'chosen'] as const;

/** How a group stands; the states from the least sure on. `waiting`: the service was not asked. */
export type State = (typeof STATES)[number] | 'waiting';

export function stateOf({ outcome, choice }: Group): State {
  if (choice !== undefined) return 'chosen';
  return outcome?.match ?? 'waiting';
}

/** The states that somebody should look at, the least sure first. */
export const UNSURE: readonly State[] = ['none', 'ambiguous', 'likely'];

export function isUnsure(group: Group): boolean {
  return UNSURE.includes(stateOf(group));
}

/** The number of rows in groups. */
export function rowsIn(groups: readonly Group[]): number {
  return groups.reduce((sum, { rows }) => sum + rows.length, 0);
}

/** The number of rows in each state. */
export function countStates(groups: readonly Group[]): Record<State, number> {
  const counts = { none: 0, ambiguous: 0, likely: 0, exact: 0, chosen: 0, waiting: 0 };
  for (const group of groups) counts[stateOf(group)] += group.rows.length;
  return counts;
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

/** The places to choose from, that of the service first. */
export function optionsOf({ outcome, choice }: Group): Option[] {
  const found = foundIn(outcome);
  const all = [...(found ? [found] : []), ...(outcome?.candidates ?? []), ...(choice ? [choice] : [])];
  return [...new Map(all.map((place) => [place.code, place])).values()];
}
