import { PsgcError, sentenceFor } from '../shared/api.ts';
import { button, el, quiet } from '../shared/dom.ts';
import { readEditions } from './editions.ts';
import type { Place } from './places.ts';
import { recover } from './recovery.ts';

/**
 * The section with everything that happened to a place. It is read after the rest, and hidden where only one edition is
 * loaded, since changes are those between editions.
 *
 * @param onUnknown called where no edition has the code; given for a place that the edition that is shown does not have
 */
export function historySection({ code }: Place, onUnknown?: () => void): HTMLElement {
  const isGone = onUnknown !== undefined;
  const content = el('div', { 'aria-busy': 'true' });
  const section = el('section', { class: 'history', hidden: true }, el('h2', {}, 'History'), content);
  const read = async () => {
    try {
      const editions = await readEditions();
      section.hidden = editions.length < 2;
      if (section.hidden) return;
      content.replaceChildren(quiet('Reading…'));
      // Read when the first place is shown.
      const { historyOf } = await import('./history-items.ts');
      content.replaceChildren(...(await historyOf(code, editions, isGone)));
    } catch (error) {
      if (error instanceof PsgcError && error.code === 'area_not_found') {
        section.hidden = true;
        onUnknown?.();
        return;
      }
      section.hidden = false;
      content.replaceChildren(
        quiet(sentenceFor(error, 'The history could not be read.')),
        button('Try again', () => void read()),
      );
      recover(error, () => content.isConnected && read());
    }
    content.removeAttribute('aria-busy');
  };
  void read();
  return section;
}
