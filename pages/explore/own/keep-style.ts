import { requestJson, sentenceFor } from '../../shared/api.ts';
import { button, el } from '../../shared/dom.ts';
import type { Dataset } from './dataset.ts';
import { isRecord, styleIn } from './kept-style.ts';

/**
 * A button that keeps the style of a map with its dataset, so that its plain address shows it.
 *
 * @param hash the whole address of the map
 * @param onKept called with the style that is kept from now on
 */
export function keepStyleParts({ id }: Dataset, hash: () => string, onKept: (style: string) => void): HTMLElement {
  const status = el('span', { class: 'quiet', role: 'status' });
  const keep = button('Keep this style with the dataset', async () => {
    status.textContent = 'Storing…';
    try {
      const style = styleIn(hash());
      const path = `/v1/datasets/${id}`;
      // What else is said there may have changed since the page was opened.
      const { metadata } = (await requestJson<{ data: { metadata: unknown } }>(path)).data;
      if (metadata !== null && !(isRecord(metadata) && isExact(metadata))) {
        status.textContent =
          'The metadata of this dataset is no object with numbers that a browser keeps, so it stays as it is.';
        return;
      }
      const body = { metadata: { ...metadata, map_style: style } };
      await requestJson(path, { method: 'PATCH', body });
      onKept(style);
      status.textContent = 'Kept: links and embeds of the dataset show it so.';
    } catch (error) {
      status.textContent = sentenceFor(error, 'It could not be stored.');
    }
  });
  return el('p', { class: 'own-keep' }, keep, ' ', status);
}

/** Whether a value is the same after it was read by a browser and sent back: large whole numbers lose digits. */
function isExact(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isInteger(value) || Number.isSafeInteger(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(isExact);
}
