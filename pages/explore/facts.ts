import { el } from '../shared/dom.ts';
import { amountWith, number } from '../shared/format.ts';
import { containedIn, numberOf } from './contained.ts';
import { type Counted, countedIn } from './counted.ts';
import type { View } from './data.ts';
import type { Area } from './places.ts';

/** The most areas that are named one by one. */
const MAX_NAMED = 3;

/** The facts about a place, each with its term. */
export function factList({
  place: { level },
  area,
  children,
  today,
}: Pick<View, 'place' | 'area' | 'children' | 'today'>): HTMLElement {
  const group = level === 'province' ? children.find((found) => found.level === 'municity') : undefined;
  const municities = group && !group.more ? group.areas : [];
  const hosted = municities.filter(({ p_code }) => p_code !== area.code);
  const contains = containedIn(area, hosted);
  const counted = countedIn(area, municities);
  const facts: [string, string | Node | undefined][] = [
    ['PSGC code', el('code', {}, area.code)],
    ['Residents', residentsOf(area)],
    ['Area', amountWith(counted ? counted.areaKm2 : area.area_km2, 'km²')],
    ['Density', amountWith(area.density_km2, 'residents per km²')],
  ];
  const figures = facts.slice(1).flatMap(([term, value]) => (value === undefined ? [] : [term]));
  facts.push(
    ['What is counted', counted && figures.length > 0 ? `${sentenceOf(figures)} ${wordsOf(counted)}` : undefined],
    ['Income class', area.income_class ?? undefined],
    ['Contains', contains.length > 0 ? contains.join('\n') : undefined],
    [
      'Census class',
      level === 'barangay' && area.urban_rural ? (area.urban_rural === 'U' ? 'Urban' : 'Rural') : undefined,
    ],
    ['Boundary', area.bbox === null ? (today ? 'That of today is drawn' : 'Not known here') : undefined],
    ['Other names', area.former_names?.length ? area.former_names.join(', ') : undefined],
  );
  return el(
    'dl',
    { class: 'facts' },
    ...facts.flatMap(([term, value]) =>
      value === undefined ? [] : [el('div', {}, el('dt', {}, term), el('dd', {}, value))],
    ),
  );
}

/** `with City of Ormoc (238,545), without City of Tacloban (259,353)`: what is counted, with the residents of each. */
function wordsOf({ within, without }: Counted): string {
  const named = (word: string, areas: readonly Area[]) => {
    if (areas.length === 0) return [];
    if (areas.length <= MAX_NAMED) return [`${word} ${listOf(areas.map(nameWithResidents))}`];
    return [`${word} the ${numberOf(areas)} of another region`];
  };
  return [...named('with', within), ...named('without', without)].join(', ');
}

function nameWithResidents({ name, population }: Area): string {
  return population === null ? name : `${name} (${number(population)})`;
}

/** `Residents, area and density` */
function sentenceOf([first = '', ...others]: readonly string[]): string {
  return listOf([first, ...others.map((term) => term.toLowerCase())]);
}

function listOf(parts: readonly string[]): string {
  return new Intl.ListFormat('en-GB').format(parts);
}

/** The residents with the census that counted them, as `12,345 (PSA, census of 2024)`, where that has the room in one line. */
export function residentsOf({ population, population_year }: Area): string | undefined {
  if (population === null) return undefined;
  const source = `(PSA, census of ${population_year})`.replaceAll(' ', '\u00a0');
  return `${number(population)}${population_year === null ? '' : ` ${source}`}`;
}
