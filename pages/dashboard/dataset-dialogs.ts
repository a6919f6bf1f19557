import type { Dataset, JsonOf } from '../../clients/typescript/src/types.ts';
import { requestJson, sentenceFor } from '../shared/api.ts';
import { startCopyButton } from '../shared/copy.ts';
import { button, el } from '../shared/dom.ts';
import type { Session } from '../shared/session.ts';
import { openDialog } from './dialogs.ts';
import { mapPathOf } from './map-path.ts';

interface Options {
  readonly session: Session;
  /** Called after something was changed, with a sentence that says what. */
  readonly onChanged: (sentence: string) => Promise<void>;
}

type Change = Partial<Pick<Dataset, 'name' | 'description' | 'visibility'>>;

async function change({ id }: Dataset, body: Change, session: Session): Promise<Dataset> {
  const options = { method: 'PATCH', token: await session.token(), body } as const;
  return (await requestJson<JsonOf<'update_dataset'>>(`/v1/datasets/${id}`, options)).data;
}

/** The dialog that renames and describes a dataset. */
export function openEdit(dataset: Dataset, { session, onChanged }: Options): void {
  const name = el('input', {
    id: 'edit-name',
    class: 'text-field',
    required: true,
    maxlength: '256',
    autocomplete: 'off',
  });
  const about = el('textarea', { id: 'edit-about', class: 'text-field', rows: '5', maxlength: '10000' });
  name.value = dataset.name;
  about.value = dataset.description ?? '';
  const error = el('p', { class: 'error', role: 'alert' });
  const submit = el('button', { type: 'submit', class: 'main' }, 'Save');
  const form = el(
    'form',
    {},
    el('label', { for: 'edit-name' }, 'Name'),
    name,
    el('label', { for: 'edit-about' }, 'Description'),
    about,
    error,
    el(
      'p',
      { class: 'actions' },
      submit,
      button('Cancel', () => dialog.close()),
    ),
  );
  const dialog = openDialog(`Edit “${dataset.name}”`, form);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    submit.disabled = true;
    error.textContent = '';
    try {
      const saved = await change(dataset, { name: name.value, description: about.value || null }, session);
      dialog.close();
      await onChanged(`${saved.name} is saved.`);
    } catch (fault) {
      error.textContent = sentenceFor(fault);
    }
    submit.disabled = false;
  });
}

type Visibility = Dataset['visibility'];

/** Who may read a dataset. */
export const READERS: Readonly<Record<Visibility, string>> = {
  private: 'Only you',
  accounts: 'Anyone with an account',
  everyone: 'Everyone',
};

/** What each choice means, in the order in which more people may read. */
const CHOICES: Readonly<Record<Visibility, string>> = {
  private: 'Only you',
  accounts: 'Whoever has an account here',
  everyone: 'Everyone with the address, also without a key; any site can show it',
};

/** Asks the owner of a dataset that was public before there was a choice whether it stays as it is. */
export function visibilityQuestion(
  dataset: Dataset,
  { session, onChanged, showError }: Options & { readonly showError: (fault: unknown) => void },
): HTMLElement {
  const { name } = dataset;
  const choose = (label: string, visibility: Visibility, done: string) =>
    button(
      label,
      () =>
        void change(dataset, { visibility }, session)
          .then(() => onChanged(`${name} ${done}.`))
          .catch(showError),
      { 'aria-label': `${label}: ${name}` },
    );
  return el(
    'p',
    { class: 'about' },
    'Whoever has an account here can read it, as before. Public datasets can now be for everyone, without a key. ',
    choose('Open to everyone', 'everyone', 'is for everyone'),
    ' ',
    choose('Keep for accounts', 'accounts', 'stays for accounts'),
  );
}

/** The dialog that says who may read a dataset, and has its addresses. Nothing changes before it is saved. */
export function openShare(dataset: Dataset, { session, onChanged }: Options): void {
  const { id, feature_count: features } = dataset;
  const error = el('p', { class: 'error', role: 'alert' });
  const save = el('button', { type: 'submit', class: 'main' }, 'Save');
  const choices = Object.entries(CHOICES).map(([value, means]) => {
    const input = el('input', { type: 'radio', name: 'visibility', value });
    input.checked = value === dataset.visibility;
    return el('label', { class: 'choice' }, input, el('span', {}, means));
  });
  const legend = el('legend', {}, 'Who can read it? Only you can change it.');
  const state = el('p', { role: 'status' });
  const addresses = el('div', {});
  const show = (visibility: Visibility) => {
    const data = `Features as GeoJSON${visibility === 'everyone' ? '' : ', with a key'}`;
    const embedding = `To put the map on another site, ${visibility === 'everyone' ? '' : 'let everyone read it, '}open it, choose how it looks, and press Embed.`;
    addresses.replaceChildren(
      ...(features > 0 ? [address('On the map', location.origin + mapPathOf(id)), el('p', {}, embedding)] : []),
      address(data, `${location.origin}/v1/features/dataset/${id}?format=geojson`),
    );
  };
  show(dataset.visibility);
  const form = el(
    'form',
    {},
    el('fieldset', {}, legend, ...choices),
    addresses,
    state,
    error,
    el(
      'p',
      { class: 'actions' },
      save,
      button('Close', () => dialog.close()),
    ),
  );
  const dialog = openDialog(`Share “${dataset.name}”`, form);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    save.disabled = true;
    error.textContent = '';
    state.textContent = '';
    try {
      const chosen = new FormData(form).get('visibility') as Visibility;
      const { visibility } = await change(dataset, { visibility: chosen }, session);
      const embed = el('a', { href: mapPathOf(id) }, 'Open the map to embed it');
      const canEmbed = visibility === 'everyone' && features > 0;
      show(visibility);
      state.replaceChildren(`Saved. ${CHOICES[visibility]}. `, ...(canEmbed ? [embed] : []));
      await onChanged(`${dataset.name} is ${visibility === 'private' ? 'private' : `for ${visibility}`}.`);
    } catch (fault) {
      error.textContent = sentenceFor(fault);
    }
    save.disabled = false;
  });
}

function address(label: string, text: string): HTMLElement {
  const copy = el('button', { type: 'button', 'aria-label': `Copy: ${label}` }, 'Copy');
  startCopyButton(copy, () => text);
  const id = `address-${crypto.randomUUID()}`;
  const field = el('input', { id, class: 'text-field', readonly: true, value: text });
  field.addEventListener('focus', () => field.select());
  return el('div', {}, el('label', { for: id }, label), el('span', { class: 'address' }, field, copy));
}
