import type { Download, JsonOf } from '../../clients/typescript/src/types.ts';
import { PsgcError, requestJson, sentenceFor } from '../shared/api.ts';
import { startCopyButton } from '../shared/copy.ts';
import { currentToken, shareToken, storeToken } from '../shared/credentials.ts';
import { button, byId, el, showPreparation } from '../shared/dom.ts';
import { listAge, number, size } from '../shared/format.ts';
import { LEVEL_NAMES, LEVELS } from '../shared/levels.ts';
import { startTokenDialog } from '../shared/token-dialog.ts';
import { describeFiles } from './structured-data.ts';
import { recipesFor } from './tools.ts';

const levels = byId('levels', HTMLElement);
const notice = byId('notice', HTMLElement);
const edition = byId('edition', HTMLSelectElement);
const kind = byId('kind', HTMLSelectElement);
const sessionStatus = byId('session-status', HTMLElement);

const KINDS = [
  ['table', 'Tables'],
  ['simple', 'Layers, simple boundaries'],
  ['medium', 'Layers, medium boundaries'],
  ['detailed', 'Layers, detailed boundaries'],
] as const;

const FORMATS: Readonly<Record<string, string>> = {
  csv: 'CSV',
  'csv.gz': 'CSV, packed',
  'ndjson.gz': 'NDJSON, packed',
  'geojson.gz': 'GeoJSON, packed',
  fgb: 'FlatGeobuf',
  parquet: 'GeoParquet',
  topojson: 'TopoJSON',
};

let files: readonly Download[] = [];
/** What opens layers in addresses, once it was asked for. */
let session: string | undefined;

const dialog = startTokenDialog(async (token) => {
  const before = currentToken();
  storeToken(token);
  try {
    await openSession();
  } catch (error) {
    if (before !== undefined) storeToken(before);
    throw error;
  }
});

/** Asks for a session that opens all layers, and shows their addresses with it. */
async function openSession(): Promise<void> {
  const options = { method: 'POST', body: {} } as const;
  const { data } = await requestJson<JsonOf<'create_download_session'>>('/v1/downloads/sessions', options);
  session = data.session;
  const until = new Date(data.expires_at).toLocaleTimeString('en', { timeStyle: 'short' });
  sessionStatus.textContent = `Addresses of layers work until ${until} for whoever has them.`;
  show();
}

function show(): void {
  const shown = files.filter((file) => file.edition === edition.value && (file.resolution ?? 'table') === kind.value);
  const sections = LEVEL_NAMES.flatMap((level) => {
    const own = shown.filter((file) => file.level === level);
    const [first] = own;
    if (!first) return [];
    return [
      el(
        'section',
        { 'aria-label': LEVELS[level].nouns },
        el('h2', {}, LEVELS[level].nouns),
        el(
          'p',
          { class: 'quiet' },
          `${number(first.rows)} ${first.rows === 1 ? 'area' : 'areas'}. ${first.licence}. Say: ${first.attribution}`,
        ),
        ...own.map(card),
      ),
    ];
  });
  const nothing = el('p', { class: 'quiet' }, 'There are no such files in this edition.');
  levels.replaceChildren(...(sections.length > 0 ? sections : [nothing]));
}

/** A file with its address, its hash, and the line for each tool. */
function card(file: Download): HTMLElement {
  const isOpen = file.resolution === null || session !== undefined;
  const address = isOpen && file.resolution !== null ? `${file.href}?session=${session}` : file.href;
  const label = `Download ${file.id}`;
  const download = isOpen
    ? el('a', { class: 'button', href: address, download: file.id, 'aria-label': label }, 'Download')
    : button('Download', askForKey, { 'aria-label': label });
  const copyHash = el('button', { type: 'button', 'aria-label': `Copy the SHA-256 of ${file.id}` }, 'Copy');
  startCopyButton(copyHash, () => file.sha256);
  const lines = recipesFor(file).map(({ tool, line }) => {
    const text = session === undefined ? line : line.replace('session=SESSION', `session=${session}`);
    const copy = el('button', { type: 'button', 'aria-label': `Copy the line for ${tool}` }, 'Copy');
    startCopyButton(copy, () => text);
    return el('div', { class: 'recipe' }, el('b', {}, tool), el('code', {}, line), copy);
  });
  return el(
    'article',
    { class: 'card' },
    el(
      'div',
      { class: 'heading' },
      el('h3', {}, FORMATS[file.format] ?? file.format),
      el('span', { class: 'quiet' }, size(file.size_bytes)),
      download,
    ),
    el('p', { class: 'hash' }, el('span', { class: 'quiet' }, 'SHA-256'), el('code', {}, file.sha256), copyHash),
    el('details', {}, el('summary', {}, `Use ${file.id}`), ...lines),
  );
}

async function askForKey(): Promise<void> {
  if (currentToken() === undefined) {
    dialog.open();
    return;
  }
  try {
    await openSession();
  } catch (error) {
    if (error instanceof PsgcError && error.status === 401) dialog.open(sentenceFor(error));
    else tell(sentenceFor(error));
  }
}

function tell(sentence: string): void {
  notice.textContent = sentence;
  notice.hidden = false;
}

/** Shows how old the list of the chosen edition is. */
async function showListAge(): Promise<void> {
  const chosen = edition.value;
  const answer = await requestJson<JsonOf<'list_sources'>>(`/v1/sources?edition=${chosen}`).catch(() => undefined);
  if (edition.value === chosen) byId('list-age', HTMLElement).textContent = answer ? listAge(answer.data) : '';
}

async function start(): Promise<void> {
  try {
    ({ data: files } = await requestJson<JsonOf<'list_downloads'>>('/v1/downloads'));
  } catch (error) {
    tell(sentenceFor(error));
    levels.replaceChildren();
    return;
  } finally {
    levels.removeAttribute('aria-busy');
  }
  const editions = [...new Set(files.map((file) => file.edition))];
  edition.replaceChildren(...editions.map((id) => el('option', { value: id }, id.toUpperCase().replace('-', ' '))));
  kind.replaceChildren(...KINDS.map(([value, label]) => el('option', { value }, label)));
  describeFiles(byId('dataset', HTMLScriptElement), files);
  if (files.length === 0) {
    tell('No release is published with files yet. Whoever runs this service does that with npm run geo:publish.');
    void showPreparation('files');
  }
  show();
  if (files.length > 0) await showListAge();
}

edition.addEventListener('change', () => {
  show();
  void showListAge();
});
kind.addEventListener('change', show);
byId('open-layers', HTMLButtonElement).addEventListener('click', () => void askForKey());
void shareToken();
void start();
