import type { Header } from 'pmtiles';
import { sessionEnd, signLinkSession } from '../auth/link-sessions.ts';
import type { ServiceContext } from '../context.ts';
import { DomainError } from '../errors.ts';
import { logFailure } from '../log.ts';
import { storageUnavailable } from '../storage/bucket.ts';
import { requireTilesMade } from '../storage/preparing.ts';
import type { TileArchive } from './archive.ts';
import { checkRoot, readMetadata } from './contents.ts';
import { headerFacts, parseHeader } from './header.ts';
import { ArchiveGone } from './reader.ts';
import { deleteArchiveRow, findArchive, listArchives, upsertArchive } from './repo.ts';
import { TILE_SESSIONS } from './sessions.ts';
import { newObjectKey, OBJECT_PREFIX, startUpload, storeObject } from './storage.ts';

/** The largest archive that can be uploaded, bytes. A plan of the platform may limit requests to less. */
const MAX_ARCHIVE_BYTES = 512 * 1024 * 1024;

/** Max archives of one session, so that the session is short enough for a URL. */
const MAX_SESSION_ARCHIVES = 64;

/**
 * The age at which an object that no archive refers to is deleted, milliseconds. A younger one may belong to an upload
 * that is still running.
 */
const UNREFERENCED_OBJECT_MS = 60 * 60 * 1000;

/** @throws DomainError `tile_archive_not_found`; `storage_unavailable` while a development server makes the tiles */
export async function getArchive(ctx: ServiceContext, { slug }: { slug: string }): Promise<TileArchive> {
  const archive = await findArchive(ctx.db, slug);
  if (archive) return archive;
  await requireTilesMade(ctx.config);
  return notFound(slug);
}

/**
 * The archive that took the place of another between its look-up and its read, which therefore failed.
 *
 * @param input `error`: what reading the archive failed with
 * @throws the error, where it has another cause; DomainError `tile_archive_not_found` where the archive was deleted, and
 * `storage_unavailable` where nothing took its place
 */
export async function successorOf(
  ctx: ServiceContext,
  { archive: { slug, objectKey }, error }: { archive: TileArchive; error: unknown },
): Promise<TileArchive> {
  if (!(error instanceof ArchiveGone)) throw error;
  const successor = await getArchive(ctx, { slug });
  if (successor.objectKey === objectKey) throw storageUnavailable(objectKey, error);
  return successor;
}

export interface NewSessionInput {
  /** Of the archives to open. Without them a session opens all, or the first 64 by slug if there are more. */
  readonly slugs?: readonly string[] | undefined;
  /** How long the session is valid. */
  readonly ttlSeconds?: number | undefined;
}

/**
 * Creates a session, with which a map reads archives without other credentials. The session of a key expires with it at
 * the latest.
 *
 * @throws DomainError `tile_archive_not_found` naming the slugs that no archive has; `storage_unavailable` for them while a
 * development server makes the tiles
 */
export async function createTileSession(
  ctx: ServiceContext,
  { slugs, ttlSeconds }: NewSessionInput,
): Promise<{ session: string; expiresAt: Date; archives: TileArchive[] }> {
  const found = await listArchives(ctx.db, { slugs });
  const missing = slugs?.filter((slug) => !found.some((archive) => archive.slug === slug)) ?? [];
  if (missing.length > 0) {
    await requireTilesMade(ctx.config);
    notFound(missing.join(', '));
  }
  const archives = found.slice(0, MAX_SESSION_ARCHIVES);
  const expiresAt = sessionEnd(ctx.principal, ttlSeconds);
  const names = archives.map((archive) => archive.slug);
  const session = await signLinkSession(ctx.config.TILE_SESSION_SECRET[0], TILE_SESSIONS, { names, expiresAt });
  return { session, expiresAt, archives };
}

/**
 * Stores an archive under a new key while it arrives, and then makes the slug name it. A caller who is reading the
 * previous archive reads it to its end, or the new one from its beginning. The previous object is deleted after the
 * response.
 *
 * @param size the announced length of the body, bytes
 * @throws DomainError `payload_too_large`, `invalid_archive`; nothing is stored then
 */
export async function putArchive(
  ctx: ServiceContext,
  { slug, body, size }: { slug: string; body: ReadableStream<Uint8Array>; size: number },
): Promise<TileArchive> {
  if (size > MAX_ARCHIVE_BYTES) {
    throw new DomainError(
      'payload_too_large',
      `An archive may have ${MAX_ARCHIVE_BYTES} bytes at most (Content-Length says ${size}).`,
    );
  }
  const upload = await startUpload(body);
  const header = parseHeader(upload.beginning, size);
  const objectKey = newObjectKey();
  const object = await storeObject(ctx.bucket, objectKey, { ...upload, size });
  const { name, ...metadata } = await readContents(ctx, objectKey, header);
  // If this statement fails, the database may have executed it anyway, and then serves the object. So the object stays;
  // if nothing refers to it, deleteUnreferencedObjects deletes it.
  const { archive, replacedKey } = await upsertArchive(ctx.db, {
    archive: {
      slug,
      objectKey,
      etag: object.etag,
      sizeBytes: object.size,
      ...headerFacts(header),
      ...metadata,
      name: name ?? slug,
    },
    actor: ctx.actor,
  });
  if (replacedKey !== null) deleteObjectLater(ctx, replacedKey);
  return archive;
}

/** Checks the contents of an object and reads its metadata. A refused object is deleted after the response. */
async function readContents(ctx: ServiceContext, key: string, header: Header) {
  try {
    await checkRoot(ctx.bucket, key, header);
    return await readMetadata(ctx.bucket, key, header);
  } catch (error) {
    deleteObjectLater(ctx, key);
    throw error;
  }
}

/**
 * Deletes an archive. Its object is deleted after the response.
 *
 * @returns the archive as it was
 * @throws DomainError `tile_archive_not_found`
 */
export async function deleteArchive(ctx: ServiceContext, { slug }: { slug: string }): Promise<TileArchive> {
  const archive = (await deleteArchiveRow(ctx.db, { slug, actor: ctx.actor })) ?? notFound(slug);
  deleteObjectLater(ctx, archive.objectKey);
  return archive;
}

/** Deletes an object that no archive refers to any more. If that fails, deleteUnreferencedObjects does it later. */
function deleteObjectLater(ctx: ServiceContext, key: string): void {
  const { bucket } = ctx.afterAnswer;
  ctx.waitUntil(bucket.delete(key).catch((error) => logFailure('tile_archive_not_deleted', error, { key })));
}

/**
 * Deletes objects that no archive refers to. Broken uploads leave them behind.
 *
 * @param now the moment by which the age of an object is counted
 */
export async function deleteUnreferencedObjects(ctx: ServiceContext, { now }: { now: Date }): Promise<void> {
  const { objects } = await ctx.bucket.list({ prefix: OBJECT_PREFIX });
  // The table is read after the bucket, so an archive that was stored in between counts as referred to.
  const referenced = new Set((await listArchives(ctx.db)).map(({ objectKey }) => objectKey));
  const keys = objects
    .filter(({ key, uploaded }) => !referenced.has(key) && uploaded.getTime() < now.getTime() - UNREFERENCED_OBJECT_MS)
    .map(({ key }) => key);
  if (keys.length > 0) await ctx.bucket.delete(keys);
}

function notFound(slugs: string): never {
  throw new DomainError(
    'tile_archive_not_found',
    `There are no tiles called "${slugs}". See /v1/tiles for those there are.`,
  );
}
