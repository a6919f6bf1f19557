import { currentToken, onSignIn, onTokenForgotten, shareToken } from '../shared/credentials.ts';
import { byId, el } from '../shared/dom.ts';
import { number } from '../shared/format.ts';
import { showServedEdition } from '../shared/served-edition.ts';
import { FREE_ROWS, MAX_ROWS, noteLimit } from './limits.ts';
import { keepSession } from './session.ts';
import { showNotice, showStep } from './steps.ts';
import type { Source } from './table.ts';

// The start of the page. What works on a list is loaded with the first one.

type Work = typeof import('./work.ts');

let work: Work | undefined;

function load(): Promise<Work> {
  return import('./work.ts').catch(() => {
    throw new Error('A part of this page could not be loaded. Check the connection, and try again.');
  });
}

/** Opens a list. What can not be read is said in a sentence. Returns whether it could be read. */
async function openList(read: (work: Work) => Source | Promise<Source>): Promise<boolean> {
  const main = byId('content', HTMLElement);
  main.setAttribute('aria-busy', 'true');
  showNotice('');
  try {
    work = await load();
    work.openSource(await read(work));
  } catch (error) {
    showStep('start');
    showNotice(error instanceof Error ? error.message : String(error));
  }
  main.removeAttribute('aria-busy');
  return !byId('check', HTMLElement).hidden;
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
  work?.signedIn();
  void keepSession().catch(() => undefined);
}

function signedOut(): void {
  showAccess();
  work?.signedOut();
}

function startInput(): void {
  const start = byId('start', HTMLElement);
  // Who turns to the fields will soon have a list.
  for (const name of ['pointerover', 'focusin', 'dragenter'] as const) {
    start.addEventListener(name, () => void load().catch(() => undefined), { once: true });
  }
  const drop = byId('drop', HTMLElement);
  const input = byId('file', HTMLInputElement);
  const paste = byId('paste', HTMLTextAreaElement);
  const readChosen = () => {
    const [file] = input.files ?? [];
    // The same file may be chosen again after it was changed.
    if (file) void openList(({ read }) => read.file(file)).then(() => (input.value = ''));
  };
  input.addEventListener('change', readChosen);
  // The field takes files before this script runs.
  readChosen();
  // A file that is dropped beside the field would else be opened in place of the page.
  for (const name of ['dragover', 'drop'] as const) {
    addEventListener(name, (event) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      const isStart = !start.hidden;
      drop.classList.toggle('over', isStart && name === 'dragover');
      const [file] = event.dataTransfer.files;
      if (isStart && name === 'drop' && file) void openList(({ read }) => read.file(file));
    });
  }
  addEventListener('dragleave', () => drop.classList.remove('over'));
  byId('paste-form', HTMLFormElement).addEventListener('submit', async (event) => {
    event.preventDefault();
    const text = paste.value;
    if (await openList(({ read }) => read.pasted(text))) paste.value = '';
  });
  byId('example', HTMLButtonElement).addEventListener('click', () => void openList(({ read }) => read.example()));
}

/** Opens the table that the dashboard has handed over, and finds its codes at once where its columns are known. */
async function openHanded(): Promise<void> {
  const { HANDED, takeFile } = await import('../shared/handed-file.ts');
  if (location.hash !== HANDED) return;
  history.replaceState(null, '', location.pathname);
  const handed = await takeFile().catch(() => undefined);
  if (!handed) return;
  const { file, name, layer, datasetId } = handed;
  const isRead = await openList(async ({ read }) => {
    const whole = await read.file(file);
    const sheets = whole.sheets.filter((sheet) => sheet.name === layer);
    return { ...whole, name, datasetId, sheets: sheets.length > 0 ? sheets : whole.sheets };
  });
  if (isRead) work?.findNow();
}

// A list that somebody works on is not lost for what has come meanwhile.
addEventListener('prepared', (event) => event.preventDefault());
startInput();
showAccess();
void showServedEdition().then(noteLimit);
onSignIn(signedIn);
onTokenForgotten(signedOut);
void shareToken().then(signedIn).then(openHanded);
