import type { JsonOf } from '../../clients/typescript/src/types.ts';
import { requestJson } from '../shared/api.ts';
import { el } from '../shared/dom.ts';
import { number } from '../shared/format.ts';

/** How many classes the map has. Their colours are in the rules of the page. */
const CLASSES = 5;

/**
 * Colours the drawn country by how many people live on a square kilometre of each region: as many regions in each class.
 *
 * @param container of the drawing
 * @param below the legend, with where the numbers are from
 * @throws PsgcError
 */
export async function colourByDensity(container: Element, below: Element): Promise<void> {
  const { data } = await requestJson<JsonOf<'list_regions'>>('/v1/regions?limit=100');
  const known = data
    .flatMap(({ code, density_km2: density, population_year: year }) => (density ? [{ code, density, year }] : []))
    .sort((a, b) => a.density - b.density);
  const classOf = (index: number) => Math.floor((index * CLASSES) / known.length);
  const classes = new Map(known.map(({ code }, index) => [code.slice(0, 2), classOf(index)]));
  for (const area of container.querySelectorAll<SVGElement>('[data-code]')) {
    const found = classes.get(area.dataset.code?.slice(0, 2) ?? '');
    if (found !== undefined) area.setAttribute('class', `class-${found}`);
  }
  const starts = known.filter((_, index) => index === 0 || classOf(index) > classOf(index - 1));
  const years = [...new Set(known.map(({ year }) => year))];
  if (starts.length < CLASSES || years.length !== 1) return;
  below.replaceChildren(
    el('p', {}, `Residents per km², by region, ${years[0]}`),
    el(
      'ul',
      {},
      ...starts.map(({ density }, index) =>
        el(
          'li',
          {},
          el('span', { class: `class-${index}` }),
          number(Math.round(density)) + (index === CLASSES - 1 ? '+' : ''),
        ),
      ),
    ),
    el('p', { class: 'quiet' }, 'Source: Philippine Statistics Authority'),
  );
}
