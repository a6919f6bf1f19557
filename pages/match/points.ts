import type { InvalidRows } from '../../clients/typescript/src/types.ts';
import { PsgcError } from '../shared/api.ts';
import { freshToken } from '../shared/credentials.ts';
import { button, el } from '../shared/dom.ts';
import { farWords } from '../shared/far-away.ts';
import { number } from '../shared/format.ts';
import { invalidTable } from '../shared/rows-table.ts';
import { sendFile, type UploadedDataset } from '../shared/send-file.ts';
import { headingOf } from './groups.ts';
import { type PointTable, pointColumns, pointKinds, pointTable } from './point-columns.ts';
import { PASTED } from './read-text.ts';
import { csvParts } from './result.ts';
import { showStoredMap, type WaitingTab, waitingTab } from './stored-map.ts';
import { rowNumbers, type Source, type Table } from './table.ts';
import { pastedOn } from './title.ts';

export interface PointsOffer {
  readonly element: HTMLElement;
  /** Goes on with the map that somebody had to sign in for. */
  goOn(): void;
}

/** The way to a map of points from a list with coordinates; undefined for one without. */
export function pointsOffer(source: Source, table: Table): PointsOffer | undefined {
  const name = source.name === PASTED ? pastedOn(new Date()) : source.name;
  const at = pointColumns(table);
  if (!at) return undefined;
  const status = el('span', { role: 'status' });
  const doubts = el('div', { role: 'status' });
  const leftOut = el('div');
  let isWanted = false;
  /** The rows whose coordinates are swapped. */
  let turned: ReadonlySet<number> = new Set();
  /** The dataset that was stored, in whose place the next map of the list comes. */
  let datasetId: string | undefined;

  const make = async () => {
    const tab = waitingTab();
    asking.disabled = true;
    isWanted = false;
    leftOut.replaceChildren();
    status.textContent = 'Storing the points…';
    const sent = pointTable(table, at, turned);
    try {
      const token = await freshToken();
      if (token === undefined) {
        tab.close();
        isWanted = true;
        const signIn = el('a', { class: 'button main', href: '/dashboard#back', target: '_blank' }, 'Sign in');
        status.replaceChildren('Sign in, and the map is made by itself. ', signIn);
        signIn.focus();
      } else {
        const stored = await sendFile({
          file: new File([...csvParts(sent.rows, { separator: ',', hasMark: false })], `${name}.csv`, {
            type: 'text/csv',
          }),
          ...{ name, datasetId, fileOnly: false, skipInvalid: true, token, signal: new AbortController().signal },
          onProgress: (done, total) => {
            status.textContent = `Storing the points: ${Math.floor((100 * done) / total)} % are sent.`;
          },
        });
        datasetId = stored.id;
        showStored(stored, sent, tab);
      }
    } catch (error) {
      tab.close();
      // A dataset that somebody has deleted meanwhile is not replaced.
      if (error instanceof PsgcError && error.status === 404) datasetId = undefined;
      const invalid = error instanceof PsgcError ? (error.details.invalid_rows as InvalidRows | undefined) : undefined;
      status.textContent = invalid
        ? 'No row has coordinates that can be read.'
        : error instanceof Error
          ? error.message
          : String(error);
      if (invalid) showLeftOut(invalid, sent);
    }
    asking.disabled = false;
  };

  const showStored = ({ id, feature_count: count, skipped }: UploadedDataset, sent: PointTable, tab: WaitingTab) => {
    const { blank, far, extent } = pointKinds(table.rows, at, turned);
    const points = count - blank.length;
    const sentences = [
      `${number(points)} ${points === 1 ? 'point is' : 'points are'} stored. `,
      blank.length === 0
        ? ''
        : blank.length === 1
          ? '1 row without coordinates is stored too, and no map shows it. '
          : `${number(blank.length)} rows without coordinates are stored too, and no map shows them. `,
      skipped ? `${number(skipped.count)} ${skipped.count === 1 ? 'row was' : 'rows were'} left out. ` : '',
      extent && far.length > 0 ? `The map opens without what lies far outside of the Philippines. ` : '',
    ];
    const part = far.length > 0 ? extent && withMargin(extent) : undefined;
    showStoredMap(status, { id, sentence: sentences.join(''), tab, part });
    if (skipped) showLeftOut(skipped, sent);
  };

  /** Shows rows that are not valid with their numbers and headings in the list. */
  const showLeftOut = ({ rows, ...counts }: InvalidRows, { columns, lines }: PointTable) => {
    const own = rows.map((row) => {
      const line = lines.get(Number(/^line (\d+)$/.exec(row.place ?? '')?.[1]));
      const index = row.column === null ? undefined : columns.get(row.column);
      // The message names the column as it was sent.
      const isNamed = row.column !== null && row.message.startsWith(`${row.column} `);
      const message = isNamed ? row.message.slice(`${row.column} `.length) : row.message;
      return {
        ...{ place: line === undefined ? row.place : rowNumbers(table, [line]), value: row.value, message },
        column: index === undefined ? row.column : headingOf(table.headings, index),
      };
    });
    leftOut.replaceChildren(invalidTable({ ...counts, rows: own }));
  };

  const showDoubts = () => {
    const { swapped, far } = pointKinds(table.rows, at, turned);
    const turn = (rows: ReadonlySet<number>) => {
      turned = rows;
      showDoubts();
      asking.focus();
      if (datasetId !== undefined) void make();
    };
    const swappedText = `${count(swapped, 'row looks', 'rows look')} as if latitude and longitude were swapped: ${rowNumbers(table, swapped)}. `;
    const turnedText = `Latitude and longitude are swapped in ${rowNumbers(table, [...turned])}. `;
    doubts.replaceChildren(
      ...(swapped.length > 0
        ? [
            el(
              'p',
              {},
              swappedText,
              button('Swap them', () => turn(new Set([...turned, ...swapped]))),
            ),
          ]
        : []),
      ...(turned.size > 0
        ? [
            el(
              'p',
              {},
              turnedText,
              button('Undo', () => turn(new Set())),
            ),
          ]
        : []),
      ...(far.length > 0
        ? [el('p', {}, `${farWords(far.length, ['point', 'points'])}: ${rowNumbers(table, far)}.`)]
        : []),
    );
  };

  const asking = button('Make a map of the points', () => void make(), { class: 'main' });
  const columns = [at.latitude, at.longitude].map((index) => headingOf(table.headings, index)).join(' and ');
  showDoubts();
  return {
    element: el(
      'div',
      { class: 'note' },
      `The list has coordinates, in ${columns}. `,
      ...[asking, ' ', status, doubts, leftOut],
    ),
    goOn() {
      if (isWanted) void make();
    },
  };
}

function count({ length }: readonly number[], one: string, several: string): string {
  return `${number(length)} ${length === 1 ? one : several}`;
}

/** Around the points that a map opens with, degrees. */
const MARGIN = 0.02;

function withMargin([west, south, east, north]: readonly [number, number, number, number]): number[] {
  const box = [west - MARGIN, south - MARGIN, east + MARGIN, north + MARGIN];
  return box.map((degrees) => Number(degrees.toFixed(4)));
}
