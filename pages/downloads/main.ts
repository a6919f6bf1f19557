import type { Download, JsonOf } from '../../clients/typescript/src/types.ts';
import { needsSignIn, PsgcError, requestJson, sentenceFor } from '../shared/api.ts';
import { currentToken, onTokenForgotten, shareToken, storeToken } from '../shared/credentials.ts';
import { button, byId, el, showPreparation } from '../shared/dom.ts';
import { editionSentence } from '../shared/format.ts';
import { LEVEL_NAMES, LEVELS, type Level } from '../shared/levels.ts';
import { startTokenDialog } from '../shared/token-dialog.ts';
import {
  type Area,
  BOUNDARIES,
  type Choice,
  COUNTRY,
  choiceFrom,
  fileOf,
  formatsOf,
  levelsIn,
  NEWEST,
  type Offer,
  queryOf,
  type SavedFile,
} from './choice.ts';
import { addArea, FORMAT_WORDS, showAreas, showChoice, showEditions, whenPicked } from './picker.ts';
import { showResult } from './result.ts';
import { addressOf } from './tools.ts';

const notice = byId('notice', HTMLElement);
const status = byId('status', HTMLElement);
const listed = byId('kind', HTMLSelectElement);

const WHOLE: Area = { code: COUNTRY, name: 'the Philippines' };

let offer: Offer = { files: [], releases: new Map(), origin: location.origin };
/** The editions that have boundaries. */
let drawn: ReadonlySet<string> = new Set();
let newest = NEWEST;
/** What is wanted. Until all is read, that can be more than can be shown. */
let choice: Choice = { ...choiceFrom(location.search, NEWEST), edition: NEWEST };
/** What the form shows. */
let shown: Partial<Choice> = { area: COUNTRY, edition: NEWEST };
/** Whether the files, the editions and the areas of one are known. */
let isRead = false;
/** Whether some of it could not be read last. */
let isRefused = false;
/** The timer that reads it again. */
let retry: number | undefined;
/** The areas that can be chosen in the edition, by their codes, and the regions that have provinces. */
let areas = new Map([[COUNTRY, WHOLE]]);
let divided: ReadonlySet<string> = new Set();
/** Whose the data of the edition is. */
let sources: JsonOf<'list_sources'>['data']['sources'] = [];
/** What opens layers in URLs, once it was asked for. */
let session: string | undefined;
/** Whether a file is being made. */
let isSaving = false;
/** What is done once somebody has signed in. */
let waiting: (() => Promise<void>) | undefined;

const dialog = startTokenDialog(async (token) => {
  const before = currentToken();
  storeToken(token);
  try {
    await (waiting ?? readAgain)();
  } catch (error) {
    storeToken(before);
    throw error;
  }
  waiting = undefined;
  if (isRefused) await readPatiently();
  else show();
});
byId('token-dialog', HTMLElement).addEventListener('close', () => {
  waiting = undefined;
});

/** Asks for a session that opens all layers in URLs for an hour. */
async function openSession(): Promise<void> {
  const options = { method: 'POST', body: {} } as const;
  const { data } = await requestJson<JsonOf<'create_download_session'>>('/v1/downloads/sessions', options);
  session = data.session;
  show();
}

/** Asks to sign in, then acts. */
function signInFor(act: () => Promise<void>, reason?: string): void {
  waiting = act;
  dialog.open(reason);
}

/** Does what needs a key, once there is one. */
function withKey(act: () => Promise<void>): void {
  if (currentToken() === undefined) signInFor(act);
  else void attempt(act);
}

/** Acts, and says beside the button why that failed. */
async function attempt(act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    const sentence = sentenceFor(error, 'The download failed.');
    if (error instanceof PsgcError && error.status === 401) return signInFor(act, sentence);
    status.textContent = sentence;
    if (needsSignIn(error))
      status.append(
        ' ',
        button('Sign in', () => signInFor(act)),
      );
  }
}

/** Saves a file: a layer that is stored by its URL, because it can be large; others once all of them is here. */
async function save(file: SavedFile): Promise<void> {
  if (file.stored && file.hasBoundaries) {
    if (session === undefined) await openSession();
    el('a', { href: addressOf(file, session), download: file.name }).click();
    return;
  }
  if (isSaving) return;
  isSaving = true;
  status.textContent = `${file.stored ? 'Reading' : 'Making'} ${file.name}…`;
  try {
    status.textContent = await (await import('./later.ts')).later.saveWhole(file);
  } catch (error) {
    status.textContent = '';
    throw error;
  } finally {
    isSaving = false;
    show();
  }
}

const storedFile = (file: Download): SavedFile => ({
  name: file.id,
  href: file.href,
  hasBoundaries: true,
  stored: file,
});

/** Shows the choice, made one that there is a file of, and the file. */
function show(): void {
  const area = areas.get(choice.area) ?? WHOLE;
  const levels = levelsIn(area, divided.has(area.code));
  const level = levels.includes(choice.level) ? choice.level : (levels[0] as Level);
  const wanted = { ...choice, area: area.code, level };
  const boundaries = BOUNDARIES.filter(
    (value) =>
      value === 'none' || (drawn.has(choice.edition) && formatsOf({ ...wanted, boundaries: value }, offer).length > 0),
  );
  const drawable = {
    ...wanted,
    boundaries: boundaries.includes(choice.boundaries) ? choice.boundaries : 'none',
  } as const;
  const formats = formatsOf(drawable, offer);
  const format = formats.find((it) => it === choice.format) ?? (formats[0] as Choice['format']);
  const now: Choice = { ...drawable, format };
  shown = now;
  showChoice(now, { areaLevel: area.level, levels, boundaries, formats });
  if (isRead) {
    choice = now;
    setQuery(queryOf(now, newest));
  }
  const file = fileOf(now, offer);
  if (!file) return;
  const nouns = level === area.level ? area.name : `${LEVELS[level].nouns} of ${area.name}`;
  const used = sources.filter(({ part }) => file.hasBoundaries || part === 'codes');
  const attributions = [...new Set(used.map(({ attribution }) => attribution))].join('; ');
  byId('attribution', HTMLElement).textContent = attributions && `Cite as: ${attributions}`;
  const result = {
    title: `${nouns}, ${FORMAT_WORDS[format].label}`,
    session,
    isSignedIn: currentToken() !== undefined,
    save: (chosen: SavedFile) => (chosen.hasBoundaries ? withKey : attempt)(() => save(chosen)),
    openSession: () => withKey(openSession),
  };
  showResult(file, { ...result, counted: '' });
  const isShown = () => shown === now && fileOf(now, offer)?.name === file.name;
  byId('all', HTMLElement).hidden = now.edition === NEWEST;
  const ofEdition = offer.files.filter((it) => it.edition === now.edition);
  const listedFiles = ofEdition.filter((it) => (it.resolution ?? 'none') === listed.value);
  void import('./later.ts')
    .then(({ later }) => {
      later.showFiles(listedFiles, (it) => withKey(() => save(storedFile(it))));
      return later.countedWords(now, area, { files: offer.files, isDrawn: drawn.has(now.edition) });
    })
    .then((counted) => isShown() && showResult(file, { ...result, counted }))
    // The file is there without it.
    .catch(() => undefined);
}

function tell(sentence: string): void {
  notice.textContent = sentence;
  notice.hidden = false;
}

/** How long is waited before something is read again where the service does not say it, seconds. */
const RETRY_S = 10;

/** Reads, and where the service asks to wait, says so and reads again when it is over. Other faults are told with a button. */
async function readPatiently(): Promise<void> {
  clearTimeout(retry);
  if (isRefused) notice.hidden = true;
  isRefused = false;
  try {
    await read();
  } catch (error) {
    isRefused = true;
    const wait = waitOf(error);
    const missing =
      choice.edition === NEWEST ? 'Provinces, boundaries and other editions' : 'Regions and provinces of this edition';
    tell(`${sentenceFor(error)}${wait ? ` ${missing} come then: this page tries again by itself.` : ''} `);
    notice.append(button('Try again', readPatiently));
    if (needsSignIn(error))
      notice.append(
        ' ',
        button('Sign in', () => dialog.open()),
      );
    if (wait) retry = window.setTimeout(readPatiently, wait * 1000);
  }
}

/** Reads what was refused with the key of somebody who signed in. */
async function readAgain(): Promise<void> {
  if (!isRefused) return;
  notice.hidden = true;
  try {
    await read();
  } catch (error) {
    notice.hidden = false;
    throw error;
  }
  clearTimeout(retry);
  isRefused = false;
}

/** For how many seconds the service asks to wait; undefined where waiting is of no use. */
function waitOf(error: unknown): number | undefined {
  const { status, retryAfter } = error as Partial<PsgcError>;
  return status === 429 || status === 503 ? (retryAfter ?? RETRY_S) : undefined;
}

/** Reads the areas of an edition to choose from, and its sources. Returns whether it is still the one that is wanted. */
async function readEdition(edition: string): Promise<boolean> {
  const { later } = await import('./later.ts');
  const read = await later.readAreas(edition, WHOLE, () => choice.area);
  if (edition !== choice.edition) return false;
  showAreas(read.regions, read.provinces);
  divided = new Set(read.provinces.map(({ r_code }) => r_code ?? ''));
  areas = read.areas;
  if (read.city) add(read.city);
  byId('served', HTMLElement).textContent = editionSentence(read.served);
  sources = read.served.sources;
  return true;
}

/** Adds an area to what can be chosen. A city is called with what it lies in: there are nine San Isidros. */
function add(area: Area): void {
  if (areas.has(area.code)) return;
  areas.set(area.code, area);
  addArea(area);
}

/** The code of the search is read when somebody is about to search. */
async function startFinding(): Promise<void> {
  (await import('./finding.ts')).startFinding({
    edition: () => choice.edition || undefined,
    choose: ({ code, level, fullName }) => {
      add({ code, name: fullName, level });
      // Somebody who looks for a city rarely wants its one row.
      const isOneRow = LEVEL_NAMES.indexOf(choice.level) <= LEVEL_NAMES.indexOf(level);
      void pick({ area: code, ...(isOneRow && { level: 'barangay' }) });
    },
    whenSignedIn: (act) => {
      waiting = act;
    },
  });
}

/** The files of whole levels. Where they are not there yet, files that are made on demand still are. */
async function readFiles(): Promise<readonly Download[]> {
  try {
    const { data } = await requestJson<JsonOf<'list_downloads'>>('/v1/downloads');
    if (data.length > 0) return data;
    tell('No release has files yet. Whoever runs this service makes them with npm run geo:publish.');
  } catch (error) {
    if (waitOf(error) !== undefined || (error as Partial<PsgcError>).status === 401) throw error;
    tell(sentenceFor(error));
  }
  void showPreparation('files');
  return [];
}

/** The files and the editions, and the choice of the URL. */
async function readOffer(): Promise<void> {
  const loading = import('./later.ts');
  const [files, editions] = await Promise.all([readFiles(), requestJson<JsonOf<'list_editions'>>('/v1/editions')]);
  const releases = new Map(editions.data.map(({ id, release }) => [id, release]));
  offer = { ...offer, files, releases };
  drawn = new Set(editions.data.filter(({ boundary_set: set }) => set !== 'none').map(({ id }) => id));
  newest = (editions.data.find(({ active }) => active) ?? editions.data[0])?.id ?? '';
  choice = choiceFrom(location.search, newest);
  if (!releases.has(choice.edition)) choice = { ...choice, edition: newest };
  showEditions([...releases.keys()], choice.edition);
  shown = { ...shown, edition: choice.edition };
  void loading.then(({ later }) => later.describeFiles(byId('dataset', HTMLScriptElement), files));
}

/** Reads what is not known. What is known can be chosen, also where the rest is refused. */
async function read(): Promise<void> {
  try {
    if (!isRead) await readOffer();
    if (await readEdition(choice.edition)) isRead = true;
  } finally {
    show();
  }
}

function setQuery(query: string): void {
  history.replaceState(null, '', query === '' ? location.pathname : `?${query}`);
}

/** Takes what was picked. The URL keeps it too until all that the URL names can be shown. */
async function pick(picked: Partial<Choice>): Promise<void> {
  status.textContent = '';
  choice = { ...choice, ...picked };
  shown = { ...shown, ...picked };
  if (!isRead)
    setQuery(`${new URLSearchParams({ ...Object.fromEntries(new URLSearchParams(location.search)), ...picked })}`);
  if (picked.edition === undefined) show();
  else await readPatiently();
}

whenPicked((form) => {
  const isNew = ([name, value]: [string, string | undefined]) => value && value !== shown[name as keyof Choice];
  const picked: Partial<Choice> = Object.fromEntries(Object.entries(form).filter(isNew));
  // A format is one of tables or of layers.
  void pick({ ...picked, ...(picked.format && { boundaries: form.boundaries }) });
});
const field = byId('find', HTMLInputElement);
// Somebody may have been faster than this script.
if (document.activeElement === field) void startFinding();
else field.addEventListener('focus', startFinding, { once: true });
listed.addEventListener('change', show);
onTokenForgotten(() => {
  session = undefined;
  show();
});
void shareToken();
void readPatiently().finally(() => byId('picker', HTMLElement).removeAttribute('aria-busy'));
