import { sentenceFor } from '../shared/api.ts';
import { el } from '../shared/dom.ts';

/**
 * A collapsed section of the panel. Its code (`analysis.ts`) is loaded when it is first opened.
 *
 * @param make builds the form from the loaded module
 */
export function analysisEntry(
  title: string,
  make: (module: typeof import('./analysis.ts')) => HTMLElement | Promise<HTMLElement>,
): HTMLDetailsElement {
  const entry = el('details', { class: 'analysis' }, el('summary', {}, title));
  const failed = (sentence: string) => el('p', { class: 'quiet', role: 'status' }, sentence);
  const content = async () => {
    const module = await import('./analysis.ts').catch(() => undefined);
    if (!module) return failed('It could not be loaded. Load the page again.');
    try {
      return await make(module);
    } catch (error) {
      return failed(sentenceFor(error));
    }
  };
  entry.addEventListener('toggle', async () => entry.append(await content()), { once: true });
  return entry;
}
