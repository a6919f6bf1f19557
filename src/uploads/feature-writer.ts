import type { Database } from '../db/client.ts';
import { DomainError } from '../errors.ts';
import type { NewFeature } from '../features/feature.ts';
import { misplacedText, positionPath } from '../features/misplaced.ts';
import type { Geometry } from '../geojson/geometry.ts';
import { FeatureQuota, textLength } from './feature-quota.ts';
import { insertStagedFeatures } from './repo/versions.ts';

/** Max features per statement. */
const BATCH_FEATURES = 1000;
/** Max text of features per statement, characters, unless a single feature has more. */
const BATCH_TEXT = 1024 * 1024;
/** Up to this many features or this much text, a small file must be stored within the deadline of one response. */
const SHORT_FEATURES = 5 * BATCH_FEATURES;
const SHORT_TEXT = BATCH_TEXT;

export interface WrittenCounts {
  readonly count: number;
  readonly withoutGeometry: number;
}

/**
 * Stores the features of a staged version while they are read, in batches of one statement each. A batch is stored
 * while the next one is collected, so at most two are in memory. A feature larger than a batch is stored before the
 * next one is read.
 */
export class FeatureWriter {
  readonly #db: Database;
  readonly #versionId: string;
  /** The reference system that the coordinates of the features are in. */
  readonly srid: number;
  #batch: NewFeature[] = [];
  #batchText = 0;
  /** Number of features in earlier batches, and their text. */
  #handedOver = 0;
  #textHandedOver = 0;
  readonly #quota = new FeatureQuota();
  #count = 0;
  #withoutGeometry = 0;
  #storing: Promise<void> | undefined;

  readonly #requireRoom: (bytes: number) => void;
  readonly #isLong: () => boolean;

  /**
   * @param options `srid`: of the features; `requireRoom`: called with the lower bound of their size, throws if that is
   * too much; `isLong`: whether the file is large
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
   * @throws FileFault if the file exceeds its limits, and what `requireRoom` throws
   * @throws DomainError `invalid_geometry` or `unsupported_srid` if an earlier feature could not be transformed
   */
  async write(feature: NewFeature): Promise<void> {
    this.#quota.take(feature, this.srid);
    this.#count += 1;
    if (feature.geometry === null && !feature.shape) this.#withoutGeometry += 1;
    this.#requireRoom(this.#quota.leastBytes);
    // What is not stored takes memory too until its batch is stored.
    const length = textLength(feature) + (feature.origin?.given?.length ?? 0);
    if (this.#batch.length > 0 && this.#batchText + length > BATCH_TEXT) await this.#flushFull();
    this.#batch.push(feature);
    this.#batchText += length;
    if (this.#batch.length === BATCH_FEATURES) await this.#flushFull();
    if (length <= BATCH_TEXT) return;
    // Awaited, because the next feature may be as large.
    await this.#flushFull();
    await this.#storing;
  }

  /** How many features were written, and how many of them have no geometry, so that no map shows them. */
  get counts(): WrittenCounts {
    return { count: this.#count, withoutGeometry: this.#withoutGeometry };
  }

  /** Stores the last batch and waits until everything is stored. Throws like `write`. */
  async finish(): Promise<void> {
    if (this.#batch.length > 0) await this.#flush();
    await this.#storing;
  }

  /** Waits for the batch being stored. Returns its error, or undefined. */
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
    if (this.#isLong() || this.#handedOver > SHORT_FEATURES || this.#textHandedOver > SHORT_TEXT) {
      this.#db.deadline.partDone();
    }
  }

  async #flush(): Promise<void> {
    await this.#storing;
    const batch = this.#batch;
    this.#textHandedOver += this.#batchText;
    this.#batch = [];
    this.#batchText = 0;
    this.#handedOver += batch.length;
    this.#storing = this.#store(batch);
    // The next flush awaits this batch and handles its error. Until then the runtime would report it as unhandled.
    this.#storing.catch(() => undefined);
  }

  async #store(features: readonly NewFeature[]): Promise<void> {
    const outcome = await insertStagedFeatures(this.#db, { versionId: this.#versionId, features, srid: this.srid });
    if (outcome === 'stored') return;
    if (outcome === 'gone') throw new Error('The version was swept away while it was being written');
    const { geometry, origin } = features[outcome.feature - 1] ?? {};
    const given = JSON.parse(origin?.given ?? geometry ?? '{}') as Geometry;
    const path = [...(origin?.path ?? []), ...positionPath(given, outcome)];
    const message = `file: ${misplacedText(path, this.srid, outcome, origin?.location)}`;
    throw new DomainError('invalid_geometry', message, { facts: { path } });
  }
}
