import type { Dataset } from '../../clients/typescript/src/types.ts';
import { request, sentenceFor } from '../shared/api.ts';
import { button, el, saveFile } from '../shared/dom.ts';
import { EXPORT_FORMATS } from '../shared/export-formats.ts';
import { size } from '../shared/format.ts';
import { openDialog } from './dialogs.ts';
import type { Session } from './session.ts';

/** The dialog that saves a dataset as a file. */
export function openExport(dataset: Dataset, session: Session): void {
  const { id, name, feature_count: features, storage_ref: stored } = dataset;
  const status = el('p', { role: 'status' });
  let running: AbortController | undefined;

  const save = async (path: string, fallback: string) => {
    running?.abort();
    running = new AbortController();
    const { signal } = running;
    try {
      status.textContent = 'Reading…';
      const response = await request(path, { token: await session.token(), signal });
      const parts: Uint8Array<ArrayBuffer>[] = [];
      let bytes = 0;
      for (const reader = response.body?.getReader(); reader; ) {
        const { done, value } = await reader.read();
        if (done) break;
        parts.push(value);
        bytes += value.length;
        status.textContent = `Reading… ${size(bytes)}`;
      }
      const fileName = nameIn(response.headers.get('Content-Disposition')) ?? fallback;
      saveFile(new Blob(parts), fileName);
      status.textContent = `${fileName} is saved: ${size(bytes)}.`;
    } catch (error) {
      if (!signal.aborted) status.textContent = sentenceFor(error, 'The file could not be read to its end. Try again.');
    }
  };

  const item = (label: string, about: string, path: string, fallback: string) =>
    el(
      'li',
      {},
      button(label, () => void save(path, fallback)),
      ` ${about}`,
    );
  const formats = EXPORT_FORMATS.map((format) =>
    item(format.name, format.about, `/v1/datasets/${id}/export?format=${format.format}`, `${name}.${format.format}`),
  );
  const original = item('Original file', 'as it was uploaded, byte for byte', `/v1/datasets/${id}/file`, name);
  const dialog = openDialog(
    `Export “${name}”`,
    el('ul', { class: 'exports' }, ...(features > 0 ? formats : []), ...(stored === null ? [] : [original])),
    status,
    el(
      'p',
      { class: 'actions' },
      button('Close', () => dialog.close()),
    ),
  );
  dialog.addEventListener('close', () => running?.abort());
}

/** The name of the file in a Content-Disposition (RFC 8187). */
function nameIn(disposition: string | null): string | undefined {
  const encoded = /filename\*=UTF-8''([^;]+)/.exec(disposition ?? '')?.[1];
  return encoded && decodeURIComponent(encoded);
}
