import { purgeVersion } from '../datasets/purge.ts';
import { deletePortion } from '../datasets/repo/versions.ts';
import { requireSrid } from '../datasets/service.ts';
import { storageKeyOf } from '../datasets/storage.ts';
import type { Database } from '../db/client.ts';
import { DomainError } from '../errors.ts';
import { WGS84 } from '../geojson/geometry.ts';
import { type FaultyFile, faultyFile } from './faults.ts';
import type { FeatureReader, Format } from './formats/format.ts';
import { forgetFeatures, intend, type StoredFile, touch } from './repo.ts';
import { Staging } from './staging.ts';
import { ObjectWriter, randomAccess } from './stored-object.ts';

/** How often a slow upload says that it is alive, milliseconds. */
const HEARTBEAT_MS = 60_000;

/** How the features of a file are read. */
export interface Reading {
  readonly format: Format;
  /** The reference system of its coordinates; undefined: what the file says, or WGS 84. */
  readonly srid: number | undefined;
}

/** A reading that goes on while the file arrives. */
interface Attempt extends Reading {
  readonly reader: FeatureReader;
  readonly staging: Staging;
  fault: FaultyFile | undefined;
}

/**
 * The storing of one file as a version that nobody sees yet: into the object store as it arrives, and its features
 * into the database, of the same bytes where the format allows it.
 */
export class Storing {
  readonly #db: Database;
  readonly #bucket: R2Bucket;
  readonly #maxBytes: number;
  readonly #versionId = crypto.randomUUID();
  readonly #key: string;
  #bytes = 0;
  #attempt: Attempt | undefined;
  #touched = Date.now();

  constructor(db: Database, bucket: R2Bucket, maxBytes: number) {
    this.#db = db;
    this.#bucket = bucket;
    this.#maxBytes = maxBytes;
    this.#key = storageKeyOf(this.#versionId);
  }

  /** What was stored, once it is. */
  get file(): Omit<StoredFile, 'name'> {
    return { versionId: this.#versionId, key: this.#key, bytes: this.#bytes };
  }

  /**
   * Stores the file, and reads its features on the way where `reading` is given and its format can.
   *
   * @param sure whether the features are wanted for sure. Else a file that can't be read is stored all the same, because
   * a field behind it may say that its features are not wanted.
   * @throws DomainError `file_too_large`, and `invalid_file` or `invalid_geometry` where `sure`
   */
  async receive(chunks: AsyncIterable<Uint8Array>, reading: Reading | undefined, sure: boolean): Promise<void> {
    await intend(this.#db, this.#versionId, this.#key);
    this.#touched = Date.now();
    const writer = new ObjectWriter(this.#bucket, this.#key, (multipartId) => this.#alive(multipartId));
    if (reading?.format.kind === 'stream') this.#begin(reading, reading.format.reader(optionsOf(reading)));
    const attempt = this.#attempt;
    for await (const chunk of chunks) {
      this.#bytes += chunk.length;
      if (this.#bytes > this.#maxBytes) {
        throw new DomainError('file_too_large', `file: must have at most ${this.#maxBytes} bytes.`);
      }
      await writer.write(chunk);
      if (attempt && !attempt.fault) await this.#try(attempt, (reader) => reader.push(chunk), sure);
      if (Date.now() - this.#touched > HEARTBEAT_MS) await this.#alive(undefined);
    }
    if (this.#bytes === 0) throw new DomainError('invalid_file', 'file: is empty.');
    if (attempt && !attempt.fault) await this.#try(attempt, (reader) => reader.end(), sure);
    await writer.finish();
  }

  /**
   * Stores the features of the stored file as they are wanted: they are there already where that was known from the
   * beginning, else the file is read once more. Gives the reference system that they were in.
   *
   * @throws DomainError `invalid_file`, `invalid_geometry`
   */
  async requireFeatures(reading: Reading): Promise<number> {
    const attempt = this.#attempt;
    if (attempt && attempt.format === reading.format && attempt.staging.srid === (reading.srid ?? WGS84)) {
      if (attempt.fault) throw attempt.fault;
      await attempt.staging.finish();
      return attempt.staging.srid;
    }
    await this.dropFeatures();
    return this.#readStored(reading);
  }

  /**
   * Takes back what was stored of features.
   *
   * @throws what the storing of them failed with, unless that was the file's fault: a statement that was not waited for
   * any longer may still take effect, after this
   */
  async dropFeatures(): Promise<void> {
    const attempt = this.#attempt;
    if (!attempt) return;
    this.#attempt = undefined;
    const failure = await attempt.staging.settle();
    if (failure !== undefined && !faultyFile(failure)) throw failure;
    while (await deletePortion(this.#db, this.#versionId));
    await forgetFeatures(this.#db, this.#versionId);
  }

  /** Takes back everything. */
  async abandon(): Promise<void> {
    await this.#attempt?.staging.settle();
    await purgeVersion(this.#db, this.#bucket, this.#versionId);
  }

  async #readStored(reading: Reading): Promise<number> {
    const { format } = reading;
    try {
      if (format.kind === 'file') {
        const file = await format.open(randomAccess(this.#bucket, this.#key, this.#bytes));
        const srid = reading.srid ?? file.srid() ?? WGS84;
        await requireSrid(this.#db, srid);
        const staging = new Staging(this.#db, this.#versionId, srid);
        for await (const feature of file.features({ degrees: srid === WGS84 })) await staging.add(feature);
        await staging.finish();
        return srid;
      }
      const attempt = this.#begin(reading, format.reader(optionsOf(reading)));
      const object = await this.#bucket.get(this.#key);
      if (!object) throw new Error('A file that was just stored is gone');
      for await (const chunk of object.body) await this.#try(attempt, (reader) => reader.push(chunk), true);
      await this.#try(attempt, (reader) => reader.end(), true);
      await attempt.staging.finish();
      return attempt.staging.srid;
    } catch (error) {
      throw faultyFile(error) ?? error;
    }
  }

  #begin(reading: Reading, reader: FeatureReader): Attempt {
    const staging = new Staging(this.#db, this.#versionId, reading.srid ?? WGS84);
    this.#attempt = { ...reading, reader, staging, fault: undefined };
    return this.#attempt;
  }

  async #try(
    attempt: Attempt,
    read: (reader: FeatureReader) => ReturnType<FeatureReader['push']>,
    sure: boolean,
  ): Promise<void> {
    try {
      for (const feature of read(attempt.reader)) await attempt.staging.add(feature);
    } catch (error) {
      const fault = faultyFile(error);
      if (!fault || sure) throw fault ?? error;
      attempt.fault = fault;
    }
  }

  async #alive(multipartId: string | undefined): Promise<void> {
    this.#touched = Date.now();
    if (await touch(this.#db, this.#versionId, multipartId)) return;
    throw new Error('The version was swept away while it was being written');
  }
}

function optionsOf({ srid }: Reading) {
  return { degrees: srid === undefined || srid === WGS84 };
}
