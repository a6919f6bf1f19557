import { request, requestJson } from '../shared/api.ts';
import { button, byId, el } from '../shared/dom.ts';
import { day, number, size } from '../shared/format.ts';
import { confirmAction } from './dialogs.ts';
import type { PageContext } from './session.ts';
import { cell, mark, recordTable } from './table.ts';
import { startUpload } from './upload.ts';

/** A dataset as the service lists it. */
interface Dataset {
  readonly id: string;
  readonly name: string;
  readonly is_public: boolean;
  readonly status: string;
  readonly feature_count: number;
  readonly size_bytes: number;
  readonly updated_at: string;
}

interface Page {
  readonly data: readonly Dataset[];
  readonly meta: { readonly total: number; readonly next: number | null };
}

/** The datasets of the person who is signed in. Returns a function that reads them again. */
export function startDatasets({ session, showError, announce }: PageContext): { refresh(): Promise<void> } {
  const list = byId('datasets', HTMLElement);
  const readPage = async (page: number) => {
    const token = await session().token();
    return requestJson<Page>(`/v1/datasets?visibility=mine&limit=20&page=${page}`, { token });
  };

  async function refresh(): Promise<void> {
    const { data, meta } = await readPage(1);
    if (data.length === 0) {
      list.replaceChildren(el('p', { class: 'quiet' }, 'You have no datasets yet.'));
      return;
    }
    const table = recordTable(['Name', 'Features', 'Size', 'Changed', ''], data.map(rowOf));
    list.replaceChildren(table);
    if (meta.next !== null) list.append(moreButton(table, meta.next));
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

  const deleteDataset = async ({ id, name }: Dataset) => {
    const text = 'Its features and its file are deleted for good.';
    if (!(await confirmAction({ title: `Delete “${name}”?`, text, yes: 'Delete' }))) return;
    await request(`/v1/datasets/${id}`, { method: 'DELETE', token: await session().token() });
    announce(`${name} is deleted.`);
    await refresh();
  };

  function rowOf(dataset: Dataset): HTMLElement {
    const { id, name, is_public: isPublic, status } = dataset;
    const marks = [...(isPublic ? ['public'] : []), ...(status === 'ready' ? [] : [status])];
    const map = { class: 'button', href: `/explore#/datasets/${id}`, 'aria-label': `Open on the map: ${name}` };
    return el(
      'tr',
      {},
      cell('Name', el('strong', {}, name), ...marks.flatMap((text) => [' ', mark(text)])),
      cell('Features', number(dataset.feature_count)),
      cell('Size', size(dataset.size_bytes)),
      cell('Changed', day(dataset.updated_at)),
      cell(
        '',
        el('a', map, 'Open on the map'),
        ' ',
        button('Delete', () => void deleteDataset(dataset).catch(showError), { 'aria-label': `Delete ${name}` }),
      ),
    );
  }

  startUpload({
    session,
    onUploaded: async (name) => {
      announce(`${name} is uploaded.`);
      await refresh();
    },
  });
  return { refresh };
}
