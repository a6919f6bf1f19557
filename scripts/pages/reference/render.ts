import type { SearchFile } from '../../../pages/docs/search-file.ts';
import { codeBox, ORIGIN, wrappable } from './code.ts';
import { addressOf, type Chapter, contentsOf, entryOf } from './contents.ts';
import { memberList, typeOf } from './fields.ts';
import { type Html, html } from './html.ts';
import { inlineMarkdown, markdown, slugOf } from './markdown.ts';
import { type OpenApi, resolveSchema } from './openapi.ts';
import { operationSection, type Placed } from './operation.ts';
import { type Family, searchFileOf } from './search.ts';
import { SPREADSHEET } from './spreadsheet.ts';

export interface Reference {
  pages: ReferencePage[];
  search: SearchFile;
}

interface ReferencePage {
  /** Path below `/docs`, empty for the first page. */
  path: string;
  /** Prefix of the common title, empty for the first page. */
  title: string;
  contents: string;
  body: string;
}

/** Max operations of a page, so that it is not too long to read. */
const MAX_OPERATIONS = 9;

/**
 * Renders the reference of a service as HTML, from its OpenAPI document: a first page with the guide, a page for each
 * family of operations, and one of schemas. All have the table of contents, and a search with one file.
 */
export function renderReference(document: OpenApi): Reference {
  const guide = document.info.description.replaceAll('http://localhost', ORIGIN);
  const tags = document.tags.toSorted((a, b) => Number(OF_OPERATORS.has(a.name)) - Number(OF_OPERATORS.has(b.name)));
  const families = tags.flatMap(({ name, description }) =>
    partsOf(operationsOf(document, name)).map((operations, i): Family => {
      const path = i === 0 ? name : `${name}-${i + 1}`;
      const title = i === 0 ? titleOf(name) : `${titleOf(name)}: ${[...new Set(operations.map(subjectOf))].join(', ')}`;
      return { path, name: title, description, operations, entries: operations.map(entryOf) };
    }),
  );
  const schemas = Object.keys(document.components.schemas).sort();
  const chapters: Chapter[] = [
    {
      path: '',
      name: 'Guide',
      entries: entriesOf(guide),
    },
    { path: SPREADSHEET.path, name: SPREADSHEET.name, entries: entriesOf(SPREADSHEET.guide) },
    ...families,
    {
      path: 'schemas',
      name: 'Schemas',
      entries: schemas.map((name) => ({ id: `schema-${name}`, label: html`<span>${name}</span>` })),
    },
  ];
  const bodies = [
    firstPage(guide, families),
    html`${heading(SPREADSHEET.name)}<section class="guide" aria-label="Guide">${markdown(SPREADSHEET.guide)}</section>`,
    ...families.map((family) => familyPage(document, family)),
    html`${heading('Schemas')}<p class="about">What answers and bodies are made of.</p>
    <section aria-label="Schemas">${schemas.map((name) => schemaSection(document, name))}</section>`,
  ];
  const pages = chapters.map(({ path, name }, i) => ({
    path,
    title: path === '' ? '' : `${name} · `,
    contents: contentsOf(chapters, path).text,
    body: html`${bodies[i]}${turnings(chapters, i)}`.text,
  }));
  return { pages, search: searchFileOf(document, families) };
}

/** The sections of a guide. */
function entriesOf(guide: string): Chapter['entries'] {
  return [...guide.matchAll(/^## (.+)$/gm)].map(([, section = '']) => {
    return { id: slugOf(section), label: html`<span>${section}</span>` };
  });
}

/** Families for whoever runs the service. They come after all that people use. */
const OF_OPERATORS: ReadonlySet<string> = new Set(['webhooks', 'admin']);

/** Names of families that don't follow from their tags. */
const TITLES: Readonly<Record<string, string>> = {
  municities: 'Cities and municipalities',
  geocode: 'Reverse geocoding',
  match: 'Matching and joins',
  ogc: 'OGC API',
};

/** The name of a family for people: `API keys` of `api-keys`. */
function titleOf(name: string): string {
  const known = TITLES[name];
  if (known !== undefined) return known;
  const words = name.replaceAll('-', ' ').replace(/^api\b/, 'API');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Operations by pages. Those of a subject stay together. */
function partsOf(operations: readonly Placed[]): Placed[][] {
  if (operations.length <= MAX_OPERATIONS) return [[...operations]];
  const parts: Placed[][] = [];
  for (const group of Map.groupBy(operations, subjectOf).values()) {
    const last = parts.at(-1);
    if (last && last.length + group.length <= MAX_OPERATIONS) last.push(...group);
    else parts.push(group);
  }
  return parts;
}

/** What an operation is about: the part of its address that follows that of the family. */
function subjectOf({ path }: Placed): string {
  const part =
    path
      .split('/')
      .slice(3)
      .find((segment) => /^[a-z]/.test(segment)) ?? '';
  return part.replaceAll('-', ' ');
}

function heading(name: string): Html {
  return html`<p class="way"><a href="/docs">Reference</a></p><h1>${name}</h1>`;
}

/** The request with which the reference opens, and the beginning of its answer. */
const FIRST = {
  request: `curl '${ORIGIN}/v1/provinces/0702200000'`,
  answer: `{
  "data": {
    "code": "0702200000",
    "name": "Cebu",
    "r_code": "0700000000",
    …
  },
  "error": null
}`,
} as const;

function firstPage(guide: string, families: readonly Family[]): Html {
  const isOfOperators = ({ path }: Family) => OF_OPERATORS.has(path.replace(/-\d+$/, ''));
  return html`<h1>Reference</h1>
    <div class="first">
      <div>
        <p class="base">All paths begin at <code>${wrappable(ORIGIN)}</code>. Names, codes and parents are free, without a key.
          This request gets the answer below it.</p>
        <p class="base">Next: <a href="/docs#first-requests">first requests</a>, <a href="/docs#authentication">authentication</a>,
          <a href="/docs#errors">error codes</a>. Without programming:
          <a href="${addressOf(SPREADSHEET.path)}">from a spreadsheet to a map</a>.</p>
        <p class="documents">Also as <a href="/openapi.json">OpenAPI 3.1</a> and, in short for language models, as
          <a href="/llms.txt">llms.txt</a>.</p>
      </div>
      <div>
        ${codeBox(FIRST.request, 'curl', 'Copy the first request')}
        ${codeBox(FIRST.answer, 'JSON', 'Copy the first answer')}
      </div>
    </div>
    <nav class="families" aria-label="Families of operations">
      ${familyList(families.filter((family) => !isOfOperators(family)))}
      <details><summary>For whoever runs the service</summary>${familyList(families.filter(isOfOperators))}</details>
    </nav>
    <section class="guide" aria-label="Guide">${markdown(guide)}</section>`;
}

function familyList(families: readonly Family[]): Html {
  return html`<ul>${families.map(
    ({ path, name, description }) =>
      html`<li><a href="${addressOf(path)}">${name}</a> <span>${inlineMarkdown(description)}</span></li>`,
  )}</ul>`;
}

function familyPage(document: OpenApi, { name, description, operations }: Family): Html {
  return html`${heading(name)}<p class="about">${description}.</p>
    <section class="family" aria-label="Operations">${operations.map((placed) => operationSection(document, placed))}</section>`;
}

/** Links to the pages before and after one. */
function turnings(chapters: readonly Chapter[], i: number): Html {
  const link = (chapter: Chapter | undefined, rel: 'prev' | 'next') =>
    chapter && html`<a rel="${rel}" href="${addressOf(chapter.path)}">${chapter.name}</a>`;
  return html`<nav class="turnings" aria-label="Pages of the reference">${link(chapters[i - 1], 'prev')}${link(chapters[i + 1], 'next')}</nav>`;
}

function operationsOf(document: OpenApi, tag: string): Placed[] {
  return Object.entries(document.paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods)
        // Operations that are also served without the prefix `/v1` are shown once.
        .filter(([, operation]) => operation.tags[0] === tag && (path === '/' || path.startsWith('/v1/')))
        .map(([method, operation]) => ({ path, method, operation })),
    )
    .sort((a, b) => rankOf(a) - rankOf(b));
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** The order of an operation in its family: a collection before its items, then reading before writing. */
function rankOf({ path, method }: Placed): number {
  const segments = path.split('/');
  const named = segments.filter((segment) => segment.startsWith('{')).length;
  return (named * 10 + segments.length) * 10 + METHODS.indexOf(method);
}

function schemaSection(document: OpenApi, name: string): Html {
  const schema = resolveSchema(document, { $ref: `#/components/schemas/${name}` });
  return html`<details class="schema" id="schema-${name}"><summary><code>${name}</code></summary>${
    schema.description && html`<p>${inlineMarkdown(schema.description)}</p>`
  }${schema.properties ? memberList(document, schema) : html`<p>${typeOf(document, { ...schema, $ref: '' })}</p>`}</details>`;
}
