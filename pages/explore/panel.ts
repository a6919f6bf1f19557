import { Refusal, remedyFor } from '../shared/api.ts';
import { button, byId, el } from '../shared/dom.ts';
import { type Ancestor, type Group, type Outline, readNeighbours, type View } from './atlas.ts';
import type { Dataset } from './dataset.ts';
import { type Area, hashOf, kindOf, LEVELS, type Level, type Place, placeAt, shortName } from './places.ts';
import { takeAway } from './take-away.ts';

const numbers = new Intl.NumberFormat('en');

interface PanelOptions {
  /** What the person wants to ask with another key. */
  onKeyWanted: () => void;
}

/** The panel with the record of a place, the places around it and what can be done with it. */
export function createPanel({ onKeyWanted }: PanelOptions) {
  const body = byId('panel-body', HTMLElement);
  const title = byId('title', HTMLElement);
  const kind = byId('kind', HTMLElement);
  const record = byId('record', HTMLElement);
  const ancestors = byId('ancestors', HTMLElement);
  const notice = byId('notice', HTMLElement);
  const announcement = byId('announcement', HTMLElement);

  const frame = (name: string, about: string, lineage: readonly Ancestor[], atTop: boolean, ...parts: Node[]) => {
    // What had the focus is about to go: the heading takes it, and reading goes on there.
    const hadFocus = body.contains(document.activeElement);
    title.textContent = name;
    kind.textContent = about;
    ancestors.replaceChildren(lineageOf(lineage, atTop));
    ancestors.hidden = atTop;
    record.replaceChildren(...parts);
    body.scrollTop = 0;
    body.removeAttribute('aria-busy');
    notice.hidden = true;
    document.title = atTop ? 'Philippines: regions, provinces, cities, barangays' : `${name} · Philippines`;
    announcement.textContent = `${name}, ${about}`;
    if (hadFocus) title.focus({ preventScroll: true });
  };

  return {
    /** Says that something is being read. */
    wait() {
      body.setAttribute('aria-busy', 'true');
    },

    showCountry({ regions, provinces }: Outline) {
      const about = `${regions.length} regions, ${provinces.length} provinces`;
      const group = { level: 'region', title: 'Regions', areas: regions, total: regions.length } as const;
      frame('Philippines', about, [], true, groupOf(group));
    },

    show(view: View) {
      const { place, area } = view;
      frame(
        area.name,
        kindOf(place.level, area),
        view.ancestors,
        false,
        factsOf(place, area),
        ...view.children.map(groupOf),
        neighboursOf(place),
        takeAway(place, onKeyWanted),
      );
    },

    showDataset({ name, description, feature_count: count }: Dataset) {
      const about = `Your dataset, ${numbers.format(count)} ${count === 1 ? 'feature' : 'features'}`;
      const back = el('a', { href: '/dashboard' }, 'Back to the dashboard');
      frame(name, about, [], false, ...(description ? [el('p', {}, description)] : []), el('p', {}, back));
    },

    /**
     * Says what went wrong and what can be done about it.
     * @param again does what failed once more
     */
    refuse(error: unknown, again: () => void) {
      body.removeAttribute('aria-busy');
      const refusal = error instanceof Refusal ? error : undefined;
      const sentence = refusal
        ? `${refusal.message} ${remedyFor(refusal)}`.trim()
        : 'Something went wrong on this page.';
      const key = refusal && (refusal.status === 401 || refusal.status === 403);
      const retry = () => {
        notice.hidden = true;
        again();
      };
      const act = key ? button('Enter a key', onKeyWanted) : button('Try again', retry);
      notice.replaceChildren(sentence, ' ', ...successorsOf(refusal), act);
      notice.hidden = false;
    },
  };
}

/** Links to what came after an area that was abolished. */
function successorsOf(refusal: Refusal | undefined): (Node | string)[] {
  const found = refusal?.body.successors;
  if (!Array.isArray(found)) return [];
  return found.flatMap(({ href = '' }: { href?: string }) => {
    const place = placeAt(href.replace(/^\/v1/, '#'));
    return place ? [el('a', { href: hashOf(place) }, place.code), ' '] : [];
  });
}

function lineageOf(lineage: readonly Ancestor[], atTop: boolean): HTMLElement {
  const item = (name: string, href: string | undefined) =>
    el('li', {}, href ? el('a', { href }, name) : el('span', {}, name));
  const items = lineage.map(({ name, place }) => item(shortName(name), place ? hashOf(place) : undefined));
  return el('ol', {}, ...(atTop ? [] : [item('Philippines', hashOf(undefined))]), ...items);
}

function factsOf({ level }: Place, area: Area): HTMLElement {
  const count = (value: number | undefined, one: string, many: string) =>
    value ? `${numbers.format(value)} ${value === 1 ? one : many}` : undefined;
  const contains = [
    count(area.province_count, 'province', 'provinces'),
    count(area.municity_count, 'city or municipality', 'cities and municipalities'),
    count(area.hosted_municity_count, 'city that belongs to no province', 'cities that belong to no province'),
    count(area.barangay_count, 'barangay', 'barangays'),
  ].filter((part) => part !== undefined);
  const facts: [string, string | Node | undefined][] = [
    ['PSGC code', el('code', {}, area.code)],
    ['Residents', area.population === null ? undefined : numbers.format(area.population)],
    ['Contains', contains.length > 0 ? contains.join(', ') : undefined],
    [
      'Census class',
      level === 'barangay' && area.urban_rural ? (area.urban_rural === 'U' ? 'Urban' : 'Rural') : undefined,
    ],
    ['Once called', area.former_names?.length ? area.former_names.join(', ') : undefined],
  ];
  return el(
    'dl',
    { class: 'facts' },
    ...facts.flatMap(([term, value]) =>
      value === undefined ? [] : [el('div', {}, el('dt', {}, term), el('dd', {}, value))],
    ),
  );
}

/** A list of areas to go down to. */
function groupOf(group: Group): HTMLElement {
  const { level, title, areas, total, more } = group;
  const heading = el('h2', {}, title, ' ', el('span', { class: 'count' }, numbers.format(total)));
  const list = el('ul', { class: 'places' }, ...areas.map((area) => el('li', {}, linkTo(level, area))));
  const section = el('section', {}, heading, list);
  if (more) {
    const next = button(`Show more of ${numbers.format(total)}`, async () => {
      next.disabled = true;
      try {
        const grown = groupOf(await more());
        section.replaceWith(grown);
        grown.querySelectorAll('a')[areas.length]?.focus();
      } catch {
        next.disabled = false;
        next.textContent = 'That failed. Try again';
      }
    });
    section.append(next);
  }
  return section;
}

function linkTo(level: Level, area: Area): HTMLAnchorElement {
  return el(
    'a',
    { href: hashOf({ level, code: area.code }) },
    el('span', { class: 'name' }, area.name),
    el('span', { class: 'population' }, area.population === null ? '' : numbers.format(area.population)),
  );
}

/** The neighbours of a place, which are read after the rest. */
function neighboursOf(place: Place): HTMLElement {
  const content = el('div', { class: 'neighbours', 'aria-busy': 'true' }, el('p', { class: 'quiet' }, 'Reading…'));
  const section = el('section', {}, el('h2', {}, 'Neighbours'), content);
  const read = async () => {
    try {
      const areas = await readNeighbours(place);
      if (!areas) content.replaceChildren(quiet('Only detailed boundaries, which are not loaded here, could tell.'));
      else if (areas.length === 0)
        content.replaceChildren(quiet(`It touches no other ${LEVELS[place.level].noun.toLowerCase()}.`));
      else content.replaceChildren(el('ul', {}, ...areas.map((area) => el('li', {}, neighbour(place.level, area)))));
    } catch (error) {
      const sentence = error instanceof Refusal ? `${error.message} ${remedyFor(error)}` : 'They could not be read.';
      content.replaceChildren(
        quiet(sentence),
        button('Try again', () => void read()),
      );
    }
    content.removeAttribute('aria-busy');
  };
  void read();
  return section;
}

function neighbour(level: Level, { code, name }: Area): HTMLElement {
  return el('a', { href: hashOf({ level, code }) }, level === 'region' ? shortName(name) : name);
}

function quiet(sentence: string): HTMLElement {
  return el('p', { class: 'quiet' }, sentence);
}
