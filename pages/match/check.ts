import { MAX_CELL_LENGTH } from '../../src/match/columns.ts';
import type { Field } from '../../src/names/result.ts';
import { currentToken } from '../shared/credentials.ts';
import { byId, el } from '../shared/dom.ts';
import { number } from '../shared/format.ts';
import { FIELDS, groupsOf, headingOf, LABELS, type PlaceColumns } from './groups.ts';
import { FREE_ROWS, MAX_ROWS } from './limits.ts';
import { minutesFor, namesPlace } from './look-up.ts';
import { type PointsOffer, pointsOffer } from './points.ts';
import { takenColumns } from './result.ts';
import {
  columnsIn,
  columnsOf,
  findHeadings,
  HEADING_ROWS,
  isBlank,
  type Sheet,
  type Source,
  type Table,
  tableOf,
  textOf,
} from './table.ts';

/** What is shown of a table, so that people know it again. */
const PREVIEW = { rows: 5, columns: 40, characters: 60 };

const UNKNOWN =
  'No heading is known to be of places, such as Province, City/Municipality, Barangay or Address. Choose the columns here; and if the list has no headings, say so first.';

/** The value of the choice that there are no headings. */
const NO_HEADINGS = 'none';

/**
 * The part of the page where people see how their list was understood, and put it right.
 *
 * @param onFind called with the table once the codes are to be found
 */
export function createCheck(onFind: (table: Table, columns: PlaceColumns) => void) {
  const sheetSelect = byId('sheet', HTMLSelectElement);
  const headingSelect = byId('heading-row', HTMLSelectElement);
  const section = byId('check', HTMLElement);
  const fault = byId('check-fault', HTMLElement);
  const findButton = byId('find', HTMLButtonElement);
  const signIn = byId('find-signed-in', HTMLAnchorElement);
  let source: Source | undefined;
  let table: Table | undefined;
  let columns: PlaceColumns = {};
  /** Whether the codes are found as soon as somebody has signed in. */
  let isWaiting = false;
  let points: PointsOffer | undefined;

  const sheet = (): Sheet => source?.sheets[Number(sheetSelect.value)] ?? { name: '', rows: [] };

  const openSheet = () => {
    const { rows } = sheet();
    headingSelect.replaceChildren(
      ...rows
        .slice(0, HEADING_ROWS)
        .map((row, i) => el('option', { value: String(i) }, `Row ${i + 1}: ${lineOf(row)}`)),
      el('option', { value: NO_HEADINGS }, 'There are none: the first row is a place'),
    );
    headingSelect.value = String(findHeadings(sheet()) ?? NO_HEADINGS);
    openTable();
    void doubtHeading();
  };

  /** Takes the heading of a list with one column for a row if it is the name of a place. All cells of such a list are looked up anyway. */
  const doubtHeading = async () => {
    const [opened, heading, { value }] = [table, table?.headings[0]?.slice(0, MAX_CELL_LENGTH.text), headingSelect];
    if (table?.headings.length !== 1 || !heading || value === NO_HEADINGS || Object.keys(columns).length > 0) return;
    const isPlace = await namesPlace(heading).catch(() => false);
    // Somebody may have chosen otherwise meanwhile.
    if (!isPlace || table !== opened || Object.keys(columns).length > 0) return;
    headingSelect.value = NO_HEADINGS;
    openTable();
  };

  const openTable = () => {
    const hasHeadings = headingSelect.value !== NO_HEADINGS;
    table = tableOf(sheet(), hasHeadings ? Number(headingSelect.value) : undefined);
    // What stands in the only column is the whole of a place.
    columns = hasHeadings ? columnsOf(table) : table.headings.length === 1 ? { text: [0] } : {};
    points = source && hasHeadings ? pointsOffer(source, table) : undefined;
    const unknown =
      Object.keys(columns).length > 0 || points ? [] : [hasHeadings ? UNKNOWN : 'Choose which column has what.'];
    const notes = [...(source?.notes ?? []), ...table.notes, ...unknown];
    byId('check-notes', HTMLElement).replaceChildren(
      ...(points ? [points.element] : []),
      ...notes.map((note) => el('p', { class: 'note' }, note)),
    );
    byId('columns', HTMLElement).replaceChildren(...FIELDS.map((field) => columnChoice(field)));
    showPreview();
  };

  const columnChoice = (field: Field): HTMLElement => {
    const options = (table?.headings ?? []).map((_, at) => el('option', { value: String(at) }, headingAt(at)));
    const select = el('select', { id: `column-${field}` }, el('option', { value: '' }, '(no column)'), ...options);
    const [first, ...others] = columns[field] ?? [];
    select.value = first === undefined ? '' : String(first);
    const more = el(
      'span',
      { class: 'quiet' },
      others.map((at) => `or, where it is empty, ${headingAt(at)}`).join(' '),
    );
    select.addEventListener('change', () => {
      const { [field]: _, ...rest } = columns;
      columns = select.value === '' ? rest : { ...rest, [field]: [Number(select.value)] };
      more.textContent = '';
      showPreview();
    });
    return el('p', {}, el('label', { for: select.id }, LABELS[field]), select, more);
  };

  const headingAt = (at: number): string => headingOf(table?.headings ?? [], at);

  /** Says how long the list is, and what that means for who has not signed in. */
  const showLength = () => {
    const { length } = table?.rows ?? [];
    const name = source?.sheets.length === 1 ? source.name : `${source?.name}, sheet ${sheet().name}`;
    const isTooLong = needsSignIn();
    const limit = isTooLong ? `Without signing in a list may have ${number(FREE_ROWS)} rows.` : durationText();
    byId('check-about', HTMLElement).textContent =
      `${name}: ${number(length)} ${length === 1 ? 'row' : 'rows'}${limit && `. ${limit}`}`;
    findButton.hidden = isTooLong;
    signIn.hidden = !isTooLong;
  };

  /** How long it takes to find the codes, where that is long. */
  const durationText = () => {
    if (!table || currentToken() !== undefined) return '';
    const minutes = minutesFor(groupsOf(table, columns).length);
    const unit = minutes === 1 ? 'minute' : 'minutes';
    return minutes === 0
      ? ''
      : `Without signing in it takes about ${minutes} ${unit}, with pauses; signed in, some seconds.`;
  };

  const needsSignIn = () => (table?.rows.length ?? 0) > FREE_ROWS && currentToken() === undefined;

  const showPreview = () => {
    fault.textContent = '';
    if (!table) return;
    showLength();
    const shown = table.headings.slice(0, PREVIEW.columns);
    const fieldAt = (at: number) => FIELDS.find((field) => columns[field]?.includes(at));
    const head = shown.map((_, at) => {
      const field = fieldAt(at);
      const mark = field && el('span', { class: 'mark' }, LABELS[field]);
      return el('th', { scope: 'col', class: field && 'used' }, headingAt(at), mark);
    });
    const body = table.rows
      .filter((row) => !isBlank(row))
      .slice(0, PREVIEW.rows)
      .map((row) =>
        el('tr', {}, ...shown.map((_, at) => el('td', { class: fieldAt(at) && 'used' }, short(textOf(row[at]))))),
      );
    byId('preview', HTMLElement).replaceChildren(
      el('table', {}, el('thead', {}, el('tr', {}, ...head)), el('tbody', {}, ...body)),
    );
  };

  /** What is in the way, in a sentence; empty where the codes can be found. */
  const obstacle = ({ rows, headings }: Table): string => {
    const taken = takenColumns({ headings });
    if (rows.length === 0) return 'There is no row below the headings.';
    if (Object.keys(columns).length === 0) return 'Choose at least one column first.';
    if (taken.length > 0) {
      return `The table has a column ${taken.join(' and ')} already, which the result adds. Rename or remove it, and drop the file again.`;
    }
    if (rows.length > MAX_ROWS) return `This page takes ${number(MAX_ROWS)} rows. Cut the table into parts.`;
    return '';
  };

  // What scrolls must be reachable by the keyboard too.
  byId('preview', HTMLElement).tabIndex = 0;
  sheetSelect.addEventListener('change', openSheet);
  headingSelect.addEventListener('change', openTable);
  const find = () => {
    if (!table) return;
    fault.textContent = obstacle(table);
    isWaiting = fault.textContent === '' && needsSignIn();
    if (isWaiting) signIn.focus();
    else if (fault.textContent === '') onFind(table, columns);
  };
  findButton.addEventListener('click', find);
  signIn.addEventListener('click', (event) => {
    find();
    // Nobody signs in for a list that can not be looked up as it is.
    if (!isWaiting) event.preventDefault();
  });

  return {
    show(opened: Source) {
      source = opened;
      isWaiting = false;
      sheetSelect.replaceChildren(...opened.sheets.map(({ name }, i) => el('option', { value: String(i) }, name)));
      const known = opened.sheets.map((it) => Object.keys(columnsIn(it.rows[findHeadings(it) ?? -1] ?? [])).length);
      sheetSelect.value = String(known.indexOf(Math.max(...known)));
      byId('sheet-choice', HTMLElement).hidden = opened.sheets.length === 1;
      openSheet();
    },
    /** Finds the codes by the columns that are chosen. What is in the way is shown. */
    find,
    /** Goes on if somebody has signed in, which was in the way. */
    accessChanged() {
      showLength();
      if (isWaiting && !section.hidden && currentToken() !== undefined) find();
      if (currentToken() !== undefined) points?.goOn();
    },
  };
}

function lineOf(row: Sheet['rows'][number]): string {
  const texts = row.map(textOf).filter((text) => text.trim() !== '');
  return short(texts.join(', ')) || '(empty)';
}

function short(text: string): string {
  return text.length > PREVIEW.characters ? `${text.slice(0, PREVIEW.characters)}…` : text;
}
