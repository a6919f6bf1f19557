import { PsgcError } from '../shared/api.ts';
import { currentToken, onSignIn, onTokenForgotten, shareToken } from '../shared/credentials.ts';
import { button, byId, el, saveFile } from '../shared/dom.ts';
import { number } from '../shared/format.ts';
import { storeMatched } from '../shared/matched-places.ts';
import type { UploadedDataset } from '../shared/send-file.ts';
import { showServedEdition } from '../shared/served-edition.ts';
import { createCheck } from './check.ts';
import { columnsSentence, countStates, type Group, groupsOf, type PlaceColumns } from './groups.ts';
import { handedOver } from './handed-over.ts';
import { FREE_ROWS } from './look-up.ts';
import { createProgress } from './progress.ts';
import { readFile } from './read-file.ts';
import { MAX_ROWS, PASTED, readPasted } from './read-text.ts';
import { csvParts, resultRows } from './result.ts';
import { createReview } from './review.ts';
import { saveAsMap } from './save-map.ts';
import { keepSession } from './session.ts';
import type { Source, Table } from './table.ts';

const EXAMPLE = `No,Province,City/Municipality,Barangay
1,Cebu,Argaw,Poblacion
2,Cavite,Dasmarinas,Burol I
3,Metro Manila,QC,Commonwelth
4,,San Juan,
5,Maguindanao,Datu Piang,Poblacion
6,Iloilo,Atlantis,Poblacion
`;

const STEPS = ['start', 'check', 'progress', 'result'] as const;

/** A list, and what was found for it. */
interface Work {
  source: Source;
  readonly table: Table;
  readonly columns: PlaceColumns;
  readonly groups: readonly Group[];
}

let source: Source | undefined;
let work: Work | undefined;
/** Whether there is work that would be lost with the page. */
let isUnsaved = false;
/** Whether the map is made as soon as somebody has signed in. */
let isMapWanted = false;

const check = createCheck(find);
const progress = createProgress(showResult);
const review = createReview({
  onChange: (sentence) => {
    isUnsaved = true;
    announce(sentence);
  },
  onEnd: () => {
    byId('save-map', HTMLButtonElement).focus();
    announce('Everything is decided. Make the map, or download the list.');
  },
});

function announce(sentence: string): void {
  byId('announcement', HTMLElement).textContent = sentence;
}

function showStep(step: (typeof STEPS)[number]): void {
  for (const name of STEPS) byId(name, HTMLElement).hidden = name !== step;
  byId('lead', HTMLElement).hidden = step !== 'start';
  showNotice('');
  if (step !== 'start') byId(`${step}-title`, HTMLElement).focus();
  scrollTo(0, 0);
}

function showNotice(sentence: string): void {
  const notice = byId('notice', HTMLElement);
  notice.textContent = sentence;
  notice.hidden = sentence === '';
}

/** Opens a list. What can not be read is said in a sentence. Returns whether it could be read. */
async function openList(read: () => Source | Promise<Source>): Promise<boolean> {
  const main = byId('content', HTMLElement);
  main.setAttribute('aria-busy', 'true');
  showNotice('');
  try {
    source = await read();
    showStep('check');
    check.show(source);
  } catch (error) {
    showStep('start');
    showNotice(error instanceof Error ? error.message : String(error));
  }
  main.removeAttribute('aria-busy');
  return !byId('check', HTMLElement).hidden;
}

function find(table: Table, columns: PlaceColumns): void {
  if (!source) return;
  const name = source.name === PASTED ? titleOf(table, columns) : source.name;
  work = { source: { ...source, name }, table, columns, groups: groupsOf(table, columns) };
  isUnsaved = true;
  showStep('progress');
  progress.start(work.groups);
}

/** What a pasted list is called: the heading of the first column that says more than a place or a number of the row. */
function titleOf({ headings }: Table, columns: PlaceColumns): string {
  const places = Object.values(columns).flat();
  return headings.find((heading, at) => /\p{L}{3}/u.test(heading) && !places.includes(at))?.slice(0, 60) ?? PASTED;
}

function showResult(): void {
  if (!work) return;
  showStep('result');
  review.show(work.table, work.columns, work.groups);
  byId('read-columns', HTMLElement).textContent = columnsSentence(work.table, work.columns);
  isUnsaved = work.groups.some(({ choice }) => choice !== undefined);
  const { waiting } = countStates(work.groups);
  const rest = byId('rest', HTMLElement);
  const goOn = button('Go on', () => {
    showStep('progress');
    if (work) progress.start(work.groups);
  });
  rest.replaceChildren(`${number(waiting)} ${waiting === 1 ? 'row was' : 'rows were'} not looked up. `, goOn);
  rest.hidden = waiting === 0;
}

/** Saves the result. What was chosen later needs saving again. */
async function save(make: (work: Work) => Promise<Blob> | Blob, ending: string): Promise<void> {
  if (!work) return;
  const status = byId('save-status', HTMLElement);
  status.textContent = 'Writing…';
  try {
    saveFile(await make(work), `${work.source.name}-psgc.${ending}`);
    isUnsaved = false;
    status.textContent = `${number(work.table.rows.length)} ${work.table.rows.length === 1 ? 'row' : 'rows'} are in the file.`;
  } catch (error) {
    status.textContent = error instanceof Error ? error.message : String(error);
  }
}

function csvOf({ source: { separator }, table, groups }: Work): Blob {
  const hasMark = byId('mark', HTMLInputElement).checked;
  return new Blob([...csvParts(resultRows(table, groups), { separator, hasMark })], { type: 'text/csv' });
}

async function xlsxOf(matched: Work): Promise<Blob> {
  const { workbookOf } = await import('./save-workbook.ts');
  return workbookOf(matched);
}

/** Stores the list as areas, and opens their map in another tab, so that the list stays. */
async function saveMap(): Promise<void> {
  if (!work) return;
  const own = work;
  const status = byId('map-status', HTMLElement);
  const asking = byId('save-map', HTMLButtonElement);
  asking.disabled = true;
  isMapWanted = false;
  status.textContent = 'Storing the areas…';
  try {
    const stored = await saveAsMap(own, (sent, total) => {
      status.textContent = `Storing the areas: ${Math.floor((100 * sent) / total)} % are sent.`;
    });
    if (stored) {
      // The next map of this list takes the place of this one.
      own.source = { ...own.source, datasetId: stored.id };
      isUnsaved = false;
      asking.classList.remove('main');
      showStored(status, stored);
    } else {
      isMapWanted = true;
      asking.classList.remove('main');
      const signIn = el('a', { class: 'button main', href: '/dashboard#back', target: '_blank' }, 'Sign in');
      status.replaceChildren('Sign in, and the map is made by itself. ', signIn);
      signIn.focus();
    }
  } catch (error) {
    // A dataset that somebody has deleted meanwhile is not replaced.
    if (error instanceof PsgcError && error.status === 404) own.source = { ...own.source, datasetId: undefined };
    status.textContent = error instanceof Error ? error.message : String(error);
  }
  asking.disabled = false;
}

function showStored(status: HTMLElement, { id, feature_count: count, skipped }: UploadedDataset): void {
  const address = `/explore#/datasets/${id}`;
  const left =
    skipped > 0 ? `${number(skipped)} without a code or a boundary ${skipped === 1 ? 'was' : 'were'} left out. ` : '';
  const link = el('a', { class: 'button main', href: address, target: '_blank', rel: 'opener' }, 'Open the map');
  status.replaceChildren(`${number(count)} ${count === 1 ? 'area is' : 'areas are'} stored. ${left}`, link);
  // Browsers open no tab long after the button was pressed.
  if (!open(address)) link.focus();
}

/** Says how many rows go, and leads to where people sign in. The dashboard is another tab, so that no list is lost. */
function showAccess(): void {
  const isSignedIn = currentToken() !== undefined;
  const sentence = isSignedIn
    ? `You are signed in: lists may have ${number(MAX_ROWS)} rows. `
    : `Without signing in lists may have ${number(FREE_ROWS)} rows. `;
  const link = el(
    'a',
    { href: isSignedIn ? '/dashboard' : '/dashboard#back', target: '_blank' },
    isSignedIn ? 'Sign out in the dashboard.' : 'Sign in.',
  );
  byId('access', HTMLElement).replaceChildren(sentence, link);
}

/** Keeps the session. Without it, the service says so when the session has ended, and people sign in again. */
function signedIn(): void {
  showAccess();
  check.forgetFault();
  progress.goOn();
  if (isMapWanted) void saveMap();
  void keepSession().catch(() => undefined);
}

function startInput(): void {
  const drop = byId('drop', HTMLElement);
  const input = byId('file', HTMLInputElement);
  const paste = byId('paste', HTMLTextAreaElement);
  const readChosen = () => {
    const [file] = input.files ?? [];
    // The same file may be chosen again after it was changed.
    if (file) void openList(() => readFile(file)).then(() => (input.value = ''));
  };
  input.addEventListener('change', readChosen);
  // The field takes files before this script runs.
  readChosen();
  // A file that is dropped beside the field would else be opened in place of the page.
  for (const name of ['dragover', 'drop'] as const) {
    addEventListener(name, (event) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      const isStart = !byId('start', HTMLElement).hidden;
      drop.classList.toggle('over', isStart && name === 'dragover');
      const [file] = event.dataTransfer.files;
      if (isStart && name === 'drop' && file) void openList(() => readFile(file));
    });
  }
  addEventListener('dragleave', () => drop.classList.remove('over'));
  byId('paste-form', HTMLFormElement).addEventListener('submit', async (event) => {
    event.preventDefault();
    const text = paste.value;
    if (await openList(() => readPasted(text))) paste.value = '';
  });
  byId('example', HTMLButtonElement).addEventListener(
    'click',
    () => void openList(() => ({ ...readPasted(EXAMPLE), name: 'example' })),
  );
}

/** Opens the table that the dashboard has handed over, and finds its codes at once where its columns are known. */
async function openHanded(): Promise<void> {
  const { HANDED, takeFile } = await import('../shared/handed-file.ts');
  if (location.hash !== HANDED) return;
  history.replaceState(null, '', location.pathname);
  const handed = await takeFile().catch(() => undefined);
  if (!handed) return;
  const { file, name, layer, datasetId } = handed;
  const isRead = await openList(async () => {
    const read = await readFile(file);
    const sheets = read.sheets.filter((sheet) => sheet.name === layer);
    return { ...read, name, datasetId, sheets: sheets.length > 0 ? sheets : read.sheets };
  });
  if (isRead) check.find();
}

/** Whether the person lets go what they have chosen and not saved. */
function mayDiscard(): boolean {
  return !isUnsaved || confirm('What you have chosen is not downloaded yet and will be lost. Go on?');
}

for (const restart of document.querySelectorAll('.restart')) {
  restart.addEventListener('click', () => {
    if (!mayDiscard()) return;
    work = undefined;
    isUnsaved = false;
    showStep('start');
    byId('file', HTMLInputElement).focus();
  });
}
byId('back', HTMLButtonElement).addEventListener('click', () => {
  if (mayDiscard()) showStep('check');
});
byId('save-csv', HTMLButtonElement).addEventListener(
  'click',
  () => void save(csvOf, work?.source.separator === '\t' ? 'tsv' : 'csv'),
);
byId('save-xlsx', HTMLButtonElement).addEventListener('click', () => void save(xlsxOf, 'xlsx'));
byId('save-map', HTMLButtonElement).addEventListener('click', () => void saveMap());
byId('show-map', HTMLAnchorElement).addEventListener('click', () => {
  if (work) storeMatched(handedOver(work.source.name, work.table, work));
});
addEventListener('beforeunload', (event) => {
  if (isUnsaved) event.preventDefault();
});
// A list that somebody works on is not lost for what has come meanwhile.
addEventListener('prepared', (event) => event.preventDefault());
startInput();
showAccess();
void showServedEdition();
onSignIn(signedIn);
onTokenForgotten(showAccess, (mine, forgotten) => mine === forgotten);
void shareToken().then(signedIn).then(openHanded);
