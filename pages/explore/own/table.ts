import { button, el } from '../../shared/dom.ts';
import { roundedOf, wordOfValue } from '../../shared/values.ts';
import { inTableOrder, namingColumn } from './column-order.ts';
import { dataText } from './data-text.ts';
import { type Column, type Order, type Row, rowsInSight } from './rows.ts';
import type { RateColumn } from './styling.ts';

/** The height of a row in own.css, pixels. */
const ROW_HEIGHT = 32;

/** More columns are left to the facts of a feature: each row in sight is made anew when the table scrolls. */
const MAX_COLUMNS = 50;

/** How many characters of a value a cell has. The facts of a feature show the whole of it. */
const MAX_TEXT = 80;

/** The letters of a heading that stand in a line, where the values are shorter. Fewer would make many lines of some. */
const HEADING = { least: 8, lines: 3 } as const;

interface TableOptions {
  rows: readonly Row[];
  columns: readonly Column[];
  onSort: (column: string) => void;
  onChoose: (row: Row) => void;
}

/** A table of features. Only the rows in sight are in the page, so it may be long. */
export function createTable({ rows: ofDataset, columns: all, onSort, onChoose }: TableOptions) {
  const naming = namingColumn(all, ofDataset);
  let columns: readonly Column[] = [];
  let heads: readonly HTMLElement[] = [];
  let rate: RateColumn | undefined;
  /** The place of the rate: behind the column that it is made of. */
  let ratePlace = 0;
  const headOf = ({ name, isNumeric }: Column) => {
    const sort = button(dataText(name, MAX_TEXT), () => onSort(name));
    const letters = Math.min(name.length, MAX_TEXT);
    sort.style.minWidth = `${Math.max(Math.min(letters, HEADING.least), letters / HEADING.lines)}ch`;
    return el('th', { scope: 'col', class: isNumeric && 'number' }, sort);
  };
  const body = el('tbody');
  const corner = el('th', { scope: 'col' }, 'Row');
  const headings = el('tr', {}, corner);
  const table = el('table', {}, el('thead', {}, headings), body);
  const left = all.length - MAX_COLUMNS;
  const more = left > 0 ? el('caption', {}, `${left} more columns are shown with each row.`) : undefined;
  if (more) table.prepend(more);
  const element = el('div', { class: 'own-table', tabindex: '0', role: 'region', 'aria-label': 'Rows' }, table);
  let rows: readonly Row[] = [];
  let marked: Row | undefined;

  const space = (count: number) => {
    const gap = el('tr', { 'aria-hidden': 'true' }, el('td', { colspan: String(columns.length + (rate ? 2 : 1)) }));
    gap.style.height = `${count * ROW_HEIGHT}px`;
    return gap;
  };
  const line = (row: Row, index: number) => {
    const choose = button(String(index + 1), () => onChoose(row), { 'aria-label': `Show row ${index + 1}` });
    choose.dataset.feature = row.id;
    const cells = columns.map(({ name, isNumeric, isAmount }) =>
      el('td', { class: isNumeric && 'number' }, dataText(wordOfValue(row.properties[name], isAmount), MAX_TEXT)),
    );
    if (rate) {
      const number = rate.numberFor(row);
      cells.splice(ratePlace, 0, el('td', { class: 'number' }, number === undefined ? '' : roundedOf(number)));
    }
    const item = el(
      'tr',
      { 'aria-rowindex': String(index + 2), 'aria-current': row === marked && 'true' },
      el('td', {}, choose),
      ...cells,
    );
    item.addEventListener('click', ({ target }) => {
      if (target !== choose) onChoose(row);
    });
    return item;
  };
  const draw = () => {
    const height = element.clientHeight || 360;
    const { from, to } = rowsInSight({ scrolled: element.scrollTop, height, rowHeight: ROW_HEIGHT }, rows.length);
    // A row that has the focus keeps it when the rows are made anew.
    const focused = body.contains(document.activeElement) ? (document.activeElement as HTMLElement) : undefined;
    const lines = rows.slice(from, to).map((row, index) => line(row, from + index));
    body.replaceChildren(space(from), ...lines, space(rows.length - to));
    if (!focused) return;
    const buttons = [...body.querySelectorAll('button')];
    const again = buttons.find(({ dataset }) => dataset.feature === focused.dataset.feature) ?? element;
    again.focus({ preventScroll: true });
  };
  let frame = 0;
  element.addEventListener('scroll', () => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(draw);
  });

  const showHeadings = () => {
    const all = [...heads];
    // It is no property, so the address has no order by it.
    if (rate) all.splice(ratePlace, 0, el('th', { scope: 'col', class: 'number' }, dataText(rate.title, MAX_TEXT)));
    headings.replaceChildren(corner, ...all);
  };

  return {
    element,
    /** Shows other rows, from the first. @param color the column that colours them, which stands beside their names */
    show(next: readonly Row[], { sort, isDescending, color }: Order & { readonly color: string | undefined }) {
      rows = next;
      const wanted = inTableOrder(all, { naming, color }).slice(0, MAX_COLUMNS);
      if (wanted.length !== columns.length || wanted.some((column, index) => column !== columns[index])) {
        columns = wanted;
        heads = columns.map(headOf);
        rate = undefined;
        showHeadings();
      }
      table.setAttribute('aria-rowcount', String(rows.length + 1));
      for (const [index, head] of heads.entries()) {
        const direction = isDescending ? 'descending' : 'ascending';
        head.setAttribute('aria-sort', columns[index]?.name === sort ? direction : 'none');
      }
      element.scrollTop = 0;
      draw();
    },
    /** Shows what the numbers of a column are divided to, beside it; nothing where they are as they were. */
    showRate(next: RateColumn | undefined, color: string | undefined) {
      if (next?.title === rate?.title && next?.numberFor === rate?.numberFor) return;
      rate = next;
      ratePlace = columns.findIndex(({ name }) => name === color) + 1;
      showHeadings();
      draw();
    },
    /** Marks a row, which is scrolled into sight. */
    mark(row: Row | undefined) {
      marked = row;
      const index = row ? rows.indexOf(row) : -1;
      const top = index * ROW_HEIGHT;
      const isHidden = top < element.scrollTop || top > element.scrollTop + element.clientHeight - 3 * ROW_HEIGHT;
      if (index >= 0 && isHidden) element.scrollTop = Math.max(0, top - ROW_HEIGHT);
      draw();
    },
  };
}
