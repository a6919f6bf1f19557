import { DAY_MS } from '../shared/dates.ts';
import { byId, el } from '../shared/dom.ts';
import { type NewKey, showNewKey } from './secret-dialog.ts';

/** The scopes that users may give to their keys, one for each family of data, and what they are for. */
const SCOPES: Readonly<Record<string, string>> = {
  'read:boundaries': 'areas, names and boundaries',
  'read:datasets': 'read your datasets',
  'write:datasets': 'change your datasets',
};

interface Options {
  /** The button that opens the dialog. */
  openButton: HTMLButtonElement;
  /** Creates the key. */
  createKey: (input: object) => Promise<NewKey>;
  /** Called when the new key has been copied. */
  onCopied: () => void;
}

/** The dialog that creates a key. */
export function startKeyDialog({ openButton, createKey, onCopied }: Options): void {
  const dialog = byId('key-dialog', HTMLDialogElement);
  const form = byId('key-form', HTMLFormElement);
  const error = byId('key-error', HTMLElement);
  const submit = form.querySelector<HTMLButtonElement>('[type=submit]');
  byId('scopes', HTMLElement).replaceChildren(
    ...Object.entries(SCOPES).map(([scope, about]) => {
      const box = el('input', { type: 'checkbox', name: 'scope', value: scope });
      box.addEventListener('change', () => {
        const only = form.querySelector<HTMLInputElement>('[name=reach][value=some]');
        if (only && box.checked) only.checked = true;
      });
      return el('label', {}, box, ` ${scope}: ${about}`);
    }),
  );
  openButton.addEventListener('click', () => {
    form.reset();
    error.textContent = '';
    dialog.showModal();
  });
  byId('key-cancel', HTMLButtonElement).addEventListener('click', () => dialog.close());
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    error.textContent = '';
    if (submit) submit.disabled = true;
    try {
      const key = await createKey(newKeyInput(form));
      dialog.close();
      await showNewKey(key);
      onCopied();
    } catch (fault) {
      error.textContent = (fault as Error).message;
    } finally {
      if (submit) submit.disabled = false;
    }
  });
}

/** @throws Error if the key is to be limited to scopes and none is chosen */
function newKeyInput(form: HTMLFormElement): object {
  const values = new FormData(form);
  const days = Number(byId('key-expiry', HTMLSelectElement).value);
  const rpm = byId('key-rpm', HTMLInputElement).value;
  return {
    name: byId('key-name', HTMLInputElement).value,
    environment: byId('key-environment', HTMLSelectElement).value,
    expires_at: days ? new Date(Date.now() + days * DAY_MS).toISOString() : null,
    rate_limit_rpm: rpm ? Number(rpm) : null,
    scopes: values.get('reach') === 'some' ? chosenScopes(values) : null,
  };
}

/** The service would create a key without limits from an empty list, so an empty list is refused here. */
function chosenScopes(values: FormData): FormDataEntryValue[] {
  const scopes = values.getAll('scope');
  if (scopes.length === 0) throw new Error('Choose at least one of the things that the key may do.');
  return scopes;
}
