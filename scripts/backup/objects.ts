import { Readable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import type pg from 'pg';
import {
  EDITIONS_KEY,
  manifestKey,
  objectKey,
  POINTER_KEY,
  type Manifest as ReleaseManifest,
} from '../../src/areas/snapshot/layout.ts';
import { RELEASE_VERSION_TEXT } from '../../src/db/releases.ts';
import type { BackupContext } from './backups.ts';
import type { KeptObject, Manifest } from './manifest.ts';
import { spooled } from './spool.ts';
import type { FileToPut, ListedObject, Store } from './store.ts';

/** How many objects are copied at once. */
const AT_ONCE = 4;

/** The objects that say what is served. Besides them only manifests change: `isReplaceable`. */
const POINTERS = [POINTER_KEY, EDITIONS_KEY];

/** Whether an object can be replaced under its key: one that says which others are read. */
export function isReplaceable(key: string): boolean {
  return POINTERS.includes(key) || /^releases\/[^/]+\/manifest\.json$/.test(key);
}

/** A query of the objects that rows name: files of datasets, and archives of tiles. */
const NAMED = `select storage_key as key from dataset_versions where state = 'current' and storage_key is not null
  union select object_key from tile_archives`;

/** The objects of the bucket that a transaction's rows need. */
export interface Needed {
  /** Objects that rows name. */
  readonly keys: readonly string[];
  /** The versions of releases, whose manifests name their objects. */
  readonly versions: readonly string[];
}

/** @param client in the transaction in which the tables are read */
export async function findNeeded(client: pg.Client): Promise<Needed> {
  const named = await client.query<{ key: string }>(`${NAMED} order by 1`);
  const releases = await client.query<{ version: string }>(
    `select ${RELEASE_VERSION_TEXT} as version from data_releases r order by 1`,
  );
  return { keys: named.rows.map(({ key }) => key), versions: releases.rows.map(({ version }) => version) };
}

/** Something was deleted or activated during the backup, so the copies don't belong to its transaction. */
export class ServiceChanged extends Error {
  override readonly name = 'ServiceChanged';
}

/** Reads the objects that say what is served. */
export async function readPointers(bucket: Store): Promise<Map<string, string>> {
  const pointers = new Map<string, string>();
  for (const key of POINTERS) {
    const found = await bucket.get(key);
    if (found) pointers.set(key, await textOf(found.body));
  }
  return pointers;
}

interface CopyOptions extends BackupContext {
  readonly needed: Needed;
  /** The pointers as they were before the database was read. */
  readonly pointers: ReadonlyMap<string, string>;
  /** Objects of an earlier backup of this bucket, which are not read again if their key, size and entity tag are the same. */
  readonly before: readonly KeptObject[];
  /** Stores a file of the backup. */
  readonly add: (file: FileToPut) => Promise<void>;
}

/**
 * Copies the objects that the rows of a transaction need.
 *
 * @returns the objects; `missing`: keys that the current database still names, although the bucket has no object of them
 * @throws ServiceChanged if something was deleted or activated since the transaction began
 */
export async function copyObjects(input: CopyOptions): Promise<Pick<Manifest, 'objects' | 'missing'>> {
  const { bucket, needed, pointers, onProgress } = input;
  onProgress(0, 'Listing the bucket');
  const listed = new Map<string, ListedObject>();
  for await (const object of bucket.list('')) listed.set(object.key, object);
  const pointersNow = await readPointers(bucket);
  if (POINTERS.some((key) => pointersNow.get(key) !== pointers.get(key))) {
    throw new ServiceChanged('Another release was activated meanwhile');
  }
  const ofReleases = await readManifests(bucket, versionsIn(needed, pointers));
  const before = new Map(input.before.map((object) => [object.key, object]));
  const keys = [...new Set([...needed.keys, ...ofReleases.keys()])];
  const objects: KeptObject[] = [];
  const missing: string[] = [];
  let done = 0;
  await Readable.from([...pointers.keys(), ...keys]).forEach(
    async (key: string) => {
      const text = pointers.get(key) ?? ofReleases.get(key);
      const known = text === undefined && (await findKnown(input.backups, before.get(key), listed.get(key)));
      if (known) objects.push(known);
      else {
        const copied = await copyObject(input, key, text);
        if (copied) objects.push(copied);
        else missing.push(key);
      }
      onProgress(++done / (pointers.size + keys.length), 'Copying objects');
    },
    { concurrency: AT_ONCE },
  );
  if (missing.length > 0) await requireNamed(input, missing);
  return { objects: objects.sort((a, b) => (a.key < b.key ? -1 : 1)), missing: missing.sort() };
}

/** The versions of the database, and the served one, which a development server may publish before it fills its database. */
function versionsIn({ versions }: Needed, pointers: ReadonlyMap<string, string>): string[] {
  const served = JSON.parse(pointers.get(POINTER_KEY) ?? '{}') as { version?: string };
  return [...new Set([...versions, ...(served.version === undefined ? [] : [served.version])])];
}

/** The keys of the objects of releases, with the text of manifests; undefined for objects that these name. */
async function readManifests(bucket: Store, versions: readonly string[]): Promise<Map<string, string | undefined>> {
  const keys = new Map<string, string | undefined>();
  for (const version of versions) {
    const found = await bucket.get(manifestKey(version));
    // A release that was not published yet has no manifest.
    if (!found) continue;
    const text = await textOf(found.body);
    keys.set(manifestKey(version), text);
    for (const object of (JSON.parse(text) as ReleaseManifest).objects) keys.set(objectKey(version, object), undefined);
  }
  return keys;
}

/** The entry of an earlier backup for an object that is unchanged since. */
async function findKnown(
  backups: BackupContext['backups'],
  before: KeptObject | undefined,
  listed: ListedObject | undefined,
): Promise<KeptObject | undefined> {
  const isSame = before && listed && before.etag !== '' && before.etag === listed.etag && before.bytes === listed.bytes;
  return isSame && (await backups.has(before)) ? before : undefined;
}

async function copyObject(
  { bucket, scratch, add }: CopyOptions,
  key: string,
  text: string | undefined,
): Promise<KeptObject | undefined> {
  let found = await bucket.get(key);
  if (!found) return undefined;
  const { etag, contentType } = found;
  // A lost connection is opened again. A manifest or pointer is stored as it was read before.
  const open = async () => {
    if (text !== undefined) {
      found?.body.destroy();
      return [Readable.from([Buffer.from(text)])] as const;
    }
    const object = found ?? (await bucket.get(key));
    found = undefined;
    if (!object) throw new ServiceChanged(`${key} was deleted meanwhile`);
    return [object.body] as const;
  };
  return spooled(scratch, open, async (file) => {
    await add(file);
    return { key, sha256: file.sha256, bytes: file.bytes, etag, content_type: contentType ?? null };
  });
}

/** @throws ServiceChanged if the current database no longer names a missing object: rows are deleted before their objects */
async function requireNamed(
  { bucket, pointers, withConnection }: CopyOptions,
  missing: readonly string[],
): Promise<void> {
  const current = await withConnection(findNeeded);
  const ofReleases = await readManifests(bucket, versionsIn(current, pointers));
  const named = new Set([...current.keys, ...ofReleases.keys()]);
  const deleted = missing.find((key) => !named.has(key));
  if (deleted !== undefined) throw new ServiceChanged(`${deleted} was deleted meanwhile`);
}
