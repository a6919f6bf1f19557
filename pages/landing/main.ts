import { needsSignIn, requestJson, sentenceFor } from '../shared/api.ts';
import { startCopyButton } from '../shared/copy.ts';
import { onSignIn, shareToken } from '../shared/credentials.ts';
import { button, byId, el, showPreparation } from '../shared/dom.ts';
import { readOverview } from '../shared/overview.ts';
import { startPlaceSearch } from '../shared/place-search.ts';
import { showServedEdition } from '../shared/served-edition.ts';
import { startAddressField } from './address-field.ts';
import { colourByDensity } from './choropleth.ts';
import { drawCountry } from './country.ts';
import { showWhatLiesThere } from './what-lies-there.ts';

const form = byId('try-form', HTMLFormElement);
const query = byId('q', HTMLInputElement);
const command = byId('command', HTMLElement);
const answer = byId('answer', HTMLElement);
const example = byId('try-point', HTMLButtonElement);

function addressOf(name: string): string {
  return `/v1/municities/search?limit=2&q=${encodeURIComponent(name)}`;
}

function showCommand(): void {
  command.textContent = `curl '${location.origin}${addressOf(query.value)}'`;
}

async function lookUp(): Promise<void> {
  answer.setAttribute('aria-busy', 'true');
  try {
    answer.textContent = JSON.stringify(await requestJson<unknown>(addressOf(query.value)), null, 2);
  } catch (error) {
    answer.textContent = sentenceFor(error, String(error));
  }
  answer.removeAttribute('aria-busy');
}

/** Shows the country. Without it, the page says why, and what can be done. */
async function showCountry(): Promise<void> {
  const map = byId('country', HTMLElement);
  const card = byId('there', HTMLElement);
  try {
    const askAt = drawCountry(map, await readOverview(), async (asked) => {
      await showWhatLiesThere(card, asked);
      card.scrollIntoView({ block: 'nearest' });
    });
    example.addEventListener('click', () => {
      askAt(Number(example.dataset.lon), Number(example.dataset.lat));
      map.scrollIntoView({ block: 'nearest' });
    });
    example.disabled = false;
    // Without the numbers it is a map all the same.
    void colourByDensity(map, byId('key', HTMLElement)).catch(() => undefined);
  } catch (error) {
    map.replaceChildren(
      el('p', { class: 'quiet' }, sentenceFor(error, 'The map could not be drawn.')),
      button('Try again', () => void showCountry()),
      ...(needsSignIn(error)
        ? [' ', el('a', { class: 'button', href: '/dashboard#back', target: '_blank' }, 'Sign in')]
        : []),
    );
    void showPreparation('files');
  }
  map.removeAttribute('aria-busy');
}

byId('try-name', HTMLButtonElement).addEventListener('click', ({ currentTarget }) => {
  query.value = (currentTarget as HTMLButtonElement).dataset.q ?? '';
  showCommand();
  void lookUp();
  form.scrollIntoView({ block: 'nearest' });
});
query.addEventListener('input', showCommand);
form.addEventListener('submit', (event) => {
  event.preventDefault();
  void lookUp();
});
startCopyButton(byId('copy', HTMLButtonElement), () => command.textContent ?? '');
// An element that scrolls must be reachable by the keyboard too.
byId('scroller', HTMLElement).tabIndex = 0;
onSignIn(() => {
  // The map is not there yet.
  if (example.disabled) void showCountry();
});
startPlaceSearch();
startAddressField();
showCommand();
void lookUp();
void shareToken();
void showCountry();
void showServedEdition();
