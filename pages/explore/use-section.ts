import { sentenceFor } from '../shared/api.ts';
import { button, el } from '../shared/dom.ts';
import { viewNow, withBox } from './view-box.ts';

type Parts = readonly (Node | string)[];

interface UseOptions {
  /** Saves the map as a picture. */
  readonly onPicture: (format: 'png' | 'svg') => Promise<void>;
  /** Whether its address shows the same to others, or in another tab. */
  readonly hasAddress: boolean;
  /** What opens below the buttons, by the names of its buttons. */
  readonly parts: readonly (readonly [name: string, make: () => Parts | Promise<Parts>])[];
}

/** The section at the head of a map: its address, pictures, and what else one can do with it. */
export function useSection({ onPicture, hasAddress, parts }: UseOptions): HTMLElement {
  const status = el('p', { class: 'quiet', role: 'status' });
  const content = el('div', { class: 'use-part' });
  const copy = button('Copy link', async () => {
    const view = viewNow();
    const address = `${location.origin}${location.pathname}${view ? withBox(location.hash, view) : location.hash}`;
    try {
      await navigator.clipboard.writeText(address);
      status.textContent = 'Copied: the address of the map as it is now.';
    } catch {
      // It can be copied from there.
      history.replaceState(null, '', address);
      status.textContent = 'Copying is not allowed here. The address of this page is that of the map as it is now.';
    }
  });
  const picture = (format: 'png' | 'svg') => {
    const save = button(format.toUpperCase(), async () => {
      save.disabled = true;
      status.textContent = 'Drawing…';
      try {
        await onPicture(format);
        status.textContent = '';
      } catch (error) {
        status.textContent = sentenceFor(error, 'The picture could not be drawn.');
      }
      save.disabled = false;
      if (document.activeElement === document.body) save.focus();
    });
    save.title = format === 'png' ? 'A picture to print: A4, 300 dots per inch' : 'A drawing that programs can change';
    return save;
  };
  const toggles = parts.map(([name, make]) => {
    const toggle = button(name, async () => {
      const isOpen = toggle.getAttribute('aria-expanded') === 'true';
      for (const one of toggles) one.setAttribute('aria-expanded', String(one === toggle && !isOpen));
      content.replaceChildren();
      if (isOpen) return;
      const made = await make();
      // Another part may have been opened since.
      if (toggle.getAttribute('aria-expanded') === 'true') content.replaceChildren(...made);
    });
    toggle.setAttribute('aria-expanded', 'false');
    return toggle;
  });
  const row = el(
    'p',
    { class: 'use-buttons' },
    hasAddress ? copy : undefined,
    picture('png'),
    picture('svg'),
    button('Print', () => print()),
    ...toggles,
  );
  return el('section', { class: 'use-map' }, el('h2', {}, 'Use this map'), row, status, content);
}
