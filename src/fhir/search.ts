import type { AppContext } from '../context.ts';
import { queryOf } from './given.ts';
import { countCodes, type Resource, textsOf } from './resources.ts';

/** Resources of a page: whole ones can be large, and summaries are not. */
const PAGE = { whole: 1, summaries: 50 };
const MAX_PAGE = 200;

/**
 * A search by `_id`, `url` and `version`, as a Bundle. Resources are summaries unless `_summary=false` asks for whole ones,
 * which then come one by one.
 */
export async function search(
  c: AppContext,
  resources: readonly Resource[],
  base: string,
): Promise<AsyncGenerator<string>> {
  const given = queryOf(c);
  const [url, pipedVersion] = given.canonical('url');
  const [id, version] = [given.text('_id'), given.text('version') ?? pipedVersion];
  const matching = resources.filter(
    (it) =>
      (id === undefined || it.id === id) &&
      (url === undefined || it.url === url) &&
      (version === undefined || it.version.toLowerCase() === version.toLowerCase()),
  );
  const isWhole = given.text('_summary') === 'false';
  const asked = given.whole('_count') ?? (isWhole ? PAGE.whole : PAGE.summaries);
  const isCounted = given.text('_summary') === 'count' || asked === 0;
  const limit = isWhole ? PAGE.whole : Math.min(asked, MAX_PAGE);
  const offset = given.whole('_offset') ?? 0;
  const shown = isCounted ? [] : matching.slice(offset, offset + limit);
  if (isWhole) await countCodes(c, shown);
  const self = new URL(c.req.url);
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
