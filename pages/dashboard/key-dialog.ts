import { Refusal } from '../shared/api.ts';
import { byId, el } from '../shared/dom.ts';
import { showSecret } from './secret.ts';

/** What keys of users are limited to: the families of data that the service has. */
const SCOPES = ['read:boundaries', 'read:datasets', 'write:datasets'];

const DAY_MS = 86_400_000;

interface Options {
  /** What opens the dialog. */
  open: HTMLButtonElement;
  /** Creates the key and gives its plaintext. */
  create: (wish: object) => Promise<string>;
}

/** The dialog that a key is created with. */
export function startKeyDialog({ open, create }: Options): void {
  const dialog = byId('key-dialog', HTMLDialogElement);
  const form = byId('key-form', HTMLFormElement);
  const error = byId('key-error', HTMLElement);
  const submit = form.querySelector<HTMLButtonElement>('[type=submit]');
  byId('scopes', HTMLElement).replaceChildren(
    ...SCOPES.map((scope) => {
      const box = el('input', { type: 'checkbox', name: 'scope', value: scope });
      box.addEventListener('change', () => {
        const some = form.querySelector<HTMLInputElement>('[name=reach][value=some]');
        if (some && box.checked) some.checked = true;
      });
      return el('label', {}, box, ` ${scope}`);
    }),
  );
  open.addEventListener('click', () => {
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
      const key = await create(wishIn(form));
      dialog.close();
      await showSecret(key);
    } catch (fault) {
      error.textContent = fault instanceof Refusal ? reasonOf(fault) : (fault as Error).message;
    } finally {
      if (submit) submit.disabled = false;
    }
  });
}

function wishIn(form: HTMLFormElement): object {
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

/** The service would take none for all of them. */
function chosenScopes(values: FormData): FormDataEntryValue[] {
  const scopes = values.getAll('scope');
  if (scopes.length === 0) throw new Error('Choose at least one of the things that the key may do.');
  return scopes;
}

/** What the service says is wrong: the message of an error, or those of its issues. */
function reasonOf({ message, body }: Refusal): string {
  const { error } = body as { error?: { issues?: { message: string }[] } };
  return error?.issues?.map((issue) => issue.message).join(' ') || message;
}
