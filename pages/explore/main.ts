import { askJson, Refusal, remedyFor } from '../shared/api.ts';
import { forgetToken, heldToken, holdToken } from '../shared/credentials.ts';
import { button, byId, el } from '../shared/dom.ts';
import { forgetAnswers, outline, readSources, readView, type View } from './atlas.ts';
import { type Dataset, datasetAt, readDataset } from './dataset.ts';
import type { PlaceMap } from './map.ts';
import { createPanel } from './panel.ts';
import { hashOf, LEVELS, type Place, placeAt } from './places.ts';
import { startSearch } from './search.ts';
import { startSheet } from './sheet.ts';
import { openTiles, type Tiles } from './tiles.ts';
import { startTokenDialog } from './token-dialog.ts';

const NEEDS_KEY = 'The map needs a key.';

const sheet = startSheet();
const panel = createPanel({ onKeyWanted: () => dialog.open() });
const dialog = startTokenDialog(async (token) => {
  // The cheapest question that only a good token is answered.
  await askJson('/v1/tiles', { token });
  holdToken(token);
  forgetAnswers();
  void showAbout();
  await navigate();
  await openMap();
});

let map: PlaceMap | undefined;
let tiles: Tiles | undefined;
let view: View | undefined;
let dataset: Dataset | undefined;
let asked = 0;
let opened = 0;

/** Shows the place that the address leads to. */
async function navigate(): Promise<void> {
  asked += 1;
  const mine = asked;
  const place = placeAt(location.hash);
  panel.wait();
  try {
    const id = datasetAt(location.hash);
    const shown = id ? await readDataset(id) : undefined;
    if (mine !== asked) return;
    dataset = shown;
    if (shown) {
      view = undefined;
      panel.showDataset(shown);
      map?.showDataset(shown);
      await sayWhatIsMissing();
      return;
    }
    const found = place ? await readView(place) : undefined;
    const country = found ? undefined : await outline();
    if (mine !== asked) return;
    // A former code leads to the place of today.
    if (place && found && found.place.code !== place.code) history.replaceState(null, '', hashOf(found.place));
    view = found;
    if (found) panel.show(found);
    if (country) panel.showCountry(country);
    await Promise.all([map?.show(found), sayWhatIsMissing()]);
  } catch (error) {
    if (mine === asked) fail(error);
  }
}

function go(place: Place): void {
  sheet.settle();
  location.hash = hashOf(place);
}

/**
 * Says what failed.
 * @param again does it once more
 */
function fail(error: unknown, again: () => Promise<void> = navigate): void {
  if (!(error instanceof Refusal && error.status === 401)) {
    sheet.reveal();
    panel.refuse(error, () => void again());
    return;
  }
  const held = heldToken();
  closeMap();
  mapNotice(NEEDS_KEY);
  forgetToken();
  void showAbout();
  dialog.open(sentenceFor(error));
  // Without the key that is no good, names can be read all the same.
  if (held) void navigate();
  else panel.refuse(error, () => void navigate());
}

/** Draws the map, once there is a token. Without the map, the lists lead everywhere too. */
async function openMap(): Promise<void> {
  closeMap();
  const mine = opened;
  let code: typeof import('./map.ts');
  try {
    code = await import('./map.ts');
  } catch {
    // Browsers may keep to a failed import for as long as the page is open.
    if (mine === opened)
      mapNotice(
        'The map could not be loaded.',
        button('Load the page again', () => location.reload()),
      );
    return;
  }
  let session: Tiles;
  try {
    session = await openTiles((error) => fail(error));
  } catch (error) {
    if (mine === opened) refuseMap(error);
    return;
  }
  if (mine !== opened) {
    session.close();
    return;
  }
  tiles = session;
  try {
    map = code.createMap({ tiles, view, dataset, covered: sheet.covered, onChoose: go, onFailure: failOnMap });
  } catch (error) {
    closeMap();
    if ((error as Error).name !== 'GPUInitializationError') refuseMap(error);
    else mapNotice('This browser can’t draw the map: it has no WebGL. The lists lead everywhere too.');
    return;
  }
  await sayWhatIsMissing();
}

/** Says why there is no map. */
function refuseMap(error: unknown): void {
  if (error instanceof Refusal && error.status === 401) {
    fail(error);
    return;
  }
  const act =
    error instanceof Refusal && error.status === 403
      ? button('Enter a key', () => dialog.open())
      : button('Try again', () => void openMap());
  mapNotice(`There is no map. ${sentenceFor(error)}`, act);
}

function failOnMap(error: unknown): void {
  fail(error, async () => {
    try {
      await map?.retry();
    } catch (reason) {
      failOnMap(reason);
    }
  });
}

function sentenceFor(error: unknown): string {
  return error instanceof Refusal
    ? `${error.message} ${remedyFor(error)}`.trim()
    : 'Something went wrong on this page.';
}

function closeMap(): void {
  opened += 1;
  map?.remove();
  tiles?.close();
  map = undefined;
  tiles = undefined;
}

function mapNotice(sentence = '', ...acts: HTMLButtonElement[]): void {
  const notice = byId('map-notice', HTMLElement);
  notice.replaceChildren(sentence, ...acts);
  notice.hidden = sentence === '';
}

/** Says so where there are no boundaries of what one would go down to. */
async function sayWhatIsMissing(): Promise<void> {
  // It is only advice: where the sources can't be read, nothing is said.
  const sources = await readSources().catch(() => undefined);
  if (!map) return;
  const below = view?.children[0]?.level ?? view?.place.level;
  const small = below === 'municity' || below === 'barangay';
  if (sources?.boundaries === 'none') mapNotice('No boundaries are loaded here. The lists lead everywhere too.');
  else if (sources?.boundaries === 'display' && small) {
    mapNotice(`The boundaries here are coarse: ${LEVELS[below].nouns.toLowerCase()} have none. The list has them all.`);
  } else mapNotice();
}

/** Where the data comes from, and whose key the tab has. */
async function showAbout(): Promise<void> {
  const facts: Node[] = [];
  try {
    const { sources, release } = await readSources();
    const credit = [...new Set(sources.map(({ attribution }) => attribution))].join(' · ');
    byId('credit', HTMLElement).textContent = credit;
    facts.push(el('p', {}, `Data release ${release}. Boundaries are generalised and settle no dispute.`));
    // The map has no room for it on a phone.
    facts.push(el('p', {}, credit));
  } catch (error) {
    const again = button('Try again', () => void showAbout());
    facts.push(el('p', {}, `It is not known where the data comes from. ${sentenceFor(error)}`), el('p', {}, again));
  }
  const key = heldToken()
    ? button('Forget the key', () => {
        forgetToken();
        location.reload();
      })
    : button('Enter a key', () => dialog.open());
  byId('about', HTMLElement).replaceChildren(...facts, el('p', {}, key));
}

/** Begins with the names; the map follows as soon as there is a key. */
async function start(): Promise<void> {
  startSearch();
  // The fragment is the address of a place, which a jump would change.
  byId('skip', HTMLAnchorElement).addEventListener('click', (event) => {
    event.preventDefault();
    byId('title', HTMLElement).focus();
  });
  void showAbout();
  await navigate();
  if (heldToken()) {
    await openMap();
  } else {
    mapNotice(NEEDS_KEY);
    dialog.open();
  }
}

addEventListener('hashchange', () => void navigate());
start().catch((error) => fail(error));
