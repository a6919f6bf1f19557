import type { View } from '../explore/data.ts';
import { countedOf, listOf, restOf, sizesOf, subtitleOf, whatOf, wordsOf } from '../explore/legend.ts';
import { preloadWorker } from '../explore/map-worker.ts';
import { wholeText } from '../explore/own/data-text.ts';
import { datasetAt } from '../explore/own/fragment.ts';
import type { Drawing } from '../explore/own/layers.ts';

import { visible } from '../explore/own/readable.ts';
import { isAddedByMatch, type Row } from '../explore/own/rows.ts';
import { type Place, placeAt } from '../explore/places.ts';
import { boxAt } from '../explore/view-box.ts';
import { attributionOf, attributionsIn } from '../shared/attribution.ts';
import { button, byId, el } from '../shared/dom.ts';
import type { MunicityOverview, Overview } from '../shared/overview.ts';
import { type Topology, unfold } from '../shared/topology.ts';
import { ask, refusalOf } from './ask.ts';
import { readMunicities, readShown, type Shown } from './dataset.ts';
import type { createMap } from './map.ts';
import { readPlace } from './place.ts';
import { applyTheme } from './theme.ts';

/** A frame of less than this has no room for an open legend, or for open sources, pixels. */
const ROOMY = { width: 480, height: 320 };

const isTall = innerHeight >= ROOMY.height;
const isRoomy = isTall && innerWidth >= ROOMY.width;

const isDark = applyTheme(location.hash);

/** Shows a sentence in the middle of the frame, with a button if it can be tried again. An empty one uncovers the map. */
function say(sentence: string, retry?: () => void): void {
  const over = byId('over', HTMLElement);
  byId('status', HTMLElement).textContent = sentence;
  over.querySelector('button')?.remove();
  if (retry) over.append(button('Try again', retry));
  over.classList.toggle('quiet', sentence === '');
}

/** A part of the page that the keyboard can scroll. */
function scroller(label: string, ...children: (Node | string)[]): HTMLElement {
  return el('div', { class: 'scroller', tabindex: '0', role: 'group', 'aria-label': label }, ...children);
}

/** Shows what the colours and sizes stand for, and below the title what the author has written there, where there is room. */
function showLegend({ legend: own, sizes }: Drawing, title: string): void {
  const below = own && isTall ? own.words.subtitle : '';
  const subtitle = byId('subtitle', HTMLElement);
  subtitle.replaceChildren(wholeText(below));
  subtitle.hidden = below === '';
  const legend = byId('legend', HTMLDetailsElement);
  legend.querySelector('summary')?.replaceChildren(own ? wholeText(whatOf(own, title) || 'Legend') : 'Legend');
  byId('classes', HTMLElement).replaceChildren(
    ...(own
      ? [...(isTall ? [] : subtitleOf(own)), el('p', { class: 'counted' }, countedOf(own)), listOf(own), ...restOf(own)]
      : []),
    ...sizesOf(sizes),
    ...(own ? wordsOf(own) : []),
  );
  legend.hidden = !own && !sizes;
  legend.open = isTall;
}

/** The map of the country under the dataset, and the attribution that its licences ask for. */
interface Country {
  readonly overview: Overview;
  readonly attributions: readonly string[];
}

async function readCountry(): Promise<Country> {
  const answer = await ask('/v1/downloads/overview');
  // A Display String (RFC 9651, 3.3.8).
  const attributions = attributionsIn(decodeURIComponent((answer.headers.get('X-Attribution') ?? '').slice(2, -1)));
  return { overview: unfold((await answer.json()) as Topology) as unknown as Overview, attributions };
}

/** Says whose data the map under the dataset is. */
function showCredit(attribution: string): void {
  const credit = byId('credit', HTMLDetailsElement);
  byId('sources', HTMLElement).textContent = attribution;
  credit.hidden = false;
  credit.open = isRoomy;
}

/** Says beside the sources that the borders are simplified where they are seen to be. */
function showBorders(areSimplified: boolean): void {
  byId('borders', HTMLElement).textContent = areSimplified ? ' · Borders are simplified.' : '';
}

/** @param onClose called when the person closes the facts */
function startFacts(onClose: () => void) {
  const card = byId('facts', HTMLElement);
  const close = byId('close-facts', HTMLButtonElement);
  /** What had the focus before a key opened the facts. */
  let before: HTMLElement | undefined;
  const hide = () => {
    if (card.hidden) return;
    const isInside = card.contains(document.activeElement);
    card.hidden = true;
    if (isInside) before?.focus();
    onClose();
  };
  close.addEventListener('click', hide);
  addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') hide();
  });
  return {
    show(all: ReturnType<Shown['factsOf']>, name: string, { isFocused }: { isFocused: boolean }) {
      // Readers don't need the columns that matching has added, unless there are no others.
      const own = all.filter(([column]) => !isAddedByMatch({ name: column }));
      byId('facts-title', HTMLElement).textContent = name || 'Details';
      const items = (own.length > 0 ? own : all).map(([name, value]) =>
        el('div', {}, el('dt', {}, wholeText(name)), el('dd', {}, wholeText(value))),
      );
      const list = items.length > 0 ? el('dl', {}, ...items) : 'It has no properties.';
      byId('properties', HTMLElement).replaceChildren(scroller('Properties', list));
      card.hidden = false;
      before = document.querySelector<HTMLElement>('#map canvas') ?? undefined;
      if (isFocused) close.focus();
    },
    hide,
  };
}

/** Starts to load the code of the map, and its worker. */
function loadMap(): Promise<typeof createMap> {
  const loading = Promise.all([import('./map.ts'), preloadWorker()]).then(([code]) => code.createMap);
  // A failure is shown where the map is created.
  loading.catch(() => undefined);
  return loading;
}

/** Draws the coarse map around a place, or without one that of the country. */
async function showPlace(place: Place | undefined): Promise<void> {
  say('Reading the map…');
  const loading = loadMap();
  let view: View | undefined;
  let country: Country;
  let municities: MunicityOverview | undefined;
  try {
    // Without its municipalities a place is drawn all the same.
    const smaller = !place || place.level === 'region' ? undefined : readMunicities().catch(() => undefined);
    [view, country, municities] = await Promise.all([place && readPlace(place), readCountry(), smaller]);
  } catch (error) {
    const { sentence, mayRetry } = refusalOf(error, 'place');
    return say(sentence, mayRetry ? () => void showPlace(place) : undefined);
  }
  const { name, bbox } = view?.area ?? { name: 'Philippines', bbox: undefined };
  document.title = name;
  byId('name', HTMLElement).textContent = name;
  showCredit(attributionOf(country.attributions) || FALLBACK_CREDIT);
  let map: ReturnType<typeof createMap>;
  try {
    map = (await loading)({
      overview: country.overview,
      municities,
      drawing: undefined,
      view,
      isDark,
      box: boxAt(location.hash) ?? bbox ?? undefined,
      onChoose: () => undefined,
      zoomOf: async () => 0,
      hintOf: () => '',
      onBorders: showBorders,
    });
  } catch {
    return say(NO_MAP, () => location.reload());
  }
  await map.drawn;
  say('');
}

/** Shown where the answer has no attribution, such as one that the browser cached before there were any. */
const FALLBACK_CREDIT = 'The explorer names the sources of this map.';
const NO_MAP = 'The map could not be loaded, or this browser can’t draw it.';

/** Whether a fragment names the whole country, as `#/?theme=dark`. One of a dataset that is cut off does not. */
function isCountry(fragment: string): boolean {
  return /^#\/(?:\?|$)/.test(fragment);
}

/** Draws the place, the country or the dataset of the URL. */
async function showMap(): Promise<void> {
  const id = datasetAt(location.hash);
  const place = placeAt(location.hash);
  if (place || isCountry(location.hash)) return showPlace(place);
  if (!id) return say('The address of this map names no dataset.');
  say('Reading the map…');
  // Without the country the dataset is drawn all the same.
  const country = readCountry().catch(() => undefined);
  const loading = loadMap();
  let shown: Shown;
  try {
    shown = await readShown(
      id,
      location.hash,
      country.then((found) => found?.overview),
    );
  } catch (error) {
    const { sentence, mayRetry } = refusalOf(error);
    return say(sentence, mayRetry ? () => void showMap() : undefined);
  }
  const { choices, name, description, isEmpty, box, drawing, marked, drawingWith } = shown;
  const { rowAt, nameOf, factsOf, hintOf, zoomOf } = shown;
  const title = drawing.legend?.words.title || choices.symbology.title || name;
  document.title = visible(title);
  byId('name', HTMLElement).replaceChildren(wholeText(title));
  byId('name', HTMLElement).title = visible(description ?? '');
  const { overview, attributions = [] } = (await country) ?? {};
  // Whose the data are, their author says in the legend.
  if (overview) showCredit(attributionOf(attributions, true) || FALLBACK_CREDIT);
  let chosen = marked;
  const mark = async (row: Row | undefined) => {
    chosen = row;
    const next = await drawingWith(row);
    // Another feature may have been chosen since.
    if (chosen === row) map?.draw(next);
  };
  const facts = startFacts(() => void mark(undefined));
  const choose = (row: Row | undefined, isFocused: boolean) => {
    if (!row) return facts.hide();
    facts.show(factsOf(row), nameOf(row), { isFocused });
    void mark(row);
  };
  showLegend(drawing, title);
  let map: ReturnType<typeof createMap> | undefined;
  try {
    map = (await loading)({
      overview,
      drawing,
      box,
      isDark,
      zoomOf,
      hintOf,
      onBorders: showBorders,
      onChoose: (feature, by) => choose(rowAt(feature), by === 'key'),
    });
  } catch {
    return say(NO_MAP, () => location.reload());
  }
  if (marked) facts.show(factsOf(marked), nameOf(marked), { isFocused: false });
  if (isEmpty) return say('This dataset has no rows yet.');
  if (!box) return say('No row of this dataset has a place on the map.');
  await map.drawn;
  say('');
}

byId('explorer', HTMLAnchorElement).href = `/explore${location.hash}`;
// Who embeds the map may change its URL.
addEventListener('hashchange', () => location.reload());
if (origin === 'null') say('This map is in a frame with sandbox, which needs allow-same-origin to show it.');
else void showMap();
