import everyday from '../../../pages/docs/everyday-words.json' with { type: 'json' };
import { type Entry, type EverydayWords, keyOf, type Part, type SearchFile } from '../../../pages/docs/search-file.ts';
import { addressOf, type Chapter } from './contents.ts';
import { anchorOf } from './fields.ts';
import { slugOf } from './markdown.ts';
import { type OpenApi, type Operation, resolveSchema, type Schema } from './openapi.ts';
import type { Placed } from './operation.ts';
import { SPREADSHEET } from './spreadsheet.ts';

/** A page of operations. */
export interface Family extends Chapter {
  description: string;
  operations: readonly Placed[];
}

/** How much entries count against others: what people use comes before what only a few need. */
const WEIGHTS: Readonly<Record<string, number>> = {
  'api-keys': 0.8,
  'webhook-endpoints': 0.6,
  features: 0.8,
  tiles: 0.8,
  webhooks: 0.5,
  status: 0.5,
  admin: 0.45,
};
const FAMILY = 0.6;
const GUIDE = 0.9;
const ERROR = 0.7;
const SCHEMA = 0.3;

/**
 * What the search of the reference finds: operations with their parameters and fields, their families, the guides, error
 * codes, schemas, pages of the service, and questions whose answer has no other place.
 *
 * @throws Error if a topic of everyday words leads to nothing
 */
export function searchFileOf(document: OpenApi, families: readonly Family[]): SearchFile {
  const { pages, questions, small, same, topics } = everyday;
  const entries = [
    ...families.flatMap((family) => family.operations.map((placed) => operationEntry(document, family, placed))),
    ...families.map(
      ({ path, name, description }): Entry => ({
        href: addressOf(path),
        title: name,
        about: 'Operations',
        text: description,
        weight: FAMILY,
      }),
    ),
    ...guideEntries({ path: '', name: 'Guide', guide: document.info.description }),
    ...guideEntries(SPREADSHEET),
    ...pages.map((page): Entry => ({ ...page, about: `Page ${page.href}`, weight: 1 })),
    ...questions.map((question): Entry => ({ ...question, about: 'Question', weight: 1 })),
    ...Object.keys(document.components.schemas)
      .sort()
      .map((name) => schemaEntry(document, name)),
  ];
  const keys = new Set(entries.map(keyOf));
  for (const key of topics.flatMap(({ see }) => see)) {
    if (!keys.has(key)) throw new Error(`everyday-words.json leads to “${key}”, which the reference does not have.`);
  }
  return { entries, everyday: { small, same, topics } satisfies EverydayWords };
}

function operationEntry(document: OpenApi, family: Family, { path, method, operation }: Placed): Entry {
  const { operationId, summary, description = '', tags } = operation;
  const address = `${addressOf(family.path)}#${operationId}`;
  return {
    href: address,
    title: summary,
    about: path,
    method,
    names: `${operationId} ${family.name}`,
    text: plain(description),
    parts: partsOf(document, operation).map((part) => ({
      ...part,
      href: `${addressOf(family.path)}#${anchorOf(operationId, part.name)}`,
    })),
    weight: WEIGHTS[tags[0] ?? ''] ?? 1,
  };
}

/** The parameters of an operation, and the fields of its body. */
function partsOf(document: OpenApi, { parameters = [], requestBody }: Operation): Part[] {
  const { 'application/json': json, 'multipart/form-data': form } = requestBody?.content ?? {};
  return [
    ...parameters.map(({ name, description, schema }) =>
      partOf(document, name, { ...schema, ...(description && { description }) }),
    ),
    ...membersOf(document, json?.schema ?? form?.schema),
  ];
}

function membersOf(document: OpenApi, schema: Schema = {}): Part[] {
  const members = Object.entries(resolveSchema(document, schema).properties ?? {});
  return members.map(([name, member]) => partOf(document, name, member));
}

function partOf(document: OpenApi, name: string, given: Schema): Part {
  const { description = '', enum: choices = [] } = resolveSchema(document, given);
  return { name, text: [plain(description), choices.join(', ')].filter(Boolean).join(': ') };
}

function schemaEntry(document: OpenApi, name: string): Entry {
  const schema = resolveSchema(document, { $ref: `#/components/schemas/${name}` });
  return {
    href: `${addressOf('schemas')}#schema-${name}`,
    title: name,
    about: 'Schema',
    text: plain(schema.description ?? ''),
    parts: membersOf(document, schema),
    weight: SCHEMA,
  };
}

/** The sections of a guide, the points of their lists that have a name, and the error codes. */
function guideEntries({ path, name: about, guide }: Readonly<Record<'path' | 'name' | 'guide', string>>): Entry[] {
  const sections = guide.split(/^## /m).slice(1);
  return sections.flatMap((section) => {
    const [title = '', ...lines] = section.split('\n');
    const text = lines.join('\n');
    const points = [...text.matchAll(/^- \*\*(.+?)\.?\*\*([\s\S]*?)(?=^- |^$)/gm)];
    const errors = [...text.matchAll(/^\| (\d{3}) \| `(\w+)` \| (.+) \|$/gm)];
    const prose = text.replace(/^- \*\*[\s\S]*?(?=^- |^$)/gm, '').replace(/^\| \d{3} \| `.*\n/gm, '');
    return [
      { href: `${addressOf(path)}#${slugOf(title)}`, title, about, text: plain(prose), weight: GUIDE },
      ...points.map(([, name = '', point = '']) => ({
        href: `${addressOf(path)}#${slugOf(name)}`,
        title: name,
        about: `${about}, ${title}`,
        text: plain(point),
        weight: GUIDE,
      })),
      ...errors.map(([, status = '', code = '', meaning = '']) => ({
        href: `${addressOf(path)}#error-${code}`,
        title: code,
        about: `Error ${status}`,
        names: code,
        text: plain(meaning),
        weight: ERROR,
      })),
    ];
  });
}

/** Markdown as text, without code of several lines. */
function plain(markdown: string): string {
  return markdown
    .replace(/```[\s\S]*?```/g, '')
    .replace(/^\|[-| :]+\|$/gm, '')
    .replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replace(/[`*]/g, '')
    .replace(/\s*\|\s*/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
