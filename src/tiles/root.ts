import type { Entry, Header } from 'pmtiles';
import { invalidArchive } from './header.ts';
import { MAX_READ_BYTES, readRoot } from './reader.ts';

/**
 * Reads the root directory of a stored archive, as every reader begins, and checks that what it leads to is there.
 *
 * @throws DomainError `invalid_archive`
 */
export async function checkRoot(bucket: R2Bucket, key: string, header: Header): Promise<void> {
  const { leafDirectoryLength = 0, tileDataLength = 0 } = header;
  let next = 0;
  for (const { tileId, offset, length, runLength } of await entriesOf(bucket, key, header)) {
    if (!(tileId >= next)) throw invalidArchive('the entries of its root directory are not in order');
    // A run of none leads to a leaf directory.
    const section = runLength === 0 ? leafDirectoryLength : tileDataLength;
    const isWithin = offset >= 0 && length > 0 && length <= MAX_READ_BYTES && offset + length <= section;
    if (!isWithin) throw invalidArchive('an entry of its root directory leads outside of its tiles and directories');
    next = tileId + Math.max(runLength, 1);
  }
}

async function entriesOf(bucket: R2Bucket, key: string, header: Header): Promise<Entry[]> {
  try {
    return await readRoot(bucket, key, header);
  } catch {
    throw invalidArchive('its root directory can not be read');
  }
}
