import { ApiError, sentenceFor } from '../shared/api.ts';
import { button, byId, el } from '../shared/dom.ts';
import { number } from '../shared/format.ts';
import { kindOf, LEVELS, type Level } from '../shared/levels.ts';
import { type Ancestor, type Country, type Group, readNeighbours, type View } from './data.ts';
import type { Dataset } from './dataset.ts';
import { downloadSection } from './download.ts';
import { type Area, hashOf, type Place, placeAt, shortName } from './places.ts';

interface PanelOptions {
  /** Called when the person wants to enter a key, or needs one for what they do. */
  onKeyNeeded: () => void;
}

interface Content {
  title: string;
  about: string;
  /** The ancestors of a place; undefined for the whole country, which has no line of ancestors. */
  ancestors: readonly Ancestor[] | undefined;
  parts: readonly Node[];
}

/** The panel with the facts about a place, the areas in and beside it, and the download of its boundary. */
export function createPanel({ onKeyNeeded }: PanelOptions) {
  const body = byId('panel-body', HTMLElement);
  const title = byId('title', HTMLElement);
  const kind = byId('kind', HTMLElement);
  const record = byId('record', HTMLElement);
  const ancestorList = byId('ancestors', HTMLElement);
  const notice = byId('notice', HTMLElement);
  const announcement = byId('announcement', HTMLElement);

  const showContent = ({ title: name, about, ancestors, parts }: Content) => {
    // The focused element may be removed here. The heading then takes the focus, so that reading goes on there.
    const hadFocus = body.contains(document.activeElement);
    title.textContent = name;
    kind.textContent = about;
    ancestorList.replaceChildren(ancestors ? linksTo(ancestors) : el('ol'));
    ancestorList.hidden = !ancestors;
    record.replaceChildren(...parts);
    body.scrollTop = 0;
    body.removeAttribute('aria-busy');
    notice.hidden = true;
    document.title = ancestors ? `${name} · Philippines` : 'Philippines: regions, provinces, cities, barangays';
    announcement.textContent = `${name}, ${about}`;
    if (hadFocus) title.focus({ preventScroll: true });
  };

  return {
    /** Shows that something is being read. */
    showBusy() {
      body.setAttribute('aria-busy', 'true');
    },

    showCountry({ regions, provinces }: Country) {
      const about = `${regions.length} regions, ${provinces.length} provinces`;
      const group = { level: 'region', title: 'Regions', areas: regions, total: regions.length } as const;
      showContent({ title: 'Philippines', about, ancestors: undefined, parts: [groupSection(group)] });
    },

    show({ place, area, ancestors, children }: View) {
      showContent({
        title: area.name,
        about: kindOf(place.level, area),
        ancestors,
        parts: [
          factList(place, area),
          ...children.map(groupSection),
          neighbourSection(place),
          downloadSection(place, onKeyNeeded),
        ],
      });
    },

    showDataset({ name, description, feature_count: count }: Dataset) {
      const about = `Your dataset, ${number(count)} ${count === 1 ? 'feature' : 'features'}`;
      const back = el('a', { href: '/dashboard' }, 'Back to the dashboard');
      const parts = [...(description ? [el('p', {}, description)] : []), el('p', {}, back)];
      showContent({ title: name, about, ancestors: [], parts });
    },

    /**
     * Shows what went wrong and what can be done about it.
     *
     * @param retry repeats what failed
     */
    showError(error: unknown, retry: () => void) {
      body.removeAttribute('aria-busy');
      const apiError = error instanceof ApiError ? error : undefined;
      const needsKey = apiError && (apiError.status === 401 || apiError.status === 403);
      const hideAndRetry = () => {
        notice.hidden = true;
        retry();
      };
      const remedy = needsKey ? button('Enter a key', onKeyNeeded) : button('Try again', hideAndRetry);
      notice.replaceChildren(sentenceFor(error), ' ', ...successorLinks(apiError), remedy);
      notice.hidden = false;
    },
  };
}

/** Links to the areas that replaced an abolished area. */
function successorLinks(error: ApiError | undefined): (Node | string)[] {
  const successors = error?.body.successors;
  if (!Array.isArray(successors)) return [];
  return successors.flatMap(({ href = '' }: { href?: string }) => {
    const place = placeAt(href.replace(/^\/v1/, '#'));
    return place ? [el('a', { href: hashOf(place) }, place.code), ' '] : [];
  });
}

function linksTo(ancestors: readonly Ancestor[]): HTMLElement {
  const item = (name: string, href: string | undefined) =>
    el('li', {}, href ? el('a', { href }, name) : el('span', {}, name));
  const items = ancestors.map(({ name, place }) => item(shortName(name), place ? hashOf(place) : undefined));
  return el('ol', {}, item('Philippines', hashOf(undefined)), ...items);
}

function factList({ level }: Place, area: Area): HTMLElement {
  const count = (value: number | undefined, one: string, many: string) =>
    value ? `${number(value)} ${value === 1 ? one : many}` : undefined;
  const contains = [
    count(area.province_count, 'province', 'provinces'),
    count(area.municity_count, 'city or municipality', 'cities and municipalities'),
    count(area.hosted_municity_count, 'city that belongs to no province', 'cities that belong to no province'),
    count(area.barangay_count, 'barangay', 'barangays'),
  ].filter((part) => part !== undefined);
  const facts: [string, string | Node | undefined][] = [
    ['PSGC code', el('code', {}, area.code)],
    ['Residents', area.population === null ? undefined : number(area.population)],
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

/** A list of links to the areas in a place. */
function groupSection(group: Group): HTMLElement {
  const { level, title, areas, total, more } = group;
  const heading = el('h2', {}, title, ' ', el('span', { class: 'count' }, number(total)));
  const list = el('ul', { class: 'places' }, ...areas.map((area) => el('li', {}, areaLink(level, area))));
  const section = el('section', {}, heading, list);
  if (more) {
    const moreButton = button(`Show more of ${number(total)}`, async () => {
      moreButton.disabled = true;
      try {
        const longer = groupSection(await more());
        section.replaceWith(longer);
        longer.querySelectorAll('a')[areas.length]?.focus();
      } catch {
        moreButton.disabled = false;
        moreButton.textContent = 'That failed. Try again';
      }
    });
    section.append(moreButton);
  }
  return section;
}

function areaLink(level: Level, area: Area): HTMLAnchorElement {
  return el(
    'a',
    { href: hashOf({ level, code: area.code }) },
    el('span', { class: 'name' }, area.name),
    el('span', { class: 'population' }, area.population === null ? '' : number(area.population)),
  );
}

/** The neighbours of a place. They are read after the rest. */
function neighbourSection(place: Place): HTMLElement {
  const content = el('div', { class: 'neighbours', 'aria-busy': 'true' }, el('p', { class: 'quiet' }, 'Reading…'));
  const section = el('section', {}, el('h2', {}, 'Neighbours'), content);
  const read = async () => {
    try {
      const areas = await readNeighbours(place);
      if (!areas) content.replaceChildren(quiet('Only detailed boundaries, which are not loaded here, could tell.'));
      else if (areas.length === 0)
        content.replaceChildren(quiet(`It touches no other ${LEVELS[place.level].noun.toLowerCase()}.`));
      else
        content.replaceChildren(el('ul', {}, ...areas.map((area) => el('li', {}, neighbourLink(place.level, area)))));
    } catch (error) {
      content.replaceChildren(
        quiet(sentenceFor(error, 'They could not be read.')),
        button('Try again', () => void read()),
      );
    }
    content.removeAttribute('aria-busy');
  };
  void read();
  return section;
}

function neighbourLink(level: Level, { code, name }: Area): HTMLElement {
  return el('a', { href: hashOf({ level, code }) }, level === 'region' ? shortName(name) : name);
}

function quiet(sentence: string): HTMLElement {
  return el('p', { class: 'quiet' }, sentence);
}
