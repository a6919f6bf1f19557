import { logFailure } from '../../log.ts';
import { type Area, BOUNDARY_BUDGET, type Resolution } from '../store.ts';
import type { SnapshotName } from './layout.ts';
import { MAX_CONCURRENT_READS, type SnapshotObjects, SnapshotUnreadable } from './objects.ts';
import type { OpenedAreas } from './opened.ts';

/** What is read; undefined where the bucket does not give it, so that the answer is made from the texts of its areas. */
export async function unlessUnreadable<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof SnapshotUnreadable)) throw error;
    logFailure('snapshot_unreadable', error, {});
    return undefined;
  }
}

/** A part of an object with texts. */
interface Place {
  readonly offset: number;
  readonly length: number;
}

const ascii = new TextDecoder('latin1');

/** Bytes between two texts that are read along, so that one read serves both. */
const MAX_GAP = 16 * 1024;

/** The longest read of several texts, bytes: with what lies between them it could be many times the texts themselves. */
const MAX_READ = 1024 * 1024;

/** Texts of an object in the requested order. Neighbouring texts are one read. */
async function readTexts(objects: SnapshotObjects, name: string, places: readonly Place[]): Promise<string[]> {
  const order = places.map((_, i) => i).sort((a, b) => (places[a] as Place).offset - (places[b] as Place).offset);
  const reads: { start: number; end: number; group: number[] }[] = [];
  for (const at of order) {
    const { offset, length } = places[at] as Place;
    const last = reads.at(-1);
    if (last && offset <= last.end + MAX_GAP && offset + length <= last.start + MAX_READ) {
      last.end = Math.max(last.end, offset + length);
      last.group.push(at);
    } else reads.push({ start: offset, end: offset + length, group: [at] });
  }
  const texts = Array<string>(places.length).fill('');
  for (let i = 0; i < reads.length; i += MAX_CONCURRENT_READS) {
    await Promise.all(
      reads.slice(i, i + MAX_CONCURRENT_READS).map(async ({ start, end, group }) => {
        const bytes = await objects.part(name, start, end - start);
        for (const at of group) {
          const { offset, length } = places[at] as Place;
          texts[at] = ascii.decode(bytes.subarray(offset - start, offset - start + length));
        }
      }),
    );
  }
  return texts;
}

/** Reads the boundaries of the first areas, as many as the budget allows together. */
export async function bringBoundaries(
  opened: OpenedAreas,
  objects: SnapshotObjects,
  rows: ArrayLike<number>,
  areas: readonly Area[],
  resolution: Resolution,
): Promise<void> {
  let bytes = 0;
  const brought: number[] = [];
  for (const [i, { boundaryBytes }] of areas.entries()) {
    bytes += boundaryBytes;
    if (bytes > BOUNDARY_BUDGET) break;
    if (boundaryBytes > 0) brought.push(i);
  }
  const places = brought.map((i) => ({
    ...opened.boundaries.placeOf(rows[i] as number, resolution),
    length: (areas[i] as Area).boundaryBytes,
  }));
  for (const [at, text] of (await readPlaces(objects, places)).entries()) {
    (areas[brought[at] as number] as Area).boundary = text;
  }
}

/** Texts of several objects, in the requested order. */
export async function readPlaces(
  objects: SnapshotObjects,
  places: readonly (Place & { readonly object: SnapshotName })[],
): Promise<string[]> {
  const texts = Array<string>(places.length).fill('');
  for (const [object, members] of Map.groupBy(places.entries(), ([, place]) => place.object)) {
    const found = await readTexts(
      objects,
      object,
      members.map(([, place]) => place),
    );
    for (const [i, [at]] of members.entries()) texts[at] = found[i] as string;
  }
  return texts;
}
