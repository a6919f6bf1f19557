import { request, sentenceFor } from '../shared/api.ts';
import { currentToken } from '../shared/credentials.ts';
import { button, el, saveFile } from '../shared/dom.ts';
import { LEVELS } from '../shared/levels.ts';
import { ofEdition, type Place } from './places.ts';

const RESOLUTIONS = [
  ['simple', 'Simple'],
  ['medium', 'Medium'],
  ['detailed', 'Detailed'],
] as const;

interface Download {
  place: Place;
  edition: string | undefined;
  /** Called if the tab has no key. */
  onKeyNeeded: () => void;
}

/** The part that offers the boundary of a place: as a file, or as the command that downloads it. */
export function downloadSection({ place: { level, code }, edition, onKeyNeeded }: Download): HTMLElement {
  const { plural, path: segment } = LEVELS[level];
  const options = RESOLUTIONS.map(([value, label]) => el('option', { value }, label));
  const resolution = el('select', { 'aria-label': 'Resolution of the boundary' }, ...options);
  resolution.value = 'medium';
  const command = el('code', {});
  const status = el('p', { class: 'quiet', role: 'status' });
  const path = () => ofEdition(`/v1/${segment}/${code}?format=geojson&geometry=${resolution.value}`, edition);
  const showCommand = () => {
    command.textContent = `curl -H "Authorization: Bearer $API_KEY" \\\n'${location.origin}${path()}'`;
  };
  resolution.addEventListener('change', showCommand);
  showCommand();

  const download = button('Download GeoJSON', async () => {
    if (!currentToken()) {
      onKeyNeeded();
      return;
    }
    download.disabled = true;
    status.textContent = 'Reading…';
    try {
      const response = await request(path());
      saveFile(
        await response.blob(),
        [plural, code, ...(edition ? [edition] : []), `${resolution.value}.geojson`].join('-'),
      );
      status.textContent = '';
    } catch (error) {
      status.textContent = sentenceFor(error, 'The download failed.');
    }
    download.disabled = false;
  });
  const copy = button('Copy the command', async () => {
    try {
      await navigator.clipboard.writeText(command.textContent ?? '');
      status.textContent = 'Copied. Put your key into API_KEY.';
    } catch {
      getSelection()?.selectAllChildren(command);
      status.textContent = 'Copying is not allowed here: the command is selected, press Ctrl-C.';
    }
  });
  return el(
    'section',
    { class: 'download' },
    el('h3', {}, 'Its own boundary'),
    el('p', { class: 'row' }, resolution, download),
    el('pre', { tabindex: '0' }, command),
    el('p', { class: 'row' }, copy),
    status,
  );
}
