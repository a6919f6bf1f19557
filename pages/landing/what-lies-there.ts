import { requestJson, sentenceFor } from '../shared/api.ts';
import { pathOf, toDrawing } from '../shared/country-drawing.ts';
import { currentToken } from '../shared/credentials.ts';
import { el } from '../shared/dom.ts';
import { number } from '../shared/format.ts';
import { kindOf, LEVEL_NAMES, LEVELS, type Level } from '../shared/levels.ts';
import { readMunicities } from '../shared/overview.ts';
import type { MapPoint } from './country.ts';

interface Area {
  readonly code: string;
  readonly name: string;
  readonly population?: number | null;
  readonly population_year?: number | null;
  readonly type?: string | null;
  readonly city_class?: string | null;
  readonly p_code?: string | null;
  readonly r_code?: string | null;
}

interface FoundArea extends Pick<Area, 'code' | 'name'> {
  readonly level: Level;
}

/** What lies at a point, the smallest area first. */
interface Answer {
  readonly found: readonly [Area & FoundArea, ...FoundArea[]];
  /** The URL that was asked. */
  readonly path: string;
  /** Whether the borders are those of the drawn map. */
  readonly isCoarse: boolean;
}

/** Shows what lies at a point: with a key the barangay, without one the city or municipality by coarse borders. */
export async function showWhatLiesThere(card: HTMLElement, asked: MapPoint): Promise<void> {
  card.setAttribute('aria-busy', 'true');
  const where = `${degrees(asked.lat, 'N', 'S')}, ${degrees(asked.lon, 'E', 'W')}`;
  try {
    const answer = await (currentToken() === undefined ? lookAround(asked) : geocode(asked));
    card.replaceChildren(...(answer ? contentOf(answer, where) : [el('p', {}, `${where} lies at sea.`)]));
  } catch (error) {
    card.replaceChildren(el('p', { class: 'error' }, sentenceFor(error, String(error))));
  }
  card.removeAttribute('aria-busy');
}

function degrees(value: number, positive: string, negative: string): string {
  return `${Math.abs(value).toFixed(3)}° ${value < 0 ? negative : positive}`;
}

/** What the service finds at the point, which it tells whoever has a key. */
async function geocode({ lon, lat }: MapPoint): Promise<Answer | undefined> {
  const path = `/v1/geocode/reverse?lat=${lat.toFixed(5)}&lon=${lon.toFixed(5)}`;
  const { data } = await requestJson<{ data: Partial<Record<Level, Area | null>> }>(path);
  const [smallest, ...others] = LEVEL_NAMES.flatMap((level) =>
    data[level] ? [{ ...data[level], level }] : [],
  ).reverse();
  return smallest && { found: [smallest, ...others], path, isCoarse: false };
}

/** The city or municipality at the point by coarse borders; where none is drawn there, the province or region. */
async function lookAround({ lon, lat, area }: MapPoint): Promise<Answer | undefined> {
  const overview = await readMunicities().catch(() => undefined);
  const [x, y] = toDrawing([lon, lat]);
  const pen = document.createElement('canvas').getContext('2d');
  const municity = overview?.municities.features.find(({ geometry }) =>
    pen?.isPointInPath(new Path2D(pathOf(geometry)), x, y, 'evenodd'),
  );
  const at = municity ? { level: 'municity' as const, code: String(municity.properties?.code) } : area;
  if (!at) return undefined;
  const { level, code } = at;
  const path = `/v1/${LEVELS[level].path}/${code}`;
  const { data } = await requestJson<{ data: Area }>(path);
  const parents = [drawn('province', data.p_code), drawn('region', data.r_code)];
  return { found: [{ ...data, level }, ...parents.flatMap((parent) => parent ?? [])], path, isCoarse: true };
}

/** An area of the drawn map. */
function drawn(level: Level, code: string | null | undefined): FoundArea | undefined {
  const name = code && document.querySelector(`#country [data-code="${code}"] title`)?.textContent;
  return name ? { level, code, name } : undefined;
}

function contentOf({ found: [smallest, ...others], path, isCoarse }: Answer, where: string): Node[] {
  const about = [
    kindOf(smallest.level, smallest),
    smallest.code,
    ...(smallest.population
      ? [`${number(smallest.population)} residents${smallest.population_year ? ` in ${smallest.population_year}` : ''}`]
      : []),
  ];
  const link = ({ level, code, name }: FoundArea) =>
    el('a', { href: `/explore#/${LEVELS[level].plural}/${code}` }, name);
  return [
    el('p', { class: 'name' }, link(smallest)),
    el('p', {}, about.join(' · ')),
    ...(others.length > 0 ? [el('p', {}, 'In ', ...others.flatMap((it, i) => [i > 0 ? ', ' : '', link(it)]))] : []),
    el('p', {}, isCoarse ? `${where}, by coarse borders` : where),
    el('p', { class: 'asked-path' }, el('code', {}, `GET ${path}`)),
    ...(isCoarse ? [el('p', { class: 'quiet' }, 'With a key the service names the barangay of every point.')] : []),
  ];
}
