import type { Geometry } from 'geojson';
import { requestJson, sentenceFor } from '../shared/api.ts';
import { currentToken } from '../shared/credentials.ts';
import { button, el } from '../shared/dom.ts';
import { number } from '../shared/format.ts';
import { LEVEL_NAMES, LEVELS, type Level } from '../shared/levels.ts';
import { type Area, hashOf, ofEdition } from './places.ts';

interface Found {
  readonly code: string;
  readonly name: string;
  readonly distance_m: number;
  readonly count: number;
  readonly share_of_area: number;
  readonly area_km2: number;
  readonly population_estimate: number | null;
}

interface Answer {
  readonly data: readonly Found[];
  readonly meta: Readonly<Record<string, number>>;
}

/** What is asked about areas, and how the answer is shown. */
interface Question {
  readonly edition?: string | undefined;
  /** The level that is chosen first. */
  readonly level: Level;
  /** Fields of the form besides the level. */
  readonly fields?: readonly HTMLElement[];
  readonly ask: (level: Level) => Promise<Answer>;
  /** The columns beside the name: each with its heading and the text of an area. */
  readonly columns: readonly (readonly [heading: string, textOf: (found: Found) => string])[];
  readonly summaryOf: (answer: Answer) => string;
}

/** How many areas are listed: an answer may have thousands. */
const MAX_LISTED = 100;

const RADII = [1, 5, 10, 25, 50, 100];

/** A form that lists the areas within some kilometres of the middle of an area. */
export function aroundForm({ code, centroid }: Area, edition: string | undefined): HTMLElement {
  const radius = el('select', {}, ...RADII.map((km) => el('option', { value: String(km) }, `${km} km`)));
  radius.value = '10';
  const [lon, lat] = centroid ?? [0, 0];
  return questionForm({
    edition,
    level: 'municity',
    fields: [el('label', {}, 'Within', radius)],
    ask: async (level) => {
      const query = `lat=${lat}&lon=${lon}&radius_km=${radius.value}&level=${level}&limit=${MAX_LISTED}`;
      return requestJson<Answer>(ofEdition(`/v1/areas/within?${query}`, edition));
    },
    columns: [['Away', ({ distance_m, code: own }) => (own === code ? 'here' : distanceText(distance_m))]],
    summaryOf: ({ meta }) => `${areasText(meta.total ?? 0)} within ${radius.value} km of its middle.`,
  });
}

/** A form that counts the points of a dataset by the areas that contain them. */
export function countsForm(id: string): HTMLElement {
  return questionForm({
    level: 'province',
    ask: async (level) => {
      const answer = await requestJson<Answer>(`/v1/datasets/${id}/counts?level=${level}`);
      return { ...answer, data: answer.data.toSorted((a, b) => b.count - a.count) };
    },
    columns: [['Points', ({ count }) => number(count)]],
    summaryOf: ({ data, meta: { counted = 0, outside = 0 } }) =>
      `${number(counted)} points in ${areasText(data.length)}, ${number(outside)} in none.`,
  });
}

/** A form that lists the areas that a polygon covers. */
export function coveredForm(geometry: Geometry): HTMLElement {
  return questionForm({
    level: 'municity',
    ask: (level) => requestJson<Answer>('/v1/areas/covered', { method: 'POST', body: { geometry, level } }),
    columns: [
      ['Share', ({ share_of_area }) => percent(share_of_area)],
      ['km²', ({ area_km2 }) => number(area_km2)],
      [
        'Residents, about',
        ({ population_estimate }) => (population_estimate === null ? '' : number(population_estimate)),
      ],
    ],
    summaryOf: ({ data, meta: { population_estimate = 0, outside_share = 0 } }) =>
      `It covers ${areasText(data.length)} in part or as a whole, and ${percent(outside_share)} of it lies in none. About ${number(population_estimate)} people live in it, if they live everywhere in an area alike.`,
  });
}

function questionForm({ edition, level, fields = [], ask, columns, summaryOf }: Question): HTMLElement {
  const levels = el('select', {}, ...LEVEL_NAMES.map((name) => el('option', { value: name }, LEVELS[name].nouns)));
  levels.value = level;
  const status = el('p', { class: 'quiet', role: 'status' });
  const list = el('div', {});
  const show = button('Show', async () => {
    const asked = levels.value as Level;
    if (currentToken() === undefined) {
      status.textContent = 'It needs a key. Sign in first.';
      return;
    }
    show.disabled = true;
    status.textContent = 'Reading…';
    try {
      const answer = await ask(asked);
      status.textContent = summaryOf(answer);
      list.replaceChildren(
        ...(answer.data.length > 0 ? [tableOf(answer.data, { level: asked, edition, columns })] : []),
      );
    } catch (error) {
      status.textContent = sentenceFor(error, 'That failed.');
      list.replaceChildren();
    }
    show.disabled = false;
  });
  return el('div', {}, el('p', { class: 'row' }, el('label', {}, 'Level', levels), ...fields, show), status, list);
}

function tableOf(
  found: readonly Found[],
  { level, edition, columns }: Pick<Question, 'level' | 'edition' | 'columns'>,
): HTMLElement {
  const rows = found.slice(0, MAX_LISTED).map((area) => {
    const link = el('a', { href: hashOf({ level, code: area.code }, edition) }, area.name);
    const cells = columns.map(([, textOf]) => el('td', {}, textOf(area)));
    return el('tr', {}, el('th', { scope: 'row' }, link), ...cells);
  });
  const headings = [LEVELS[level].noun, ...columns.map(([heading]) => heading)];
  const head = el('tr', {}, ...headings.map((heading) => el('th', { scope: 'col' }, heading)));
  const rest = found.length - rows.length;
  return el(
    'div',
    {},
    el('table', {}, el('thead', {}, head), el('tbody', {}, ...rows)),
    rest > 0 ? el('p', { class: 'quiet' }, `and ${areasText(rest)} more`) : undefined,
  );
}

function areasText(count: number): string {
  return `${number(count)} ${count === 1 ? 'area' : 'areas'}`;
}

function distanceText(metres: number): string {
  return metres === 0 ? 'around it' : metres < 1000 ? `${Math.round(metres)} m` : `${(metres / 1000).toFixed(1)} km`;
}

/** A share as a percentage, with a decimal where it is small. */
function percent(share: number): string {
  return `${number(Math.round(share * 1000) / 10)} %`;
}
