import { day } from '../shared/dates.ts';
import { el } from '../shared/dom.ts';
import { number, size } from '../shared/format.ts';
import { type DayStats, type LimitUse, OUTCOME_WORDS, OUTCOMES, outcomeOf, outcomesOf, type Stats } from './stats.ts';
import { cell, recordTable } from './table.ts';

const row = (...cells: readonly HTMLElement[]) => el('tr', {}, ...cells);
const heading = (...children: readonly (Node | string)[]) => el('th', { scope: 'row' }, ...children);
const amount = (value: number) => el('td', {}, number(value));
const column = (text: string) => el('th', { scope: 'col' }, text);

/** The days that had requests, as a table that is closed at first. */
export function dayTable(days: readonly DayStats[]): HTMLElement {
  const rows = days
    .filter(({ count }) => count > 0)
    .map((one) => {
      const counts = outcomesOf(one);
      return row(heading(day(one.date)), amount(one.count), ...OUTCOMES.map((outcome) => amount(counts[outcome])));
    });
  const head = row(...['Day', 'Requests', 'Succeeded', 'Client errors', 'Server errors'].map(column));
  const table = el('table', {}, el('thead', {}, head), el('tbody', {}, ...rows));
  return el('details', {}, el('summary', {}, 'Days as a table'), table);
}

/** A table of names with bars and numbers. */
function barTable(
  caption: string,
  rows: readonly { name: Node | string; count: number; note?: string }[],
): HTMLElement {
  if (rows.length === 0) return el('div');
  const max = Math.max(1, ...rows.map(({ count }) => count));
  return el(
    'table',
    { class: 'bars' },
    el('caption', {}, caption),
    el('tbody', {}, ...rows.map((one) => row(heading(one.name), meter(one.count, max), noted(one.count, one.note)))),
  );
}

function meter(value: number, max: number): HTMLElement {
  return el('td', {}, el('meter', { min: '0', max: String(max), value: String(value), 'aria-hidden': 'true' }));
}

function noted(count: number, note: string | undefined): HTMLElement {
  return note === undefined ? amount(count) : el('td', {}, `${number(count)}, ${note}`);
}

export function endpointTable({ top_endpoints: endpoints = [] }: Stats): HTMLElement {
  return barTable(
    'By endpoint',
    endpoints.map(({ path, count }) => ({ name: el('code', {}, path ?? 'other'), count })),
  );
}

export function keyTable({ requests_by_key: keys = [] }: Stats): HTMLElement {
  return barTable(
    'By key',
    keys.map(({ name, count, failed }) => ({
      name,
      count,
      note: failed > 0 ? `${number(failed)} failed` : 'none failed',
    })),
  );
}

/** Short labels of the frequent statuses. */
const STATUS_LABELS: Readonly<Record<number, string>> = {
  200: 'OK',
  204: 'no content',
  206: 'a part',
  304: 'not modified',
  400: 'bad request',
  401: 'not signed in',
  403: 'not allowed',
  404: 'not found',
  409: 'conflict',
  412: 'another version',
  413: 'too large',
  415: 'wrong type',
  416: 'no such part',
  422: 'invalid input',
  429: 'too many',
  500: 'fault of the service',
  503: 'not available',
};

export function statusTable({ requests_by_day: days = [] }: Stats): HTMLElement {
  const counts = new Map<number, number>();
  for (const { status, count } of days.flatMap(({ statuses }) => statuses)) {
    counts.set(status, (counts.get(status) ?? 0) + count);
  }
  const rows = [...counts].sort(([one], [other]) => one - other);
  return barTable(
    'By status',
    rows.map(([status, count]) => ({
      name: `${status} ${STATUS_LABELS[status] ?? OUTCOME_WORDS[outcomeOf(status)]}`,
      count,
    })),
  );
}

/** Which requests failed, and why. */
export async function failureTable({ failures = [], requests_by_key: keys = [] }: Stats): Promise<HTMLElement> {
  if (failures.length === 0) return el('p', { class: 'quiet' }, 'None of them failed.');
  // They are many, and few people need them.
  const none: { readonly MEANINGS: Readonly<Record<string, string>> } = { MEANINGS: {} };
  const { MEANINGS } = await import('../../src/openapi/error-meanings.ts').catch(() => none);
  const names = new Map(keys.map(({ key_id, name }) => [key_id, name]));
  const rows = failures.map(({ date, key_id: key, path, status, code, count }) =>
    row(
      cell('Day', day(date)),
      cell('Request', el('code', {}, path)),
      cell('Key', names.get(key) ?? ''),
      cell('Why', `${status} `, el('code', {}, code), ` ${meaningOf(code, MEANINGS)}`),
      cell('Times', number(count)),
    ),
  );
  const table = recordTable(['Day', 'Request', 'Key', 'Why', 'Times'], rows);
  return el('div', {}, el('h3', {}, 'What failed, and why'), table);
}

function meaningOf(code: string, meanings: Readonly<Record<string, string>>): string {
  // An invalid parameter or body has no code. The usage log has the name of its error.
  if (code === 'ZodError') return 'A parameter or the body was not as the reference has it; the answer names it.';
  return (meanings[code] ?? '').replaceAll('`', '');
}

/** What is used of the limits that all keys and datasets of the account share. */
export function limitTable({ limits: { requests_per_minute: requests, stored_bytes: stored } }: Stats): HTMLElement {
  const line = (what: string, { allowed, used }: LimitUse, text: (value: number) => string) =>
    row(
      heading(what),
      meter(used ?? 0, allowed),
      el('td', {}, `${used === null ? '–' : text(used)} of ${text(allowed)}`),
    );
  return el(
    'table',
    { class: 'bars' },
    el('caption', {}, 'Limits of your account'),
    el(
      'tbody',
      {},
      line('requests in the last minute, all keys', requests, number),
      line('stored in datasets', stored, size),
    ),
  );
}
