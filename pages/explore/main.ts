import { editionText } from '../../src/areas/edition-id.ts';
import { PsgcError, requestJson, sentenceFor } from '../shared/api.ts';
import { currentToken, forgetToken, onTokenForgotten, shareToken, storeToken } from '../shared/credentials.ts';
import { button, byId, showPreparation } from '../shared/dom.ts';
import { LEVELS } from '../shared/levels.ts';
import { readOverview } from '../shared/overview.ts';
import { startTokenDialog } from '../shared/token-dialog.ts';
import { showAbout } from './about.ts';
import { readAddress } from './address.ts';
import { startBusy } from './busy.ts';
import { changesAt } from './changes.ts';
import { showCredit } from './credit.ts';
import { forgetAnswers, readSources } from './data.ts';
import { showFirstMap } from './first-map.ts';
import type { PlaceMap } from './map.ts';
import { preloadWorker } from './map-worker.ts';
import { marginsOf } from './margins.ts';
import { datasetAt } from './own/fragment.ts';
import type { Drawing } from './own/layers.ts';
import { createPanel, isMissing } from './panel.ts';
import { startPicker } from './picker.ts';
import { type Box, editionAt, fragmentOf, type Place, placeAt } from './places.ts';
import { forgetRetry, recover, whenReachable } from './recovery.ts';
import { startPlaceSearch } from './search.ts';
import { startSheet } from './sheet.ts';
import { boxOf, type Shown } from './shown.ts';
import { openTileSession, type TileSession } from './tile-session.ts';

const SIMPLIFIED = 'Borders are simplified.';

const sheet = startSheet();
const picker = startPicker();
const panel = createPanel({ onKeyNeeded: () => dialog.open() });
const dialog = startTokenDialog(async (token) => {
  // This is the cheapest request that needs a valid token.
  await requestJson('/v1/tiles', { token });
  storeToken(token);
  await signedIn();
});

const busy = startBusy();

const margins = () => marginsOf(sheet.covered());

let map: PlaceMap | undefined;
let tiles: TileSession | undefined;
/** Why the tiles could not be opened with the token of the tab. */
let refusal: unknown;
let shown: Shown = { view: undefined, edition: undefined };
/** Whether the borders on the map are seen to be simplified. */
let bordersAreSimplified = false;
/** Ends the reading of the latest navigation. */
let reading = new AbortController();
/** Numbers of the latest navigation and the latest session. Work that belongs to an earlier one shows nothing. */
let latestNavigation = 0;
let latestSession = 0;

/** Shows the place, the dataset or the changes in the fragment of the URL. */
async function navigate(): Promise<void> {
  latestNavigation += 1;
  const navigation = latestNavigation;
  forgetRetry(navigateAgain);
  reading.abort();
  reading = new AbortController();
  panel.showBusy();
  void picker.show();
  if (shown.edition !== editionAt(location.hash)) void showSource();
  try {
    const { signal } = reading;
    const parts = { panel, onDraw, onFailure: showError, signal };
    const show = await readAddress(location.hash, parts);
    if (navigation !== latestNavigation) return;
    const { own } = shown;
    hideChangesForm();
    shown = show();
    own?.close();
    await map?.show(shown);
    await showNotices();
  } catch (error) {
    if (navigation !== latestNavigation) return;
    if (isMissing(error) || datasetAt(location.hash)) showMissing(error);
    showError(error);
  }
}

function navigateAgain(): void {
  void navigate();
}

/** Draws the features of the dataset as they are chosen now. A map that is opened later draws them so too. */
function onDraw(drawing: Drawing, box?: Box): void {
  if (!shown.own) return;
  shown = { ...shown, own: { ...shown.own, drawing, box } };
  map?.draw(drawing, box);
}

/** Shows the facts of the features that were clicked. */
function onFeatures(features: readonly number[]): void {
  sheet.showHalf();
  shown.own?.choose(features);
}

/** Replaces the panel with a message that the area, edition or dataset in the URL doesn't exist or can't be read. */
function showMissing(error: unknown): void {
  hideChangesForm();
  const named = editionAt(location.hash);
  const isEdition = error instanceof PsgcError && error.code === 'edition_not_found';
  const edition = isEdition ? undefined : named;
  const place = placeAt(location.hash);
  if (isEdition) panel.showNothing(named ? `No edition ${editionText(named)}` : 'No such edition');
  else if (place) panel.showGone(place, edition);
  else panel.showNothing(isMissing(error) ? 'No such dataset' : 'A dataset');
  shown.own?.close();
  shown = { view: undefined, edition };
  void map?.show(shown).catch(showErrorInMap);
}

function showSource(): Promise<void> {
  return showAbout(() => dialog.open());
}

/** The form stays in the page, so that it keeps the focus. What shows changes shows it again. */
function hideChangesForm(): void {
  byId('changes-form', HTMLFormElement).hidden = true;
}

function goTo(place: Place, edition: string | undefined): void {
  sheet.showHalf();
  location.hash = fragmentOf(place, edition);
}

/**
 * Shows an error in the panel. If the token was refused, it is forgotten and the dialog asks for another.
 *
 * @param retry repeats what failed. Where there was no answer, it is called when there may be one again.
 */
function showError(error: unknown, retry = navigateAgain): void {
  if (!(error instanceof PsgcError && error.status === 401)) {
    sheet.reveal();
    panel.showError(error, retry);
    recover(error, retry);
    return;
  }
  const hadToken = currentToken() !== undefined;
  forgetToken();
  closeTiles();
  void showSource();
  void showNotices();
  // Names can be read without a token.
  if (hadToken) {
    dialog.open(sentenceFor(error));
    void navigate();
  } else panel.showError(error, navigateAgain);
}

/** Shows all that the token of the tab opens. */
async function signedIn(): Promise<void> {
  forgetAnswers();
  void showSource();
  await navigate();
  await openTiles();
}

/** Shows what everybody may see, once somebody has signed out in another tab. */
function signedOut(): void {
  forgetAnswers();
  closeTiles();
  void showSource();
  void navigate();
}

/** @throws Error if the rules of the map can't be read */
async function applyMapStyle(): Promise<void> {
  const existing = byId('map-style', HTMLLinkElement);
  if (existing.sheet) return;
  // A link whose rules could not be read does not read them again.
  const link = existing.cloneNode() as HTMLLinkElement;
  const applied = new Promise((resolve, reject) => {
    link.addEventListener('load', resolve, { once: true });
    link.addEventListener('error', reject, { once: true });
  });
  link.rel = 'stylesheet';
  existing.replaceWith(link);
  await applied;
}

/**
 * Resolves when somebody does anything that the map may have to follow: points at it, or uses a key, a button, a link or a
 * field of the page. Until then the SVG of `first-map.ts` shows the same at no CPU cost.
 */
function whenUsed(): Promise<unknown> {
  const stage = document.querySelector('.stage');
  const once = (target: EventTarget | null, name: string) =>
    new Promise((resolve) => target?.addEventListener(name, resolve, { once: true, passive: true }));
  // Tools that read a page aloud, or are spoken to, click and set the focus without a pointer or a key.
  const anywhere = ['pointerdown', 'keydown', 'click', 'focusin', 'hashchange'].map((name) => once(window, name));
  return Promise.race([...anywhere, once(stage, 'pointermove'), once(stage, 'wheel')]);
}

/** Resolves when what was shown so far can be seen. */
function painted(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}

function reloadButton(): HTMLButtonElement {
  return button('Load the page again', () => location.reload());
}

function openMapAgain(): void {
  showMapNotice();
  void openMap(Promise.resolve());
}

/**
 * Opens the map. Without it, the lists in the panel lead to every place too.
 *
 * @param ready what comes before it, because a map that opens leaves the browser no time for anything else. Its code is read
 * meanwhile.
 */
async function openMap(ready: Promise<unknown>): Promise<void> {
  let code: typeof import('./map.ts');
  try {
    [code] = await Promise.all([
      import('./map.ts'),
      preloadWorker(),
      applyMapStyle(),
      ready.then(painted).then(busy.watch),
    ]);
  } catch {
    busy.stop();
    // A browser may not try a failed import again as long as the page is open, so the page is loaded again.
    showMapNotice('The map could not be loaded.', reloadButton());
    if (!navigator.onLine) whenReachable(openMapAgain);
    return;
  }
  try {
    map = code.createMap({
      shown,
      margins,
      onChoose: goTo,
      onFeatures,
      onFailure: showErrorInMap,
      onSketch: sheet.showHalf,
      onBorders: showBorders,
    });
  } catch (error) {
    busy.stop();
    if ((error as Error).name === 'GPUInitializationError')
      showMapNotice('This browser can’t draw the map: it has no WebGL. The lists lead everywhere too.');
    else showMapNotice('The map could not be opened.', reloadButton());
    return;
  }
  if (tiles) return drawTiles();
  await map.show(shown).catch(showErrorInMap);
  await showNotices();
}

/** Opens the tiles of all levels, which need a token. Until then the map is coarse. */
async function openTiles(): Promise<void> {
  closeTiles();
  const opening = latestSession;
  let session: TileSession;
  try {
    session = await openTileSession((error) => showError(error));
  } catch (error) {
    if (opening !== latestSession) return;
    refusal = error;
    showMapError(error);
    recover(error, openTilesAgain);
    return;
  }
  if (opening !== latestSession) {
    session.close();
    return;
  }
  tiles = session;
  // The server for development makes the tiles last. Until then areas are drawn from GeoJSON.
  if (session.levels.size === 0) void showPreparation('tiles');
  await drawTiles();
}

function openTilesAgain(): void {
  void openTiles();
}

async function drawTiles(): Promise<void> {
  try {
    await map?.detail(tiles);
  } catch (error) {
    showErrorInMap(error);
  }
  await showNotices();
}

/** Shows why the map can't show all levels. */
function showMapError(error: unknown): void {
  if (error instanceof PsgcError && error.status === 401) {
    showError(error);
    return;
  }
  const remedy =
    error instanceof PsgcError && error.status === 403
      ? button('Sign in', () => dialog.open())
      : button('Try again', openTilesAgain);
  showMapNotice(`Barangays and finer boundaries can’t be drawn. ${sentenceFor(error)}`, remedy);
}

/** Shows an error of the open map, which can read its parts again. */
function showErrorInMap(error: unknown): void {
  showError(error, readMapAgain);
}

function readMapAgain(): void {
  panel.hideError();
  map?.retry().then(showNotices).catch(showErrorInMap);
}

/** Ends the session of the tiles. The map is coarse then. */
function closeTiles(): void {
  latestSession += 1;
  tiles?.close();
  tiles = undefined;
  refusal = undefined;
  map?.detail(undefined).catch(showErrorInMap);
}

/** @param sentence the notice; without it the notice is hidden */
function showMapNotice(sentence = '', ...buttons: HTMLButtonElement[]): void {
  const notice = byId('map-notice', HTMLElement);
  notice.replaceChildren(sentence, ...buttons);
  notice.hidden = sentence === '';
}

/** Says that the borders are simplified where they are seen to be: with the offer to sign in, or else below the map. */
function showBorders(areSimplified: boolean): void {
  bordersAreSimplified = areSimplified;
  offerToSignIn();
}

/** Offers to sign in, with what it is good for. */
function offerToSignIn(): void {
  const isSignedIn = currentToken() !== undefined;
  const { changes } = shown;
  const isForBorders = bordersAreSimplified && !changes;
  byId('sign-in', HTMLElement).hidden = isSignedIn;
  byId('sign-in-why', HTMLElement).textContent = isForBorders ? `${SIMPLIFIED} ` : '';
  const purpose = byId('sign-in-to', HTMLElement);
  purpose.textContent = changes
    ? ' to see these areas in colours'
    : isForBorders
      ? ' for detailed ones'
      : ' for boundaries of barangays';
  // On a phone only these are worth their room.
  purpose.classList.toggle('to', !changes && !isForBorders);
  showCredit({ borders: bordersAreSimplified ? SIMPLIFIED : '', isSaidBeside: !isSignedIn && isForBorders });
}

/** Offers to sign in, and shows a notice if the areas that are shown have no boundaries. */
async function showNotices(): Promise<void> {
  offerToSignIn();
  const { view, edition } = shown;
  // The notice is only advice, so it is left out if the sources can't be read.
  const sources = await readSources(edition).catch(() => undefined);
  if (!map || edition !== shown.edition) return;
  const below = view?.children[0]?.level ?? view?.place.level;
  const small = below === 'municity' || below === 'submunicipality' || below === 'barangay';
  const ofEdition = edition ? ` of ${editionText(edition)}` : '';
  if (sources?.boundaries === 'none')
    showMapNotice(
      `No boundaries${ofEdition} are loaded here. ${
        view?.today ? 'The border is today’s: no change of it is recorded since.' : landWords(edition)
      }`,
    );
  else if (refusal !== undefined) showMapError(refusal);
  else if (map.isEmpty()) {
    // The coarse map is made some seconds after a release is served for the first time.
    const again = edition ? [] : [button('Look again', () => location.reload())];
    showMapNotice(`Without signing in there is no map${ofEdition || ' yet'}. The lists lead everywhere too.`, ...again);
    if (!edition) void showPreparation('files');
  } else if (tiles && sources?.boundaries === 'display' && small) {
    const nouns = LEVELS[below].nouns.toLowerCase();
    showMapNotice(`The boundaries${ofEdition || ' here'} are coarse: ${nouns} have none. The list has them all.`);
  } else if (view?.area.bbox === null)
    showMapNotice(`${view.area.name} has no boundary here. The map shows what is around it.`);
  else showMapNotice();
}

/** What the map shows where there are no boundaries. Without any edition with boundaries it is empty. */
function landWords(edition: string | undefined): string {
  return `${edition ? 'The land is today’s. ' : ''}The lists lead everywhere too.`;
}

/** Whether a fragment stands for the whole country, of which the extent is known without a request. */
function isCountry(fragment: string): boolean {
  return !placeAt(fragment) && !datasetAt(fragment) && !changesAt(fragment);
}

/** Starts with the names and the coarse map, which need no token. All else follows as soon as there is one. */
async function start(): Promise<void> {
  startPlaceSearch(() => dialog.open());
  // The fragment is the URL of a place, so the link must not change it.
  document.querySelector('.skip')?.addEventListener('click', (event) => {
    event.preventDefault();
    byId('title', HTMLElement).focus();
  });
  byId('sign-in', HTMLElement).addEventListener('click', () => dialog.open());
  const used = whenUsed();
  const shared = shareToken();
  // Wait for another tab's key: it decides whether a private dataset can be read.
  if (datasetAt(location.hash)) await shared;
  const hadToken = currentToken() !== undefined;
  const source = showSource();
  void showNotices();
  const navigation = navigate();
  const named = editionAt(location.hash);
  if (!isCountry(location.hash) || named) await navigation;
  // Draw the SVG overview first; the map's code loads afterwards.
  const isFree = !shown.isOnLandOfToday && (!hadToken || named === undefined);
  const overview = isFree ? await readOverview(named).catch(() => undefined) : undefined;
  const isGround = datasetAt(location.hash) !== undefined;
  if (overview) showFirstMap(overview, { box: boxOf(shown), margins, hasNames: !shown.view, isGround });
  const texts = Promise.all([source, navigation]);
  if (hadToken) await Promise.all([openTiles(), openMap(texts)]);
  else if (!overview || !isCountry(location.hash)) await openMap(texts);
  else {
    const handedOver = shared.then(() => (currentToken() === undefined ? used : undefined));
    await openMap(Promise.all([texts, Promise.race([used, handedOver])]));
  }
  await shared;
  // Who has signed in meanwhile has tiles, or they are being opened.
  if (!hadToken && currentToken() !== undefined && latestSession === 0) await signedIn();
}

onTokenForgotten(signedOut);
addEventListener('hashchange', () => void navigate());
start().catch((error) => showError(error));
