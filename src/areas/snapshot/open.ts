import { RESOLUTIONS } from '../store.ts';
import { decompress } from './decompress.ts';
import { AREAS, boundariesName, editionName, type Manifest, POINTS, ROW_LEVELS } from './layout.ts';
import { type SnapshotObjects, SnapshotUnreadable } from './objects.ts';
import { OpenedAreas } from './opened.ts';

/** Max bytes of the object `areas`, compressed and decompressed. That of the whole country has 1.5 and 4.9 MB. */
const MAX_COMPRESSED = 8 * 1024 * 1024;
const MAX_DECOMPRESSED = 24 * 1024 * 1024;

/**
 * Opens the areas of a snapshot.
 *
 * @throws SnapshotUnreadable if they can't be read
 * @throws Error if they are no areas, or those of another version
 */
export async function openAreas(objects: SnapshotObjects): Promise<OpenedAreas> {
  const opened = new OpenedAreas(
    await decompress(await objects.whole(AREAS, MAX_COMPRESSED), 'gzip', MAX_DECOMPRESSED),
  );
  if (opened.facts.version === objects.version) return opened;
  throw new SnapshotUnreadable(`The areas of ${objects.version} are of ${opened.facts.version}`);
}

/**
 * Opens the areas of an edition that the snapshot of a release includes.
 *
 * @param base the areas of the release
 * @throws SnapshotUnreadable if they can't be read
 * @throws Error if they are no areas
 */
export async function openEdition(objects: SnapshotObjects, id: string, base: OpenedAreas): Promise<OpenedAreas> {
  return new OpenedAreas(
    await decompress(await objects.whole(editionName(id), MAX_COMPRESSED), 'gzip', MAX_DECOMPRESSED),
    base,
  );
}

/**
 * Compares the bytes of every object with those that the areas say. Returns a sentence for each that differs. Everything that is
 * read of the areas later is read here once.
 *
 * @param options `isPart`: boundaries may follow
 * @throws Error if the areas lack something
 */
export function checkBoundaryBytes(
  opened: OpenedAreas,
  { release, objects }: Manifest,
  { isPart = false }: { isPart?: boolean | undefined } = {},
): string[] {
  const faults = opened.facts.release === release ? [] : [`the areas are of the release ${opened.facts.release}`];
  const stored = new Map<string, number>(objects.map(({ name, bytes }) => [name, bytes]));
  const expected = new Map<string, number>([[POINTS, opened.pointBytes]]);
  for (const level of ROW_LEVELS) {
    const { first, end } = opened.rowsOf(level);
    for (const resolution of RESOLUTIONS) {
      let bytes = 0;
      for (let row = first; row < end; row += 1) bytes += opened.boundaries.bytesOf(row, resolution);
      expected.set(boundariesName(level, resolution), bytes);
    }
  }
  for (const [name, bytes] of expected) {
    const found = stored.get(name) ?? 0;
    if (isPart && found === 0 && name !== POINTS) continue;
    if (found !== bytes) faults.push(`${name} has ${found} bytes and the areas say ${bytes}`);
  }
  opened.requireReadable();
  return faults;
}
