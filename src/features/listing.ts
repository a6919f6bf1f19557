import type { Database } from '../db/client.ts';
import type { Bbox, Contents, Form } from './feature.ts';
import { type Page, type PageWish, type Place, readPage } from './repo/pages.ts';

/** What is listed, and how. */
export interface Listing {
  readonly contents: readonly Contents[];
  readonly form: Form;
  readonly bbox?: Bbox | undefined;
  readonly separator?: string;
  /** Whether datasets that are deleted before the list has come to them are left out; else they make it fail. */
  readonly leaveOut?: boolean;
}

/**
 * Features as text, page by page, each page with the separators that it needs; nothing where there are none. The next
 * page is read while the reader is busy with this one, so that no more than two are in memory. All pages are of the
 * same contents; where these are deleted in the meantime the pages break off. Returns how many features there were.
 *
 * @throws DomainError `dataset_not_found`
 */
export async function* featurePages(db: Database, listing: Listing): AsyncGenerator<string, number> {
  const { contents, form, bbox, separator = ',', leaveOut } = listing;
  if (contents.length === 0) return 0;
  const wish: PageWish = { contents, form, bbox, separator, leaveOut };
  const read = (place: Place): Promise<Page> => {
    const page = readPage(db, wish, place);
    // Looked at when its turn comes; until then its failure is nobody's.
    page.catch(() => undefined);
    return page;
  };
  let total = 0;
  for (let reading: Promise<Page> | undefined = read({ index: 0, seq: '0' }); reading; ) {
    const { text, count, next }: Page = await reading;
    reading = next && read(next);
    if (count === 0) continue;
    yield total > 0 ? separator + text : text;
    total += count;
  }
  return total;
}
