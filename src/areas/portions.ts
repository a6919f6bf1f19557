import { type Area, BOUNDARY_BUDGET, type Slice } from './store.ts';

/** Reads parts of boundaries that the first read left out. Gives their texts in the order of the slices. */
export type ReadSlices = (slices: readonly Slice[]) => Promise<readonly string[]>;

/** How much text is read at once for a streamed answer, bytes. Less costs more statements, more costs memory. */
const PORTION = BOUNDARY_BUDGET / 2;

/** Whether an area has a boundary that was not read with it. */
export function isLeftOut(area: Area): boolean {
  return area.boundaryBytes > 0 && area.boundary === null;
}

/**
 * What is cached of an answer with the boundaries of areas: a clone where all boundaries are in memory, else the answer made
 * anew. Undefined where the answer has no area or is too large.
 */
export function copyingOf(areas: readonly Area[], maxBytes: number): 'clone' | 'anew' | undefined {
  if (!areas.some(isLeftOut)) return areas.length > 0 ? 'clone' : undefined;
  return areas.reduce((sum, { boundaryBytes }) => sum + boundaryBytes, 0) <= maxBytes ? 'anew' : undefined;
}

/**
 * The boundaries that the first read left out, one after another, in slices of at most a portion. Portions are read one
 * at a time. The next one is read while the reader works on this one, so at most two are in memory.
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
      // A failure is thrown when this portion is awaited. Until then it must not count as unhandled.
      next.catch(() => undefined);
    }
    yield* texts;
  }
}

/**
 * The whole boundaries of areas that have one, in their order: those that were read with them, and the others as
 * `slicesOf` reads them.
 *
 * @throws Error as `slicesOf`
 */
export async function* boundariesOf(
  areas: readonly Area[],
  read: ReadSlices,
): AsyncGenerator<{ readonly area: Area; readonly text: string }> {
  const slices = slicesOf(areas, read);
  for (const area of areas) {
    if (area.boundary !== null) yield { area, text: area.boundary };
    if (!isLeftOut(area)) continue;
    const texts: string[] = [];
    for (let rest = area.boundaryBytes; rest > 0; ) {
      const { value, done } = await slices.next();
      if (done) throw new Error(`The boundary of ${area.code} ended early`);
      texts.push(value);
      rest -= value.length;
    }
    yield { area, text: texts.join('') };
  }
}

/**
 * Slices in groups of at most a portion. A boundary that fits into a portion stays whole, because the database finds the
 * middle of a text only by reading it from its beginning.
 */
function* cut(areas: readonly Area[]): Generator<Slice[]> {
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

async function complete(portion: readonly Slice[], read: ReadSlices): Promise<readonly string[]> {
  if (portion.length === 0) return [];
  const texts = await read(portion);
  for (const [i, { code, length }] of portion.entries()) {
    if (texts[i]?.length !== length) throw new Error(`The boundary of ${code} is gone`);
  }
  return texts;
}
