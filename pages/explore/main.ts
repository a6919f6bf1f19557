import { ApiError, requestJson, sentenceFor } from '../shared/api.ts';
import { currentToken, forgetToken, storeToken } from '../shared/credentials.ts';
import { button, byId, el } from '../shared/dom.ts';
import { LEVELS } from '../shared/levels.ts';
import { startTokenDialog } from '../shared/token-dialog.ts';
import { forgetAnswers, readCountry, readSources, readView, type View } from './data.ts';
import { type Dataset, datasetAt, readDataset } from './dataset.ts';
import type { PlaceMap } from './map.ts';
import { createPanel } from './panel.ts';
import { hashOf, type Place, placeAt } from './places.ts';
import { startPlaceSearch } from './search.ts';
import { startSheet } from './sheet.ts';
import { openTileSession, type TileSession } from './tile-session.ts';

const NEEDS_KEY = 'The map needs a key.';

const sheet = startSheet();
const panel = createPanel({ onKeyNeeded: () => dialog.open() });
const dialog = startTokenDialog(async (token) => {
  // This is the cheapest request that needs a valid token.
  await requestJson('/v1/tiles', { token });
  storeToken(token);
  forgetAnswers();
  void showAbout();
  await navigate();
  await openMap();
});

let map: PlaceMap | undefined;
let tiles: TileSession | undefined;
let view: View | undefined;
let dataset: Dataset | undefined;
/** Numbers of the latest navigation and the latest map. Work that belongs to an earlier one shows nothing. */
let latestNavigation = 0;
let latestMap = 0;

/** Shows the place or the dataset in the fragment of the address. */
async function navigate(): Promise<void> {
  latestNavigation += 1;
  const navigation = latestNavigation;
  const place = placeAt(location.hash);
  panel.showBusy();
  try {
    const id = datasetAt(location.hash);
    const shown = id ? await readDataset(id) : undefined;
    if (navigation !== latestNavigation) return;
    dataset = shown;
    if (shown) {
      view = undefined;
      panel.showDataset(shown);
      map?.showDataset(shown);
      await showMissingBoundaries();
      return;
    }
    const found = place ? await readView(place) : undefined;
    const country = found ? undefined : await readCountry();
    if (navigation !== latestNavigation) return;
    // A former code is replaced by the current one.
    if (place && found && found.place.code !== place.code) history.replaceState(null, '', hashOf(found.place));
    view = found;
    if (found) panel.show(found);
    if (country) panel.showCountry(country);
    await Promise.all([map?.show(found), showMissingBoundaries()]);
  } catch (error) {
    if (navigation === latestNavigation) showError(error);
  }
}

function goTo(place: Place): void {
  sheet.showHalf();
  location.hash = hashOf(place);
}

/**
 * Shows an error in the panel. If the token was refused, it is forgotten and the dialog asks for another.
 *
 * @param retry repeats what failed
 */
function showError(error: unknown, retry: () => Promise<void> = navigate): void {
  if (!(error instanceof ApiError && error.status === 401)) {
    sheet.reveal();
    panel.showError(error, () => void retry());
    return;
  }
  const hadToken = currentToken() !== undefined;
  closeMap();
  showMapNotice(NEEDS_KEY);
  forgetToken();
  void showAbout();
  dialog.open(sentenceFor(error));
  // Names can be read without a token.
  if (hadToken) void navigate();
  else panel.showError(error, () => void navigate());
}

/** Opens the map. It needs a token. Without the map, the lists in the panel lead to every place too. */
async function openMap(): Promise<void> {
  closeMap();
  const opening = latestMap;
  let code: typeof import('./map.ts');
  try {
    code = await import('./map.ts');
  } catch {
    // A browser may not try a failed import again as long as the page is open, so the page is loaded again.
    if (opening === latestMap)
      showMapNotice(
        'The map could not be loaded.',
        button('Load the page again', () => location.reload()),
      );
    return;
  }
  let session: TileSession;
  try {
    session = await openTileSession((error) => showError(error));
  } catch (error) {
    if (opening === latestMap) showMapError(error);
    return;
  }
  if (opening !== latestMap) {
    session.close();
    return;
  }
  tiles = session;
  try {
    const onFailure = showErrorInMap;
    map = code.createMap({ tiles, view, dataset, covered: sheet.covered, onChoose: goTo, onFailure });
  } catch (error) {
    closeMap();
    if ((error as Error).name !== 'GPUInitializationError') showMapError(error);
    else showMapNotice('This browser can’t draw the map: it has no WebGL. The lists lead everywhere too.');
    return;
  }
  await showMissingBoundaries();
}

/** Shows why the map could not be opened. */
function showMapError(error: unknown): void {
  if (error instanceof ApiError && error.status === 401) {
    showError(error);
    return;
  }
  const remedy =
    error instanceof ApiError && error.status === 403
      ? button('Enter a key', () => dialog.open())
      : button('Try again', () => void openMap());
  showMapNotice(`There is no map. ${sentenceFor(error)}`, remedy);
}

/** Shows an error of the open map, which can read its parts again. */
function showErrorInMap(error: unknown): void {
  showError(error, async () => {
    try {
      await map?.retry();
    } catch (reason) {
      showErrorInMap(reason);
    }
  });
}

function closeMap(): void {
  latestMap += 1;
  map?.remove();
  tiles?.close();
  map = undefined;
  tiles = undefined;
}

/** @param sentence the notice; without it the notice is hidden */
function showMapNotice(sentence = '', ...buttons: HTMLButtonElement[]): void {
  const notice = byId('map-notice', HTMLElement);
  notice.replaceChildren(sentence, ...buttons);
  notice.hidden = sentence === '';
}

/** Shows a notice if the areas in the chosen place have no boundaries. */
async function showMissingBoundaries(): Promise<void> {
  // The notice is only advice, so it is left out if the sources can't be read.
  const sources = await readSources().catch(() => undefined);
  if (!map) return;
  const below = view?.children[0]?.level ?? view?.place.level;
  const small = below === 'municity' || below === 'barangay';
  if (sources?.boundaries === 'none') showMapNotice('No boundaries are loaded here. The lists lead everywhere too.');
  else if (sources?.boundaries === 'display' && small) {
    const nouns = LEVELS[below].nouns.toLowerCase();
    showMapNotice(`The boundaries here are coarse: ${nouns} have none. The list has them all.`);
  } else showMapNotice();
}

/** Shows where the data comes from, and a button to enter or to forget the key. */
async function showAbout(): Promise<void> {
  const facts: Node[] = [];
  try {
    const { sources, release } = await readSources();
    const credit = [...new Set(sources.map(({ attribution }) => attribution))].join(' · ');
    byId('credit', HTMLElement).textContent = credit;
    facts.push(el('p', {}, `Data release ${release}. Boundaries are generalised and settle no dispute.`));
    // On a phone the map has no room for the credit, so it is shown here as well.
    facts.push(el('p', {}, credit));
  } catch (error) {
    const retry = button('Try again', () => void showAbout());
    facts.push(el('p', {}, `It is not known where the data comes from. ${sentenceFor(error)}`), el('p', {}, retry));
  }
  const key = currentToken()
    ? button('Forget the key', () => {
        forgetToken();
        location.reload();
      })
    : button('Enter a key', () => dialog.open());
  const match = el('a', { href: '/match' }, 'Get the codes of a whole spreadsheet');
  byId('about', HTMLElement).replaceChildren(...facts, el('p', {}, match), el('p', {}, key));
}

/** Starts with the names. The map follows as soon as there is a token. */
async function start(): Promise<void> {
  startPlaceSearch();
  // The fragment is the address of a place, so the link must not change it.
  byId('skip', HTMLAnchorElement).addEventListener('click', (event) => {
    event.preventDefault();
    byId('title', HTMLElement).focus();
  });
  void showAbout();
  await navigate();
  if (currentToken()) {
    await openMap();
  } else {
    showMapNotice(NEEDS_KEY);
    dialog.open();
  }
}

addEventListener('hashchange', () => void navigate());
start().catch((error) => showError(error));
