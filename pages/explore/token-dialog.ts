import { Refusal, remedyFor } from '../shared/api.ts';
import { byId } from '../shared/dom.ts';

/**
 * The dialog that asks for a token.
 * @param accept tries the token; what it throws is said in the dialog, which stays open
 */
export function startTokenDialog(accept: (token: string) => Promise<void>) {
  const dialog = byId('token-dialog', HTMLDialogElement);
  const form = byId('token-form', HTMLFormElement);
  const input = byId('token', HTMLInputElement);
  const error = byId('token-error', HTMLElement);
  const submit = form.querySelector('button[type=submit]') as HTMLButtonElement;

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const token = input.value.trim();
    if (token === '' || submit.disabled) return;
    submit.disabled = true;
    error.textContent = '';
    try {
      await accept(token);
      dialog.close();
    } catch (refused) {
      const sentence = refused instanceof Refusal ? `${refused.message} ${remedyFor(refused)}` : String(refused);
      error.textContent = sentence.trim();
      input.setAttribute('aria-invalid', 'true');
      input.select();
      input.focus();
    }
    submit.disabled = false;
  });
  byId('token-later', HTMLButtonElement).addEventListener('click', () => dialog.close());
  // The token is kept in one place only.
  dialog.addEventListener('close', () => {
    input.value = '';
    input.removeAttribute('aria-invalid');
  });

  return {
    /** @param reason why a token is asked for again */
    open(reason = '') {
      // What it is open for already is still to be read.
      if (reason !== '' || !dialog.open) error.textContent = reason;
      if (!dialog.open) dialog.showModal();
      input.focus();
    },
  };
}
