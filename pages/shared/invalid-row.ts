import type { InvalidRows } from '../../clients/typescript/src/types.ts';

type InvalidRow = InvalidRows['rows'][number];

/** Where a row is, its column or member, what is there, and why that is not valid. */
export function wordsOfRow(row: InvalidRow): string[] {
  return [placeOf(row), memberText(row.column ?? ''), row.value ?? '', reasonOf(row)];
}

/** What some messages begin with: the number of a feature, from 0. */
const LISTED = /^features\[(\d+)\]: /;

function placeOf({ place, message }: InvalidRow): string {
  const index = LISTED.exec(message)?.[1];
  return index === undefined ? (place ?? '') : `feature ${Number(index) + 1}`;
}

/** A member of a feature in words: `geometry.coordinates, item 1, 3, 2`. Indexes count from 0. */
function memberText(column: string): string {
  const [, member, indexes] = /^([a-z.]+)((?:\[\d+\])+)$/.exec(column) ?? [];
  if (member === undefined || indexes === undefined) return column;
  return `${member}, item ${indexes
    .slice(1, -1)
    .split('][')
    .map((index) => Number(index) + 1)
    .join(', ')}`;
}

/** Why a row is not valid, without what its other cells say. */
function reasonOf({ column, value, message }: InvalidRow): string {
  const own = column !== null && message.startsWith(`${column} `) ? message.slice(column.length + 1) : message;
  const bare =
    value === null
      ? own
      : own.replace(/ \(got (?:"(?:[^"\\]|\\.)*"|[^",)]*)(?:, (as if [^)]*))?\)$/, (_, hint) =>
          hint ? `, ${hint}` : '',
        );
  return bare.replace(LISTED, '');
}
