import type { AppContext } from '../context.ts';
import { type Given, invalid } from './given.ts';
import { countCodes, type Resource, textsOf } from './resources.ts';

const PARAMETERS: readonly string[] = ['_id', 'url', 'version', '_summary', '_count', '_offset', '_format'];

/** Resources of a page: whole ones can be large, and summaries are not. */
const PAGE = { whole: 1, summaries: 50 };
const MAX_PAGE = 200;

/**
 * A search by `_id`, `url` and `version`, as a Bundle. Resources are summaries unless `_summary=false` asks for whole ones,
 * which then come one by one.
 */
export async function search(
  c: AppContext,
  given: Given,
  { resources, type, base }: { resources: readonly Resource[]; type: Resource['type']; base: string },
): Promise<AsyncGenerator<string>> {
  for (const name of given.names())
    if (name.includes(':')) throw invalid(`${name}: modifiers are not supported. Possible: ${PARAMETERS.join(', ')}.`);
  /** Whether a parameter is not given, or a value of it fits. */
  const isAsked = (name: string, fits: (value: string) => boolean) => given.text(name)?.split(',').some(fits) ?? true;
  const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
  const matching = resources.filter(
    (it) =>
      isAsked('_id', (id) => it.id === id) &&
      isAsked('url', (canonical) => {
        const [url, version] = canonical.split('|');
        return it.url === url && (version === undefined || isSame(it.version, version));
      }) &&
      isAsked('version', (version) => isSame(it.version, version)),
  );
  const isWhole = given.text('_summary') === 'false';
  const asked = given.whole('_count') ?? (isWhole ? PAGE.whole : PAGE.summaries);
  const isCounted = given.text('_summary') === 'count' || asked === 0;
  const limit = isWhole ? PAGE.whole : Math.min(asked, MAX_PAGE);
  const offset = given.whole('_offset') ?? 0;
  const shown = isCounted ? [] : matching.slice(offset, offset + limit);
  if (isWhole) await countCodes(c, shown);
  // It names the parameters that the search has used.
  const self = new URL(`${base}/${type}`);
  for (const name of given.names())
    if (PARAMETERS.includes(name)) for (const value of given.texts(name)) self.searchParams.append(name, value);
  const links = [{ relation: 'self', url: self.href }];
  if (!isCounted && offset + limit < matching.length) {
    const next = new URL(self);
    next.searchParams.set('_offset', String(offset + limit));
    links.push({ relation: 'next', url: next.href });
  }
  const head = { resourceType: 'Bundle', type: 'searchset', total: matching.length, link: links };
  return bundle(head, shown, base, !isWhole);
}

async function* bundle(
  head: object,
  resources: readonly Resource[],
  base: string,
  isSummary: boolean,
): AsyncGenerator<string> {
  yield JSON.stringify(head).slice(0, -1);
  if (resources.length === 0) {
    yield '}';
    return;
  }
  let before = ',"entry":[';
  for (const resource of resources) {
    yield `${before}{"fullUrl":${JSON.stringify(`${base}/${resource.type}/${resource.id}`)},"resource":`;
    yield* textsOf(resource, isSummary);
    yield ',"search":{"mode":"match"}}';
    before = ',';
  }
  yield ']}';
}
