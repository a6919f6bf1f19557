import { crc32 } from '../../crc32.ts';
import { COLLECTION, featureOf, type Item, recordOf } from '../records.ts';
import type { Area } from '../store.ts';
import type { CollectionLevel } from './layout.ts';

// The FeatureCollections of all areas of a level are compressed when a release is published, and passed on as they are.

/** The texts around the boundaries of a FeatureCollection: before the first, between two, after the last. */
export function* frameOf(level: CollectionLevel, areas: readonly Area[]): Generator<string> {
  let before: string = COLLECTION.head;
  for (const area of areas) {
    const item: Item = featureOf(area, recordOf(level, area));
    yield before + item.before;
    before = `${item.after},`;
  }
  yield (areas.length === 0 ? before : before.slice(0, -1)) + COLLECTION.tail;
}

/**
 * A checksum of the texts around the boundaries. The build that publishes a release may make other records than the one
 * that serves it; then this differs, and the compressed body is not that of this build.
 */
export function checksumOf(level: CollectionLevel, areas: readonly Area[]): number {
  const encoder = new TextEncoder();
  let checksum = 0;
  for (const text of frameOf(level, areas)) checksum = crc32(encoder.encode(text), checksum);
  return checksum;
}
