import type { Dataset } from '../../clients/typescript/src/types.ts';
import { sentenceFor } from '../shared/api.ts';
import { button, el } from '../shared/dom.ts';
import { EXPORT_FORMATS, exportName } from '../shared/export-formats.ts';
import type { Session } from '../shared/session.ts';
import { openDialog } from './dialogs.ts';
import { saveAnswer } from './save-answer.ts';

/** The dialog that saves a dataset as a file. */
export function openExport(dataset: Dataset, session: Session): void {
  const { id, name, feature_count: features, storage_ref: storageRef } = dataset;
  const status = el('p', { role: 'status' });
  let running: AbortController | undefined;

  const save = async (path: string, fileName: string) => {
    running?.abort();
    running = new AbortController();
    const { signal } = running;
    try {
      const onProgress = (sentence: string) => {
        status.textContent = sentence;
      };
      await saveAnswer(path, { token: await session.token(), signal, fileName, onProgress });
    } catch (error) {
      if (!signal.aborted) status.textContent = sentenceFor(error, 'The file could not be read to its end. Try again.');
    }
  };

  const item = (label: string, about: string, path: string, fileName: string) =>
    el(
      'li',
      {},
      button(label, () => void save(path, fileName)),
      el('span', {}, about),
    );
  const formats = EXPORT_FORMATS.map((format) =>
    item(format.name, format.about, `/v1/datasets/${id}/export?format=${format.format}`, exportName(name, format)),
  );
  const original = item('Original file', 'as it was uploaded, byte for byte', `/v1/datasets/${id}/file`, name);
  const dialog = openDialog(
    `Export “${name}”`,
    el('ul', { class: 'exports' }, ...(features > 0 ? formats : []), ...(storageRef === null ? [] : [original])),
    status,
    el(
      'p',
      { class: 'actions' },
      button('Close', () => dialog.close()),
    ),
  );
  dialog.addEventListener('close', () => running?.abort());
}
