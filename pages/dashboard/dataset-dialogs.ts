import type { Dataset, JsonOf } from '../../clients/typescript/src/types.ts';
import { requestJson, sentenceFor } from '../shared/api.ts';
import { startCopyButton } from '../shared/copy.ts';
import { button, el } from '../shared/dom.ts';
import { mapAddressOf } from './dataset.ts';
import { openDialog } from './dialogs.ts';
import type { Session } from './session.ts';

interface Options {
  readonly session: Session;
  /** Called after something was changed, with a sentence that says what. */
  readonly onChanged: (sentence: string) => Promise<void>;
}

type Change = Partial<Pick<Dataset, 'name' | 'description' | 'is_public'>>;

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

/** The dialog that publishes a dataset, and has its addresses. */
export function openShare(dataset: Dataset, { session, onChanged }: Options): void {
  let { is_public: isPublic } = dataset;
  const state = el('p', { role: 'status' });
  const error = el('p', { class: 'error', role: 'alert' });
  const toggle = el('button', { type: 'button' });
  const show = () => {
    state.textContent = isPublic
      ? 'Public: everybody with the address can see it, also without a key, and any site can show it. Only you can change it.'
      : 'Private: only you can read it. Made public, everybody with the address can see it, also without a key, and any site can show it.';
    toggle.textContent = isPublic ? 'Make it private' : 'Make it public';
  };
  toggle.addEventListener('click', async () => {
    toggle.disabled = true;
    error.textContent = '';
    try {
      ({ is_public: isPublic } = await change(dataset, { is_public: !isPublic }, session));
      show();
      await onChanged(`${dataset.name} is ${isPublic ? 'public' : 'private'}.`);
    } catch (fault) {
      error.textContent = sentenceFor(fault);
    }
    toggle.disabled = false;
  });
  show();
  const embedding = el('p', {}, 'To put the map on another site, open it, choose how it looks, and press Embed.');
  const dialog = openDialog(
    `Share “${dataset.name}”`,
    state,
    el('p', {}, toggle),
    error,
    ...(dataset.feature_count > 0
      ? [address('On the map', location.origin + mapAddressOf(dataset.id)), embedding]
      : []),
    address('Features as GeoJSON, with a key', `${location.origin}/v1/features/dataset/${dataset.id}?format=geojson`),
    el(
      'p',
      { class: 'actions' },
      button('Close', () => dialog.close()),
    ),
  );
}

function address(label: string, text: string): HTMLElement {
  const copy = el('button', { type: 'button', 'aria-label': `Copy: ${label}` }, 'Copy');
  startCopyButton(copy, () => text);
  const id = `address-${crypto.randomUUID()}`;
  const field = el('input', { id, class: 'text-field', readonly: true, value: text });
  field.addEventListener('focus', () => field.select());
  return el('div', {}, el('label', { for: id }, label), el('span', { class: 'address' }, field, copy));
}
