import { editionText } from '../../src/areas/edition-id.ts';
import { PsgcError, sentenceFor } from '../shared/api.ts';
import { button, byId, el, quiet } from '../shared/dom.ts';
import { number } from '../shared/format.ts';
import { kindOf, LEVELS, type Level } from '../shared/levels.ts';
import { analysisEntry } from './analysis-entry.ts';
import type { ChangeFilter, ChangePage } from './changes.ts';
import { type Ancestor, type Country, type Group, readNeighbours, type View } from './data.ts';
import { factList, residentsOf } from './facts.ts';
import { historySection } from './history.ts';
import type { Dataset } from './own/dataset.ts';
import { visible } from './own/readable.ts';
import { type Area, editionAt, fragmentOf, inListOrder, type Place, placeAt, shortName } from './places.ts';
import { recover, waitOf } from './recovery.ts';
import { useOfCountry, useOfPlace } from './use-place.ts';

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
  /** What stands below the title on paper in place of `about`. */
  subtitle?: string;
  /** The edition that is shown, if it is not the current one. */
  edition?: string | undefined;
}

type Head = Pick<Content, 'title' | 'about' | 'subtitle'>;

/** The panel with the facts about a place, the areas in and beside it, and the download of its boundary. */
export function createPanel({ onKeyNeeded }: PanelOptions) {
  const body = byId('panel-body', HTMLElement);
  const title = byId('title', HTMLElement);
  const kind = byId('kind', HTMLElement);
  const record = byId('record', HTMLElement);
  const ancestorList = byId('ancestors', HTMLElement);
  const notice = byId('notice', HTMLElement);
  const announcement = byId('announcement', HTMLElement);

  const showHead = ({ title: name, about, subtitle }: Head) => {
    title.textContent = name;
    kind.textContent = about;
    if (subtitle === undefined) delete kind.dataset.subtitle;
    else kind.dataset.subtitle = subtitle;
  };
  const showContent = ({ ancestors, parts, edition, ...head }: Content) => {
    const { title: name, about } = head;
    // The focused element may be removed here. The heading then takes the focus, so that reading goes on there.
    const focused = body.contains(document.activeElement) ? document.activeElement : undefined;
    showHead(head);
    ancestorList.replaceChildren(ancestors ? linksTo(ancestors, edition) : el('ol'));
    ancestorList.hidden = !ancestors;
    record.replaceChildren(...parts);
    body.scrollTop = 0;
    body.removeAttribute('aria-busy');
    notice.hidden = true;
    const then = edition ? ` in ${editionText(edition)}` : '';
    document.title = ancestors
      ? `${name}${then} · Philippines`
      : `Philippines${then}: regions, provinces, cities, barangays`;
    announcement.textContent = `${name}${then}, ${about}`;
    if (focused && !focused.checkVisibility()) title.focus({ preventScroll: true });
  };

  return {
    /** Shows that something is being read. */
    showBusy() {
      body.setAttribute('aria-busy', 'true');
    },

    /** @param isDrawn whether there are boundaries to draw */
    showCountry(country: Country, edition: string | undefined, isDrawn: boolean) {
      const { regions, provinces } = country;
      const about = `${regions.length} regions, ${provinces.length} provinces`;
      const group = { level: 'region', title: 'Regions', areas: regions, total: regions.length } as const;
      showContent({
        title: 'Philippines',
        about,
        ancestors: undefined,
        parts: [
          useOfCountry({ country, edition, isDrawn, onKeyNeeded }),
          ownMapLink(),
          groupSection(group, edition),
          drawnEntry(edition),
        ],
        edition,
      });
    },

    show(view: View) {
      const { place, area, ancestors, children, edition } = view;
      showContent({
        title: area.name,
        about: kindOf(place.level, area),
        ancestors,
        edition,
        parts: [
          useOfPlace({ view, onKeyNeeded }),
          factList(view),
          historySection(place),
          ...(area.centroid ? [analysisEntry('Areas around it', (code) => code.aroundForm(view))] : []),
          drawnEntry(edition),
          ...children.map((group) => groupSection(group, edition)),
          neighbourSection(place, area, edition),
        ],
      });
    },

    /** Shows a place that the edition does not have, with what happened to it. `showError` then says why. */
    showGone(place: Place, edition: string | undefined) {
      const title = `${LEVELS[place.level].noun} ${place.code}`;
      const about = edition ? `Not in ${editionText(edition)}` : 'Not in the current edition';
      const history = historySection(place, () => {
        if (history.isConnected) kind.textContent = 'No edition has this code';
      });
      showContent({ title, about, ancestors: [], parts: [history], edition });
    },

    /** Shows that there is not what the URL names. `showError` then says why. */
    showNothing(title: string) {
      showContent({ title, about: '', ancestors: [], parts: [] });
    },

    showNoChanges() {
      const sentence = 'Only one edition is loaded, so there is nothing to compare it with.';
      showContent({ title: 'What changed', about: '', ancestors: [], parts: [quiet(sentence)] });
    },

    /** @param list what changed, by kind */
    showChanges({ from, to }: ChangeFilter, { total }: ChangePage, list: readonly Node[]) {
      const about = `${editionText(from)} to ${editionText(to)}, ${number(total)} ${total === 1 ? 'change' : 'changes'}`;
      showContent({ title: 'What changed', about, ancestors: [], parts: list });
    },

    /**
     * Shows which dataset is being read. Returns a function that shows how many of its features are.
     *
     * @param next what is done once they are read; empty before
     */
    showReading(dataset: Dataset, next = ''): (count: number) => void {
      const total = dataset.feature_count;
      const wait = el('p', { class: 'quiet', role: 'status' }, next || 'Reading its rows…');
      const bar = el('progress', { max: String(total), value: '0', 'aria-label': 'Rows read' });
      const amount = quiet('');
      const parts = next ? [wait, el('progress', { 'aria-label': next })] : total > 0 ? [wait, bar, amount] : [wait];
      showContent({ title: visible(dataset.name), about: aboutOf(dataset), ancestors: [], parts });
      return (count) => {
        bar.value = Math.min(count, total);
        amount.textContent = `${number(bar.value)} of ${number(total)}`;
      };
    },

    /**
     * @param features the parts that show its features
     * @param words `nouns`: what the features are, as `areas`; `mapTitle` and `subtitle`: what the author wrote, empty without
     */
    showDataset(dataset: Dataset, features: readonly Node[], words: DatasetWords) {
      const { description } = dataset;
      const back = el('p', {}, el('a', { href: '/dashboard' }, 'Back to the dashboard'));
      const parts = [
        ...(description ? [el('p', { dir: 'auto' }, visible(description))] : []),
        ...features,
        ...(dataset.visibility === 'tab' ? [] : [back]),
      ];
      showContent({ ...headOf(dataset, words), ancestors: [], parts });
    },

    /** Shows a title that its author has just written. */
    nameDataset(dataset: Dataset, words: DatasetWords) {
      showHead(headOf(dataset, words));
    },

    /** Hides what went wrong, once it is tried again. */
    hideError() {
      notice.hidden = true;
    },

    /**
     * Shows what went wrong and what can be done about it.
     *
     * @param retry repeats what failed
     */
    showError(error: unknown, retry: () => void) {
      body.removeAttribute('aria-busy');
      const apiError = error instanceof PsgcError ? error : undefined;
      const needsKey = apiError && (apiError.status === 401 || apiError.status === 403);
      const hideAndRetry = () => {
        notice.hidden = true;
        retry();
      };
      const remedy = needsKey ? button('Sign in', onKeyNeeded) : button('Try again', hideAndRetry);
      const isGone = isMissing(error);
      const links = isGone ? missingLinks(apiError) : [];
      const isWaiting = waitOf(error) !== undefined;
      notice.classList.toggle('waiting', isWaiting);
      const sentence = `${sentenceFor(error)}${isWaiting ? ' This page tries again by itself.' : ''}`;
      notice.replaceChildren(sentence, ' ', ...links, ...(isGone ? [] : [remedy]));
      notice.hidden = false;
    },
  };
}

/** Whether the service says that there is no such thing, so that there is no use in trying again. */
export function isMissing(error: unknown): error is PsgcError {
  const codes = ['area_abolished', 'area_not_found', 'dataset_not_found', 'edition_not_found'];
  return error instanceof PsgcError && codes.includes(error.code);
}

/** Links that lead on from what there is not: to successors, and to the current edition. */
function missingLinks(error: PsgcError | undefined): (Node | string)[] {
  const edition = editionAt(location.hash);
  const successors = Array.isArray(error?.details.successors) ? error.details.successors : [];
  const links = successors.flatMap(({ href = '' }: { href?: string }) => {
    const place = placeAt(href.replace(/^\/v1/, '#'));
    return place ? [el('a', { href: fragmentOf(place, edition) }, place.code), ' '] : [];
  });
  if (edition) links.push(el('a', { href: fragmentOf(placeAt(location.hash)) }, 'See it in the current edition'));
  if (links.length === 0) links.push(el('a', { href: '#/' }, 'See the whole country'));
  return links;
}

function linksTo(ancestors: readonly Ancestor[], edition: string | undefined): HTMLElement {
  const item = (name: string, href: string) => el('li', {}, el('a', { href }, name));
  const items = ancestors.map(({ name, place }) => item(shortName(name), fragmentOf(place, edition)));
  return el('ol', {}, item('Philippines', fragmentOf(undefined, edition)), ...items);
}

/** A list of links to the areas in a place. */
function groupSection(group: Group, edition: string | undefined): HTMLElement {
  const { level, title, areas, total, more } = group;
  const hasResidents = areas.some(({ population }) => population !== null);
  // What the figures in the list are is no part of the heading's name.
  const heading = el(
    'div',
    { class: 'of-places' },
    el('h2', {}, title, ' ', el('span', { class: 'count' }, number(total))),
    hasResidents ? el('span', { class: 'count' }, 'Residents') : undefined,
  );
  const list = el(
    'ul',
    { class: 'places' },
    ...(more ? areas : inListOrder(level, areas)).map((area) => el('li', {}, areaLink({ level, area, edition }))),
  );
  const section = el('section', {}, heading, list);
  if (more) {
    const moreButton = button(`Show more of ${number(total)}`, async () => {
      moreButton.disabled = true;
      try {
        const longer = groupSection(await more(), edition);
        const known = new Set([...section.querySelectorAll('a')].map(({ hash }) => hash));
        section.replaceWith(longer);
        [...longer.querySelectorAll('a')].find(({ hash }) => !known.has(hash))?.focus();
      } catch {
        moreButton.disabled = false;
        moreButton.textContent = 'That failed. Try again';
      }
    });
    section.append(moreButton);
  }
  return section;
}

interface Listed {
  level: Level;
  area: Area;
  edition: string | undefined;
}

function areaLink({ level, area, edition }: Listed): HTMLAnchorElement {
  return el(
    'a',
    { href: fragmentOf({ level, code: area.code }, edition) },
    el('span', { class: 'name' }, area.name),
    el(
      'span',
      { class: 'population', title: residentsOf(area) },
      area.population === null ? '' : number(area.population),
    ),
  );
}

/** The neighbours of a place. They are read after the rest. */
function neighbourSection(place: Place, area: Area, edition: string | undefined): HTMLElement {
  if (area.bbox === null) {
    return el('section', {}, el('h2', {}, 'Neighbours'), quiet('They are not known: it has no boundary here.'));
  }
  const content = el('div', { class: 'neighbours', 'aria-busy': 'true' }, el('p', { class: 'quiet' }, 'Reading…'));
  const section = el('section', {}, el('h2', {}, 'Neighbours'), content);
  const read = async () => {
    try {
      const areas = await readNeighbours(place, edition);
      if (!areas) content.replaceChildren(quiet('Only detailed boundaries, which are not loaded here, could tell.'));
      else if (areas.length === 0)
        content.replaceChildren(quiet(`It touches no other ${LEVELS[place.level].noun.toLowerCase()}.`));
      else
        content.replaceChildren(
          el('ul', {}, ...areas.map((area) => el('li', {}, neighbourLink({ ...place, area, edition })))),
        );
    } catch (error) {
      content.replaceChildren(
        quiet(sentenceFor(error, 'They could not be read.')),
        button('Try again', () => void read()),
      );
      recover(error, () => content.isConnected && read());
    }
    content.removeAttribute('aria-busy');
  };
  void read();
  return section;
}

function neighbourLink({ level, area: { code, name }, edition }: Listed): HTMLElement {
  return el('a', { href: fragmentOf({ level, code }, edition) }, level === 'region' ? shortName(name) : name);
}

interface DatasetWords {
  readonly nouns: string;
  /** How many of its features no map shows. */
  readonly unplaced: number;
  /** How many of its points lie in none of the areas by which they are counted. */
  readonly outside: number;
  readonly mapTitle: string;
  readonly subtitle: string;
}

/** A map has the title that its author wrote, and the name of the dataset beside it. */
function headOf(dataset: Dataset, words: DatasetWords): Head {
  const { mapTitle, subtitle } = words;
  const [name, about] = [visible(dataset.name), aboutOf(dataset, words)];
  const title = visible(mapTitle) || name;
  return { title, subtitle: visible(subtitle), about: title === name ? about : `${name} · ${about}` };
}

function aboutOf(
  { visibility, feature_count: features }: Dataset,
  { nouns, unplaced, outside }: Pick<DatasetWords, 'nouns' | 'unplaced' | 'outside'> = NO_WORDS,
): string {
  if (visibility === 'tab') return `Your list, ${number(features)} ${features === 1 ? 'place' : 'places'}`;
  const placed = features - unplaced;
  const others = unplaced === 0 ? '' : `, and ${number(unplaced)} ${unplaced === 1 ? 'row' : 'rows'} without a place`;
  return `${visibility === 'private' ? 'Your' : 'Public'} dataset, ${number(placed)} ${placed === 1 ? nouns.slice(0, -1) : nouns}${others}${outside === 0 ? '' : ` (${number(outside)} in no area)`}`;
}

const NO_WORDS = { nouns: 'rows', unplaced: 0, outside: 0 };

/** The way to a map of one's own data. */
function ownMapLink(): HTMLElement {
  return el('p', {}, el('a', { class: 'button', href: '/match' }, 'Make a map from a spreadsheet'));
}

function drawnEntry(edition: string | undefined): HTMLElement {
  return analysisEntry('Areas in a shape that you draw', (code) => code.drawnForm(edition));
}
