import type { Bucket } from '../../storage/bucket.ts';
import { editionId } from '../edition-id.ts';
import type { AreaStore } from '../store.ts';
import { editionName, HISTORY, VERSIONS } from './layout.ts';
import { SnapshotObjects } from './objects.ts';
import { openAreas, openEdition } from './open.ts';
import { getManifest } from './publication.ts';
import { snapshotAreas } from './store.ts';

/** A version whose manifest and areas were read. Requests share it, and each reads with its own `bucket`, which has its deadline. */
export interface OpenedVersion {
  /** The id of its release. */
  readonly release: string;
  areas(bucket: Bucket): AreaStore;
  /** The ids of the editions in it, the release's own first. */
  readonly editions: readonly string[];
  /** Whether it has every version of every area. What earlier builds published has none. */
  readonly hasVersions: boolean;
  /** Whether its editions and history were there when it was opened. They are published later, under the same version. */
  readonly isComplete: boolean;
  /** Opens the areas of an edition in it, or with `VERSIONS` every version of every area. */
  openEdition(bucket: Bucket, id: string): Promise<(bucket: Bucket) => AreaStore>;
}

/** The name of an object with the areas of an edition. */
const EDITION_AREAS = /^edition-(\d{4}-\w\w)$/;

/** @throws SnapshotUnreadable */
export async function openVersion(bucket: Bucket, version: string): Promise<OpenedVersion> {
  const manifest = await getManifest(bucket, version);
  const objects = new SnapshotObjects(bucket, manifest);
  const opened = await openAreas(objects);
  const areas = snapshotAreas(opened);
  return {
    release: manifest.release,
    areas: (reader) => areas(objects.readBy(reader)),
    editions: [
      editionId(opened.facts.edition),
      ...manifest.objects.flatMap(({ name }) => EDITION_AREAS.exec(name)?.[1] ?? []),
    ],
    isComplete: objects.has(HISTORY),
    hasVersions: objects.has(editionName(VERSIONS)),
    openEdition: async (reader, id) => {
      const edition = snapshotAreas(await openEdition(objects.readBy(reader), id, opened));
      return (later) => edition(objects.readBy(later));
    },
  };
}
