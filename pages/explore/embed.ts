import { el } from '../shared/dom.ts';
import { lineField } from './embed-field.ts';
import { embedLine } from './embed-line.ts';
import type { Dataset } from './own/dataset.ts';

/** The line of HTML that shows a dataset on other sites, or why there is none. */
export function embedParts(dataset: Dataset): HTMLElement[] {
  const dashboard = el('a', { href: '/dashboard' }, 'dashboard');
  return dataset.visibility === 'everyone' ? lineParts(dataset, dashboard) : closedParts(dataset, dashboard);
}

function closedParts({ visibility }: Dataset, dashboard: HTMLElement): HTMLElement[] {
  const who = visibility === 'private' ? 'is private' : 'is only for people with an account';
  const sentence = `This dataset ${who}, so no other site can show it. Its owner can open it to everyone: Share, in the `;
  return [el('p', { class: 'quiet' }, sentence, dashboard, '.')];
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
