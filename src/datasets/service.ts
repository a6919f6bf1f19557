import { type Principal, userOf } from '../auth/principal.ts';
import type { Actor } from '../db/audit.ts';
import type { Database } from '../db/client.ts';
import { DomainError } from '../errors.ts';
import type { Contents } from '../features/feature.ts';
import { geometryMember, newFeature } from '../features/new-feature.ts';
import { WGS84 } from '../geojson/geometry.ts';
import { type Caller, callerOf } from './access.ts';
import type { Dataset, DatasetWish } from './dataset.ts';
import type { Exported } from './exports.ts';
import { type FoundFile, findDataset, findFile, findNamed, knowsSrid } from './repo/reads.ts';
import type { Found } from './repo/rows.ts';
import { createDataset, deleteDataset, type Owner, updateDataset } from './repo/writes.ts';
import type { DatasetInput, DatasetPatch } from './schemas.ts';

/** A dataset that the caller may read, with the contents that it has at the moment. */
export async function getDataset(db: Database, caller: Caller, id: string): Promise<Found> {
  const found = await findDataset(db, caller, id);
  if (!found) throw notFound(id);
  return found;
}

export function contentsOf({ dataset, versionId }: Found): Contents {
  return { datasetId: dataset.id, versionId, count: dataset.feature_count };
}

/** A dataset that the caller may read, and what there is to export of it. */
export async function getExported(
  db: Database,
  caller: Caller,
  id: string,
): Promise<{ dataset: Dataset; exported: Exported }> {
  const named = await findNamed(db, caller, id);
  if (!named) throw notFound(id);
  const { found, names } = named;
  return { dataset: found.dataset, exported: { contents: contentsOf(found), names } };
}

export async function makeDataset(
  db: Database,
  principal: Principal,
  input: DatasetInput,
  actor: Actor,
): Promise<Dataset> {
  const owner = ownerOf(principal, input);
  const srid = input.srid ?? WGS84;
  await requireSrid(db, srid);
  const given = input.features ?? [];
  const features = given.map((feature, i) => newFeature(feature, ['features', i], srid === WGS84));
  const status = input.status ?? (features.length > 0 ? 'ready' : 'draft');
  const wish = { ...wishOf(input), name: input.name.trim(), srid, status, features };
  const made = await createDataset(db, callerOf(principal), owner, wish, actor);
  if ('found' in made) return made.found.dataset;
  const path = ['features', made.offEarth - 1, geometryMember(given[made.offEarth - 1] ?? {})];
  throw new DomainError(
    'invalid_geometry',
    `features[${made.offEarth - 1}]: lies nowhere on Earth when its coordinates are taken as those of SRID ${srid}.`,
    { path },
  );
}

export async function changeDataset(
  db: Database,
  principal: Principal,
  id: string,
  input: DatasetPatch,
  actor: Actor,
): Promise<Dataset> {
  requireOwnerFields(principal, input);
  if (input.srid !== undefined) await requireSrid(db, input.srid);
  const caller = callerOf(principal);
  const found = await updateDataset(db, caller, id, { ...wishOf(input), ...newOwnerOf(principal, input) }, actor);
  if (found) return found.dataset;
  await requireOwnDataset(db, caller, id);
  if (input.storage_ref === undefined) throw notFound(id);
  throw new DomainError(
    'storage_ref_fixed',
    'storage_ref: must be left out or be what it is, because the service stores the file of this dataset. Upload another file with dataset_id to replace it.',
  );
}

/**
 * Tells why a dataset can not be written to: it is not the caller's, or they can't see it at all.
 *
 * @throws DomainError `dataset_not_found`, `forbidden`; nothing where the dataset is the caller's
 */
export async function requireOwnDataset(db: Database, caller: Caller, id: string): Promise<void> {
  const found = await findDataset(db, caller, id);
  if (!found) throw notFound(id);
  if (found.owned) return;
  throw new DomainError('forbidden', `The dataset ${id} is somebody else's: you can read it, but not write to it.`);
}

/** Gives the version to purge. */
export async function removeDataset(db: Database, caller: Caller, id: string, actor: Actor): Promise<string> {
  const version = await deleteDataset(db, caller, id, actor);
  if (version !== undefined) return version;
  await requireOwnDataset(db, caller, id);
  throw notFound(id);
}

/** @throws DomainError `dataset_not_found`, `file_not_found` */
export async function getFile(db: Database, caller: Caller, id: string): Promise<FoundFile> {
  const found = await findFile(db, caller, id);
  if (!found) throw notFound(id);
  if (!found.file) throw new DomainError('file_not_found', `The dataset ${id} has no stored file.`);
  return found.file;
}

interface OwnerFields {
  readonly user_id?: string | null | undefined;
  readonly user_email?: string | null | undefined;
}

/**
 * Owners are told by credentials. What anybody but the holder of the master token says of them may only repeat it.
 *
 * @throws DomainError `owner_not_allowed`
 */
export function requireOwnerFields(principal: Principal, { user_id: id, user_email: email }: OwnerFields): void {
  const user = userOf(principal);
  if (!user) return;
  if (id && id.toLowerCase() !== user.userId) {
    throw new DomainError('owner_not_allowed', 'user_id: must be left out or be your own id.');
  }
  if (email && email.toLowerCase() !== user.email) {
    throw new DomainError('owner_not_allowed', 'user_email: must be left out or be your own address.');
  }
}

/**
 * Whom the holder of the master token hands a dataset to; nothing where nobody is named. Who is named alone, by id or by
 * address, is its only owner.
 */
export function newOwnerOf(
  principal: Principal,
  { user_id: id, user_email: email }: OwnerFields,
): Pick<DatasetWish, 'userId' | 'userEmail'> {
  if (principal.kind !== 'master') return {};
  return {
    userId: id === undefined && email ? null : id,
    userEmail: email === undefined && id ? null : email?.toLowerCase(),
  };
}

/** Who a new dataset belongs to: whoever makes it, or whom the holder of the master token names. */
export function ownerOf(principal: Principal, fields: OwnerFields): Owner {
  requireOwnerFields(principal, fields);
  const user = userOf(principal);
  if (user) return { userId: user.userId, email: null };
  return { userId: fields.user_id ?? null, email: fields.user_email?.toLowerCase() ?? null };
}

/** @throws DomainError `unsupported_srid` */
export async function requireSrid(db: Database, srid: number): Promise<void> {
  if (srid === WGS84 || (await knowsSrid(db, srid))) return;
  throw new DomainError('unsupported_srid', `srid: there is no reference system ${srid}. Try 4326, WGS 84.`);
}

export function notFound(id: string): DomainError {
  return new DomainError('dataset_not_found', `There is no dataset with the id ${id} that you can see.`);
}

function wishOf(input: DatasetPatch): DatasetWish {
  return {
    name: input.name?.trim(),
    description: input.description,
    isPublic: input.is_public,
    dataType: input.data_type,
    srid: input.srid,
    geometryType: input.geometry_type,
    status: input.status,
    metadata: input.metadata === undefined ? undefined : JSON.stringify(input.metadata),
    storageRef: input.storage_ref,
  };
}
