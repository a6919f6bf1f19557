import { request, sentenceFor } from '../../shared/api.ts';
import { button, el } from '../../shared/dom.ts';
import { EXPORT_FORMATS } from '../../shared/export-formats.ts';
import { saveFile } from '../../shared/save-file.ts';
import type { Dataset } from './dataset.ts';

/** The section that saves a dataset as a file. The service sends it only to those who have a key, so no link would do. */
export function exportSection({ id, name }: Dataset): HTMLElement {
  const status = el('p', { class: 'quiet', role: 'status' });
  const save = async (format: string) => {
    status.textContent = 'Reading…';
    try {
      const response = await request(`/v1/datasets/${id}/export?format=${format}`);
      saveFile(await response.blob(), `${name}.${format}`);
      status.textContent = '';
    } catch (error) {
      status.textContent = sentenceFor(error, 'The export failed.');
    }
  };
  const buttons = EXPORT_FORMATS.map(({ format, name: label, about }) =>
    button(label, () => void save(format), { title: about }),
  );
  return el(
    'section',
    {},
    el('h2', {}, 'Take all of it with you'),
    el('p', { class: 'own-exports' }, ...buttons),
    status,
  );
}
