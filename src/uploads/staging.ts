import type { Database } from '../db/client.ts';
import { DomainError } from '../errors.ts';
import type { NewFeature } from '../features/feature.ts';
import { FeatureQuota, textLength } from './feature-quota.ts';
import { stage } from './repo.ts';

/** How many features one statement stores at most. */
const BATCH_FEATURES = 1000;
/** How much text of features one statement stores at most, bytes, unless a single feature has more. */
const BATCH_BYTES = 1024 * 1024;

/**
 * Stores the features of a version as they are read, in batches of one statement each. While one is stored the next is
 * gathered, so that no more than two are in memory.
 */
export class Staging {
  readonly #db: Database;
  readonly #versionId: string;
  readonly srid: number;
  #batch: NewFeature[] = [];
  #bytes = 0;
  #stored = 0;
  readonly #quota = new FeatureQuota();
  #storing: Promise<void> | undefined;

  constructor(db: Database, versionId: string, srid: number) {
    this.#db = db;
    this.#versionId = versionId;
    this.srid = srid;
  }

  /** @throws FileFault where a file has more than may be stored of one */
  async add(feature: NewFeature): Promise<void> {
    this.#quota.take(feature);
    const bytes = textLength(feature);
    if (this.#batch.length > 0 && this.#bytes + bytes > BATCH_BYTES) await this.#flush();
    this.#batch.push(feature);
    this.#bytes += bytes;
    if (this.#batch.length === BATCH_FEATURES) await this.#flush();
  }

  /** Waits until everything is stored. */
  async finish(): Promise<void> {
    if (this.#batch.length > 0) await this.#flush();
    await this.#storing;
  }

  /** Waits until nothing is being stored any more. Gives what that failed with, undefined where it did not. */
  async settle(): Promise<unknown> {
    try {
      await this.#storing;
    } catch (error) {
      return error;
    }
    return undefined;
  }

  async #flush(): Promise<void> {
    await this.#storing;
    const [batch, first] = [this.#batch, this.#stored];
    this.#batch = [];
    this.#bytes = 0;
    this.#stored += batch.length;
    this.#storing = this.#store(batch, first);
    // Looked at with the next batch; until then its failure is nobody's.
    this.#storing.catch(() => undefined);
  }

  async #store(batch: readonly NewFeature[], first: number): Promise<void> {
    const outcome = await stage(this.#db, this.#versionId, batch, this.srid);
    if (outcome === undefined) return;
    if (outcome === 'gone') throw new Error('The version was swept away while it was being written');
    throw new DomainError(
      'invalid_geometry',
      `Feature ${first + outcome} of the file lies nowhere on Earth when its coordinates are taken as those of SRID ${this.srid}.`,
    );
  }
}
