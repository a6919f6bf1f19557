import { request, sentenceFor } from '../../shared/api.ts';
import { currentToken } from '../../shared/credentials.ts';
import { button, el, saveFile } from '../../shared/dom.ts';
import { EXPORT_FORMATS } from '../../shared/export-formats.ts';
import type { Dataset } from './dataset.ts';

/** The section that saves a dataset as a file. Most formats are only for those who have a key, so no link would do. */
export function exportSection({ id, name }: Dataset): HTMLElement {
  const status = el('p', { class: 'quiet', role: 'status' });
  const save = async (format: string) => {
    status.textContent = 'Reading…';
    try {
      const isFree = currentToken() === undefined;
      const response = await request(isFree ? `/embed/datasets/${id}` : `/v1/datasets/${id}/export?format=${format}`);
      saveFile(await response.blob(), `${name}.${format}`);
      status.textContent = '';
    } catch (error) {
      status.textContent = sentenceFor(error, 'The export failed.');
    }
  };
  const isFree = currentToken() === undefined;
  const buttons = EXPORT_FORMATS.filter(({ format }) => !isFree || format === 'geojson').map(
    ({ format, name: label, about }) => button(label, () => void save(format), { title: about }),
  );
  return el(
    'section',
    {},
    el('h2', {}, 'Take all of it with you'),
    el('p', { class: 'own-exports' }, ...buttons),
    isFree ? el('p', { class: 'quiet' }, 'Other formats need a key.') : undefined,
    status,
  );
}
