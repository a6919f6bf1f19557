import type { Database } from '../db/client.ts';
import { inTurn } from './page-turns.ts';
import { type FeaturePage, type FeaturePageInput, type ListPosition, readPage } from './repo/pages.ts';

/** What is listed, and how. The separator is a comma unless another one is given. */
type Listing = Omit<FeaturePageInput, 'separator'> &
  Partial<Pick<FeaturePageInput, 'separator'>> & {
    /** Whether the pages are sent as they are read: yes, unless it says otherwise. */
    readonly hasBegun?: boolean;
  };

/**
 * Yields features as text, page by page, each page with the separators that it needs; yields nothing where there are no
 * features. The next page is read while the reader is busy with this one, so at most two pages are in memory. All pages
 * are of the same contents; where these are deleted in the meantime, the pages end with an error.
 *
 * @returns how many features there were
 * @throws DomainError `dataset_not_found` where contents are gone, unless `skipDeleted` covers it
 */
export async function* featurePages(
  db: Database,
  { hasBegun = true, ...listing }: Listing,
): AsyncGenerator<string, number> {
  if (listing.contents.length === 0) return 0;
  const input: FeaturePageInput = { separator: ',', ...listing };
  const read = (position: ListPosition): Promise<FeaturePage> => {
    // Only those that follow have turns, so that a short list never waits for long ones.
    const isFirst = position.index === 0 && position.seq === '0';
    const page = isFirst ? readPage(db, input, position) : inTurn(() => readPage(db, input, position));
    // The loop below awaits this page later and handles its failure then. Until then an unhandled one would be reported.
    page.catch(() => undefined);
    return page;
  };
  let total = 0;
  for (let reading: Promise<FeaturePage> | undefined = read({ index: 0, seq: '0' }); reading; ) {
    const { text, count, next }: FeaturePage = await reading;
    // Each part of an answer has all of the time. Parts that are read before it begins share that time.
    if (count > 0 && hasBegun) db.deadline.renew();
    else if (count > 0) db.deadline.partDone();
    reading = next && read(next);
    if (count === 0) continue;
    yield total > 0 ? input.separator + text : text;
    total += count;
  }
  return total;
}
