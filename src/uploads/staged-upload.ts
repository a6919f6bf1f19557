import type { ServiceContext } from '../context.ts';
import { purgeVersion } from '../datasets/purge.ts';
import { listSystems } from '../datasets/repo/reads.ts';
import { deleteFeatureBatch } from '../datasets/repo/versions.ts';
import { requireSrid, writeOf } from '../datasets/service.ts';
import { sweepVersions } from '../datasets/sweep.ts';
import { DomainError, type ErrorCode } from '../errors.ts';
import type { NewFeature } from '../features/feature.ts';
import { WGS84 } from '../geojson/domains.ts';
import { logFailure } from '../log.ts';
import { MAX_FEATURE_BYTES } from './feature-quota.ts';
import { FeatureWriter, type WrittenCounts } from './feature-writer.ts';
import { fileErrorOf } from './file-errors.ts';
import {
  type FeatureFile,
  type FeatureReader,
  FileFault,
  type Format,
  type GuessedLines,
  MAX_FEATURES,
  type OpenOptions,
  type PlaceRow,
  type ReadOptions,
  type StreamFormat,
  type TableFacts,
} from './formats/format.ts';
import { UnknownSystem } from './formats/projection.ts';
import { patternOf, sridOfSame } from './formats/same-system.ts';
import { InvalidRows, type SkippedRows } from './invalid-rows.ts';
import { fileTooLarge } from './limits.ts';
import { PlaceAreas, type PlaceOptions, type PlaceSummary } from './place-areas.ts';
import { insertStagedVersion, type Room } from './repo/staged.ts';
import { resetStagedSummary, type StoredFile, updateStagedVersion } from './repo/versions.ts';
import { ObjectWriter, randomAccess } from './stored-object.ts';

/** How many rows that name places are matched at once, and how much text they have at most, unless a single one has more. */
const BATCH_PLACES = 1000;
const BATCH_PLACE_TEXT = 1024 * 1024;

/** Errors of the client that end the reading of features, and not the upload of a file whose features are not wanted. */
const REFUSALS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'quota_exceeded',
  'edition_not_found',
  'boundaries_not_loaded',
  'missing_scope',
]);

/** Heartbeat interval of a slow upload, milliseconds. */
const HEARTBEAT_MS = 60_000;

/**
 * Min file size, bytes, whose features take long to parse. The platform's clock stands still during computation and
 * then jumps, which looks like waiting.
 */
const LONG_READ_BYTES = 1024 * 1024;

export interface Reading extends OpenOptions {
  readonly format: Format;
  /** The reference system of its coordinates; undefined: that of the file, or WGS 84. */
  readonly srid: number | undefined;
  /** How rows that name places are read; undefined: only if there are no coordinates, as `PlaceAreas` does by default. */
  readonly places?: PlaceOptions | undefined;
  /** Whether rows and features that are not valid are left out. If not, the file is refused for them. */
  readonly skipsInvalid: boolean;
}

/** What the rows of a table of places were taken for, and by which columns. */
export interface ReadPlaces extends PlaceSummary {
  readonly columns: Readonly<Record<string, readonly string[]>>;
}

export interface ReceiveOptions {
  /** How to read its features while it arrives; undefined: not at all. */
  readonly reading: Reading | undefined;
  /**
   * Whether the features must be readable. If not, an unreadable file is still stored, because a field after it may say
   * that its features are not needed.
   */
  readonly featuresRequired: boolean;
}

type Items = Iterable<NewFeature | PlaceRow> | AsyncIterable<NewFeature | PlaceRow>;

interface ReadStep {
  readonly featuresRequired: boolean;
  /** Whether nothing more comes. */
  readonly isLast?: boolean;
}

/** An attempt to read features from bytes as they arrive. */
interface Attempt extends Reading {
  readonly options: ReadOptions;
  /** What it is read from. */
  source: TableFacts | undefined;
  readonly writer: FeatureWriter;
  readonly placeAreas: PlaceAreas;
  /** Rows that name places and are not matched yet. */
  readonly placeRows: PlaceRow[];
  /** Characters of these rows, with the names of their columns. */
  placeText: number;
  /** How many rows were matched. */
  placesRead: number;
  readonly invalid: InvalidRows;
  /** Why the features can't be read, if that does not end the upload yet. */
  fault: DomainError | undefined;
}

/**
 * An uploaded file as a staged version, which is not visible yet. The file is written to the bucket while it arrives.
 * If its format allows that, its features are read from the same bytes and written to the database.
 */
export class StagedUpload {
  readonly #ctx: ServiceContext;
  readonly #alive: (() => Promise<void>) | undefined;
  readonly #onPlaceRows: (count: number) => Promise<void>;
  readonly #versionId = crypto.randomUUID();
  /** The object key. It contains nothing sent by a client. */
  readonly #key = `datasets/${this.#versionId}`;
  #bytes = 0;
  /** Whether a part of the file was sent to the bucket without an acknowledgement. */
  #isWriting = false;
  #attempt: Attempt | undefined;
  #room: Room | undefined;
  #aliveAt = Date.now();
  /** How many rows that name places were counted against the limit. */
  #placesCounted = 0;

  readonly #announced: number;

  /**
   * @param input `announced`: lower bound of the file's size, bytes; `alive`: called at intervals while it arrives;
   * `onPlaceRows`: called with the number of rows that are about to be matched with places, and awaited
   */
  constructor(
    ctx: ServiceContext,
    {
      announced,
      alive,
      onPlaceRows,
    }: {
      announced: number;
      alive: (() => Promise<void>) | undefined;
      onPlaceRows: (count: number) => Promise<void>;
    },
  ) {
    this.#ctx = ctx;
    this.#announced = announced;
    this.#alive = alive;
    this.#onPlaceRows = onPlaceRows;
  }

  /** The rows and features that were left out, if any. */
  get skipped(): SkippedRows | undefined {
    return this.#attempt?.invalid.skipped;
  }

  /** Lines of a table that were read in another encoding than the others, if any. */
  get guessedLines(): GuessedLines | undefined {
    return this.#attempt?.source?.guessedLines;
  }

  /** How many features were stored, and how many of them no map shows. */
  get written(): WrittenCounts | undefined {
    return this.#attempt?.writer.counts;
  }

  /** What the rows of a table of places were taken for, if it is one. */
  get places(): ReadPlaces | undefined {
    const { source, placeAreas } = this.#attempt ?? {};
    const summary = placeAreas?.summary;
    return summary && { columns: source?.placeHeadings ?? {}, ...summary };
  }

  /** The stored file, after `receive`. */
  get file(): Omit<StoredFile, 'name'> {
    return { versionId: this.#versionId, key: this.#key, bytes: this.#bytes };
  }

  /**
   * Stores the file, and reads its features while it arrives if `reading` is given and its format can be streamed.
   *
   * @throws DomainError `file_too_large`, `invalid_file` if it is empty, `quota_exceeded` as soon as it exceeds its max
   * size, and as `insertStagedVersion`; if the features are required, also `invalid_file`, `invalid_geometry` and
   * `unsupported_srid` for features that can't be read
   */
  async receive(chunks: AsyncIterable<Uint8Array>, { reading, featuresRequired }: ReceiveOptions): Promise<void> {
    const { db, bucket, config } = this.#ctx;
    const maxBytes = config.UPLOAD_MAX_BYTES;
    // The row is inserted before anything is stored under the key, so that the sweep finds the remains of a crash.
    const { caller, quota } = writeOf(this.#ctx);
    this.#room = await insertStagedVersion(db, {
      versionId: this.#versionId,
      key: this.#key,
      bytes: this.#announced,
      maxCounted: maxBytes + MAX_FEATURE_BYTES,
      caller,
      quota,
      onUnused: (owner) => this.#sweep(owner),
    });
    this.#aliveAt = Date.now();
    const writer = new ObjectWriter(bucket, this.#key, (multipartId) => this.#recordAlive(multipartId));
    const streamed = reading?.format.kind === 'stream' ? this.#startStream(reading, reading.format) : undefined;
    for await (const chunk of chunks) {
      this.#bytes += chunk.length;
      if (this.#bytes > maxBytes) {
        throw fileTooLarge(config);
      }
      this.#requireRoom(0);
      this.#isWriting = true;
      await writer.write(chunk);
      this.#isWriting = false;
      if (streamed && !streamed.attempt.fault) {
        await this.#read(streamed.attempt, () => streamed.reader.push(chunk), { featuresRequired });
      }
      if (Date.now() - this.#aliveAt > HEARTBEAT_MS) await this.#recordAlive(undefined);
    }
    if (this.#bytes === 0) throw new DomainError('invalid_file', 'file: is empty.');
    if (streamed && !streamed.attempt.fault) {
      await this.#read(streamed.attempt, () => streamed.reader.end(), { featuresRequired, isLast: true });
    }
    // A field after the file may say that invalid rows are left out.
    if (streamed) streamed.attempt.fault ??= refusalOf(streamed.attempt);
    this.#isWriting = true;
    await writer.finish();
    this.#isWriting = false;
  }

  /**
   * Ensures that the features of the received file are stored. If they were not read while it arrived, or as another
   * format, reference system or layer, the stored file is read now.
   *
   * @returns the reference system that the features were in
   * @throws DomainError `invalid_file`, `invalid_geometry`, `unsupported_srid`
   */
  async requireFeatures(reading: Reading): Promise<number> {
    const attempt = this.#attempt;
    const isSame =
      attempt?.format === reading.format &&
      attempt.layer === reading.layer &&
      attempt.encoding === reading.encoding &&
      JSON.stringify(attempt.places) === JSON.stringify(reading.places) &&
      (attempt.skipsInvalid === reading.skipsInvalid || attempt.invalid.count === 0);
    if (isSame && attempt.writer.srid === (reading.srid ?? WGS84)) {
      if (attempt.fault) throw attempt.fault;
      await attempt.writer.finish();
      this.#endPart();
      return attempt.writer.srid;
    }
    await this.deleteFeatures();
    const srid = await this.#readStored(reading);
    this.#endPart();
    return srid;
  }

  /**
   * Deletes the features that were stored.
   *
   * @throws the error of storing them, unless the file caused it. A statement that timed out may still take effect
   * after the deletion, so the version must not be used then.
   */
  async deleteFeatures(): Promise<void> {
    const attempt = this.#attempt;
    if (!attempt) return;
    this.#attempt = undefined;
    const failure = await attempt.writer.pendingFailure();
    if (failure !== undefined && !fileErrorOf(failure)) throw failure;
    const { db } = this.#ctx;
    while (await deleteFeatureBatch(db, { versionId: this.#versionId })) db.deadline.partDone();
    await resetStagedSummary(db, { versionId: this.#versionId });
  }

  async abandon(): Promise<void> {
    await this.#attempt?.writer.pendingFailure();
    await purgeVersion(this.#ctx.afterAnswer, { versionId: this.#versionId, isWriting: this.#isWriting });
  }

  /** Deletes replaced versions of the owner, which count until the nightly housekeeping. */
  #sweep(owner: string): void {
    const sweeping = sweepVersions(this.#ctx.afterAnswer, { now: new Date(), owner });
    this.#ctx.waitUntil(sweeping.catch((error) => logFailure('versions_not_swept', error, {})));
  }

  async #readStored(reading: Reading): Promise<number> {
    const { bucket } = this.#ctx;
    const { format } = reading;
    const required = { featuresRequired: true };
    try {
      let attempt: Attempt;
      if (format.kind === 'file') {
        const file = await format.open(randomAccess(bucket, this.#key, this.#bytes), reading);
        const srid = reading.srid ?? (await this.#sridOf(file)) ?? WGS84;
        await requireSrid(this.#ctx, srid);
        attempt = this.#start(reading, srid);
        attempt.source = file;
        const { options } = attempt;
        await this.#read(attempt, () => file.features(options), { ...required, isLast: true });
      } else {
        const streamed = this.#startStream(reading, format);
        attempt = streamed.attempt;
        const chunks = await bucket.getChunks(this.#key);
        for await (const chunk of chunks) await this.#read(attempt, () => streamed.reader.push(chunk), required);
        await this.#read(attempt, () => streamed.reader.end(), { ...required, isLast: true });
      }
      const refusal = refusalOf(attempt);
      if (refusal) throw refusal;
      await attempt.writer.finish();
      return attempt.writer.srid;
    } catch (error) {
      throw fileErrorOf(error) ?? error;
    }
  }

  /** The reference system of a file. A described one that is not common is looked up in the database. */
  async #sridOf(file: FeatureFile): Promise<number | undefined> {
    try {
      return file.srid();
    } catch (error) {
      if (!(error instanceof UnknownSystem && error.description)) throw error;
      const systems = await listSystems(this.#ctx.db, { pattern: patternOf(error.description) });
      const srid = sridOfSame(error.description, systems) ?? error.nearest;
      if (srid === undefined) throw error;
      return srid;
    }
  }

  #start(reading: Reading, srid: number): Attempt {
    const { layer, encoding, places } = reading;
    const invalid = new InvalidRows();
    const placeColumns = places && (places.columns ?? {});
    this.#attempt = {
      ...reading,
      options: { srid, layer, encoding, placeColumns, onInvalid: (fault) => invalid.add(fault) },
      source: undefined,
      writer: this.#writer(srid),
      placeAreas: new PlaceAreas(this.#ctx, places),
      placeRows: [],
      placeText: 0,
      placesRead: 0,
      invalid,
      fault: undefined,
    };
    return this.#attempt;
  }

  #startStream(reading: Reading, format: StreamFormat): { attempt: Attempt; reader: FeatureReader } {
    const attempt = this.#start(reading, reading.srid ?? WGS84);
    const reader = format.reader(attempt.options);
    attempt.source = reader;
    return { attempt, reader };
  }

  #writer(srid: number): FeatureWriter {
    return new FeatureWriter(this.#ctx.db, this.#versionId, {
      srid,
      requireRoom: (bytes) => this.#requireRoom(bytes),
      isLong: () => this.#isLong,
    });
  }

  /**
   * Ends an upload that exceeds the room that was free when it began. Other storage since then counts at its end.
   *
   * @param features lower bound of its features' size, bytes
   */
  #requireRoom(features: number): void {
    if (this.#room && this.#bytes + features > this.#room.bytes) throw this.#room.exceeded();
  }

  /**
   * Writes what was read, after the last of which the rest of the rows that name places. Faults of the file and exceeded
   * limits are thrown only if the features are required.
   */
  async #read(attempt: Attempt, read: () => Items, { featuresRequired, isLast = false }: ReadStep): Promise<void> {
    const { placeRows } = attempt;
    try {
      for await (const item of read()) {
        if (!('place' in item)) await this.#write(attempt, item);
        else {
          placeRows.push(item);
          attempt.placeText += lengthOf(item);
          const isFull = placeRows.length === BATCH_PLACES || attempt.placeText > BATCH_PLACE_TEXT;
          if (isFull) await this.#writePlaces(attempt);
        }
      }
      if (isLast) await this.#writePlaces(attempt);
    } catch (error) {
      const isTooMuch = error instanceof DomainError && REFUSALS.has(error.code);
      const refusal = attempt.invalid.isTooMany ? attempt.invalid.refusal(false) : undefined;
      const fault = isTooMuch ? error : (refusal ?? fileErrorOf(error));
      if (!fault || featuresRequired) throw fault ?? error;
      attempt.fault = fault;
    }
  }

  async #writePlaces(attempt: Attempt): Promise<void> {
    const { placeAreas, placeRows, invalid } = attempt;
    if (placeRows.length === 0) return;
    if (attempt.writer.srid !== WGS84)
      throw new FileFault(
        `has rows that name places, whose boundaries are in WGS 84 (${WGS84}), so that srid must be left out (got ${attempt.writer.srid})`,
      );
    // Rows that are read another time were counted.
    attempt.placesRead += placeRows.length;
    const uncounted = attempt.placesRead - this.#placesCounted;
    this.#placesCounted = Math.max(this.#placesCounted, attempt.placesRead);
    if (uncounted > 0) await this.#onPlaceRows(uncounted);
    if (Date.now() - this.#aliveAt > HEARTBEAT_MS) await this.#recordAlive(undefined);
    attempt.placeText = 0;
    const features = placeAreas.features(placeRows.splice(0), (fault) => invalid.add(fault));
    for await (const feature of features) await this.#write(attempt, feature);
  }

  async #write({ invalid, writer, skipsInvalid }: Attempt, feature: NewFeature): Promise<void> {
    invalid.valid += 1;
    // Of a file that is refused, no more than what is wrong is of use.
    if (invalid.count === 0 || skipsInvalid) await writer.write(feature);
    else if (invalid.valid > MAX_FEATURES) throw new FileFault(`has more than ${MAX_FEATURES} features`);
  }

  /** Whether it takes long even if everything works. */
  get #isLong(): boolean {
    return this.#announced > 0 || this.#bytes > LONG_READ_BYTES;
  }

  /** Restarts the deadline before the publishing statement, because parsing a large file may count as waiting. */
  #endPart(): void {
    if (this.#isLong) this.#ctx.deadline.partDone();
  }

  async #recordAlive(multipartId: string | undefined): Promise<void> {
    this.#aliveAt = Date.now();
    await this.#alive?.();
    if (await updateStagedVersion(this.#ctx.db, { versionId: this.#versionId, multipartId })) return;
    throw new Error('The version was swept away while it was being written');
  }
}

function lengthOf({ properties }: PlaceRow): number {
  return Object.entries(properties).reduce((sum, [name, value]) => sum + name.length + (value?.length ?? 0), 0);
}

/** The error that refuses the file for what is not valid in it, with the rows whose places people should check. */
function refusalOf({ invalid, skipsInvalid, placeAreas }: Attempt): DomainError | undefined {
  return invalid.refusal(skipsInvalid, placeAreas.summary);
}
