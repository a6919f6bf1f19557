import { DAY_MS, day } from '../shared/dates.ts';
import { el } from '../shared/dom.ts';
import { number } from '../shared/format.ts';
import { type DayStats, OUTCOME_WORDS, OUTCOMES, outcomesOf } from './stats.ts';

const DAYS = 30;

/** Height of the chart, in units of its own. */
const HEIGHT = 100;

/** Least height of a bar, and that of a day without requests, in the same units. */
const MIN_BAR = 1.5;

/** Space between two bars, in widths of a day. */
const GAP = 0.2;

const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';

/** The last thirty days in UTC, with those that had no request. */
export function everyDay(counted: readonly DayStats[]): DayStats[] {
  const byDate = new Map(counted.map((one) => [one.date, one]));
  const today = Date.now();
  return Array.from({ length: DAYS }, (_, i) => {
    const date = new Date(today - (DAYS - 1 - i) * DAY_MS).toISOString().slice(0, 10);
    return byDate.get(date) ?? { date, count: 0, statuses: [] };
  });
}

function svg(tag: string, attributes: Record<string, string | number>, ...children: (Node | string)[]): SVGElement {
  const element = document.createElementNS(SVG_NAMESPACE, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/** A bar for each day, in parts by outcome. The table has the same numbers for people who can't see the chart. */
export function chart(days: readonly DayStats[]): HTMLElement {
  const most = Math.max(1, ...days.map(({ count }) => count));
  const totals = outcomesOf({ statuses: days.flatMap(({ statuses }) => statuses) });
  const total = days.reduce((sum, { count }) => sum + count, 0);
  const label = `Requests per day: ${number(total)} in all, ${number(total === 0 ? 0 : most)} on the busiest day`;
  const view = { viewBox: `0 0 ${DAYS} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': label };
  const legend = OUTCOMES.map((outcome) =>
    el('li', {}, el('span', { class: `swatch ${outcome}` }), ` ${number(totals[outcome])} ${OUTCOME_WORDS[outcome]}`),
  );
  return el(
    'figure',
    { class: 'chart' },
    el('p', { class: 'most' }, total === 0 ? '' : `${number(most)} a day at most`),
    svg('svg', view, ...days.map((one, i) => bar(one, i, most))),
    el(
      'figcaption',
      {},
      el('span', {}, day(days[0]?.date ?? '')),
      el('ul', { class: 'legend' }, ...legend),
      el('span', {}, day(days.at(-1)?.date ?? '')),
    ),
  );
}

function bar(one: DayStats, i: number, most: number): SVGElement {
  const across = { x: i + GAP / 2, width: 1 - GAP };
  const counts = outcomesOf(one);
  const words = OUTCOMES.filter((outcome) => counts[outcome] > 0).map(
    (outcome) => `${number(counts[outcome])} ${OUTCOME_WORDS[outcome]}`,
  );
  const title = svg('title', {}, `${day(one.date)}: ${words.join(', ') || 'none'}`);
  if (one.count === 0) {
    return svg('g', {}, title, svg('rect', { ...across, y: HEIGHT - MIN_BAR, height: MIN_BAR, class: 'none' }));
  }
  let y = HEIGHT;
  const parts = OUTCOMES.filter((outcome) => counts[outcome] > 0).map((outcome) => {
    const height = Math.max((counts[outcome] / most) * HEIGHT, MIN_BAR);
    y -= height;
    return svg('rect', { ...across, y: Math.max(y, 0), height, class: outcome });
  });
  return svg('g', {}, title, ...parts);
}
