import type { ServiceContext } from '../context.ts';
import type { Claim } from '../db/idempotency.ts';
import { DomainError } from '../errors.ts';
import { newFeature, newGeometry, newProperties } from '../features/new-feature.ts';
import { type FeaturePatch, isFeatureId, type NewFeatureInput } from '../features/schemas.ts';
import { WGS84 } from '../geojson/domains.ts';
import { once } from '../once.ts';
import { readerOf } from './owners.ts';
import { deleteFeatureRow, findFeature, insertFeature, updateFeatureRow } from './repo/features.ts';
import { datasetNotFound, requireOwnDataset, unreadable, writeOf } from './service.ts';

/**
 * Adds a feature to a dataset of the caller. Its geometry is in WGS 84.
 *
 * @returns the feature as JSON text
 * @throws DomainError `invalid_geometry`, `dataset_not_found`, `forbidden`, `quota_exceeded`, and as `once`
 */
export function createFeature(ctx: ServiceContext, input: NewFeatureInput): Promise<string> {
  return once(ctx, { make: (claim) => makeFeature(ctx, input, claim), find: (id) => getFeature(ctx, { id }) });
}

async function makeFeature(
  ctx: ServiceContext,
  { dataset_id: datasetId, ...fields }: NewFeatureInput,
  claim: Claim | undefined,
): Promise<string> {
  const feature = newFeature(fields, [], WGS84);
  const text = await insertFeature(ctx.db, { ...writeOf(ctx), datasetId, feature, claim });
  if (text !== undefined) return text;
  await requireOwnDataset(ctx, { id: datasetId });
  throw datasetNotFound(datasetId);
}

/**
 * A feature of a dataset that the caller may read.
 *
 * @returns the feature as JSON text
 * @throws DomainError `feature_not_found`
 */
export async function getFeature(ctx: ServiceContext, { id }: { id: string }): Promise<string> {
  if (!isFeatureId(id)) throw unreadable(ctx, featureNotFound(id));
  const text = await findFeature(ctx.db, { caller: readerOf(ctx.principal), id });
  if (text === undefined) throw unreadable(ctx, featureNotFound(id));
  return text;
}

/**
 * Changes a feature of a dataset of the caller. With `dataset_id` it moves to another dataset of theirs.
 *
 * @returns the feature as JSON text
 * @throws DomainError `invalid_geometry`, `feature_not_found`, `dataset_not_found`, `forbidden`, `quota_exceeded`
 */
export async function updateFeature(
  ctx: ServiceContext,
  { id, changes }: { id: string; changes: FeaturePatch },
): Promise<string> {
  const { dataset_id: datasetId, geom, geometry, properties } = changes;
  const columns = {
    datasetId,
    geometry: geom === undefined && geometry === undefined ? undefined : newGeometry(changes, [], WGS84),
    properties: properties === undefined ? undefined : newProperties(properties),
  };
  requireFeatureId(id);
  const text = await updateFeatureRow(ctx.db, { ...writeOf(ctx), id, changes: columns });
  if (text !== undefined) return text;
  await requireOwnFeature(ctx, { id });
  if (datasetId !== undefined) await requireOwnDataset(ctx, { id: datasetId });
  throw featureNotFound(id);
}

/**
 * Deletes a feature of a dataset of the caller.
 *
 * @throws DomainError `feature_not_found`, `forbidden`
 */
export async function deleteFeature(ctx: ServiceContext, { id }: { id: string }): Promise<void> {
  requireFeatureId(id);
  if (await deleteFeatureRow(ctx.db, { ...writeOf(ctx), id })) return;
  await requireOwnFeature(ctx, { id });
  throw featureNotFound(id);
}

/**
 * Requires that the caller owns the dataset of a feature, to explain why a write found nothing to change.
 *
 * @throws DomainError `feature_not_found`, `dataset_not_found`, `forbidden`
 */
async function requireOwnFeature(ctx: ServiceContext, { id }: { id: string }): Promise<void> {
  const { dataset_id: datasetId } = JSON.parse(await getFeature(ctx, { id })) as { dataset_id: string };
  await requireOwnDataset(ctx, { id: datasetId });
}

/** Ids of features are UUIDs. For any other text the answer is the same as for a UUID that no feature has. */
function requireFeatureId(id: string): void {
  if (!isFeatureId(id)) throw featureNotFound(id);
}

function featureNotFound(id: string): DomainError {
  return new DomainError('feature_not_found', `There is no feature with the id ${id.slice(0, 64)} that you can see.`);
}
