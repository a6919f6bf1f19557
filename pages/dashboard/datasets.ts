import { ask, askJson } from '../shared/api.ts';
import { button, byId, el } from '../shared/dom.ts';
import { confirmed } from './confirm.ts';
import { day, number, size } from './format.ts';
import { cell } from './keys.ts';
import type { Session } from './session.ts';
import { startUpload } from './upload.ts';

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

interface Surroundings {
  session: () => Session;
  fail: (error: unknown) => void;
  announce: (sentence: string) => void;
}

/** The datasets of whoever is signed in. Gives the way to read them anew. */
export function startDatasets({ session, fail, announce }: Surroundings): { refresh(): Promise<void> } {
  const list = byId('datasets', HTMLElement);
  const read = async (page: number) => {
    const token = await session().token();
    return askJson<Page>(`/v1/datasets?visibility=mine&limit=20&page=${page}`, { token });
  };

  async function refresh(): Promise<void> {
    const { data, meta } = await read(1);
    if (data.length === 0) {
      list.replaceChildren(el('p', { class: 'quiet' }, 'You have no datasets yet.'));
      return;
    }
    const head = ['Name', 'Features', 'Size', 'Changed', ''];
    const names = head.map((name) => el('th', { scope: 'col' }, name || el('span', { class: 'unseen' }, 'Actions')));
    const body = el('tbody', {}, ...data.map(row));
    list.replaceChildren(el('table', { class: 'records' }, el('thead', {}, el('tr', {}, ...names)), body));
    if (meta.next !== null) list.append(more(body, meta.next));
  }

  function more(body: HTMLElement, first: number): HTMLElement {
    let page: number | null = first;
    const element = button('Show more', () => {
      if (page === null) return;
      void read(page)
        .then(({ data, meta }) => {
          body.append(...data.map(row));
          page = meta.next;
          if (page === null) element.remove();
        })
        .catch(fail);
    });
    return element;
  }

  const remove = async ({ id, name }: Dataset) => {
    const text = 'Its features and its file are deleted for good.';
    if (!(await confirmed({ title: `Delete “${name}”?`, text, yes: 'Delete' }))) return;
    await ask(`/v1/datasets/${id}`, { method: 'DELETE', token: await session().token() });
    announce(`${name} is deleted.`);
    await refresh();
  };

  function row(dataset: Dataset): HTMLElement {
    const { id, name, is_public: isPublic, status } = dataset;
    const marks = [...(isPublic ? ['public'] : []), ...(status === 'ready' ? [] : [status])];
    return el(
      'tr',
      {},
      cell('Name', el('strong', {}, name), ...marks.flatMap((mark) => [' ', el('span', { class: 'mark' }, mark)])),
      cell('Features', number(dataset.feature_count)),
      cell('Size', size(dataset.size_bytes)),
      cell('Changed', day(dataset.updated_at)),
      cell(
        '',
        el(
          'a',
          { class: 'button', href: `/explore#/datasets/${id}`, 'aria-label': `Open on the map: ${name}` },
          'Open on the map',
        ),
        ' ',
        button('Delete', () => void remove(dataset).catch(fail), { 'aria-label': `Delete ${name}` }),
      ),
    );
  }

  startUpload({
    session,
    uploaded: async (name) => {
      announce(`${name} is uploaded.`);
      await refresh();
    },
  });
  return { refresh };
}
