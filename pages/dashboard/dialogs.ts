import { byId, el } from '../shared/dom.ts';
import { successorOf } from './section.ts';

/** Asks before an action that can't be undone. Resolves with whether the person agreed. */
export function confirmAction({ title, text, yes }: { title: string; text: string; yes: string }): Promise<boolean> {
  const dialog = byId('confirm-dialog', HTMLDialogElement);
  const agree = byId('confirm-yes', HTMLButtonElement);
  byId('confirm-title', HTMLElement).textContent = title;
  byId('confirm-text', HTMLElement).textContent = text;
  agree.textContent = yes;
  dialog.showModal();
  return new Promise((resolve) => {
    const settle = (isAgreed: boolean) => {
      dialog.removeEventListener('close', onClose);
      resolve(isAgreed);
    };
    // The event of an earlier question may come when the next one is open already.
    const onClose = () => {
      if (!dialog.open) settle(false);
    };
    const answerWith = (isAgreed: boolean) => () => {
      settle(isAgreed);
      dialog.close();
    };
    agree.onclick = answerWith(true);
    byId('confirm-no', HTMLButtonElement).onclick = answerWith(false);
    dialog.addEventListener('close', onClose);
  });
}

/** Opens a dialog of parts, with a title. It is removed from the page when it is closed. */
export function openDialog(title: string, ...parts: readonly Node[]): HTMLDialogElement {
  const id = `dialog-${crypto.randomUUID()}`;
  const dialog = el('dialog', { 'aria-labelledby': id }, el('h2', { id }, title), ...parts);
  const opener = document.activeElement;
  const onClose = () => {
    dialog.remove();
    // The list that the dialog was opened from may have been read again.
    if (opener && !opener.isConnected) successorOf(opener)?.focus();
  };
  dialog.addEventListener('close', onClose, { once: true });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
