import { startCopyButton } from '../shared/copy.ts';
import { button, el } from '../shared/dom.ts';
import { embedLine } from './embed-line.ts';
import type { Dataset } from './own/dataset.ts';

/** The section that has the line of HTML for other sites, or says why there is none. */
export function embedSection(dataset: Dataset): HTMLElement {
  const dashboard = () => el('a', { href: '/dashboard' }, 'dashboard');
  const content = el('div');
  const open = button('Embed', () => {
    open.setAttribute('aria-expanded', String(content.childElementCount === 0));
    if (content.childElementCount > 0) content.replaceChildren();
    else
      content.replaceChildren(
        ...(dataset.visibility === 'everyone' ? lineParts(dataset, dashboard()) : closedParts(dataset, dashboard())),
      );
  });
  open.setAttribute('aria-expanded', 'false');
  return el('section', { class: 'embed' }, el('h2', {}, 'Show it on another site'), el('p', {}, open), content);
}

function closedParts({ visibility }: Dataset, dashboard: HTMLElement): HTMLElement[] {
  const who = visibility === 'private' ? 'is private' : 'is only for people with an account';
  const sentence = `This dataset ${who}, so no other site can show it. Its owner can open it to everyone: Share, in the `;
  return [el('p', { class: 'quiet' }, sentence, dashboard, '.')];
}

function lineParts(dataset: Dataset, dashboard: HTMLElement): HTMLElement[] {
  const line = () => embedLine(dataset, location);
  const field = el('textarea', { class: 'embed-line', rows: '5', readonly: true, spellcheck: 'false' });
  field.setAttribute('aria-label', 'HTML to paste into a page');
  const refresh = () => {
    field.value = line();
  };
  refresh();
  field.addEventListener('focus', () => {
    refresh();
    field.select();
  });
  const copy = el('button', { type: 'button' }, 'Copy');
  startCopyButton(copy, line, refresh);
  const note = el('p', { class: 'quiet', role: 'status' });
  void tellIfTooLarge(dataset, note);
  const sentence =
    'It shows what is chosen here to everybody who opens the page, until its owner closes the dataset in the ';
  return [el('p', { class: 'quiet' }, sentence, dashboard, '.'), field, el('p', {}, copy), note];
}

/** Asks the service as everybody does. What else may be wrong at the moment is no fault of the dataset. */
async function tellIfTooLarge({ id }: Dataset, note: HTMLElement): Promise<void> {
  const init = { method: 'HEAD', credentials: 'omit' } as const;
  const answer = await fetch(`/embed/datasets/${id}`, init).catch(() => undefined);
  if (answer?.status !== 401) return;
  note.textContent =
    'It is too large for that: without a key at most 20 MiB of features are shown. Upload it with simpler geometries or fewer properties.';
}
