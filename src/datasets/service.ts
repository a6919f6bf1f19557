import type { ServiceContext } from '../context.ts';
import type { Claim } from '../db/idempotency.ts';
import { DomainError } from '../errors.ts';
import { FEATURE_ROW_BYTES } from '../features/feature.ts';
import { misplacedText, positionPath } from '../features/misplaced.ts';
import { geometryMember, newFeature } from '../features/new-feature.ts';
import { WGS84 } from '../geojson/domains.ts';
import type { Geometry } from '../geojson/geometry.ts';
import { logFailure } from '../log.ts';
import { once } from '../once.ts';
import { requireOwnerFields } from '../owner-fields.ts';
import { contentsOf, type DatasetFields, type ExportedFeatures, type FoundDataset } from './dataset.ts';
import { callerOf, newOwnerOf, ownerOf, readerOf } from './owners.ts';
import { purgeVersion } from './purge.ts';
import { type DatasetFile, findDataset, findDatasetFile, findDatasetForExport, isKnownSrid } from './repo/reads.ts';
import { deleteDatasetRow, insertDataset, updateDatasetRow } from './repo/writes.ts';
import type { Dataset, DatasetPatch, NewDatasetInput } from './schemas.ts';

/**
 * A dataset that the caller may read.
 *
 * @throws DomainError `dataset_not_found`, or without credentials `authentication_required`
 */
export async function getDataset(ctx: ServiceContext, { id }: { id: string }): Promise<FoundDataset> {
  const found = await findDataset(ctx.db, { caller: readerOf(ctx.principal), id });
  if (!found) throw unreadable(ctx, datasetNotFound(id));
  return found;
}

/**
 * How much a dataset may have for callers without credentials, bytes as the quota counts them: a map on somebody's page
 * loads all of it, and whoever looks at it may pay for each megabyte.
 */
const MAX_FREE_BYTES = 20 * 1024 * 1024;

export const FREE_SIZE = `${MAX_FREE_BYTES / 1024 ** 2} MiB`;

/** @throws DomainError `authentication_required` */
export function requireFreeSize(
  { principal }: Pick<ServiceContext, 'principal'>,
  { bytes: texts, count }: { bytes: number; count: number },
): void {
  const bytes = texts + FEATURE_ROW_BYTES * count;
  if (principal.kind !== 'anonymous' || bytes <= MAX_FREE_BYTES) return;
  const mebibytes = (bytes / 1024 ** 2).toFixed(1);
  throw new DomainError(
    'authentication_required',
    `This dataset has ${mebibytes} MiB, and without authentication at most ${FREE_SIZE} are sent. Its owner can upload it with simpler geometries or fewer properties.`,
  );
}

/** How much the features of a dataset are. */
export function sizeOf({ featureBytes, dataset }: FoundDataset): { bytes: number; count: number } {
  return { bytes: featureBytes, count: dataset.feature_count };
}

/**
 * The features of a dataset that the caller may read, to export them.
 *
 * @throws DomainError `dataset_not_found`; without credentials `authentication_required`, also where it is too large
 */
export async function exportDataset(ctx: ServiceContext, { id }: { id: string }): Promise<ExportedFeatures> {
  const exported = await findDatasetForExport(ctx.db, { caller: readerOf(ctx.principal), id });
  if (!exported) throw unreadable(ctx, datasetNotFound(id));
  const { found, propertyNames } = exported;
  requireFreeSize(ctx, sizeOf(found));
  const isFree = ctx.principal.kind === 'anonymous';
  return { name: found.dataset.name, contents: contentsOf(found), propertyNames, isFree };
}

/**
 * The stored file of a dataset that the caller may read.
 *
 * @throws DomainError as `exportDataset`, and `file_not_found`
 */
export async function getDatasetFile(ctx: ServiceContext, { id }: { id: string }): Promise<DatasetFile> {
  const found = await findDatasetFile(ctx.db, { caller: readerOf(ctx.principal), id });
  if (!found) throw unreadable(ctx, datasetNotFound(id));
  if (!found.file) throw new DomainError('file_not_found', `The dataset ${id} has no stored file.`);
  requireFreeSize(ctx, { bytes: found.file.bytes, count: 0 });
  return found.file;
}

/**
 * Creates a dataset with its features. Either everything is stored or nothing.
 *
 * @throws DomainError `owner_not_allowed`, `owner_not_found`, `unsupported_srid`, `invalid_geometry`, `quota_exceeded`,
 * and as `once`
 */
export function createDataset(ctx: ServiceContext, input: NewDatasetInput): Promise<Dataset> {
  return once(ctx, {
    make: (claim) => makeDataset(ctx, input, claim),
    find: async (id) => (await getDataset(ctx, { id })).dataset,
  });
}

async function makeDataset(ctx: ServiceContext, input: NewDatasetInput, claim: Claim | undefined): Promise<Dataset> {
  const owner = ownerOf(ctx.principal, input);
  const srid = input.srid ?? WGS84;
  await requireSrid(ctx, srid);
  const given = input.features ?? [];
  const features = given.map((feature, i) => newFeature(feature, ['features', i], srid));
  const status = input.status ?? (features.length > 0 ? 'ready' : 'draft');
  const dataset = { ...fieldsOf(input), name: input.name.trim(), srid, status, features };
  const outcome = await insertDataset(ctx.db, { ...writeOf(ctx), owner, dataset, claim });
  if ('found' in outcome) return outcome.found.dataset;
  const { misplaced } = outcome;
  const index = misplaced.feature - 1;
  const member = geometryMember(given[index] ?? {});
  const path = ['features', index, member, ...positionPath(given[index]?.[member] as Geometry, misplaced)];
  throw new DomainError('invalid_geometry', misplacedText(path, srid, misplaced), { facts: { path } });
}

/**
 * Changes the fields of a dataset of the caller.
 *
 * @throws DomainError `owner_not_allowed`, `owner_not_found`, `dataset_not_found`, `forbidden`, `srid_fixed`,
 * `storage_ref_fixed`, `quota_exceeded`
 */
export async function updateDataset(
  ctx: ServiceContext,
  { id, changes }: { id: string; changes: DatasetPatch },
): Promise<Dataset> {
  requireOwnerFields(ctx.principal, changes);
  const fields = { ...fieldsOf(changes), ...newOwnerOf(ctx.principal, changes) };
  const found = await updateDatasetRow(ctx.db, { ...writeOf(ctx), id, fields });
  if (found) return found.dataset;
  const { dataset } = await requireOwnDataset(ctx, { id });
  if (changes.srid !== undefined && changes.srid !== dataset.srid) {
    throw new DomainError(
      'srid_fixed',
      `srid: must be left out or be ${dataset.srid} (got ${changes.srid}): it says what the features were sent in, and they are kept in WGS 84. Upload them with dataset_id and srid to replace them.`,
    );
  }
  if (changes.storage_ref === undefined) throw datasetNotFound(id);
  throw new DomainError(
    'storage_ref_fixed',
    'storage_ref: must be left out or be what it is, because the service stores the file of this dataset. Upload another file with dataset_id to replace it.',
  );
}

/**
 * Deletes a dataset of the caller. Its features and its file are removed after the answer.
 *
 * @throws DomainError `dataset_not_found`, `forbidden`
 */
export async function deleteDataset(ctx: ServiceContext, { id }: { id: string }): Promise<void> {
  const versionId = await deleteDatasetRow(ctx.db, { ...writeOf(ctx), id });
  if (versionId === undefined) {
    await requireOwnDataset(ctx, { id });
    throw datasetNotFound(id);
  }
  // Nobody can see the version any more. Where purging it fails, the sweep does it later.
  ctx.waitUntil(
    purgeVersion(ctx.afterAnswer, { versionId }).catch((error) => logFailure('purge', error, { dataset: id })),
  );
}

/**
 * Requires that the caller owns a dataset, to explain why a write found nothing to change.
 *
 * @throws DomainError `dataset_not_found` where the caller can't see it, `forbidden` where it is somebody else's
 */
export async function requireOwnDataset(ctx: ServiceContext, { id }: { id: string }): Promise<FoundDataset> {
  const found = await getDataset(ctx, { id });
  if (found.owned) return found;
  throw new DomainError('forbidden', `The dataset ${id} is somebody else's: you can read it, but not write to it.`);
}

/**
 * Requires that the database knows a reference system.
 *
 * @throws DomainError `unsupported_srid`
 */
export async function requireSrid(ctx: Pick<ServiceContext, 'db'>, srid: number): Promise<void> {
  if (srid === WGS84 || (await isKnownSrid(ctx.db, srid))) return;
  throw new DomainError('unsupported_srid', `srid: there is no reference system ${srid}. Try 4326, WGS 84.`);
}

/** Who writes, within which quota, and who is named in the audit log. */
export function writeOf({ principal, actor, config, noteStored }: ServiceContext) {
  return { caller: callerOf(principal), actor, quota: { maxBytes: config.ACCOUNT_MAX_BYTES, note: noteStored } };
}

/**
 * The refusal of what the caller can't see. Without credentials it is the same whether it exists or not.
 *
 * @param error the refusal of callers with credentials
 */
export function unreadable({ principal }: Pick<ServiceContext, 'principal'>, error: DomainError): DomainError {
  if (principal.kind !== 'anonymous') return error;
  return new DomainError(
    'authentication_required',
    'Without authentication only datasets are sent that are for everyone. Send the header "Authorization: Bearer <token>".',
  );
}

export function datasetNotFound(id: string): DomainError {
  return new DomainError('dataset_not_found', `There is no dataset with the id ${id} that you can see.`);
}

/** The fields of a body but the owner, as the database takes them. */
function fieldsOf(input: DatasetPatch): DatasetFields {
  return {
    name: input.name?.trim(),
    description: input.description,
    isPublic: input.is_public,
    visibility: input.visibility,
    dataType: input.data_type,
    srid: input.srid,
    geometryType: input.geometry_type,
    status: input.status,
    metadata: input.metadata === undefined ? undefined : JSON.stringify(input.metadata),
    storageRef: input.storage_ref,
  };
}
