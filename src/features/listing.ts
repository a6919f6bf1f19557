import type { Database } from '../db/client.ts';
import { Turns } from '../turn.ts';
import { type FeaturePage, type FeaturePageInput, type ListPosition, readPage } from './repo/pages.ts';

/** Pages that an instance reads at once for all its streams. */
const PAGE_TURNS = new Turns({ max: 4, maxMs: 2000 });

/** What is listed, and how. The separator is a comma unless another one is given. */
type Listing = Omit<FeaturePageInput, 'separator'> &
  Partial<Pick<FeaturePageInput, 'separator'>> & {
    /** Where the list begins; undefined: with the first feature. */
    readonly start?: ListPosition | undefined;
    /** Whether the pages are sent as they are read. Default: yes. */
    readonly hasBegun?: boolean;
  };

/** How many features a list had, and where it has been read to. */
export interface ListEnd {
  readonly count: number;
  readonly position: ListPosition;
}

/**
 * Yields features as text, page by page, each page with the separators that it needs; yields nothing where there are no
 * features. Where a condition lets nothing through for long, a space says that the list goes on: JSON may have it between
 * values. The next page is read while the reader is busy with this one, so at most two pages are in memory. All pages are of
 * the same contents; where these are deleted in the meantime, the pages end with an error.
 *
 * @throws DomainError `dataset_not_found` where contents are gone, unless `skipDeleted` covers it
 */
export async function* featurePages(
  db: Database,
  { hasBegun = true, start = { index: 0, seq: '0' }, most, ...listing }: Listing,
): AsyncGenerator<string, ListEnd> {
  if (listing.contents.length === 0) return { count: 0, position: start };
  const input: FeaturePageInput = { separator: ',', ...listing };
  const read = (position: ListPosition): Promise<FeaturePage> => {
    // Only those that follow have turns, so that a short list never waits for long ones.
    const wanted = { ...input, most: most === undefined ? undefined : most - total };
    const page =
      position === start ? readPage(db, wanted, position) : PAGE_TURNS.take(() => readPage(db, wanted, position));
    // The loop below awaits this page later and handles its failure then. Until then an unhandled one would be reported.
    page.catch(() => undefined);
    return page;
  };
  let total = 0;
  let end = start;
  for (let reading: Promise<FeaturePage> | undefined = read(start); reading; ) {
    const { text, count, next }: FeaturePage = await reading;
    // Each part of an answer has all of the time. Parts that are read before it begins share that time.
    const isPart = count > 0 || listing.where !== undefined;
    if (isPart && hasBegun) db.deadline.renew();
    else if (isPart) db.deadline.partDone();
    const isFirst = total === 0;
    total += count;
    if (next) end = next;
    reading = next && total !== most ? read(next) : undefined;
    if (count > 0) yield isFirst ? text : input.separator + text;
    else if (reading && listing.where) yield ' ';
  }
  return { count: total, position: end };
}
