import type { Principal } from '../auth/principal.ts';
import { callerOf } from '../datasets/access.ts';
import type { Dataset } from '../datasets/dataset.ts';
import { newOwnerOf, ownerOf, requireOwnDataset, requireOwnerFields, requireSrid } from '../datasets/service.ts';
import type { Actor } from '../db/audit.ts';
import type { Database } from '../db/client.ts';
import { DomainError } from '../errors.ts';
import { WGS84 } from '../geojson/geometry.ts';
import { logFailure } from '../log.ts';
import { type FeatureStorage, fieldsSchema, type UploadFields } from './fields.ts';
import { FORMATS, formatOf } from './formats/registry.ts';
import type { Part } from './multipart.ts';
import { publishInto, publishNew } from './repo.ts';
import { type Reading, Storing } from './storing.ts';

const MAX_FIELD_BYTES = 64 * 1024;
const MAX_FILE_NAME = 255;

/** What an upload works with. */
export interface UploadContext {
  readonly db: Database;
  readonly bucket: R2Bucket;
  readonly principal: Principal;
  readonly actor: Actor;
  readonly maxBytes: number;
}

/** Fields of a form that don't fit their schema. */
export class InvalidFields extends Error {
  override readonly name = 'InvalidFields';
  readonly refusal: ReturnType<typeof fieldsSchema.safeParse> & { success: false };
  readonly given: Readonly<Record<string, string>>;

  constructor(refusal: InvalidFields['refusal'], given: Readonly<Record<string, string>>) {
    super('The fields of the form are not valid');
    this.refusal = refusal;
    this.given = given;
  }
}

/**
 * Stores an uploaded file and, where they are wanted, its features, and makes a dataset of them or replaces what one
 * has; everybody sees the dataset as it was until all is done. When anything fails, nothing stays.
 *
 * @throws InvalidFields; DomainError for everything else that a client can help
 */
export async function upload(context: UploadContext, parts: AsyncIterable<Part>): Promise<Dataset> {
  const storing = new Storing(context.db, context.bucket, context.maxBytes);
  let fileName: string | undefined;
  try {
    const given: Record<string, string> = {};
    for await (const part of parts) {
      if (part.name !== 'file') {
        if (Object.hasOwn(given, part.name)) throw twice(part.name);
        Object.defineProperty(given, part.name, { value: await textOf(part), enumerable: true });
        continue;
      }
      if (fileName !== undefined) throw twice('file');
      fileName = fileNameOf(part);
      const { reading, sure } = await expectation(context, given, fileName);
      await storing.receive(part.chunks, reading, sure);
    }
    if (fileName === undefined) {
      throw new DomainError('file_missing', 'file: there is no file in the form. Send one as the field "file".');
    }
    return await publish(context, storing, fieldsOf(given), fileName);
  } catch (error) {
    // What can't be taken back now is swept later; the client is told what came first.
    if (fileName !== undefined) {
      await storing.abandon().catch((failure) => logFailure('upload_not_abandoned', failure, storing.file));
    }
    throw error;
  }
}

/** How a file is to be read, as far as the fields before it tell; what they already say wrong is refused. */
async function expectation(
  context: UploadContext,
  given: Readonly<Record<string, string>>,
  fileName: string,
): Promise<{ reading: Reading | undefined; sure: boolean }> {
  // A field that belongs to another may still come.
  const { feature_storage: storage, dataset_id: id, ...others } = given;
  const fields = fieldsOf({ ...others, ...(storage === undefined ? {} : { feature_storage: storage }) });
  if (id !== undefined && storage !== undefined) await requireTarget(context, fieldsOf(given));
  if (fields.srid !== undefined) await requireSrid(context.db, fields.srid);
  const format = formatOf(fileName);
  if (format === undefined || fields.storage === 'r2_only') return { reading: undefined, sure: false };
  return { reading: { format, srid: fields.srid }, sure: fields.storage === 'features_and_r2' };
}

async function publish(
  context: UploadContext,
  storing: Storing,
  fields: UploadFields,
  fileName: string,
): Promise<Dataset> {
  const { db, principal, actor } = context;
  await requireTarget(context, fields);
  const format = formatOf(fileName);
  const storage = fields.storage ?? defaultStorage(fileName);
  if (fields.srid !== undefined) await requireSrid(db, fields.srid);
  let srid = fields.srid ?? WGS84;
  if (storage === 'r2_only') await storing.dropFeatures();
  else if (format) srid = await storing.requireFeatures({ format, srid: fields.srid });
  else throw unsupported(fileName);

  const caller = callerOf(principal);
  const { dataset_id: id } = fields;
  const wish = {
    description: fields.description,
    dataType: fields.data_type,
    geometryType: fields.geometry_type,
    status: fields.status,
    srid,
  };
  const file = { ...storing.file, name: fileName };
  if (id !== undefined) {
    const changes = { ...wish, name: fields.name?.trim(), ...newOwnerOf(principal, fields) };
    const found = await publishInto(db, caller, id, changes, file, actor);
    if (found) return found.dataset;
    await requireOwnDataset(db, caller, id);
    throw new Error('The version was swept away while it was being written');
  }
  const owner = ownerOf(principal, fields);
  const made = { ...wish, name: fields.name?.trim() ?? fileName, status: fields.status ?? 'ready' };
  const found = await publishNew(db, caller, owner, made, file, actor);
  if (!found) throw new Error('The version was swept away while it was being written');
  return found.dataset;
}

/** Refuses an upload into a dataset that is not the caller's, or in the name of somebody else. */
async function requireTarget({ db, principal }: UploadContext, fields: UploadFields): Promise<void> {
  requireOwnerFields(principal, fields);
  if (fields.dataset_id !== undefined) await requireOwnDataset(db, callerOf(principal), fields.dataset_id);
}

function defaultStorage(fileName: string): FeatureStorage {
  const format = formatOf(fileName);
  if (!format) throw unsupported(fileName);
  return format.storesFeatures ? 'features_and_r2' : 'r2_only';
}

function unsupported(fileName: string): DomainError {
  const known = FORMATS.map(({ name, extensions }) => `${name} (${extensions.join(', ')})`).join(', ');
  return new DomainError(
    'unsupported_file_type',
    `file: features can not be read from ${JSON.stringify(fileName)}. They can from ${known}. Any other file is stored as it is with feature_storage=r2_only.`,
  );
}

function fieldsOf(given: Readonly<Record<string, string>>): UploadFields {
  const result = fieldsSchema.safeParse(given);
  if (result.success) return result.data;
  throw new InvalidFields(result, given);
}

/** What a client calls the file, without the folders that some tell with it. Only ever shown, never used as a path. */
function fileNameOf({ fileName }: Part): string {
  const name = (fileName ?? '')
    .split(/[\\/]/)
    .at(-1)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is left out
    ?.replace(/[\u0000-\u001f\u007f]/g, '')
    .trim();
  // Cut first: that may leave half of a character.
  return name === '' || name === undefined ? 'upload' : name.slice(-MAX_FILE_NAME).toWellFormed();
}

async function textOf(part: Part): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let text = '';
  let bytes = 0;
  try {
    for await (const chunk of part.chunks) {
      bytes += chunk.length;
      if (bytes > MAX_FIELD_BYTES) {
        throw new DomainError('invalid_multipart', `${part.name}: must have at most ${MAX_FIELD_BYTES} bytes.`);
      }
      text += decoder.decode(chunk, { stream: true });
    }
    return text + decoder.decode();
  } catch (error) {
    if (error instanceof DomainError || !(error instanceof TypeError)) throw error;
    throw new DomainError('invalid_multipart', `${part.name.slice(0, 64)}: must be UTF-8.`, {}, { cause: error });
  }
}

function twice(name: string): DomainError {
  return new DomainError('invalid_multipart', `${name.slice(0, 64)}: must be given once.`);
}
