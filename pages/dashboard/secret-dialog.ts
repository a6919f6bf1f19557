import type { DataOf } from '../../clients/typescript/src/types.ts';
import { request, sentenceFor } from '../shared/api.ts';
import { startCopyButton } from '../shared/copy.ts';
import { byId } from '../shared/dom.ts';
import { curlOf, firstRequestOf } from './first-request.ts';

/** A key that was just made. */
export type NewKey = Pick<DataOf<'create_api_key'>, 'key' | 'scopes'>;

/** A text that is shown once. */
export interface Secret {
  readonly text: string;
  /** What it is, in a word. */
  readonly what: string;
  readonly title: string;
  readonly about: string;
  /** The scopes of a key, which can be tried at once. */
  readonly scopes?: NewKey['scopes'];
}

let shown: Secret | undefined;
let isCopied = false;

/** Shows a new key, as `showSecret`. */
export function showNewKey({ key, scopes }: NewKey): Promise<void> {
  const about = 'Copy it now: it is shown this once and stored nowhere in readable form.';
  return showSecret({ text: key, what: 'key', title: 'Your new key', about, scopes });
}

/**
 * Shows a text that can't be shown again. While it was not copied, the dialog asks before it closes. Resolves when the text has been
 * removed from the page.
 */
export function showSecret(secret: Secret): Promise<void> {
  const { text, what, title, about, scopes } = secret;
  const dialog = byId('secret-dialog', HTMLDialogElement);
  start(dialog);
  shown = secret;
  isCopied = false;
  byId('secret-title', HTMLElement).textContent = title;
  byId('secret-about', HTMLElement).textContent = about;
  for (const element of dialog.querySelectorAll('.secret-what')) element.textContent = what;
  byId('secret', HTMLElement).textContent = text;
  const canTry = scopes !== undefined;
  byId('secret-try', HTMLElement).hidden = !canTry;
  byId('secret-curl', HTMLElement).hidden = !canTry;
  byId('secret-curl', HTMLElement).textContent = canTry ? curlOf(firstRequestOf(scopes), text) : '';
  byId('secret-answer', HTMLElement).textContent = '';
  ask(false);
  dialog.showModal();
  return new Promise((resolve) => {
    const onClose = () => {
      // A browser may close a dialog although the page has prevented it. The text would be lost.
      if (!isCopied) {
        dialog.showModal();
        ask(true);
        return;
      }
      dialog.removeEventListener('close', onClose);
      shown = undefined;
      for (const id of ['secret', 'secret-curl', 'secret-answer']) byId(id, HTMLElement).textContent = '';
      resolve();
    };
    dialog.addEventListener('close', onClose);
  });
}

/** Shows the question in place of the button that closes the dialog, or that button again. */
function ask(isAsked: boolean): void {
  byId('secret-question', HTMLElement).hidden = !isAsked;
  byId('secret-actions', HTMLElement).hidden = isAsked;
  if (isAsked) byId('secret-copy-now', HTMLButtonElement).focus();
}

let isStarted = false;

function start(dialog: HTMLDialogElement): void {
  if (isStarted) return;
  isStarted = true;
  const copied = () => {
    isCopied = true;
    ask(false);
  };
  const secretText = () => shown?.text ?? '';
  startCopyButton(byId('copy-secret', HTMLButtonElement), secretText, copied);
  startCopyButton(
    byId('copy-secret-curl', HTMLButtonElement),
    () => byId('secret-curl', HTMLElement).textContent ?? '',
    copied,
  );
  startCopyButton(byId('secret-copy-now', HTMLButtonElement), secretText, () => {
    copied();
    byId('secret-done', HTMLButtonElement).focus();
  });
  // Somebody may also select the text and copy it by hand.
  dialog.addEventListener('copy', () => {
    if (getSelection()?.toString().includes(secretText())) copied();
  });
  const close = () => {
    isCopied = true;
    dialog.close();
  };
  byId('secret-done', HTMLButtonElement).addEventListener('click', close);
  byId('secret-lose', HTMLButtonElement).addEventListener('click', close);
  dialog.addEventListener('cancel', (event) => {
    if (isCopied) return;
    event.preventDefault();
    ask(true);
  });
  byId('send-first', HTMLButtonElement).addEventListener('click', () => void sendFirst());
}

/** Sends the request of the curl line from the page, and shows what came back. */
async function sendFirst(): Promise<void> {
  const answer = byId('secret-answer', HTMLElement);
  if (shown?.scopes === undefined) return;
  const { method, path, body } = firstRequestOf(shown.scopes);
  const started = performance.now();
  answer.textContent = 'Sending…';
  try {
    const response = await request(path, { method, token: shown.text, ...(body ? { body } : {}) });
    const text = await response.text();
    answer.textContent = `${response.status} in ${Math.round(performance.now() - started)} ms: ${text.slice(0, 160)}${text.length > 160 ? '…' : ''}`;
  } catch (error) {
    answer.textContent = sentenceFor(error);
  }
}
