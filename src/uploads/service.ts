import type { ServiceContext } from '../context.ts';
import { replaceControlCharacters } from '../control-characters.ts';
import type { FoundDataset } from '../datasets/dataset.ts';
import { newOwnerOf, ownerOf } from '../datasets/owners.ts';
import type { Dataset } from '../datasets/schemas.ts';
import { getDataset, requireOwnDataset, requireSrid, writeOf } from '../datasets/service.ts';
import { type Claim, renewRequest } from '../db/idempotency.ts';
import { DomainError } from '../errors.ts';
import { WGS84 } from '../geojson/domains.ts';
import type { Notice } from '../http/notices.ts';
import { logFailure } from '../log.ts';
import { sendNotifications } from '../notify.ts';
import { once } from '../once.ts';
import { requireOwnerFields } from '../owner-fields.ts';
import { type FeatureStorage, fieldText, isField, parseFields, type UploadFields } from './fields.ts';
import { FormDigest } from './form-digest.ts';
import type { Format } from './formats/format.ts';
import { FORMATS, formatOf } from './formats/registry.ts';
import type { SkippedRows } from './invalid-rows.ts';
import { FORM_BYTES, fileTooLarge } from './limits.ts';
import type { Part } from './multipart.ts';
import { guessedNotice, NOT_READ, SKIPPED_BEFORE, unplacedNotice } from './notices.ts';
import type { PlaceOptions } from './place-areas.ts';
import { insertDatasetOfVersion, updateDatasetVersion } from './repo/versions.ts';
import { type Reading, type ReadPlaces, type ReceiveOptions, StagedUpload } from './staged-upload.ts';

/** Max length of a file name, characters. A longer one loses its beginning. */
const MAX_FILE_NAME = 255;

/** Lease of an upload's idempotency key: seconds after its last heartbeat until a retry may replace it. */
const LEASE_SECONDS = 300;

/**
 * Stores an uploaded file and, if requested, its features, as a new dataset or as the new contents of the dataset named
 * in the form. Atomic: visible only when complete; a failure leaves nothing behind.
 *
 * @param input `parts`: the parts of the form, in any order; `announced`: lower bound of its file's size, bytes
 * @throws InvalidFields for invalid fields of the form; DomainError for any other error of the client, and as `once`
 */
export function uploadDataset(
  ctx: ServiceContext,
  { parts, ...callbacks }: Omit<Form, 'claim' | 'digest'>,
): Promise<Dataset> {
  const digest = new FormDigest();
  return once(ctx, {
    leaseSeconds: LEASE_SECONDS,
    make: (claim) =>
      storeUpload(ctx, { ...callbacks, ...(claim ? { parts: digest.over(parts), claim, digest } : { parts }) }),
    find: async (id) => (await getDataset(ctx, { id })).dataset,
    fingerprint: async () => {
      let bytes = 0;
      for await (const { name, chunks } of digest.over(parts)) {
        let text = '';
        for await (const chunk of chunks) {
          bytes += chunk.length;
          if (bytes > ctx.config.UPLOAD_MAX_BYTES + FORM_BYTES) throw fileTooLarge(ctx.config);
          if (name === 'on_invalid') text += new TextDecoder().decode(chunk);
        }
        if (text === 'skip') callbacks.onNotice(SKIPPED_BEFORE);
      }
      return digest.value();
    },
  });
}

/** A form, with the claim and the digest of its parts if it has an Idempotency-Key. */
interface Form {
  readonly parts: AsyncIterable<Part>;
  readonly announced: number;
  /** Called with the rows and features that were left out, if any. */
  readonly onSkipped: (skipped: SkippedRows) => void;
  /** Called with each thing that the caller should know of what was stored. */
  readonly onNotice: (notice: Notice) => void;
  /** Called with what the rows of a table of places were taken for, if it is one. */
  readonly onPlaces: (places: ReadPlaces) => void;
  /** Called with the number of rows that are about to be matched with places. It is awaited. */
  readonly onPlaceRows: (count: number) => Promise<void>;
  /** Called with the names of all fields but the file, also of those that no upload has. */
  readonly onFields: (fields: readonly string[]) => void;
  readonly claim?: Claim;
  readonly digest?: FormDigest;
}

async function storeUpload(
  ctx: ServiceContext,
  { parts, announced, claim, digest, onPlaceRows, ...callbacks }: Form,
): Promise<Dataset> {
  const alive = claim && (() => renewRequest(ctx.db, claim, LEASE_SECONDS));
  const upload = new StagedUpload(ctx, { announced, alive, onPlaceRows });
  let fileName: string | undefined;
  try {
    const given: Record<string, string> = {};
    for await (const part of parts) {
      if (part.name !== 'file') {
        // An unknown field may be repeated: it has no effect.
        if (Object.hasOwn(given, part.name)) {
          if (isField(part.name)) throw givenTwice(part.name);
          continue;
        }
        Object.defineProperty(given, part.name, { value: await fieldText(part), enumerable: true });
        continue;
      }
      if (fileName !== undefined) throw givenTwice('file');
      fileName = fileNameOf(part);
      await upload.receive(part.chunks, await receiveOptions(ctx, given, fileName));
    }
    if (fileName === undefined) {
      throw new DomainError('file_missing', 'file: there is no file in the form. Send one as the field "file".');
    }
    const sent = claim && digest && { ...claim, fingerprint: await digest.value() };
    const fields = parseFields(given);
    const dataset = await publish(ctx, { upload, fields, fileName, claim: sent });
    if (upload.skipped) callbacks.onSkipped(upload.skipped);
    if (upload.guessedLines) callbacks.onNotice(guessedNotice(upload.guessedLines));
    if (upload.written && upload.written.withoutGeometry > 0) callbacks.onNotice(unplacedNotice(upload.written));
    if (!fields.storage && defaultStorage(fileName) === 'r2_only') callbacks.onNotice(NOT_READ);
    if (upload.places) callbacks.onPlaces(upload.places);
    callbacks.onFields(Object.keys(given));
    return dataset;
  } catch (error) {
    // What was stored is deleted after the response. If that fails, the sweep does it later.
    if (fileName !== undefined) {
      ctx.waitUntil(upload.abandon().catch((failure) => logFailure('upload_not_abandoned', failure, upload.file)));
    }
    throw error;
  }
}

/**
 * How to receive a file, by the fields before it.
 *
 * @throws InvalidFields, DomainError if these fields are already wrong
 */
async function receiveOptions(
  ctx: ServiceContext,
  given: Readonly<Record<string, string>>,
  fileName: string,
): Promise<ReceiveOptions> {
  // dataset_id needs feature_storage, which may still follow the file, so dataset_id alone is not checked yet.
  const { feature_storage: storage, dataset_id: id, ...others } = given;
  const fields = parseFields({ ...others, ...(storage === undefined ? {} : { feature_storage: storage }) });
  if (id !== undefined && storage !== undefined) await requireTarget(ctx, parseFields(given));
  if (fields.srid !== undefined) await requireSrid(ctx, fields.srid);
  const format = formatOf(fileName);
  if (format === undefined || fields.storage === 'r2_only') return { reading: undefined, featuresRequired: false };
  const featuresRequired = fields.storage === 'features_and_r2';
  if (featuresRequired) requireOptions(format, fields);
  return { reading: readingOf(format, fields), featuresRequired };
}

function readingOf(format: Format, fields: UploadFields): Reading {
  const { srid, layer, encoding, on_invalid } = fields;
  return { format, srid, layer, encoding, places: placesIn(fields), skipsInvalid: on_invalid === 'skip' };
}

/** How the rows of a table name places; undefined if the form does not say that they do. */
function placesIn(fields: UploadFields): PlaceOptions | undefined {
  const { place_columns: columns, level, edition, resolution } = fields;
  return firstGiven(placeFields(fields)) && { columns, level, edition, resolution };
}

interface Published {
  readonly upload: StagedUpload;
  readonly fields: UploadFields;
  readonly fileName: string;
  readonly claim: Claim | undefined;
}

/** Publishes the received file as the contents of a dataset, with its features if requested. */
async function publish(ctx: ServiceContext, { upload, fields, fileName, claim }: Published): Promise<Dataset> {
  await requireTarget(ctx, fields);
  const format = formatOf(fileName);
  const storage = fields.storage ?? defaultStorage(fileName);
  if (fields.srid !== undefined) await requireSrid(ctx, fields.srid);
  let srid = fields.srid ?? WGS84;
  if (storage === 'r2_only') {
    requireNoOptions(fields);
    await upload.deleteFeatures();
  } else if (format) {
    requireOptions(format, fields);
    srid = await upload.requireFeatures(readingOf(format, fields));
  } else throw unsupportedFile(fileName);

  const found = await pointDataset(ctx, { upload, fields, fileName, srid, claim });
  if (!found) throw new Error('The version was swept away while it was being written');
  sendNotifications(ctx);
  return found.dataset;
}

/** Points a new dataset, or the one named in the form, to the received file; undefined if the sweep has deleted it. */
async function pointDataset(
  ctx: ServiceContext,
  { upload, fields, fileName, srid, claim }: Published & { srid: number },
): Promise<FoundDataset | undefined> {
  const { db, principal } = ctx;
  const write = writeOf(ctx);
  const name = fields.name?.trim();
  const { description, data_type: dataType, geometry_type: geometryType, status } = fields;
  const common = { description, dataType, geometryType, status, srid };
  const file = { ...upload.file, name: fileName };
  const { dataset_id: id } = fields;
  if (id === undefined) {
    const owner = ownerOf(principal, fields);
    const newFields = { ...common, name: name ?? fileName, status: status ?? 'ready' };
    return insertDatasetOfVersion(db, { ...write, owner, fields: newFields, file, claim });
  }
  const changes = { ...common, name, ...newOwnerOf(principal, fields) };
  const found = await updateDatasetVersion(db, { ...write, id, fields: changes, file, claim });
  if (!found) await requireOwnDataset(ctx, { id });
  return found;
}

/**
 * Refuses an upload into a dataset that is not the caller's, or for another owner.
 *
 * @throws DomainError `owner_not_allowed`, `dataset_not_found`, `forbidden`
 */
async function requireTarget(ctx: ServiceContext, fields: UploadFields): Promise<void> {
  requireOwnerFields(ctx.principal, fields);
  if (fields.dataset_id !== undefined) await requireOwnDataset(ctx, { id: fields.dataset_id });
}

function defaultStorage(fileName: string): FeatureStorage {
  const format = formatOf(fileName);
  if (!format) throw unsupportedFile(fileName);
  return format.storesFeatures ? 'features_and_r2' : 'r2_only';
}

/**
 * Refuses what says how features are read, where they are not. Rows that are not valid are then left as they are.
 *
 * @throws DomainError `invalid_file`
 */
function requireNoOptions(fields: UploadFields): void {
  const { layer, encoding } = fields;
  const option = firstGiven({ layer, encoding, ...placeFields(fields) });
  if (!option) return;
  throw unsuited(
    ...option,
    'the features of the file are not read. Send feature_storage=features_and_r2 to store them too',
  );
}

/** The fields that say how the rows of a table name places. */
function placeFields({ place_columns, level, edition, resolution }: UploadFields) {
  return { place_columns, level, edition, resolution };
}

/** The first field that is given, with its value. */
function firstGiven(fields: Readonly<Record<string, unknown>>): [field: string, value: unknown] | undefined {
  return Object.entries(fields).find(([, value]) => value !== undefined);
}

/** Refuses what a format can't be read with. @throws DomainError `invalid_file` */
function requireOptions(format: Format, fields: UploadFields): void {
  const { name } = format;
  const { srid, layer, encoding, on_invalid } = fields;
  const placeField = firstGiven(placeFields(fields));
  if (placeField && !format.hasPlaces) {
    throw unsuited(
      ...placeField,
      `a ${name} has geometries of its own; rows of ${namesOf('hasPlaces')} may name places`,
    );
  }
  if (layer !== undefined && !format.hasLayers) {
    throw unsuited('layer', layer, `a ${name} has no layers to choose from`);
  }
  if (encoding !== undefined && !format.hasEncodings) {
    const able = namesOf('hasEncodings');
    throw unsuited(
      'encoding',
      encoding,
      `a ${name} is in UTF-8, or says itself what it is in; tables of ${able} may be in others`,
    );
  }
  if (srid !== undefined && srid !== WGS84 && format.isWgs84) {
    throw unsuited('srid', srid, `the coordinates of a ${name} are degrees in WGS 84 (${WGS84})`);
  }
  if (on_invalid === 'skip' && !format.skipsInvalid) {
    const able = namesOf('skipsInvalid');
    throw unsuited(
      'on_invalid',
      on_invalid,
      `a ${name} is stored whole or not at all; of ${able} features can be left out`,
    );
  }
}

function unsuited(field: string, got: unknown, reason: string): DomainError {
  const shown = typeof got === 'string' ? JSON.stringify(got.slice(0, 60)) : JSON.stringify(got).slice(0, 60);
  return new DomainError('invalid_file', `${field}: must be left out (got ${shown}): ${reason}.`);
}

/** The names of the formats that have a trait. */
function namesOf(trait: 'hasEncodings' | 'hasPlaces' | 'skipsInvalid'): string {
  return FORMATS.flatMap((format) => (format[trait] ? [format.name] : [])).join(', ');
}

function unsupportedFile(fileName: string): DomainError {
  const formats = FORMATS.map(({ name, extensions }) => `${name} (${extensions.join(', ')})`).join(', ');
  return new DomainError(
    'unsupported_file_type',
    `file: features can not be read from ${JSON.stringify(fileName)}. They can from ${formats}. Any other file is stored as it is with feature_storage=r2_only.`,
  );
}

/** The name of a file without the folders that some clients send. Only shown, never used as a path. */
function fileNameOf({ fileName }: Part): string {
  const name = replaceControlCharacters((fileName ?? '').split(/[\\/]/).at(-1) ?? '', '').trim();
  // Cutting may split a surrogate pair, so the name is made well-formed after it.
  return name === '' ? 'upload' : name.slice(-MAX_FILE_NAME).toWellFormed();
}

function givenTwice(name: string): DomainError {
  return new DomainError('invalid_multipart', `${name.slice(0, 64)}: must be given once.`);
}
