import { byId } from '../shared/dom.ts';

/** Asks before something that can't be undone. Resolves with whether it shall be done. */
export function confirmed({ title, text, yes }: { title: string; text: string; yes: string }): Promise<boolean> {
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
