import { ageOf } from '../areas/edition-age.ts';
import { editionText } from '../areas/edition-id.ts';
import { hexOf } from '../hex.ts';
import type { ChangeFilter, History } from './history.ts';
import type { Change } from './schemas.ts';

/** Max changes that an entry lists. Its link has all of them. */
const MAX_LISTED = 100;

/** The namespace of the ids. It never changes. */
const NAMESPACE = [0x01, 0x33, 0x63, 0x7f, 0xed, 0x3b, 0x41, 0x35, 0x85, 0x35, 0x68, 0x2b, 0xb8, 0xcf, 0xb3, 0xef];

/** The changes of one edition. */
interface Entry {
  /** The same at every URL of the service, and in every format. */
  readonly id: string;
  /** URL of the changes. */
  readonly url: string;
  readonly title: string;
  /** RFC 3339. */
  readonly published: string;
  /** One line for each change, and one for those that are left out. */
  readonly lines: readonly string[];
}

interface FeedFilter extends Pick<ChangeFilter, 'level' | 'kind'> {
  /** Any code of an area. */
  readonly within?: string | undefined;
}

export interface Feed {
  readonly id: string;
  readonly title: string;
  /** URL of the feed. */
  readonly self: string;
  /** URL of the list of changes. */
  readonly home: string;
  /** The newest edition first. */
  readonly entries: readonly Entry[];
}

/**
 * The changes between editions as a feed, one entry for each edition that has any.
 *
 * @param self URL of the feed, with the query parameters of the list of changes
 */
export async function feedOf(history: History, filter: FeedFilter, self: string): Promise<Feed> {
  const home = new URL(self);
  home.pathname = '/v1/changes';
  const place = filter.within === undefined ? undefined : history.nameOfCode(filter.within);
  const within = filter.within === undefined ? undefined : [filter.within];
  const now = Date.now();
  const entries = history.editions.slice(1).map(async ({ id, published }, i): Promise<Entry[]> => {
    // The first edition was cut off, so that this is the one before.
    const from = history.editions[i]?.id ?? '';
    const { changes, total } = history.listChanges({ ...filter, within, from, to: id }, { page: 1, limit: MAX_LISTED });
    if (total === 0) return [];
    const url = new URL(home);
    url.searchParams.set('from', from);
    url.searchParams.set('to', id);
    const lines = changes.map(lineOf);
    if (total > lines.length) lines.push(`and ${total - lines.length} more`);
    return [
      {
        id: await idOf({ ...filter, from, to: id }),
        url: url.href,
        title: `PSGC ${editionText(id)}: ${total} ${total === 1 ? 'change' : 'changes'}${place ? ` in ${place}` : ''}`,
        published: `${ageOf({ id, day: published }, now).as_of}T00:00:00Z`,
        lines,
      },
    ];
  });
  const title = `Changes of the PSGC${place ? ` in ${place}` : ''}`;
  const newestFirst = (await Promise.all(entries)).flat().reverse();
  return { id: await idOf(filter), title, self, home: home.href, entries: newestFirst };
}

/** The id of a feed or an entry, which must never change (RFC 4287, 4.2.6): a UUID of its name (RFC 9562, 5.5). */
async function idOf({
  within,
  level,
  kind,
  from,
  to,
}: FeedFilter & Pick<ChangeFilter, 'from' | 'to'>): Promise<string> {
  const name = new TextEncoder().encode(JSON.stringify({ within, level, kind, from, to }));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-1', new Uint8Array([...NAMESPACE, ...name])));
  const [version, variant] = [digest[6] ?? 0, digest[8] ?? 0];
  digest.set([0x50 | (version & 0x0f)], 6);
  digest.set([0x80 | (variant & 0x3f)], 8);
  const uuid = hexOf(digest).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/, '$1-$2-$3-$4-$5');
  return `urn:uuid:${uuid}`;
}

/** `municity moved: City of Bacolod (0630200000) → City of Bacolod (1830200000)`. */
function lineOf({ kind, level, from, to, note }: Change): string {
  const named = (parties: Change['from']) => parties.map(({ code, name }) => `${name} (${code})`).join(', ');
  const change = [named(from), named(to)].filter((it) => it !== '').join(' → ');
  return `${level} ${kind}: ${change}${note === null ? '' : `. ${note}`}`;
}

/** A feed as Atom (RFC 4287). */
export function atomText({ id, title, self, home, entries }: Feed): string {
  const updated = entries[0]?.published ?? '1970-01-01T00:00:00Z';
  const items = entries.map(
    ({ id, url, title, published, lines }) =>
      `<entry><id>${id}</id><title>${escaped(title)}</title><updated>${published}</updated><link rel="alternate" href="${escaped(url)}"/><content type="text">${escaped(lines.join('\n'))}</content></entry>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><id>${id}</id><title>${escaped(title)}</title><updated>${updated}</updated><author><name>Philippine Statistics Authority</name></author><link rel="self" type="application/atom+xml" href="${escaped(self)}"/><link rel="alternate" href="${escaped(home)}"/>
${items.join('\n')}
</feed>
`;
}

/** A feed as JSON Feed 1.1 (jsonfeed.org). */
export function jsonFeed({ title, self, home, entries }: Feed) {
  return {
    version: 'https://jsonfeed.org/version/1.1',
    title,
    home_page_url: home,
    feed_url: self,
    authors: [{ name: 'Philippine Statistics Authority' }],
    items: entries.map(({ id, url, title, published, lines }) => ({
      id,
      url,
      title,
      date_published: published,
      content_text: lines.join('\n'),
    })),
  };
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
