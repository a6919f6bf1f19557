import type { Database } from '../db/client.ts';
import { DomainError } from '../errors.ts';
import type { NewFeature } from '../features/feature.ts';
import { misplacedText, positionPath } from '../features/misplaced.ts';
import type { Geometry } from '../geojson/geometry.ts';
import { FeatureQuota, textLength } from './feature-quota.ts';
import { insertStagedFeatures } from './repo/versions.ts';

/** How many features one statement stores at most. */
const BATCH_FEATURES = 1000;
/** Up to so many features of a small file have the time of one answer together. */
const SHORT_FEATURES = 5 * BATCH_FEATURES;
/** How much text of features one statement stores at most, characters, unless a single feature has more. */
const BATCH_TEXT = 1024 * 1024;

/**
 * Stores the features of a staged version while they are read, in batches of one statement each. The next batch is
 * gathered while one is being stored, so at most two are in memory. A feature that is larger than a batch is stored before
 * the next one is read.
 */
export class FeatureWriter {
  readonly #db: Database;
  readonly #versionId: string;
  /** The reference system that the coordinates of the features are in. */
  readonly srid: number;
  #batch: NewFeature[] = [];
  #batchText = 0;
  /** How many features were in earlier batches. */
  #handedOver = 0;
  readonly #quota = new FeatureQuota();
  #storing: Promise<void> | undefined;

  readonly #requireRoom: (bytes: number) => void;
  readonly #isLong: () => boolean;

  /**
   * @param options `srid`: of the features; `requireRoom`: is told what they count at least, and throws where that is too
   * much; `isLong`: whether the file is large
   */
  constructor(
    db: Database,
    versionId: string,
    { srid, requireRoom, isLong }: { srid: number; requireRoom: (bytes: number) => void; isLong: () => boolean },
  ) {
    this.#db = db;
    this.#versionId = versionId;
    this.srid = srid;
    this.#requireRoom = requireRoom;
    this.#isLong = isLong;
  }

  /**
   * @throws FileFault where the file has more than may be stored of one file, and what `requireRoom` throws
   * @throws DomainError `invalid_geometry` or `unsupported_srid` where an earlier feature could not be transformed
   */
  async write(feature: NewFeature): Promise<void> {
    this.#quota.take(feature, this.srid);
    this.#requireRoom(this.#quota.leastBytes);
    const length = textLength(feature);
    if (this.#batch.length > 0 && this.#batchText + length > BATCH_TEXT) await this.#flushFull();
    this.#batch.push(feature);
    this.#batchText += length;
    if (this.#batch.length === BATCH_FEATURES) await this.#flushFull();
    if (length <= BATCH_TEXT) return;
    // The next feature is made once this method has ended, and may be as large.
    await this.#flushFull();
    await this.#storing;
  }

  /** Stores what is left and waits until everything is stored. Throws as `write` does. */
  async finish(): Promise<void> {
    if (this.#batch.length > 0) await this.#flush();
    await this.#storing;
  }

  /** Waits for the batch that is being stored. Returns what it failed with, undefined where it did not fail. */
  async pendingFailure(): Promise<unknown> {
    try {
      await this.#storing;
    } catch (error) {
      return error;
    }
    return undefined;
  }

  /** A full batch is a part of the work, once the work is long. */
  async #flushFull(): Promise<void> {
    await this.#flush();
    if (this.#isLong() || this.#handedOver > SHORT_FEATURES) this.#db.deadline.partDone();
  }

  async #flush(): Promise<void> {
    await this.#storing;
    const [batch, first] = [this.#batch, this.#handedOver];
    this.#batch = [];
    this.#batchText = 0;
    this.#handedOver += batch.length;
    this.#storing = this.#store(batch, first);
    // The next flush awaits this batch and handles its failure. Until then an unhandled one would be reported.
    this.#storing.catch(() => undefined);
  }

  /** @param first how many features of the file come before the batch */
  async #store(features: readonly NewFeature[], first: number): Promise<void> {
    const outcome = await insertStagedFeatures(this.#db, { versionId: this.#versionId, features, srid: this.srid });
    if (outcome === 'stored') return;
    if (outcome === 'gone') throw new Error('The version was swept away while it was being written');
    const geometry = JSON.parse(features[outcome.feature - 1]?.geometry ?? '{}') as Geometry;
    const path = positionPath(geometry, outcome);
    const place = `file: feature ${first + outcome.feature}, ${misplacedText(path, this.srid, outcome)}`;
    throw new DomainError('invalid_geometry', place, { path });
  }
}
