import type { ServiceContext } from '../context.ts';
import { purgeVersion } from '../datasets/purge.ts';
import { listSystems } from '../datasets/repo/reads.ts';
import { deleteFeatureBatch } from '../datasets/repo/versions.ts';
import { requireSrid, writeOf } from '../datasets/service.ts';
import { sweepVersions } from '../datasets/sweep.ts';
import type { Config } from '../env.ts';
import { DomainError } from '../errors.ts';
import { WGS84 } from '../geojson/domains.ts';
import { logFailure } from '../log.ts';
import { MAX_FEATURE_BYTES } from './feature-quota.ts';
import { FeatureWriter } from './feature-writer.ts';
import { fileErrorOf } from './file-errors.ts';
import type { FeatureFile, FeatureReader, Format, OpenOptions } from './formats/format.ts';
import { UnknownSystem } from './formats/projection.ts';
import { patternOf, sridOfSame } from './formats/same-system.ts';
import { insertStagedVersion, type Room } from './repo/staged.ts';
import { resetStagedSummary, type StoredFile, updateStagedVersion } from './repo/versions.ts';
import { ObjectWriter, randomAccess } from './stored-object.ts';

/** How often a slow upload records that it is still alive, milliseconds. */
const HEARTBEAT_MS = 60_000;

/**
 * From this size on reading the features of a file takes the processor long, bytes. The clock of the platform stands still
 * meanwhile and then jumps, so that it looks like waiting.
 */
const LONG_READ_BYTES = 1024 * 1024;

/** How the features of a file are read. */
export interface Reading extends OpenOptions {
  readonly format: Format;
  /** The reference system of its coordinates; undefined: what the file says, or WGS 84. */
  readonly srid: number | undefined;
}

/** How a file is received. */
export interface ReceiveOptions {
  /** How its features are read while it arrives; undefined where they are not. */
  readonly reading: Reading | undefined;
  /**
   * Whether the features must be readable. Otherwise a file that can't be read is stored all the same, because a field
   * behind it may say that its features are not wanted.
   */
  readonly featuresRequired: boolean;
}

/** A reading of features from bytes as they arrive. */
interface Attempt extends Reading {
  readonly reader: FeatureReader;
  readonly writer: FeatureWriter;
  /** Why the features can't be read, where that does not end the upload yet. */
  fault: DomainError | undefined;
}

/**
 * One uploaded file as a version that nobody sees yet. The file is written into the bucket while it arrives. Where its
 * format allows that, its features are read from the same bytes and written into the database.
 */
export class StagedUpload {
  readonly #ctx: ServiceContext;
  readonly #alive: (() => Promise<void>) | undefined;
  readonly #versionId = crypto.randomUUID();
  /** Nothing that a client sends is part of the key. */
  readonly #key = `datasets/${this.#versionId}`;
  #bytes = 0;
  /** Whether a part of the file was sent to the bucket that did not say that it has it. */
  #isWriting = false;
  #attempt: Attempt | undefined;
  #room: Room | undefined;
  #aliveAt = Date.now();

  readonly #announced: number;

  /** @param input `announced`: how long the file must be at least, bytes; `alive`: is called now and then while it arrives */
  constructor(
    ctx: ServiceContext,
    { announced, alive }: { announced: number; alive: (() => Promise<void>) | undefined },
  ) {
    this.#ctx = ctx;
    this.#announced = announced;
    this.#alive = alive;
  }

  /** What was stored, once `receive` has ended. */
  get file(): Omit<StoredFile, 'name'> {
    return { versionId: this.#versionId, key: this.#key, bytes: this.#bytes };
  }

  /**
   * Stores the file, and reads its features while it arrives where `reading` is given and its format can be streamed.
   *
   * @throws DomainError `file_too_large`, `invalid_file` where it is empty, `quota_exceeded` as soon as it has more than may be
   * stored, and as `insertStagedVersion`; where the features are required, also `invalid_file`, `invalid_geometry` and
   * `unsupported_srid` for features that can't be read
   */
  async receive(chunks: AsyncIterable<Uint8Array>, { reading, featuresRequired }: ReceiveOptions): Promise<void> {
    const { db, bucket, config } = this.#ctx;
    const maxBytes = config.UPLOAD_MAX_BYTES;
    // The row comes before anything is stored under the key, so that the sweep finds what a crash leaves behind.
    const { caller, quota } = writeOf(this.#ctx);
    this.#room = await insertStagedVersion(db, {
      versionId: this.#versionId,
      key: this.#key,
      bytes: this.#announced,
      most: maxBytes + MAX_FEATURE_BYTES,
      caller,
      quota,
      onUnused: (owner) => this.#sweep(owner),
    });
    this.#aliveAt = Date.now();
    const writer = new ObjectWriter(bucket, this.#key, (multipartId) => this.#recordAlive(multipartId));
    if (reading?.format.kind === 'stream') this.#start(reading, reading.format.reader(optionsOf(reading)));
    const attempt = this.#attempt;
    for await (const chunk of chunks) {
      this.#bytes += chunk.length;
      if (this.#bytes > maxBytes) {
        throw fileTooLarge(config);
      }
      this.#requireRoom(0);
      this.#isWriting = true;
      await writer.write(chunk);
      this.#isWriting = false;
      if (attempt && !attempt.fault) await this.#read(attempt, (reader) => reader.push(chunk), featuresRequired);
      if (Date.now() - this.#aliveAt > HEARTBEAT_MS) await this.#recordAlive(undefined);
    }
    if (this.#bytes === 0) throw new DomainError('invalid_file', 'file: is empty.');
    if (attempt && !attempt.fault) await this.#read(attempt, (reader) => reader.end(), featuresRequired);
    this.#isWriting = true;
    await writer.finish();
    this.#isWriting = false;
  }

  /**
   * Makes sure that the features of the received file are stored. Where they were not read while it arrived, or were read
   * in another format, reference system or layer, the stored file is read now.
   *
   * @returns the reference system that the features were in
   * @throws DomainError `invalid_file`, `invalid_geometry`, `unsupported_srid`
   */
  async requireFeatures(reading: Reading): Promise<number> {
    const attempt = this.#attempt;
    const isSame = attempt?.format === reading.format && attempt.layer === reading.layer;
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
   * @throws what storing them failed with, unless the file caused it. A statement that timed out may still take effect
   * after they are deleted, so the version must not be used then.
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

  /** Removes everything that was stored. */
  async abandon(): Promise<void> {
    await this.#attempt?.writer.pendingFailure();
    await purgeVersion(this.#ctx.afterAnswer, { versionId: this.#versionId, isWriting: this.#isWriting });
  }

  /** Makes room: housekeeping comes at night only, and what the owner has replaced counts until then. */
  #sweep(owner: string): void {
    const sweeping = sweepVersions(this.#ctx.afterAnswer, { now: new Date(), owner });
    this.#ctx.waitUntil(sweeping.catch((error) => logFailure('versions_not_swept', error, {})));
  }

  async #readStored(reading: Reading): Promise<number> {
    const { bucket } = this.#ctx;
    const { format } = reading;
    try {
      if (format.kind === 'file') {
        const file = await format.open(randomAccess(bucket, this.#key, this.#bytes), reading);
        const srid = reading.srid ?? (await this.#sridOf(file)) ?? WGS84;
        await requireSrid(this.#ctx, srid);
        const writer = this.#writer(srid);
        for await (const feature of file.features({ srid })) await writer.write(feature);
        await writer.finish();
        return srid;
      }
      const attempt = this.#start(reading, format.reader(optionsOf(reading)));
      const chunks = await bucket.getChunks(this.#key);
      for await (const chunk of chunks) await this.#read(attempt, (reader) => reader.push(chunk), true);
      await this.#read(attempt, (reader) => reader.end(), true);
      await attempt.writer.finish();
      return attempt.writer.srid;
    } catch (error) {
      throw fileErrorOf(error) ?? error;
    }
  }

  /** The reference system that a file names; one that is described and not a usual one is looked for in the database. */
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

  #start(reading: Reading, reader: FeatureReader): Attempt {
    const writer = this.#writer(reading.srid ?? WGS84);
    this.#attempt = { ...reading, reader, writer, fault: undefined };
    return this.#attempt;
  }

  #writer(srid: number): FeatureWriter {
    return new FeatureWriter(this.#ctx.db, this.#versionId, {
      srid,
      requireRoom: (bytes) => this.#requireRoom(bytes),
      isLong: () => this.#isLong,
    });
  }

  /**
   * Ends an upload that has become more than was free when it began. What else was stored since then counts at its end.
   *
   * @param features what its features count at least, bytes
   */
  #requireRoom(features: number): void {
    if (this.#room && this.#bytes + features > this.#room.bytes) throw this.#room.exceeded();
  }

  /**
   * Writes the features that one step of the reader gives. That the file is wrong, or its features too much, is thrown only
   * if they are required.
   */
  async #read(
    attempt: Attempt,
    step: (reader: FeatureReader) => ReturnType<FeatureReader['push']>,
    featuresRequired: boolean,
  ): Promise<void> {
    try {
      for (const feature of step(attempt.reader)) await attempt.writer.write(feature);
    } catch (error) {
      const isTooMuch = error instanceof DomainError && error.code === 'quota_exceeded';
      const fault = isTooMuch ? error : fileErrorOf(error);
      if (!fault || featuresRequired) throw fault ?? error;
      attempt.fault = fault;
    }
  }

  /** Whether it takes long also where everything works. */
  get #isLong(): boolean {
    return this.#announced > 0 || this.#bytes > LONG_READ_BYTES;
  }

  /** Ends a part before the statement that publishes the file: reading a large one may have counted as waiting. */
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

export function fileTooLarge({ UPLOAD_MAX_BYTES }: Config): DomainError {
  return new DomainError('file_too_large', `file: must have at most ${UPLOAD_MAX_BYTES} bytes.`);
}

function optionsOf({ srid, layer }: Reading) {
  return { srid: srid ?? WGS84, layer };
}
