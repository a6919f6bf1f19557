import { askJson, Refusal, remedyFor } from '../shared/api.ts';
import { forgetToken, heldToken, holdToken } from '../shared/credentials.ts';
import { button, byId, el } from '../shared/dom.ts';
import { forgetAnswers, readSources, readView, type View } from './atlas.ts';
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
const panel = createPanel({ onKeyWanted: () => dialog.open(), onRetry: () => void navigate() });
const dialog = startTokenDialog(async (token) => {
  // The cheapest question that only a good token is answered.
  await askJson('/v1/tiles', { token });
  holdToken(token);
  forgetAnswers();
  await navigate();
  await openMap();
  await showAbout();
});

let map: PlaceMap | undefined;
let tiles: Tiles | undefined;
let view: View | undefined;
let dataset: Dataset | undefined;
let asked = 0;

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
    if (mine !== asked) return;
    // A former code leads to the place of today.
    if (place && found && found.place.code !== place.code) history.replaceState(null, '', hashOf(found.place));
    view = found;
    if (found) panel.show(found);
    else await panel.showCountry();
    await Promise.all([map?.show(found), sayWhatIsMissing()]);
  } catch (error) {
    if (mine === asked) fail(error);
  }
}

function go(place: Place): void {
  sheet.settle();
  location.hash = hashOf(place);
}

function fail(error: unknown): void {
  if (error instanceof Refusal && error.status === 401) {
    closeMap();
    mapNotice(NEEDS_KEY);
    forgetToken();
    dialog.open(`${error.message} ${remedyFor(error)}`);
    return;
  }
  panel.refuse(error);
}

/** Draws the map, once there is a token. A browser that can't draw still has the lists. */
async function openMap(): Promise<void> {
  closeMap();
  tiles = await openTiles(fail);
  try {
    const { createMap } = await import('./map.ts');
    map = createMap({ tiles, view, dataset, covered: sheet.covered, onChoose: go, onFailure: fail });
  } catch {
    mapNotice('This browser can’t draw the map: it has no WebGL. The lists lead everywhere too.');
    return;
  }
  await sayWhatIsMissing();
}

function closeMap(): void {
  map?.remove();
  tiles?.close();
  map = undefined;
  tiles = undefined;
}

function mapNotice(sentence = ''): void {
  const notice = byId('map-notice', HTMLElement);
  notice.textContent = sentence;
  notice.hidden = sentence === '';
}

/** Says so where there are no boundaries of what one would go down to. */
async function sayWhatIsMissing(): Promise<void> {
  if (!map) return;
  const { boundaries } = await readSources();
  const below = view?.children[0]?.level ?? view?.place.level;
  const small = below === 'municity' || below === 'barangay';
  if (boundaries === 'none') mapNotice('No boundaries are loaded here. The lists lead everywhere too.');
  else if (boundaries === 'display' && small) {
    mapNotice(`The boundaries here are coarse: ${LEVELS[below].nouns.toLowerCase()} have none. The list has them all.`);
  } else mapNotice();
}

/** Where the data comes from, and whose key the tab has. */
async function showAbout(): Promise<void> {
  const { sources, release } = await readSources();
  byId('credit', HTMLElement).textContent = [...new Set(sources.map(({ attribution }) => attribution))].join(' · ');
  const key = heldToken()
    ? button('Forget the key', () => {
        forgetToken();
        location.reload();
      })
    : button('Enter a key', () => dialog.open());
  byId('about', HTMLElement).replaceChildren(
    el('p', {}, `Data release ${release}. Boundaries are generalised and settle no dispute.`),
    el('p', {}, key),
  );
}

/** Begins with the names; the map follows as soon as there is a key. */
async function start(): Promise<void> {
  startSearch();
  await Promise.all([navigate(), showAbout()]);
  if (heldToken()) {
    await openMap();
  } else {
    mapNotice(NEEDS_KEY);
    dialog.open();
  }
}

addEventListener('hashchange', () => void navigate());
start().catch(fail);
