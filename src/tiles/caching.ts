import type { AppContext } from '../context.ts';
import { unchangedAnswer } from '../http/preconditions.ts';
import type { TileArchive } from './archive.ts';

/** An hour: readers of archives notice by the entity tag when another one has taken the place. */
const FRESH_SECONDS = 3600;

/**
 * Sets what caches need of a part of an archive, or of all of it, and evaluates the preconditions of the request.
 *
 * @param etag strong entity tag, in its quotes
 * @param fresh how long a browser may use what it has without asking, seconds
 * @returns the answer where the caller has it already
 * @throws DomainError `precondition_failed`
 */
export function settled(
  c: AppContext,
  archive: TileArchive,
  etag: string,
  fresh = FRESH_SECONDS,
): Response | undefined {
  const modified = new Date(Math.floor(Date.parse(archive.updatedAt) / 1000) * 1000);
  if (archive.releaseId !== null) c.set('release', archive.releaseId);
  c.header('Vary', 'Authorization', { append: true });
  // What a bearer or a session was needed for is nobody else's, and packed tiles must stay as they are.
  return unchangedAnswer(c, { etag, modified }, { 'Cache-Control': `private, max-age=${fresh}, no-transform` });
}
