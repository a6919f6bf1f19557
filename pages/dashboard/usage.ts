import { requestJson } from '../shared/api.ts';
import { byId, el } from '../shared/dom.ts';
import { DAY_MS, day, number, size } from '../shared/format.ts';
import type { Session } from './session.ts';

interface Stats {
  readonly total_requests: number;
  readonly avg_response_time: number;
  readonly success_rate: number;
  readonly requests_by_day?: readonly { date: string; count: number }[];
  readonly top_endpoints?: readonly { path: string | null; count: number }[];
  readonly limits: { readonly requests_per_minute: Share; readonly stored_bytes: Share };
}

/** What the account may use, and uses; null: unknown. */
interface Share {
  readonly allowed: number;
  readonly used: number | null;
}

const DAYS = 30;

/** Height of the chart, in units of its own. */
const HEIGHT = 100;

/** Height of the bar of a day without requests, in the same units. */
const MIN_BAR = 1.5;

/** Space between two bars, in widths of a day. */
const GAP = 0.2;

const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';

/** Shows the requests that were made with the keys of the person who is signed in. */
export async function showUsage(session: Session): Promise<void> {
  const stats = await requestJson<Stats>('/v1/api-keys/stats', { token: await session.token() });
  const usage = byId('usage', HTMLElement);
  if (stats.total_requests === 0) {
    usage.replaceChildren(
      el('p', { class: 'quiet' }, 'No requests yet. Use a key, and they show here within a minute.'),
      limits(stats),
    );
    return;
  }
  const days = everyDay(stats.requests_by_day ?? []);
  usage.replaceChildren(figures(stats), chart(days), dayTable(days), endpoints(stats), limits(stats));
}

interface Day {
  readonly date: string;
  readonly count: number;
}

/** The last thirty days in UTC, with those that had no request. */
function everyDay(counted: readonly Day[]): Day[] {
  const counts = new Map(counted.map(({ date, count }) => [date, count]));
  const today = Date.now();
  return Array.from({ length: DAYS }, (_, i) => {
    const date = new Date(today - (DAYS - 1 - i) * DAY_MS).toISOString().slice(0, 10);
    return { date, count: counts.get(date) ?? 0 };
  });
}

function figures({ total_requests: total, avg_response_time: time, success_rate: rate }: Stats): HTMLElement {
  const figure = (value: string, what: string) => el('div', {}, el('b', {}, value), el('span', {}, what));
  const none = total === 0;
  return el(
    'div',
    { class: 'figures' },
    figure(number(total), total === 1 ? 'request' : 'requests'),
    figure(none ? '–' : `${Math.round(time)} ms`, 'average response'),
    figure(none ? '–' : `${rate.toFixed(rate === 100 ? 0 : 1)} %`, 'succeeded'),
  );
}

function svg(tag: string, attributes: Record<string, string | number>, ...children: (Node | string)[]): SVGElement {
  const element = document.createElementNS(SVG_NAMESPACE, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/** A bar for each day. The table below has the same numbers for people who can't see the chart. */
function chart(days: readonly Day[]): HTMLElement {
  const most = Math.max(1, ...days.map(({ count }) => count));
  const total = days.reduce((sum, { count }) => sum + count, 0);
  const bars = days.map(({ date, count }, i) => {
    const height = Math.max((count / most) * HEIGHT, MIN_BAR);
    const bar = svg('rect', { x: i + GAP / 2, y: HEIGHT - height, width: 1 - GAP, height });
    bar.setAttribute('class', count === 0 ? 'bar none' : 'bar');
    bar.append(svg('title', {}, `${day(date)}: ${number(count)}`));
    return bar;
  });
  const label = `Requests per day: ${number(total)} in all, ${number(total === 0 ? 0 : most)} on the busiest day`;
  const view = { viewBox: `0 0 ${DAYS} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': label };
  const [first, last] = [days[0], days.at(-1)];
  return el(
    'figure',
    { class: 'chart' },
    el('p', { class: 'most' }, total === 0 ? '' : `${number(most)} a day at most`),
    svg('svg', view, ...bars),
    el('figcaption', {}, el('span', {}, day(first?.date ?? '')), el('span', {}, day(last?.date ?? ''))),
  );
}

function dayTable(days: readonly Day[]): HTMLElement {
  const rows = days
    .filter(({ count }) => count > 0)
    .map(({ date, count }) => el('tr', {}, el('th', { scope: 'row' }, day(date)), el('td', {}, number(count))));
  const head = el('tr', {}, el('th', { scope: 'col' }, 'Day'), el('th', { scope: 'col' }, 'Requests'));
  const table = el('table', {}, el('thead', {}, head), el('tbody', {}, ...rows));
  return el('details', {}, el('summary', {}, 'Days as a table'), table);
}

function endpoints({ top_endpoints: endpoints = [] }: Stats): HTMLElement {
  if (endpoints.length === 0) return el('div');
  const most = Math.max(1, ...endpoints.map(({ count }) => count));
  const rows = endpoints.map(({ path, count }) =>
    el(
      'tr',
      {},
      el('th', { scope: 'row' }, el('code', {}, path ?? 'other')),
      el('td', {}, el('meter', { min: '0', max: String(most), value: String(count), 'aria-hidden': 'true' })),
      el('td', {}, number(count)),
    ),
  );
  return el('table', { class: 'endpoints' }, el('caption', {}, 'By endpoint'), el('tbody', {}, ...rows));
}

/** What is used of the limits that all keys and datasets of the account share. */
function limits({ limits: { requests_per_minute: requests, stored_bytes: stored } }: Stats): HTMLElement {
  const row = (what: string, { allowed, used }: Share, text: (amount: number) => string) =>
    el(
      'tr',
      {},
      el('th', { scope: 'row' }, what),
      el('td', {}, el('meter', { min: '0', max: String(allowed), value: String(used ?? 0), 'aria-hidden': 'true' })),
      el('td', {}, `${used === null ? '–' : text(used)} of ${text(allowed)}`),
    );
  const rows = [
    row('requests in the last minute, all keys', requests, number),
    row('stored in datasets', stored, size),
  ];
  return el('table', { class: 'endpoints' }, el('caption', {}, 'Limits of your account'), el('tbody', {}, ...rows));
}
