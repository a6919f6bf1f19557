import { type Area, BOUNDARY_BUDGET, type Slice } from './store.ts';

/** Reads parts of boundaries that a statement has left out: texts in the order of the slices. */
export type ReadSlices = (slices: readonly Slice[]) => Promise<readonly string[]>;

/** How much text is read at once for an answer that is streamed, bytes. Less costs statements, more memory. */
const PORTION = BOUNDARY_BUDGET / 2;

export function isLeftOut(area: Area): boolean {
  return area.boundaryBytes > 0 && area.boundary === null;
}

/** As a copy of the answer where that is at hand whole, else made anew. */
export type Keeping = 'copy' | 'anew';

/** Every single area is below it, and collections up to the provinces at medium resolution, bytes of boundaries. */
const MAX_KEPT = 8 * 1024 * 1024;

/** How the edge comes by an answer with the boundaries of areas; undefined where there is none, or more than it keeps. */
export function keepingOf(areas: readonly Area[]): Keeping | undefined {
  if (!areas.some(isLeftOut)) return areas.length > 0 ? 'copy' : undefined;
  return areas.reduce((sum, { boundaryBytes }) => sum + boundaryBytes, 0) <= MAX_KEPT ? 'anew' : undefined;
}

/**
 * The boundaries that a statement has left out, one after another in slices of at most a portion, read a portion at a time.
 * The next portion is read while the reader is busy with this one, so that no more than two are in memory.
 *
 * @throws Error when a boundary is gone, because somebody deleted the release in the meantime
 */
export async function* slicesOf(areas: readonly Area[], read: ReadSlices): AsyncGenerator<string> {
  const portions = [...cut(areas.filter(isLeftOut))];
  let next = complete(portions[0] ?? [], read);
  for (let i = 1; i <= portions.length; i += 1) {
    const texts = await next;
    const following = portions[i];
    if (following) {
      next = complete(following, read);
      // Looked at when its turn comes; until then its failure is nobody's.
      next.catch(() => undefined);
    }
    yield* texts;
  }
}

/**
 * Slices in runs that are at most a portion long together. What fits into a portion stays whole: the database finds
 * the middle of a text only by reading it from its beginning.
 */
function* cut(areas: readonly Area[]): Generator<Slice[]> {
  let portion: Slice[] = [];
  let room = PORTION;
  for (const { code, boundaryBytes } of areas) {
    for (let start = 0; start < boundaryBytes; start += PORTION) {
      const length = Math.min(PORTION, boundaryBytes - start);
      if (length > room) {
        yield portion;
        portion = [];
        room = PORTION;
      }
      portion.push({ code, start, length });
      room -= length;
    }
  }
  if (portion.length > 0) yield portion;
}

async function complete(portion: readonly Slice[], read: ReadSlices): Promise<readonly string[]> {
  if (portion.length === 0) return [];
  const texts = await read(portion);
  for (const [i, { code, length }] of portion.entries()) {
    if (texts[i]?.length !== length) throw new Error(`The boundary of ${code} is gone`);
  }
  return texts;
}
