import { env } from 'cloudflare:workers';
import { inject } from 'vitest';
import { decompress } from '../../src/areas/snapshot/decompress.ts';
import {
  AREAS,
  HISTORY,
  type Manifest,
  manifestKey,
  objectKey,
  POINTER_KEY,
  POINTS,
  type SnapshotObject,
} from '../../src/areas/snapshot/layout.ts';
import { byteCache, SnapshotObjects } from '../../src/areas/snapshot/objects.ts';
import { openAreas } from '../../src/areas/snapshot/open.ts';
import type { OpenedAreas } from '../../src/areas/snapshot/opened.ts';
import { Deadline } from '../../src/deadline.ts';
import { encodeHistory } from '../../src/editions/encoded.ts';
import { hexOf } from '../../src/hex.ts';
import { Bucket } from '../../src/storage/bucket.ts';
import { filesOf } from './files.ts';
import { type MadeHistory, madeHistory } from './history.ts';

/**
 * The bucket of everything that tests publish. It is apart from the one of the other tests, which would be served from
 * a snapshot as soon as one of them activates the release.
 */
export const SNAPSHOTS = (env as unknown as { SNAPSHOTS: R2Bucket }).SNAPSHOTS;

const objects = await filesOf<string>(inject('snapshot').objects.map(({ name }) => name));

export function snapshotBytes(name: string): Uint8Array<ArrayBuffer> {
  const bytes = objects[name];
  if (!bytes) throw new Error(`The snapshot has no object ${name}`);
  return bytes.slice();
}

/** The key of an object of the seeded release's snapshot. */
export function keyOf(name: string): string {
  const manifest = inject('snapshot');
  const object = manifest.objects.find((candidate) => candidate.name === name);
  if (!object) throw new Error(`The snapshot has no object ${name}`);
  return objectKey(manifest.version, object);
}

/** Small reads of objects are of whole blocks of so many bytes, which the instance of all test files caches. */
export const BLOCK = 128 * 1024;

/** Deletes what other tests have read of an object of the seeded release's snapshot. */
export function forgetBlocks(name: string): void {
  const bytes = inject('snapshot').objects.find((object) => object.name === name)?.bytes ?? 0;
  for (let i = 0; i * BLOCK < bytes; i += 1) byteCache.delete(`${keyOf(name)}#${i}`);
}

/** A bucket like another, some of whose methods behave otherwise. An instance that reads it shares no memory with others. */
export function like(bucket: R2Bucket, changes: Partial<Record<keyof R2Bucket, unknown>> = {}): R2Bucket {
  return new Proxy(bucket, {
    get: (real, name: keyof R2Bucket) => changes[name] ?? (real[name] as () => unknown).bind(real),
  });
}

/** A bucket in which every key has something before it, so that tests don't meet. */
export function apart(): R2Bucket {
  const prefix = `${crypto.randomUUID()}/`;
  return like(SNAPSHOTS, {
    get: (key: string, ...rest: []) => SNAPSHOTS.get(prefix + key, ...rest),
    head: (key: string) => SNAPSHOTS.head(prefix + key),
    put: (key: string, ...rest: [never]) => SNAPSHOTS.put(prefix + key, ...rest),
    delete: (key: string) => SNAPSHOTS.delete(prefix + key),
  });
}

/** Stores the objects of the seeded release's snapshot, and names them where `active` is said. */
export async function publish({ active, bucket = SNAPSHOTS }: { active: boolean; bucket?: R2Bucket }): Promise<void> {
  const manifest = inject('snapshot');
  for (const { name, sha256 } of manifest.objects) {
    await bucket.put(keyOf(name), snapshotBytes(name), { sha256 });
  }
  await bucket.put(manifestKey(manifest.version), JSON.stringify(manifest));
  if (active) await bucket.put(POINTER_KEY, JSON.stringify({ version: manifest.version }));
}

/** What the objects of another release have in common, whatever its identity: they are made once. */
const othersObjects = new Map<string, Uint8Array<ArrayBuffer>>();

async function otherBytes(name: string): Promise<Uint8Array<ArrayBuffer>> {
  const known = othersObjects.get(name);
  if (known) return known;
  const bytes = name === AREAS ? await decompress(snapshotBytes(name), 'gzip', 1e8) : snapshotBytes(name);
  if (name.startsWith('boundaries-')) move(bytes);
  othersObjects.set(name, bytes as Uint8Array<ArrayBuffer>);
  return bytes as Uint8Array<ArrayBuffer>;
}

/** Stores and publishes the snapshot of another release, see `storeOther`. */
export async function publishOther(bucket: R2Bucket, identity: Omit<Manifest, 'objects'>): Promise<void> {
  const manifest = await storeOther(bucket, identity);
  await bucket.put(manifestKey(manifest.version), JSON.stringify(manifest));
}

/**
 * Stores the objects of another release, and gives what can be published. It is the seeded one with "e" for every "a" in
 * names, and with every boundary ten degrees or more away from where it was. Its ready bodies are left out.
 */
export async function storeOther(bucket: R2Bucket, { release, version }: Omit<Manifest, 'objects'>): Promise<Manifest> {
  const manifest = inject('snapshot');
  const objects: SnapshotObject[] = [];
  for (const { name } of manifest.objects) {
    if (name !== AREAS && name !== POINTS && !name.startsWith('boundaries-')) continue;
    const made = await otherBytes(name);
    const bytes = name === AREAS ? await gzip(renamed(made, { release, version })) : made;
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
    const sha256 = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    const { etag } = await bucket.put(objectKey(version, { name, sha256 }), bytes, { sha256 });
    objects.push({ name, bytes: bytes.length, sha256, etag });
  }
  return { release, version, objects };
}

/** The unpacked areas with other names, as those of another release. */
function renamed(bytes: Uint8Array, identity: { release: string; version: string }): Uint8Array {
  // Eight bytes that tell the layout, four with the length of the header, the header, the columns.
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(8, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(12, 12 + length)));
  const columns = bytes.slice(12 + length);
  let at = 0;
  for (const column of header.columns) {
    if (column.name === 'name') {
      for (let i = at; i < at + column.bytes; i += 1) if (columns[i] === 0x61) columns[i] = 0x65;
    }
    at += column.bytes;
  }
  const text = new TextEncoder().encode(JSON.stringify({ ...header, facts: { ...header.facts, ...identity } }));
  const renamedBytes = new Uint8Array(12 + text.length + columns.length);
  renamedBytes.set(bytes.subarray(0, 8));
  new DataView(renamedBytes.buffer).setUint32(8, text.length, true);
  renamedBytes.set(text, 12);
  renamedBytes.set(columns, 12 + text.length);
  return renamedBytes;
}

/** Gives every longitude, which has three digits and begins with 1 in the drawn country, a 0 in the middle. */
function move(texts: Uint8Array): void {
  for (let i = 0; i < texts.length - 2; i += 1) {
    if (texts[i] === 0x5b && texts[i + 1] === 0x31) texts[i + 2] = 0x30;
  }
}

export async function gzip(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The snapshot of the seeded release, opened. */
export async function openedSnapshot(): Promise<{ opened: OpenedAreas; objects: SnapshotObjects }> {
  const manifest = inject('snapshot');
  const objects = new SnapshotObjects(new Bucket(SNAPSHOTS, new Deadline('each')), manifest);
  return { opened: await openAreas(objects), objects };
}

/** Publishes a release that has a history and nothing else, so that PostGIS answers for its areas. */
export async function publishHistory(
  bucket: R2Bucket,
  made: MadeHistory,
  { release, version = `${release}-${crypto.randomUUID()}` }: { release: string; version?: string },
): Promise<void> {
  const bytes = await gzip(encodeHistory(madeHistory(made)));
  const sha256 = hexOf(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
  const { etag } = await bucket.put(objectKey(version, { name: HISTORY, sha256 }), bytes, { sha256 });
  const objects = [{ name: HISTORY, bytes: bytes.length, sha256, etag }];
  await bucket.put(manifestKey(version), JSON.stringify({ version, release, objects } satisfies Manifest));
  await bucket.put(POINTER_KEY, JSON.stringify({ version }));
}
