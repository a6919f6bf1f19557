import { requestJson, sentenceFor } from '../../shared/api.ts';
import { button, el } from '../../shared/dom.ts';
import type { Dataset } from './dataset.ts';
import { isRecord, styleIn } from './saved-style.ts';

/**
 * Creates a button that stores the map's style in the dataset's metadata, so that links without a style show it.
 *
 * @param onSaved called with the stored style
 */
export function createSaveStyle(
  { id }: Dataset,
  currentFragment: () => string,
  onSaved: (style: string) => void,
): HTMLElement {
  const status = el('span', { class: 'quiet', role: 'status' });
  const save = button('Keep this style with the dataset', async () => {
    status.textContent = 'Saving…';
    try {
      const style = styleIn(currentFragment());
      const path = `/v1/datasets/${id}`;
      // The metadata may have changed since the page was opened, and PATCH replaces all of it.
      const { metadata } = (await requestJson<{ data: { metadata: unknown } }>(path)).data;
      if (metadata !== null && !(isRecord(metadata) && hasSafeIntegers(metadata))) {
        status.textContent =
          'The metadata of this dataset is not an object, or has integers that a browser would round. Nothing was changed.';
        return;
      }
      const body = { metadata: { ...metadata, map_style: style } };
      await requestJson(path, { method: 'PATCH', body });
      onSaved(style);
      status.textContent = 'Saved: links and embeds show this style.';
    } catch (error) {
      status.textContent = sentenceFor(error, 'The style could not be saved.');
    }
  });
  return el('p', { class: 'own-save' }, save, ' ', status);
}

/**
 * Whether all integers in a parsed JSON value are safe. A browser rounds larger ones, and the PATCH would store the rounded value.
 * Decimals are not checked: they lose nothing but digits after the fifteenth.
 */
function hasSafeIntegers(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isInteger(value) || Number.isSafeInteger(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(hasSafeIntegers);
}
