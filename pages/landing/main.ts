import { requestJson, sentenceFor } from '../shared/api.ts';
import { startCopyButton } from '../shared/copy.ts';
import { byId } from '../shared/dom.ts';

const form = byId('try-form', HTMLFormElement);
const query = byId('q', HTMLInputElement);
const command = byId('command', HTMLElement);
const answer = byId('answer', HTMLElement);

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

async function showRelease(): Promise<void> {
  const { release } = await requestJson<{ release: string | null }>('/healthcheck');
  if (release)
    byId('release', HTMLElement).textContent = `· Data\u00a0release\u00a0${release.replaceAll('-', '\u2011')}`;
}

query.addEventListener('input', showCommand);
form.addEventListener('submit', (event) => {
  event.preventDefault();
  void lookUp();
});
startCopyButton(byId('copy', HTMLButtonElement), () => command.textContent ?? '');
// An element that scrolls must be reachable by the keyboard too.
byId('scroller', HTMLElement).tabIndex = 0;
showCommand();
void lookUp();
// The release is an extra: the page is complete without it.
void showRelease().catch(() => undefined);
