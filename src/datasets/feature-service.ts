import type { Actor } from '../db/audit.ts';
import type { Database } from '../db/client.ts';
import { DomainError } from '../errors.ts';
import { newFeature, newGeometry, newProperties } from '../features/new-feature.ts';
import type { Caller } from './access.ts';
import { createFeature, deleteFeature, findFeature, updateFeature } from './repo/features.ts';
import { notFound as datasetNotFound, requireOwnDataset } from './service.ts';

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

interface Given {
  readonly geom?: unknown;
  readonly geometry?: unknown;
  readonly properties?: unknown;
}

/** Each verb gives the feature as JSON text. */

export async function addFeature(
  db: Database,
  caller: Caller,
  { dataset_id: datasetId, ...given }: Given & { dataset_id: string },
  actor: Actor,
): Promise<string> {
  const text = await createFeature(db, caller, datasetId, newFeature(given, [], true), actor);
  if (text !== undefined) return text;
  await requireOwnDataset(db, caller, datasetId);
  throw datasetNotFound(datasetId);
}

export async function getFeature(db: Database, caller: Caller, id: string): Promise<string> {
  const text = UUID.test(id) ? await findFeature(db, caller, id) : undefined;
  if (text === undefined) throw notFound(id);
  return text;
}

export async function changeFeature(
  db: Database,
  caller: Caller,
  id: string,
  given: Given & { dataset_id?: string | undefined },
  actor: Actor,
): Promise<string> {
  const { dataset_id: datasetId, geom, geometry, properties } = given;
  const change = {
    datasetId,
    geometry: geom === undefined && geometry === undefined ? undefined : newGeometry(given, [], true),
    properties: properties === undefined ? undefined : newProperties(properties),
  };
  const text = UUID.test(id) ? await updateFeature(db, caller, id, change, actor) : undefined;
  if (text !== undefined) return text;
  await requireOwnFeature(db, caller, id);
  if (datasetId !== undefined) await requireOwnDataset(db, caller, datasetId);
  throw notFound(id);
}

export async function removeFeature(db: Database, caller: Caller, id: string, actor: Actor): Promise<void> {
  if (UUID.test(id) && (await deleteFeature(db, caller, id, actor))) return;
  await requireOwnFeature(db, caller, id);
  throw notFound(id);
}

/** Tells why a feature could not be written to; nothing where it belongs to the caller. */
async function requireOwnFeature(db: Database, caller: Caller, id: string): Promise<void> {
  const { dataset_id: datasetId } = JSON.parse(await getFeature(db, caller, id)) as { dataset_id: string };
  await requireOwnDataset(db, caller, datasetId);
}

function notFound(id: string): DomainError {
  return new DomainError('feature_not_found', `There is no feature with the id ${id.slice(0, 64)} that you can see.`);
}
