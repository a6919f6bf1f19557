import type { Bucket } from '../../storage/bucket.ts';
import { editionId } from '../edition-id.ts';
import type { AreaStore } from '../store.ts';
import { editionIdOf, editionName, HISTORY, THROUGH_TIME } from './layout.ts';
import { SnapshotObjects } from './objects.ts';
import { openAreas, openEdition } from './open.ts';
import { getManifest } from './publication.ts';
import { snapshotAreas } from './store.ts';

/** Areas that were opened. They are cached; each request passes its own bucket, which has its deadline. */
type BoundAreas = (bucket: Bucket) => AreaStore;

/** A version whose manifest and areas were read. Requests share it. */
export interface OpenedVersion {
  /** The id of its release. */
  readonly release: string;
  readonly areas: BoundAreas;
  /** The ids of the editions in it, the release's own first. */
  readonly editions: readonly string[];
  /** Whether it has the areas through time: every version of every area. What earlier builds published has none. */
  readonly hasAreasThroughTime: boolean;
  /** Whether its editions and history were there when it was opened. They are published later, under the same version. */
  readonly isComplete: boolean;
  /** Opens the areas of an edition in it, or with `THROUGH_TIME` every version of every area. */
  openEdition(bucket: Bucket, id: string): Promise<BoundAreas>;
}

/** @throws SnapshotUnreadable */
export async function openVersion(bucket: Bucket, version: string): Promise<OpenedVersion> {
  const manifest = await getManifest(bucket, version);
  const objects = new SnapshotObjects(bucket, manifest);
  const opened = await openAreas(objects);
  const areas = snapshotAreas(opened);
  return {
    release: manifest.release,
    areas: (own) => areas(objects.readBy(own)),
    editions: [editionId(opened.facts.edition), ...manifest.objects.flatMap(({ name }) => editionIdOf(name) ?? [])],
    isComplete: objects.has(HISTORY),
    hasAreasThroughTime: objects.has(editionName(THROUGH_TIME)),
    openEdition: async (own, id) => {
      const edition = snapshotAreas(await openEdition(objects.readBy(own), id, opened));
      return (later) => edition(objects.readBy(later));
    },
  };
}
