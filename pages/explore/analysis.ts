import type { Geometry } from 'geojson';
import { type PsgcError, requestJson } from '../shared/api.ts';
import { currentToken } from '../shared/credentials.ts';
import { button, el } from '../shared/dom.ts';
import { number } from '../shared/format.ts';
import type { Level } from '../shared/levels.ts';
import type { View } from './data.ts';
import { ofEdition } from './places.ts';
import { type Answer, areasText, MAX_LISTED, NEEDS_KEY, type Question, questionForm } from './question-form.ts';
import { markFound, type SketchKind, startSketch } from './sketch.ts';
import { remarkOnAround, remarkOnOutside } from './without-provinces.ts';

const RADII = [1, 5, 10, 25, 50, 100];

/** How many times larger than the area the circle around it is at least, so that it reaches the areas beside it. */
const TIMES_LARGER = 4;

/** A form that lists the areas within some kilometres of the middle of an area, and marks them on the map. */
export function aroundForm({ place, area, edition }: Pick<View, 'place' | 'area' | 'edition'>): HTMLElement {
  const { code, centroid, area_km2: size } = area;
  const radius = el('select', {}, ...RADII.map((km) => el('option', { value: String(km) }, `${km} km`)));
  const suited = RADII.find((km) => Math.PI * km ** 2 > TIMES_LARGER * (size ?? 0)) ?? RADII.at(-1);
  radius.value = String(suited);
  const [lon, lat] = centroid ?? [0, 0];
  let km = 0;
  return questionForm({
    edition,
    level: place.level,
    fields: () => [el('label', {}, 'Within', radius)],
    ask: async (level) => {
      km = Number(radius.value);
      const query = `lat=${lat}&lon=${lon}&radius_km=${km}&level=${level}&limit=${MAX_LISTED}`;
      return requestJson<Answer>(ofEdition(`/v1/areas/within?${query}`, edition));
    },
    onAnswer: ({ data }, level) =>
      void markFound({ level, codes: data.map((found) => found.code), at: [lon, lat], km }),
    title: `Areas around ${area.name}`,
    columns: [
      { heading: 'Residents', numberOf: ({ population }) => population },
      {
        ...{ heading: 'Away', title: 'Away, m', numberOf: ({ distance_m }) => distance_m },
        textOf: ({ distance_m, code: own }) => (own === code ? 'here' : distanceText(distance_m)),
      },
    ],
    summaryOf: ({ data, meta: { total = 0 } }, level) => {
      const rest = total > data.length ? ` The nearest ${data.length} are listed and marked on the map.` : '';
      return `${areasText(total)} within ${km} km of its middle.${rest}${remarkOnAround(level, [lon, lat], km)}`;
    },
  });
}

interface CountsOptions {
  readonly ask: (level: Level) => Promise<Answer>;
  /** Whether some of the points lie in Metro Manila. */
  readonly isAnyInCapital: boolean;
  /** The URL of the map with the counts of a level in colours; undefined where there is none. */
  readonly mapOf: (level: Level) => string | undefined;
  readonly onCounted: (answer: Answer, level: Level) => void;
  /** The level that is chosen first, and its counts where they were asked for already. */
  readonly level?: Level;
  readonly first?: Promise<Answer> | undefined;
}

/** A form that counts the points of a dataset by the areas that contain them. */
export function countsForm(options: CountsOptions): HTMLElement {
  const { ask, isAnyInCapital, mapOf, onCounted, level: chosen, first } = options;
  return questionForm({
    level: chosen ?? 'province',
    first,
    ask,
    onAnswer: onCounted,
    order: (a, b) => b.count - a.count,
    title: 'Points by area',
    columns: [{ heading: 'Points', numberOf: ({ count }) => count }],
    summaryOf: ({ data, meta: { counted = 0, outside = 0 } }, level) =>
      `${number(counted)} points in ${areasText(data.length)}, ${number(outside)} in none.${remarkOnOutside(level, outside, isAnyInCapital)}`,
    below: (level) => {
      const href = mapOf(level);
      return href ? el('p', {}, el('a', { href }, 'Show the counts in colours on the map')) : undefined;
    },
  });
}

/** A form that lists the areas that a polygon covers. */
export function coveredForm(geometry: Geometry): HTMLElement {
  return questionForm(questionOf(() => geometry, { edition: undefined, mend: MEND_AT_SOURCE }));
}

/** A form that lists the areas that a box or a polygon covers which a person draws on the map. */
export function drawnForm(edition: string | undefined): HTMLElement {
  let shape: Geometry | undefined;
  const hint = el('p', { class: 'quiet', role: 'status' });
  const draw = (kind: SketchKind, { run, clear }: Parameters<NonNullable<Question['fields']>>[0]) => {
    const start = button(`Draw a ${kind}`, () => {
      shape = undefined;
      clear();
      hint.textContent = currentToken() === undefined ? NEEDS_KEY : 'The map is being opened.';
      if (currentToken() === undefined) return;
      void startSketch({
        kind,
        onHint: (sentence) => {
          hint.textContent = `${sentence} Backspace takes the last corner away, Escape all of them.`;
        },
        onEnd: (drawn) => {
          hint.textContent = '';
          shape = drawn;
          if (!drawn) return;
          start.focus();
          run();
        },
      });
    });
    return start;
  };
  const question = questionOf(() => shape, { edition, mend: 'Draw it again, once around the area.' });
  const form = questionForm({ ...question, fields: (form) => [draw('box', form), draw('polygon', form)] });
  form.prepend(hint);
  return form;
}

/** What to do about a shape of a dataset whose lines cross. */
const MEND_AT_SOURCE = 'Mend it in the file, and upload that again.';

interface ShapeOptions {
  readonly edition: string | undefined;
  /** What to do about a shape whose lines cross. */
  readonly mend: string;
}

/** What is asked about the areas that a shape covers. */
function questionOf(shapeNow: () => Geometry | undefined, { edition, mend }: ShapeOptions): Question {
  return {
    edition,
    level: 'municity',
    lacking: () => (shapeNow() ? undefined : 'Draw a box or a polygon first.'),
    refusalOf: (error) => refusalOf(error, mend),
    ask: (level) => {
      const body = { geometry: shapeNow(), level };
      return requestJson<Answer>(ofEdition('/v1/areas/covered', edition), { method: 'POST', body });
    },
    title: 'Areas in a shape',
    columns: [
      {
        ...{ heading: 'Share', title: 'Share of the area', numberOf: ({ share_of_area }) => share_of_area },
        textOf: ({ share_of_area }) => percent(share_of_area),
      },
      { heading: 'km²', numberOf: ({ area_km2 }) => area_km2, textOf: ({ area_km2 }) => amount(area_km2) },
      { heading: 'Residents, about', numberOf: ({ population_estimate }) => population_estimate },
    ],
    summaryOf: ({ data, meta: { population_estimate = 0, outside_share = 0 } }, level) => {
      const cities =
        level === 'province' ? ' Those of the highly urbanised cities in a province are counted with it.' : '';
      return `It covers ${areasText(data.length)} in part or as a whole, and ${percent(outside_share)} of it lies in none. About ${number(population_estimate)} people live in it, if they live everywhere in an area alike: a finer level is nearer to the truth.${cities}`;
    },
  };
}

/** What is wrong with a shape that the service refuses, and what to do; undefined where its message says that to people. */
function refusalOf({ code, message }: PsgcError, mend: string): string | undefined {
  if (code === 'too_many_areas')
    return 'There are too many areas around this shape. Choose a coarser level, or a smaller shape.';
  const isCrossing = code === 'invalid_geometry' && /must not (cross|overlap)/.test(message);
  return isCrossing ? `The lines of this shape cross each other, so it has no clear inside. ${mend}` : undefined;
}

function distanceText(metres: number): string {
  return metres === 0 ? 'around it' : metres < 1000 ? `${Math.round(metres)} m` : `${(metres / 1000).toFixed(1)} km`;
}

/** A number with two decimals. */
function amount(value: number): string {
  return value.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}

/** A share as a percentage, with a decimal where it is small. */
function percent(share: number): string {
  return `${number(Math.round(share * 1000) / 10)}\u00a0%`;
}
