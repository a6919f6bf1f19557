import { ask, Refusal, remedyFor } from '../shared/api.ts';
import { heldToken } from '../shared/credentials.ts';
import { button, el } from '../shared/dom.ts';
import { LEVELS, type Place } from './places.ts';

const RESOLUTIONS = [
  ['simple', 'Simple'],
  ['medium', 'Medium'],
  ['detailed', 'Detailed'],
] as const;

/** The boundary of a place to take away: as a file, or as the command that fetches it. */
export function takeAway({ level, code }: Place, onKeyWanted: () => void): HTMLElement {
  const { plural } = LEVELS[level];
  const options = RESOLUTIONS.map(([value, label]) => el('option', { value }, label));
  const resolution = el('select', { 'aria-label': 'Resolution of the boundary' }, ...options);
  resolution.value = 'medium';
  const command = el('code', {});
  const said = el('p', { class: 'quiet', role: 'status' });
  const path = () => `/v1/${plural}/${code}?format=geojson&geometry=${resolution.value}`;
  const write = () => {
    command.textContent = `curl -H "Authorization: Bearer $TOKEN" \\\n'${location.origin}${path()}'`;
  };
  resolution.addEventListener('change', write);
  write();

  const download = button('Download GeoJSON', async () => {
    if (!heldToken()) {
      onKeyWanted();
      return;
    }
    download.disabled = true;
    said.textContent = 'Reading…';
    try {
      const response = await ask(path());
      save(await response.blob(), `${plural}-${code}-${resolution.value}.geojson`);
      said.textContent = '';
    } catch (error) {
      said.textContent = error instanceof Refusal ? `${error.message} ${remedyFor(error)}` : 'The download failed.';
    }
    download.disabled = false;
  });
  const copy = button('Copy the command', async () => {
    try {
      await navigator.clipboard.writeText(command.textContent ?? '');
      said.textContent = 'Copied. Put your key into TOKEN.';
    } catch {
      getSelection()?.selectAllChildren(command);
      said.textContent = 'Copying is not allowed here: the command is selected, press Ctrl-C.';
    }
  });
  return el(
    'section',
    { class: 'take-away' },
    el('h2', {}, 'Take it with you'),
    el('p', { class: 'row' }, resolution, download),
    el('pre', { tabindex: '0' }, command),
    el('p', { class: 'row' }, copy),
    said,
  );
}

function save(content: Blob, name: string): void {
  const href = URL.createObjectURL(content);
  el('a', { href, download: name }).click();
  // The browser has its own hold on the content once the download began.
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
}
