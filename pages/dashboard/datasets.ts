import type { Dataset, JsonOf } from '../../clients/typescript/src/types.ts';
import { request, requestJson } from '../shared/api.ts';
import { day } from '../shared/dates.ts';
import { button, byId, el } from '../shared/dom.ts';
import { number, size } from '../shared/format.ts';
import { openEdit, openShare, READERS, visibilityQuestion } from './dataset-dialogs.ts';
import { confirmAction } from './dialogs.ts';
import { openExport } from './export-dialog.ts';
import { mapPathOf } from './map-path.ts';
import { menu } from './menu.ts';
import type { PageContext } from './page-context.ts';
import { fillSection } from './section.ts';
import { cell, mark, recordTable } from './table.ts';
import { startUpload } from './upload.ts';

/** Starts the list of the signed-in person's datasets. `refresh` reads it again. */
export function startDatasets({ session, showError, announce }: PageContext): { refresh(): Promise<void> } {
  const readPage = async (page: number) => {
    const token = await session().token();
    return requestJson<JsonOf<'list_datasets'>>(`/v1/datasets?visibility=mine&limit=20&page=${page}`, { token });
  };

  const refresh = () =>
    fillSection({ element: byId('datasets', HTMLElement), what: 'Your datasets', load: content }, showError);

  async function content(): Promise<Node[]> {
    const { data, meta } = await readPage(1);
    if (data.length === 0) return [emptyState()];
    const table = recordTable(['Name', 'Who can read it', 'Features', 'Stored', 'Changed', ''], data.map(rowOf));
    return meta.next === null ? [table] : [table, moreButton(table, meta.next)];
  }

  function emptyState(): HTMLElement {
    return el(
      'div',
      { class: 'empty' },
      el('p', {}, 'You have no datasets yet. Drop a file on this page, or try it with seven cities in a CSV.'),
      button('Use the example', () => upload.chooseSample()),
    );
  }

  /** @param first the page that the button reads first */
  function moreButton(table: HTMLTableElement, first: number): HTMLElement {
    let page: number | null = first;
    const element = button('Show more', () => {
      if (page === null) return;
      void readPage(page)
        .then(({ data, meta }) => {
          table.tBodies[0]?.append(...data.map(rowOf));
          page = meta.next;
          if (page === null) element.remove();
        })
        .catch(showError);
    });
    return element;
  }

  const onChanged = async (sentence: string) => {
    announce(sentence);
    await refresh();
  };

  const deleteDataset = async ({ id, name, visibility }: Dataset) => {
    const shared = visibility === 'private' ? '' : ' Maps that show it on other pages lose it.';
    const text = `Its features and its file are deleted for good.${shared}`;
    if (!(await confirmAction({ title: `Delete “${name}”?`, text, yes: 'Delete' }))) return;
    await request(`/v1/datasets/${id}`, { method: 'DELETE', token: await session().token() });
    upload.forget(id);
    await onChanged(`${name} is deleted.`);
  };

  function rowOf(dataset: Dataset): HTMLElement {
    const { id, name, description, visibility, status, feature_count: features } = dataset;
    const marks = [
      ...(status === 'ready' ? [] : [status]),
      ...(features === 0 && dataset.storage_ref !== null ? ['file only'] : []),
    ];
    const share = () => openShare(dataset, { session: session(), onChanged });
    const action = (label: string, act: () => void, more = {}) =>
      button(label, act, { 'aria-label': `${label} ${name}`, ...more });
    const href = mapPathOf(id);
    const map = { class: 'button', href, 'aria-label': `Open on the map: ${name}` };
    const [main, ...others] = [
      ...(features > 0 ? [el('a', map, 'Open on the map')] : []),
      ...(features > 0 || dataset.storage_ref !== null ? [action('Export', () => openExport(dataset, session()))] : []),
      action('Edit', () => openEdit(dataset, { session: session(), onChanged })),
      action('Share', share),
      action('Delete', () => void deleteDataset(dataset).catch(showError), { class: 'danger' }),
    ];
    return el(
      'tr',
      {},
      cell(
        'Name',
        el('strong', {}, features > 0 ? el('a', { href }, name) : name),
        ...marks.flatMap((text) => [' ', mark(text)]),
        description ? el('p', { class: 'about' }, description) : undefined,
        dataset.visibility_chosen
          ? undefined
          : visibilityQuestion(dataset, { session: session(), onChanged, showError }),
      ),
      cell(
        'Who can read it',
        button(READERS[visibility], share, { title: `Share ${name}`, 'data-act': `share-${id}` }),
      ),
      cell('Features', number(features)),
      cell('Stored', size(dataset.stored_bytes)),
      cell('Changed', day(dataset.updated_at)),
      cell('', main, ' ', ...menu(id, `More for ${name}`, others)),
    );
  }

  const upload = startUpload({ session, showError, announce, onUploaded: refresh });
  return { refresh };
}
