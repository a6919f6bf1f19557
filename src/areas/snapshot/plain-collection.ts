import { steadyStream } from '../../http/stream.ts';
import { logFailure } from '../../log.ts';
import type { Resolution } from '../store.ts';
import { frameOf } from './collections.ts';
import type { CollectionLevel, SnapshotName } from './layout.ts';
import type { SnapshotObjects } from './objects.ts';
import type { OpenedAreas } from './opened.ts';

/** Where a boundary is stored: a range of an object. */
interface StoredRange {
  readonly object: SnapshotName;
  readonly offset: number;
  readonly length: number;
}

interface Range {
  readonly offset: number;
  readonly length: number;
}

/** How much of a boundary is read at once, bytes. Reads of this size are cached. */
const PORTION = 256 * 1024;

const encoder = new TextEncoder();

/** The FeatureCollection of all areas of a level as it is answered when it is not compressed, of which any range can be read. */
export class PlainCollection {
  /** In bytes. */
  readonly size: number;
  /** The parts of the body in order: encoded texts, and the ranges of stored boundaries. */
  readonly #pieces: readonly (Uint8Array | StoredRange)[];

  constructor(opened: OpenedAreas, level: CollectionLevel, resolution: Resolution) {
    const { first, end } = opened.rowsOf(level);
    const areas = Array.from({ length: end - first }, (_, i) => opened.area(first + i, resolution));
    this.#pieces = [...frameOf(level, areas)].flatMap((text, i) => {
      const area = areas[i];
      if (!area) return [encoder.encode(text)];
      if (area.boundaryBytes === 0) return [encoder.encode(`${text}null`)];
      return [
        encoder.encode(text),
        { ...opened.boundaries.placeOf(first + i, resolution), length: area.boundaryBytes },
      ];
    });
    this.size = this.#pieces.reduce((sum, { length }) => sum + length, 0);
  }

  /**
   * A range as a body. Only what lies in it is read.
   *
   * @throws SnapshotUnreadable
   */
  body(objects: SnapshotObjects, range: Range = { offset: 0, length: this.size }): Promise<ReadableStream<Uint8Array>> {
    const brokeOff = (error: unknown) => logFailure('collection_broke_off', error, {});
    return steadyStream(this.#bytes(objects, range), range.length, brokeOff);
  }

  async *#bytes(objects: SnapshotObjects, { offset, length }: Range): AsyncGenerator<Uint8Array> {
    let toSkip = offset;
    let toSend = length;
    for (const piece of this.#pieces) {
      const start = Math.min(toSkip, piece.length);
      toSkip -= start;
      const end = Math.min(piece.length, start + toSend);
      toSend -= end - start;
      if (piece instanceof Uint8Array) {
        if (end > start) yield piece.subarray(start, end);
        continue;
      }
      for (let at = start; at < end; at += PORTION) {
        yield objects.part(piece.object, piece.offset + at, Math.min(PORTION, end - at));
        objects.renew();
      }
    }
  }
}
