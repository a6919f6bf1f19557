import { attributionOf } from '../shared/attribution.ts';
import { currentToken, forgetToken } from '../shared/credentials.ts';
import { button, byId, el } from '../shared/dom.ts';
import { showCredit } from './credit.ts';
import { readSources } from './data.ts';
import { editionAt } from './places.ts';
import { recover } from './recovery.ts';

/**
 * Shows where the data of the edition in the URL comes from, and a button to enter or to forget the key.
 *
 * @param onEnterKey called when the person wants to enter a key
 */
export async function showAbout(onEnterKey: () => void): Promise<void> {
  const facts: Node[] = [];
  try {
    const edition = editionAt(location.hash);
    const { sources, release, notice, boundaries } = await readSources(edition);
    // What an edition has no boundaries for is drawn over the land of the current one.
    const ofToday = edition && boundaries === 'none' ? (await readSources()).sources : [];
    const all = [...sources, ...ofToday.filter(({ part }) => part === 'boundaries')];
    const attributions = all.map(({ attribution }) => attribution);
    showCredit({ sources: attributions });
    facts.push(el('p', {}, `${notice} Data release ${release}. Boundaries are generalised and settle no dispute.`));
    // On a phone the map has no room for the credit, so it is shown here as well.
    facts.push(el('p', {}, attributionOf(attributions)));
  } catch (error) {
    const again = () => void showAbout(onEnterKey);
    recover(error, again);
    const retry = button('Try again', again);
    // Where the panel could not be read either, it says why.
    facts.push(el('p', {}, 'It could not be read where the data comes from. ', retry));
  }
  const key = currentToken()
    ? button('Sign out', () => {
        forgetToken();
        location.reload();
      })
    : button('Sign in', onEnterKey);
  const match = el('a', { href: '/match' }, 'Make a map from a spreadsheet');
  byId('about', HTMLElement).replaceChildren(...facts, el('p', {}, match), el('p', {}, key));
}
