import { startCopyButton } from '../shared/copy.ts';
import { byId } from '../shared/dom.ts';

let started = false;

/** Shows a new key, this once. Resolves when it is gone from the page again. */
export function showSecret(key: string): Promise<void> {
  const dialog = byId('secret-dialog', HTMLDialogElement);
  const secret = byId('secret', HTMLElement);
  const curl = byId('secret-curl', HTMLElement);
  if (!started) {
    started = true;
    startCopyButton(byId('copy-secret', HTMLButtonElement), () => secret.textContent ?? '');
    byId('secret-done', HTMLButtonElement).addEventListener('click', () => dialog.close());
  }
  secret.textContent = key;
  curl.textContent = `curl -H 'Authorization: Bearer ${key}' \\\n  '${location.origin}/v1/provinces/0702200000?format=geojson'`;
  dialog.showModal();
  return new Promise((resolve) => {
    const gone = () => {
      secret.textContent = '';
      curl.textContent = '';
      resolve();
    };
    dialog.addEventListener('close', gone, { once: true });
  });
}
