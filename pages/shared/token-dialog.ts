import { sentenceFor } from './api.ts';
import { currentToken, onSignIn } from './credentials.ts';
import { byId } from './dom.ts';

/**
 * The dialog that asks people to sign in, on the dashboard in another tab or with a token. The page has it as
 * `#token-dialog`, with the part `token-choices.html`.
 *
 * @param tryToken uses the token. If it throws, the dialog stays open and shows the error.
 */
export function startTokenDialog(tryToken: (token: string) => Promise<void>) {
  const dialog = byId('token-dialog', HTMLDialogElement);
  const form = byId('token-form', HTMLFormElement);
  const signIn = byId('token-sign-in', HTMLAnchorElement);
  const byHand = byId('token-by-hand', HTMLDetailsElement);
  const input = byId('token', HTMLInputElement);
  const error = byId('token-error', HTMLElement);
  const submit = form.querySelector('button[type=submit]') as HTMLButtonElement;

  onSignIn(() => {
    tryToken(currentToken() ?? '').then(
      () => dialog.close(),
      (refused) => {
        error.textContent = sentenceFor(refused, String(refused).trim());
      },
    );
  });
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const token = input.value.trim();
    if (token === '' || submit.disabled) return;
    submit.disabled = true;
    error.textContent = '';
    try {
      await tryToken(token);
      dialog.close();
    } catch (refused) {
      error.textContent = sentenceFor(refused, String(refused).trim());
      input.setAttribute('aria-invalid', 'true');
      input.select();
      input.focus();
    }
    submit.disabled = false;
  });
  byId('token-later', HTMLButtonElement).addEventListener('click', () => dialog.close());
  // The token is stored in one place only, so the field does not keep it.
  dialog.addEventListener('close', () => {
    input.value = '';
    input.removeAttribute('aria-invalid');
    byHand.open = false;
  });

  return {
    /**
     * Opens the dialog, and the dashboard in a tab of its own, as links to sign in do. Whoever has a token that is not enough
     * needs another one, and stays.
     *
     * @param reason why another token is needed
     */
    open(reason = '') {
      if (!reason && !currentToken()) signIn.click();
      // If the dialog is open already, the reason that it shows stays.
      if (reason !== '' || !dialog.open) error.textContent = reason;
      if (!dialog.open) dialog.showModal();
      signIn.focus();
    },
  };
}
