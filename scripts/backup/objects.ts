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
import type { Backups } from './backups.ts';
import type { KeptObject } from './manifest.ts';
import { spooled } from './spool.ts';
import type { ListedObject, Store } from './store.ts';

/** How many objects are copied at once. */
const AT_ONCE = 4;

/** The objects that say what is served. All others never change. */
const POINTERS = [POINTER_KEY, EDITIONS_KEY];

/** Whether an object can be replaced under its key: one that says which others are read. */
export function isReplaceable(key: string): boolean {
  return POINTERS.includes(key) || /^releases\/[^/]+\/manifest\.json$/.test(key);
}

/** The objects that rows name: files of datasets, and archives of tiles. */
const NAMED = `select storage_key as key from dataset_versions where state = 'current' and storage_key is not null
  union select object_key from tile_archives`;

/** What a moment of the database needs of the bucket. */
export interface Needed {
  /** Objects that rows name. */
  readonly keys: readonly string[];
  /** The versions of releases, whose manifests name their objects. */
  readonly versions: readonly string[];
}

/** @param client in the transaction whose moment it is */
export async function findNeeded(client: pg.Client): Promise<Needed> {
  const named = await client.query<{ key: string }>(`${NAMED} order by 1`);
  const releases = await client.query<{ version: string }>(
    `select ${RELEASE_VERSION_TEXT} as version from data_releases r order by 1`,
  );
  return { keys: named.rows.map(({ key }) => key), versions: releases.rows.map(({ version }) => version) };
}

/** Something was deleted or activated while it was being copied, so that the copies are of no one moment. */
export class Changed extends Error {
  override readonly name = 'Changed';
}

/** The bytes of the objects that say what is served. */
export async function readPointers(bucket: Store): Promise<Map<string, string>> {
  const pointers = new Map<string, string>();
  for (const key of POINTERS) {
    const found = await bucket.get(key);
    if (found) pointers.set(key, await textOf(found.body));
  }
  return pointers;
}

interface Copying {
  readonly bucket: Store;
  readonly backups: Backups;
  readonly scratch: string;
  readonly needed: Needed;
  /** The pointers as they were before the database was read. */
  readonly pointers: ReadonlyMap<string, string>;
  /** Objects of an earlier backup of this bucket, which are not read again where their key, size and entity tag are the same. */
  readonly before: readonly KeptObject[];
  /** Calls with a connection that sees the database as it is now. */
  readonly now: <T>(work: (client: pg.Client) => Promise<T>) => Promise<T>;
  readonly onProgress: (fraction: number, label: string) => void;
}

/**
 * Copies what a moment of the database needs of the bucket.
 *
 * @returns the objects; `missing`: the keys of those that the database still names, and the bucket has not
 * @throws Changed where the copies would not be of the moment
 */
export async function copyObjects(input: Copying): Promise<{ objects: KeptObject[]; missing: string[]; sent: number }> {
  const { bucket, needed, pointers, onProgress } = input;
  onProgress(0, 'Listing the bucket');
  const listed = new Map<string, ListedObject>();
  for await (const object of bucket.list('')) listed.set(object.key, object);
  const pointersNow = await readPointers(bucket);
  if (POINTERS.some((key) => pointersNow.get(key) !== pointers.get(key))) {
    throw new Changed('Another release was activated meanwhile');
  }
  const ofReleases = await readManifests(bucket, versionsIn(needed, pointers));
  const before = new Map(input.before.map((object) => [object.key, object]));
  const keys = [...new Set([...needed.keys, ...ofReleases.keys()])];
  const objects: KeptObject[] = [];
  const missing: string[] = [];
  let sent = 0;
  let done = 0;
  await Readable.from([...pointers.keys(), ...keys]).forEach(
    async (key: string) => {
      const text = pointers.get(key) ?? ofReleases.get(key);
      const known = text === undefined && (await findKnown(input.backups, before.get(key), listed.get(key)));
      if (known) objects.push(known);
      else {
        const copied = await copyObject(input, key, text);
        if (copied) {
          objects.push(copied.object);
          sent += copied.sent;
        } else missing.push(key);
      }
      onProgress(++done / (pointers.size + keys.length), 'Copying objects');
    },
    { concurrency: AT_ONCE },
  );
  if (missing.length > 0) await requireNamed(input, missing);
  return { objects: objects.sort((a, b) => (a.key < b.key ? -1 : 1)), missing: missing.sort(), sent };
}

/** The releases of the database and the one that is served, which a server for development may have before its database. */
function versionsIn({ versions }: Needed, pointers: ReadonlyMap<string, string>): string[] {
  const served = JSON.parse(pointers.get(POINTER_KEY) ?? '{}') as { version?: string };
  return [...new Set([...versions, ...(served.version === undefined ? [] : [served.version])])];
}

/** What releases consist of, by key: the text of manifests, undefined for what these name. */
async function readManifests(bucket: Store, versions: readonly string[]): Promise<Map<string, string | undefined>> {
  const keys = new Map<string, string | undefined>();
  for (const version of versions) {
    const found = await bucket.get(manifestKey(version));
    if (!found) continue;
    const text = await textOf(found.body);
    keys.set(manifestKey(version), text);
    for (const object of (JSON.parse(text) as ReleaseManifest).objects) keys.set(objectKey(version, object), undefined);
  }
  return keys;
}

/** What an earlier backup says of an object that is the same today. */
async function findKnown(
  backups: Backups,
  before: KeptObject | undefined,
  listed: ListedObject | undefined,
): Promise<KeptObject | undefined> {
  const isSame = before && listed && before.etag !== '' && before.etag === listed.etag && before.bytes === listed.bytes;
  return isSame && (await backups.has(before)) ? before : undefined;
}

async function copyObject(
  { bucket, backups, scratch }: Copying,
  key: string,
  text: string | undefined,
): Promise<{ object: KeptObject; sent: number } | undefined> {
  let found = await bucket.get(key);
  if (!found) return undefined;
  const { etag, contentType } = found;
  // A connection that is lost half-way is opened again. The bytes that were read before are those that are kept.
  const open = async () => {
    if (text !== undefined) {
      found?.body.destroy();
      return [Readable.from([Buffer.from(text)])] as const;
    }
    const object = found ?? (await bucket.get(key));
    found = undefined;
    if (!object) throw new Changed(`${key} was deleted meanwhile`);
    return [object.body] as const;
  };
  return spooled(scratch, open, async (file) => ({
    object: { key, sha256: file.sha256, bytes: file.bytes, etag, content_type: contentType ?? null },
    sent: await backups.add(file),
  }));
}

/** @throws Changed where what is missing is no longer named: rows are deleted before their objects are */
async function requireNamed({ bucket, pointers, now }: Copying, missing: readonly string[]): Promise<void> {
  const current = await now(findNeeded);
  const ofReleases = await readManifests(bucket, versionsIn(current, pointers));
  const named = new Set([...current.keys, ...ofReleases.keys()]);
  const deleted = missing.find((key) => !named.has(key));
  if (deleted !== undefined) throw new Changed(`${deleted} was deleted meanwhile`);
}
