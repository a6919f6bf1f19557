import { PsgcError, requestJson, sentenceFor } from '../shared/api.ts';
import { currentToken, storeToken } from '../shared/credentials.ts';
import { button, byId, el } from '../shared/dom.ts';
import { startTokenDialog } from '../shared/token-dialog.ts';
import { drawingOf, type Geometry } from './drawing.ts';

interface Link {
  readonly href: string;
  readonly rel: string;
  readonly type?: string;
  readonly title?: string;
}

interface Feature {
  readonly id?: string;
  readonly geometry: Geometry | null;
  readonly properties: Readonly<Record<string, unknown>> | null;
  readonly links?: readonly Link[];
}

interface Collection {
  readonly id: string;
  readonly title?: string;
  readonly description?: string;
  readonly attribution?: string;
  readonly links: readonly Link[];
}

/** What a URL under /ogc answers. Every document has other members. */
interface Answer {
  readonly title?: string;
  readonly description?: string;
  readonly type?: string;
  readonly links?: readonly Link[];
  readonly collections?: readonly Collection[];
  readonly conformsTo?: readonly string[];
  readonly features?: readonly Feature[];
  readonly numberMatched?: number;
  readonly properties?: Readonly<Record<string, unknown>> | null;
  readonly geometry?: Geometry | null;
  readonly id?: string;
}

/** How many properties of a feature a table shows. */
const COLUMNS = 8;

const main = byId('content', HTMLElement);
const body = byId('body', HTMLElement);
const lead = byId('lead', HTMLElement);
const title = byId('title', HTMLElement);
const notice = byId('notice', HTMLElement);

const dialog = startTokenDialog(async (token) => {
  const before = currentToken();
  storeToken(token);
  try {
    await show();
  } catch (error) {
    if (before !== undefined) storeToken(before);
    throw error;
  }
});

/** The same URL with another form. A session in it stays. */
function addressAs(form: 'json' | 'html', address: URL = new URL(location.href)): string {
  const url = new URL(address);
  url.searchParams.set('f', form);
  return url.pathname + url.search;
}

function pageOf(href: string): string {
  return addressAs('html', new URL(href, location.href));
}

/** The URL without its query, in which only a session stays. */
function plain(path: string): string {
  const session = new URLSearchParams(location.search).get('session');
  return `${path}?f=html${session === null ? '' : `&session=${encodeURIComponent(session)}`}`;
}

function showTrail(): void {
  const parts = location.pathname.split('/').filter((part) => part !== '');
  const links = parts.map((part, i) => {
    const path = `/${parts.slice(0, i + 1).join('/')}`;
    const text = i === 0 ? 'OGC API' : part;
    return i === parts.length - 1 ? el('b', {}, text) : el('a', { href: plain(path) }, text);
  });
  byId('trail', HTMLElement).replaceChildren(...links.flatMap((link, i) => (i === 0 ? [link] : [' / ', link])));
}

async function show(): Promise<void> {
  const answer = await requestJson<Answer>(addressAs('json'));
  notice.hidden = true;
  title.textContent = titleOf(answer);
  document.title = `${title.textContent} · OGC API`;
  lead.textContent = answer.description ?? '';
  body.replaceChildren(...partsOf(answer));
  main.removeAttribute('aria-busy');
}

function titleOf({ title, features, properties, type, id, conformsTo, collections }: Answer): string {
  if (features) return `Features of ${location.pathname.split('/').at(-2)}`;
  if (type === 'Feature') return textOf(properties?.name ?? id ?? 'A feature');
  if (conformsTo) return 'What it conforms to';
  if (collections) return 'Collections';
  return title ?? 'OGC API';
}

function partsOf(answer: Answer): Node[] {
  if (answer.features) return itemsOf(answer, answer.features);
  if (answer.type === 'Feature') return featureOf(answer);
  if (answer.collections) return [collectionsTable(answer.collections)];
  if (answer.conformsTo) return [el('ul', {}, ...answer.conformsTo.map((uri) => el('li', {}, el('code', {}, uri))))];
  if (answer.type === 'object' && answer.properties) return [schemaTable(answer.properties)];
  if (answer.links && !/\/(api|tiles|tileMatrixSets)\b/.test(location.pathname)) return landingOf(answer.links);
  return [el('pre', {}, JSON.stringify(answer, null, 2))];
}

/** The links of a landing page or a collection, and how tools open it. */
function landingOf(links: readonly Link[]): Node[] {
  const others = links.filter(({ rel, type }) => rel !== 'self' && rel !== 'alternate' && type !== 'text/html');
  // Some have two relations.
  const shown = [...new Map(others.map((link) => [link.href, link])).values()];
  const items = shown.map(({ href, rel, title: text, type }) =>
    el(
      'li',
      {},
      el('a', { href: type === 'application/vnd.mapbox-vector-tile' ? href : pageOf(href) }, text ?? nameOf(rel)),
      ' ',
      el('span', { class: 'quiet' }, type),
    ),
  );
  const address = `${location.origin}/ogc`;
  return [
    el('ul', { class: 'links' }, ...items),
    el('h2', {}, 'In your tool'),
    el(
      'p',
      {},
      'QGIS: Layer ▸ Add Layer ▸ Add WFS / OGC API – Features Layer, with the address ',
      el('code', {}, address),
    ),
    el('p', {}, 'GDAL: ', el('code', {}, `ogrinfo "OAPIF:${address}?session=SESSION" provinces-simple`)),
    el('p', { class: 'quiet' }, 'A session is what ', el('code', {}, 'POST /v1/ogc/sessions'), ' answers.'),
  ];
}

function nameOf(rel: string): string {
  return (rel.split('/').at(-1) ?? rel).replaceAll('-', ' ');
}

function collectionsTable(collections: readonly Collection[]): Node {
  const hrefOf = ({ links }: Collection, rel: string) => links.find((link) => link.rel === rel)?.href ?? '';
  const rows = collections.map((one) =>
    el(
      'tr',
      {},
      el('td', {}, el('a', { href: pageOf(hrefOf(one, 'self')) }, one.id)),
      el('td', {}, one.title ?? ''),
      el('td', {}, el('a', { href: pageOf(hrefOf(one, 'items')), 'aria-label': `Features of ${one.id}` }, 'Features')),
    ),
  );
  return table(['Collection', 'Title', 'Features'], rows);
}

function schemaTable(properties: Readonly<Record<string, unknown>>): Node {
  const rows = Object.entries(properties).map(([name, schema]) => {
    const { type, title: text, format } = schema as { type?: string; title?: string; format?: string };
    return el(
      'tr',
      {},
      el('td', {}, el('code', {}, name)),
      el('td', {}, type ?? format ?? 'any'),
      el('td', {}, text ?? ''),
    );
  });
  return table(['Name', 'Type', 'Meaning'], rows);
}

function table(headings: readonly string[], rows: readonly Node[]): Node {
  const head = el('tr', {}, ...headings.map((heading) => el('th', { scope: 'col' }, heading)));
  const whole = el('table', {}, el('thead', {}, head), el('tbody', {}, ...rows));
  return el('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': headings.join(', ') }, whole);
}

/** Whether positions are longitudes and latitudes, as the drawing needs them. */
function isDrawable(): boolean {
  const crs = new URLSearchParams(location.search).get('crs');
  return crs === null || crs.endsWith('CRS84');
}

function itemsOf({ numberMatched, links = [] }: Answer, features: readonly Feature[]): Node[] {
  const self = new URL(location.href);
  const hrefOf = ({ id = '' }: Feature) => plain(`${self.pathname}/${encodeURIComponent(id)}`);
  const nameOfFeature = ({ id = '', properties }: Feature) => textOf(properties?.name ?? id);
  // The serial of records says nothing besides the id.
  const all = new Set(features.flatMap(({ properties }) => Object.keys(properties ?? {})));
  const isOfTime = (name: string) => name.startsWith('valid_');
  const byUse = [...all].sort((a, b) => Number(isOfTime(b)) - Number(isOfTime(a)));
  const names = byUse.filter((name) => name !== 'id').slice(0, COLUMNS);
  const rows = features.map((feature) =>
    el(
      'tr',
      {},
      el('td', {}, el('a', { href: hrefOf(feature) }, feature.id ?? '')),
      ...names.map((name) => el('td', {}, textOf(feature.properties?.[name]))),
    ),
  );
  const next = links.find(({ rel }) => rel === 'next');
  const count = numberMatched === undefined ? `${features.length} features` : `${features.length} of ${numberMatched}`;
  const drawing = isDrawable()
    ? drawingOf(
        features.map((feature) => ({
          title: nameOfFeature(feature),
          href: hrefOf(feature),
          geometry: feature.geometry,
        })),
      )
    : undefined;
  return [
    el('p', {}, `${count}. `, ...(next ? [el('a', { href: pageOf(next.href), rel: 'next' }, 'The next page')] : [])),
    ...(drawing ? [drawing] : []),
    table(['Id', ...names], rows),
  ];
}

function featureOf({ properties, geometry = null, id }: Answer): Node[] {
  const rows = Object.entries(properties ?? {}).map(([name, value]) =>
    el('tr', {}, el('th', { scope: 'row' }, name), el('td', {}, textOf(value))),
  );
  const drawing = isDrawable() ? drawingOf([{ title: id ?? '', href: undefined, geometry }]) : undefined;
  return [...(drawing ? [drawing] : []), table(['Property', 'Value'], rows)];
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

showTrail();
byId('more', HTMLElement).append(
  'This page as ',
  el('a', { href: addressAs('json') }, 'JSON'),
  '. The definition: ',
  el('a', { href: plain('/ogc/api') }, '/ogc/api'),
  '.',
);
try {
  await show();
} catch (error) {
  main.removeAttribute('aria-busy');
  notice.hidden = false;
  notice.textContent = sentenceFor(error);
  if (error instanceof PsgcError && error.status === 401) {
    body.replaceChildren(button('Sign in', () => dialog.open(), { class: 'main' }));
  }
}
