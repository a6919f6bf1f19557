import { DomainError } from '../errors.ts';
import { type Area, BOUNDARY_BUDGET, type Slice } from './store.ts';

/** Reads slices of boundaries that the read of the areas left out. Gives their texts in the order of the slices. */
export type ReadSlices = (slices: readonly Slice[]) => Promise<readonly string[]>;

/** Max text of one read for a streamed answer, bytes. A lower value costs more statements, a higher one memory. */
const PORTION = BOUNDARY_BUDGET / 2;

/** Whether an area has a boundary that was not read with it. */
export function isLeftOut(area: Area): boolean {
  return area.boundaryBytes > 0 && area.boundary === null;
}

/**
 * How an answer with boundaries is cached: as a clone if all boundaries are in memory, else made again. Undefined if it has
 * no areas or is too large to be cached.
 */
export function cachingOf(areas: readonly Area[], maxBytes: number): 'clone' | 'remake' | undefined {
  if (!areas.some(isLeftOut)) return areas.length > 0 ? 'clone' : undefined;
  return areas.reduce((sum, { boundaryBytes }) => sum + boundaryBytes, 0) <= maxBytes ? 'remake' : undefined;
}

/**
 * The texts of left-out boundaries, one after another, in slices of at most a portion. The next portion is read while the
 * caller works on this one, so at most two are in memory.
 *
 * @throws DomainError `storage_unavailable` when a boundary is gone, because its release was replaced in the meantime
 */
export async function* leftOutTexts(areas: readonly Area[], read: ReadSlices): AsyncGenerator<string> {
  const portions = [...portionsOf(areas.filter(isLeftOut))];
  let next = readPortion(portions[0] ?? [], read);
  for (let i = 1; i <= portions.length; i += 1) {
    const texts = await next;
    const following = portions[i];
    if (following) {
      next = readPortion(following, read);
      // A failure is thrown when this portion is awaited. Until then it must not count as unhandled.
      next.catch(() => undefined);
    }
    yield* texts;
  }
}

/**
 * The whole boundaries of areas that have one, in the order of the areas: left-out ones as `leftOutTexts` reads them.
 *
 * @throws DomainError as `leftOutTexts`
 */
export async function* boundariesOf(
  areas: readonly Area[],
  read: ReadSlices,
): AsyncGenerator<{ readonly area: Area; readonly text: string }> {
  const texts = leftOutTexts(areas, read);
  for (const area of areas) {
    if (area.boundary !== null) yield { area, text: area.boundary };
    if (!isLeftOut(area)) continue;
    let text = '';
    for await (const slice of slicesOf(area, texts)) text += slice;
    yield { area, text };
  }
}

/**
 * The slices of one left-out boundary.
 *
 * @param texts those of all left-out boundaries, read up to this one
 */
export async function* slicesOf({ code, boundaryBytes }: Area, texts: AsyncGenerator<string>): AsyncGenerator<string> {
  for (let rest = boundaryBytes; rest > 0; ) {
    const { value, done } = await texts.next();
    if (done) throw new Error(`The boundary of ${code} ended early`);
    yield value;
    rest -= value.length;
  }
}

/**
 * The slices of each portion. A boundary that fits into a portion stays whole, because the database reads a text from its
 * beginning to find its middle.
 */
function* portionsOf(areas: readonly Area[]): Generator<Slice[]> {
  let portion: Slice[] = [];
  let room = PORTION;
  for (const { code, id, boundaryBytes } of areas) {
    for (let start = 0; start < boundaryBytes; start += PORTION) {
      const length = Math.min(PORTION, boundaryBytes - start);
      if (length > room) {
        yield portion;
        portion = [];
        room = PORTION;
      }
      portion.push({ code, id, start, length });
      room -= length;
    }
  }
  if (portion.length > 0) yield portion;
}

async function readPortion(portion: readonly Slice[], read: ReadSlices): Promise<readonly string[]> {
  if (portion.length === 0) return [];
  const texts = await read(portion);
  if (portion.some(({ length }, i) => texts[i]?.length !== length)) {
    const message = 'The boundaries were replaced while they were read. Try again in a few seconds.';
    throw new DomainError('storage_unavailable', message);
  }
  return texts;
}
