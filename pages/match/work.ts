import { PsgcError } from '../shared/api.ts';
import { button, byId, el, saveFile } from '../shared/dom.ts';
import { number } from '../shared/format.ts';
import { storeMatched } from '../shared/matched-places.ts';
import type { UploadedDataset } from '../shared/send-file.ts';
import { createCheck } from './check.ts';
import { columnsSentence, countStates, type Group, groupsOf, type PlaceColumns } from './groups.ts';
import { handedOver } from './handed-over.ts';
import { createProgress } from './progress.ts';
import { readFile } from './read-file.ts';
import { PASTED, readPasted } from './read-text.ts';
import { csvParts, resultRows } from './result.ts';
import { createReview } from './review.ts';
import { saveAsMap } from './save-map.ts';
import { showStep } from './steps.ts';
import { showStoredMap, type WaitingTab, waitingTab } from './stored-map.ts';
import type { Source, Table } from './table.ts';
import { titleOf } from './title.ts';
import { workbookRows } from './workbook-rows.ts';

// The part of the page that works on a list. It is loaded with the first one.

const EXAMPLE = `No,Province,City/Municipality,Barangay
1,Cebu,Argaw,Poblacion
2,Cavite,Dasmarinas,Burol I
3,Metro Manila,QC,Commonwelth
4,,San Juan,
5,Maguindanao,Datu Piang,Poblacion
6,Iloilo,Atlantis,Poblacion
`;

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

/** Reads a list: a file, cells that were pasted, or the one that people can try. */
export const read = {
  file: readFile,
  pasted: readPasted,
  example: (): Source => ({ ...readPasted(EXAMPLE), name: 'example' }),
};

/** Shows how a list was understood. */
export function openSource(opened: Source): void {
  source = opened;
  showStep('check');
  check.show(opened);
}

/** Finds the codes of the list by the columns that are known. */
export function findNow(): void {
  check.find();
}

/** Goes on with what waits until somebody signs in. */
export function signedIn(): void {
  check.accessChanged();
  progress.goOn();
  if (isMapWanted) void saveMap();
}

/** Somebody has signed out, in another tab. */
export function signedOut(): void {
  check.accessChanged();
}

function find(table: Table, columns: PlaceColumns): void {
  if (!source) return;
  const name = source.name === PASTED ? titleOf(table, columns, new Date()) : source.name;
  work = { source: { ...source, name }, table, columns, groups: groupsOf(table, columns) };
  isUnsaved = true;
  showStep('progress');
  progress.start(work.groups);
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
  return (await import('./workbook.ts')).workbookOf(workbookRows(matched));
}

/** Stores the list as areas, and opens their map in another tab, so that the list stays. */
async function saveMap(): Promise<void> {
  if (!work) return;
  const own = work;
  const status = byId('map-status', HTMLElement);
  const asking = byId('save-map', HTMLButtonElement);
  asking.disabled = true;
  isMapWanted = false;
  const tab = waitingTab();
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
      showStored(status, stored, tab);
    } else {
      tab.close();
      isMapWanted = true;
      asking.classList.remove('main');
      const signIn = el('a', { class: 'button main', href: '/dashboard#back', target: '_blank' }, 'Sign in');
      status.replaceChildren('Sign in, and the map is made by itself. ', signIn);
      signIn.focus();
    }
  } catch (error) {
    tab.close();
    // A dataset that somebody has deleted meanwhile is not replaced.
    if (error instanceof PsgcError && error.status === 404) own.source = { ...own.source, datasetId: undefined };
    status.textContent = error instanceof Error ? error.message : String(error);
  }
  asking.disabled = false;
}

function showStored(
  status: HTMLElement,
  { id, feature_count: count, skipped }: UploadedDataset,
  tab: WaitingTab,
): void {
  const left = skipped
    ? `${number(skipped.count)} without a code or a boundary ${skipped.count === 1 ? 'was' : 'were'} left out. `
    : '';
  const sentence = `${number(count)} ${count === 1 ? 'area is' : 'areas are'} stored. ${left}`;
  showStoredMap(status, { id, sentence, tab });
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
