import { editionText } from '../../src/areas/edition-id.ts';
import { byId, el } from '../shared/dom.ts';
import { changesAt, completed, fragmentOfChanges } from './changes.ts';
import { type Edition, inAddress, readEditions } from './editions.ts';
import { editionAt, fragmentOf, placeAt } from './places.ts';

/**
 * The choice of the edition below the search field, with the way to what changed, and a mark as long as an edition is
 * shown that is not the current one. If only one edition is loaded, there is nothing to choose.
 */
export function startPicker() {
  const row = byId('editions', HTMLElement);
  const choice = byId('edition-choice', HTMLElement);
  const select = byId('edition', HTMLSelectElement);
  const changes = byId('to-changes', HTMLAnchorElement);
  const mark = byId('not-current', HTMLElement);
  let editions: readonly Edition[] = [];

  select.addEventListener('change', () => {
    location.hash = fragmentOf(placeAt(location.hash), inAddress(select.value, editions));
  });

  return {
    /** Shows the edition in the URL. It is marked even if the list of editions can't be read. */
    async show(): Promise<void> {
      editions = await readEditions().catch(() => []);
      const edition = editionAt(location.hash);
      const current = editions.find(({ active }) => active);
      const isOther = edition !== undefined && edition !== current?.id;
      choice.hidden = editions.length < 2;
      mark.hidden = !isOther;
      row.hidden = choice.hidden && mark.hidden;
      row.classList.toggle('other', isOther);
      if (edition) {
        const to = current ? `Back to ${editionText(current.id)}` : 'Back to the current edition';
        const back = el('a', { href: fragmentOf(placeAt(location.hash)) }, to);
        mark.replaceChildren(el('span', {}, `You see ${editionText(edition)}.`), ' ', back);
      }
      if (choice.hidden) return;
      const options = editions.map(({ id, active }) =>
        el('option', { value: id }, active ? `${editionText(id)}, current` : editionText(id)),
      );
      // Two editions are compared, neither of which is the one that is shown.
      const isCompared = changesAt(location.hash) !== undefined;
      if (isCompared) options.unshift(el('option', { value: '', hidden: true }, 'two compared'));
      select.replaceChildren(...options);
      select.value = isCompared ? '' : (edition ?? current?.id ?? '');
      changes.href = fragmentOfChanges(completed({}, editions, edition));
      if (isCompared) changes.setAttribute('aria-current', 'page');
      else changes.removeAttribute('aria-current');
    },
  };
}
