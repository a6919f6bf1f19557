import type { Header } from 'pmtiles';
import type { Actor } from '../db/audit.ts';
import type { Database } from '../db/client.ts';
import { DomainError } from '../errors.ts';
import type { TileArchive } from './archive.ts';
import { checkedHeader, factsOf, HEADER_BYTES, invalidArchive } from './header.ts';
import { metadataOf } from './metadata.ts';
import { ArchiveGone } from './reader.ts';
import { findArchive, listArchives, putArchive, removeArchive } from './repo.ts';
import { checkRoot } from './root.ts';

/** The largest archive that is taken, bytes. Plans of the platform may take less of a request. */
const MAX_ARCHIVE_BYTES = 512 * 1024 * 1024;

const PREFIX = 'tiles/';

/** How many archives a session opens at most, which keeps it short enough for an address. */
const MAX_OPENED = 64;

/** How old an object that no archive has must be before it counts as left over from an upload that broke off. */
const LEFT_OVER_MS = 60 * 60 * 1000;

export interface Stores {
  readonly db: Database;
  readonly bucket: R2Bucket;
}

/** @throws DomainError `tile_archive_not_found` */
export async function getArchive(db: Database, slug: string): Promise<TileArchive> {
  return (await findArchive(db, slug)) ?? notFound(slug);
}

/**
 * Answers from the archive that a slug means. Where its object is gone when it is read, because another archive has just
 * taken its place, answers from that one.
 *
 * @throws DomainError `tile_archive_not_found`
 */
export async function current<T>(db: Database, slug: string, use: (archive: TileArchive) => Promise<T>): Promise<T> {
  const archive = await getArchive(db, slug);
  try {
    return await use(archive);
  } catch (error) {
    if (!(error instanceof ArchiveGone)) throw error;
    const now = await getArchive(db, slug);
    if (now.objectKey === archive.objectKey) throw error;
    return use(now);
  }
}

/** @throws DomainError `tile_archive_not_found` naming those of the slugs that there is no archive of */
export async function getArchives(db: Database, slugs: readonly string[] | undefined): Promise<TileArchive[]> {
  const archives = await listArchives(db, slugs);
  const missing = slugs?.filter((slug) => !archives.some((archive) => archive.slug === slug)) ?? [];
  return missing.length > 0 ? notFound(missing.join(', ')) : archives;
}

/**
 * The archives that a session is to open: those asked for, or all, the first by slug where there are very many.
 *
 * @throws DomainError `tile_archive_not_found` naming those of the slugs that there is no archive of
 */
export async function archivesToOpen(db: Database, slugs: readonly string[] | undefined): Promise<TileArchive[]> {
  return (await getArchives(db, slugs)).slice(0, MAX_OPENED);
}

/**
 * Stores an archive under a fresh key, in the stream that it comes in, and then lets its slug mean it. Whoever reads the
 * one before reads that to its end, or the new one from its beginning.
 *
 * @param size the length that the body was announced with
 * @returns its record, and the key of the object that is to be deleted now
 * @throws DomainError `payload_too_large`, `invalid_archive`; nothing is stored then
 */
export async function storeArchive(
  { db, bucket }: Stores,
  slug: string,
  { body, size, actor }: { body: ReadableStream<Uint8Array>; size: number; actor: Actor },
): Promise<{ archive: TileArchive; replaced: string | null }> {
  if (size > MAX_ARCHIVE_BYTES) {
    throw new DomainError(
      'payload_too_large',
      `An archive may have ${MAX_ARCHIVE_BYTES} bytes at most (Content-Length says ${size}).`,
    );
  }
  const { beginning, rest } = await beginningOf(body);
  const header = checkedHeader(beginning, size);
  const objectKey = `${PREFIX}${crypto.randomUUID()}.pmtiles`;
  const object = await storeStream(bucket, objectKey, beginning, rest, size);
  const { name, ...metadata } = await checked(bucket, objectKey, header);
  const stored = { slug, objectKey, etag: object.etag, sizeBytes: object.size };
  // The database may have taken it and not have lived to say so: then the object is served. If it has not,
  // removeLeftOvers finds the object.
  return putArchive(db, { ...stored, ...factsOf(header), ...metadata, name: name ?? slug }, actor);
}

/** What the metadata of a stored archive says, after a look at what tiles are found by. What is refused is deleted. */
async function checked(bucket: R2Bucket, key: string, header: Header) {
  try {
    await checkRoot(bucket, key, header);
    return await metadataOf(bucket, key, header);
  } catch (error) {
    await bucket.delete(key);
    throw error;
  }
}

/**
 * Takes an archive out of service. Its object is to be deleted afterwards.
 *
 * @throws DomainError `tile_archive_not_found`
 */
export async function dropArchive(db: Database, slug: string, actor: Actor): Promise<TileArchive> {
  return (await removeArchive(db, slug, actor)) ?? notFound(slug);
}

/** Deletes what uploads that broke off have left in the bucket. */
export async function removeLeftOvers({ db, bucket }: Stores, { now }: { now: Date }): Promise<void> {
  const { objects } = await bucket.list({ prefix: PREFIX });
  // Read after the bucket: what has been put in place in between is among the served.
  const served = new Set((await listArchives(db)).map(({ objectKey }) => objectKey));
  const isLeftOver = ({ key, uploaded }: R2Object) =>
    !served.has(key) && uploaded.getTime() < now.getTime() - LEFT_OVER_MS;
  const leftOver = objects.filter(isLeftOver).map(({ key }) => key);
  if (leftOver.length > 0) await bucket.delete(leftOver);
}

function notFound(slugs: string): never {
  throw new DomainError(
    'tile_archive_not_found',
    `There are no tiles called "${slugs}". See /v1/tiles for those there are.`,
  );
}

/** The first chunks of a body, as many as the header needs, and the reader of the others. */
async function beginningOf(body: ReadableStream<Uint8Array>) {
  const rest = body.getReader();
  const chunks: Uint8Array[] = [];
  for (let length = 0; length < HEADER_BYTES; ) {
    const { done, value } = await rest.read();
    if (done) break;
    chunks.push(value);
    length += value.length;
  }
  return { beginning: new Uint8Array(await new Blob(chunks).arrayBuffer()), rest };
}

/** The bucket wants to know a length before it takes a stream. */
async function storeStream(
  bucket: R2Bucket,
  key: string,
  beginning: Uint8Array,
  rest: ReadableStreamDefaultReader<Uint8Array>,
  size: number,
): Promise<R2Object> {
  const { readable, writable } = new FixedLengthStream(size);
  let brokenOff = false;
  const next = () =>
    rest.read().catch((error) => {
      brokenOff = true;
      throw error;
    });
  const send = async () => {
    const writer = writable.getWriter();
    try {
      await writer.write(beginning);
      for (let part = await next(); !part.done; part = await next()) await writer.write(part.value);
      await writer.close();
    } catch (error) {
      await writer.abort(error);
      throw error;
    }
  };
  const options = { httpMetadata: { contentType: 'application/vnd.pmtiles' } };
  const [sent, stored] = await Promise.allSettled([send(), bucket.put(key, readable, options)]);
  if (brokenOff) throw invalidArchive(`it breaks off before the ${size} bytes that Content-Length says`);
  if (stored.status === 'rejected') throw stored.reason;
  if (sent.status === 'rejected') throw sent.reason;
  return stored.value;
}
