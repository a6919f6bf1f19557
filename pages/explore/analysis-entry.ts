import { el } from '../shared/dom.ts';

/**
 * A part of the panel that asks the service about areas. What it asks with is read when it is opened.
 *
 * @param make makes the form, from the module for it
 */
export function analysisEntry(
  title: string,
  make: (module: typeof import('./analysis.ts')) => HTMLElement | Promise<HTMLElement>,
): HTMLElement {
  const entry = el('details', { class: 'analysis' }, el('summary', {}, title));
  const open = async () => {
    const failed = () => el('p', { class: 'quiet', role: 'status' }, 'It could not be loaded. Load the page again.');
    entry.append(await import('./analysis.ts').then(make).catch(failed));
  };
  entry.addEventListener('toggle', () => void open(), { once: true });
  return entry;
}
