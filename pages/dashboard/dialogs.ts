import { startCopyButton } from '../shared/copy.ts';
import { byId } from '../shared/dom.ts';

/** Asks before an action that can't be undone. Resolves with whether the person agreed. */
export function confirmAction({ title, text, yes }: { title: string; text: string; yes: string }): Promise<boolean> {
  const dialog = byId('confirm-dialog', HTMLDialogElement);
  const agree = byId('confirm-yes', HTMLButtonElement);
  byId('confirm-title', HTMLElement).textContent = title;
  byId('confirm-text', HTMLElement).textContent = text;
  agree.textContent = yes;
  dialog.returnValue = '';
  agree.onclick = () => dialog.close('yes');
  byId('confirm-no', HTMLButtonElement).onclick = () => dialog.close();
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'yes'), { once: true });
  });
}

let secretButtonsStarted = false;

/** Shows a new key, which can't be shown again. Resolves when the key has been removed from the page. */
export function showNewKey(key: string): Promise<void> {
  const dialog = byId('secret-dialog', HTMLDialogElement);
  const secret = byId('secret', HTMLElement);
  const curl = byId('secret-curl', HTMLElement);
  if (!secretButtonsStarted) {
    secretButtonsStarted = true;
    startCopyButton(byId('copy-secret', HTMLButtonElement), () => secret.textContent ?? '');
    byId('secret-done', HTMLButtonElement).addEventListener('click', () => dialog.close());
  }
  secret.textContent = key;
  curl.textContent = `curl -H 'Authorization: Bearer ${key}' \\\n  '${location.origin}/v1/provinces/0702200000?format=geojson'`;
  dialog.showModal();
  return new Promise((resolve) => {
    const removeKey = () => {
      secret.textContent = '';
      curl.textContent = '';
      resolve();
    };
    dialog.addEventListener('close', removeKey, { once: true });
  });
}
