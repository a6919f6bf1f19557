import { requestJson, sentenceFor } from '../shared/api.ts';
import { button, el } from '../shared/dom.ts';
import { lineField } from './embed-field.ts';
import { embedLine } from './embed-line.ts';
import type { Dataset } from './own/dataset.ts';

/**
 * The line of HTML that shows a dataset on other sites, or why there is none.
 *
 * @param onOpened is called when the owner has opened the dataset to everyone
 */
export function embedParts(dataset: Dataset, onOpened: (opened: Dataset) => void): HTMLElement[] {
  const dashboard = el('a', { href: '/dashboard' }, 'dashboard');
  return dataset.visibility === 'everyone' ? lineParts(dataset, dashboard) : [closedPart(dataset, dashboard, onOpened)];
}

/** Says why there is no line, and opens the dataset to everyone where its owner wants it. */
function closedPart(dataset: Dataset, dashboard: HTMLElement, onOpened: (opened: Dataset) => void): HTMLElement {
  const who = dataset.visibility === 'private' ? 'is private' : 'is only for people with an account';
  const status = el('p', { class: 'quiet', role: 'status' });
  const open = button('Open it to everyone and embed', async () => {
    open.disabled = true;
    try {
      const body = { visibility: 'everyone' };
      const { data } = await requestJson<{ data: Dataset }>(`/v1/datasets/${dataset.id}`, { method: 'PATCH', body });
      onOpened(data);
      part.replaceChildren(...lineParts(data, dashboard));
      part.querySelector('textarea')?.focus();
    } catch (error) {
      open.disabled = false;
      status.textContent = sentenceFor(error, 'It could not be opened.');
    }
  });
  const sentence = `This dataset ${who}, so no other site can show it. Once it is open, whoever has its address can read all of its rows and columns, also without an account, until its owner closes it in the `;
  const part = el('div', {}, el('p', { class: 'quiet' }, sentence, dashboard, '.'), el('p', {}, open), status);
  return part;
}

function lineParts(dataset: Dataset, dashboard: HTMLElement): HTMLElement[] {
  const note = el('p', { class: 'quiet', role: 'status' });
  void tellIfTooLarge(dataset, note);
  const sentence =
    'It shows what is chosen here to everybody who opens the page, until its owner closes the dataset in the ';
  return [
    el('p', { class: 'quiet' }, sentence, dashboard, '.'),
    ...lineField(() => embedLine(dataset, location)),
    note,
  ];
}

/** Asks the service as everybody does. What else may be wrong at the moment is no fault of the dataset. */
async function tellIfTooLarge({ id }: Dataset, note: HTMLElement): Promise<void> {
  const init = { method: 'HEAD', credentials: 'omit' } as const;
  const answer = await fetch(`/embed/datasets/${id}`, init).catch(() => undefined);
  if (answer?.status !== 401) return;
  note.textContent =
    'It is too large for that: without a key at most 20 MiB of features are shown. Upload it with simpler geometries or fewer properties.';
}
