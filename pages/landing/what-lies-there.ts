import { requestJson, sentenceFor } from '../shared/api.ts';
import { currentToken } from '../shared/credentials.ts';
import { el } from '../shared/dom.ts';
import { number } from '../shared/format.ts';
import { kindOf, LEVEL_NAMES, LEVELS, type Level } from '../shared/levels.ts';
import type { MapPoint } from './country.ts';

interface Area {
  readonly code: string;
  readonly name: string;
  readonly population?: number | null;
  readonly population_year?: number | null;
  readonly centroid?: readonly [number, number] | null;
  readonly type?: string | null;
  readonly city_class?: string | null;
}

interface FoundArea extends Area {
  readonly level: Level;
}

/** What lies at a point, the smallest area first. */
interface Answer {
  readonly found: readonly FoundArea[];
  /** The city or municipality whose middle is the nearest, where nothing says in which one the point lies. */
  readonly nearest?: FoundArea & { readonly km: number };
  /** The URL that was asked. */
  readonly path: string;
}

/** Shows what lies at a point: with a key the barangay, without one the province, and a city nearby. */
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
  const found = LEVEL_NAMES.flatMap((level) => (data[level] ? [{ ...data[level], level }] : [])).reverse();
  return found.length > 0 ? { found, path } : undefined;
}

/** The area that is drawn at the point, and which of its cities and municipalities has its middle nearby. */
async function lookAround({ lon, lat, area }: MapPoint): Promise<Answer | undefined> {
  if (!area) return undefined;
  const { level, code } = area;
  const path = `/v1/${LEVELS[level].path}/${code}`;
  const filter = level === 'region' ? 'region' : 'province_code';
  const [{ data }, { data: municities }] = await Promise.all([
    requestJson<{ data: Area & { readonly r_code?: string } }>(path),
    requestJson<{ data: Area[] }>(`/v1/municities?${filter}=${code}&limit=100`),
  ]);
  const found: FoundArea[] = [{ ...data, level }];
  if (data.r_code !== undefined) {
    const region = await requestJson<{ data: Area }>(`/v1/regions/${data.r_code}`);
    found.push({ ...region.data, level: 'region' });
  }
  const [nearest] = municities
    .flatMap((municity) =>
      municity.centroid
        ? [{ ...municity, level: 'municity' as const, km: distance([lon, lat], municity.centroid) }]
        : [],
    )
    .sort((a, b) => a.km - b.km);
  return { found, path, ...(nearest && { nearest }) };
}

/** Kilometres between two points that are near each other. */
function distance([lon, lat]: readonly [number, number], [lon2, lat2]: readonly [number, number]): number {
  const [dx, dy] = [(lon2 - lon) * Math.cos((lat * Math.PI) / 180), lat2 - lat];
  return Math.hypot(dx, dy) * 111.2;
}

function contentOf({ found, nearest, path }: Answer, where: string): Node[] {
  const [smallest, ...others] = found;
  if (!smallest) return [];
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
    ...(nearest
      ? [
          el(
            'p',
            {},
            link(nearest),
            ` is the nearest city or municipality, ${Math.round(nearest.km)} km from ${where}.`,
          ),
        ]
      : [el('p', {}, where)]),
    el('p', { class: 'asked-path' }, el('code', {}, `GET ${path}`)),
    ...(nearest ? [el('p', { class: 'quiet' }, 'With a key the service names the barangay of every point.')] : []),
  ];
}
