import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { editionId } from '../../../src/areas/edition-id.ts';
import { OpenedAreas } from '../../../src/areas/snapshot/opened.ts';
import { replacing } from './output.ts';
import { UsageError } from './usage-error.ts';
import { number } from './words.ts';

const FILE = 'psgc-snapshot.gz';

/** Name of the file with the origin of the snapshot. */
const ORIGIN_FILE = 'psgc-snapshot.json';

interface Origin {
  /** Digest of the snapshot, in the form of `Repr-Digest`. */
  readonly digest: string;
  /** Version of the service from which it was downloaded. */
  readonly service: string;
}

/** Max size of a decompressed snapshot, bytes. */
const MAX_UNPACKED = 64 * 1024 * 1024;

/** Default folder of a user's snapshot: the platform's cache folder. */
export function usualFolder({ env, platform }: Pick<NodeJS.Process, 'env' | 'platform'> = process): string {
  if (platform === 'win32') return join(env.LOCALAPPDATA || join(homedir(), 'AppData', 'Local'), 'psgc', 'Cache');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'psgc');
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'psgc');
}

export function snapshotFile(folder: string): string {
  return join(folder, FILE);
}

/** The SHA-256 of bytes in the form of `Repr-Digest` (RFC 9530). */
export function digestOf(bytes: Uint8Array): string {
  return `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`;
}

/** The bytes of the snapshot in a folder; undefined if none. */
export async function findSnapshot(folder: string): Promise<Uint8Array | undefined> {
  try {
    return await readFile(snapshotFile(folder));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** Stores a snapshot in a folder atomically. */
export async function storeSnapshot(folder: string, bytes: Uint8Array): Promise<void> {
  await mkdir(folder, { recursive: true });
  await replace(snapshotFile(folder), bytes);
}

/** Stores the version of the service beside its snapshot. */
export async function storeOrigin(folder: string, bytes: Uint8Array, service: string): Promise<void> {
  const origin: Origin = { digest: digestOf(bytes), service };
  await replace(join(folder, ORIGIN_FILE), `${JSON.stringify(origin)}\n`);
}

async function replace(path: string, content: Uint8Array | string): Promise<void> {
  const output = replacing(path);
  await output.write(content);
  await output.end();
}

/** The version of the service that a snapshot is from; undefined if not stored, or stored for another snapshot. */
async function originOf(folder: string, bytes: Uint8Array): Promise<string | undefined> {
  try {
    const { digest, service } = JSON.parse(await readFile(join(folder, ORIGIN_FILE), 'utf8')) as Partial<Origin>;
    return digest === digestOf(bytes) ? service : undefined;
  } catch {
    // The snapshot has no origin file.
    return undefined;
  }
}

export interface StoredSnapshot {
  readonly opened: OpenedAreas;
  /** The version of the service that it was downloaded from, if known. */
  readonly service: string | undefined;
}

/** @throws Error if this version can't read the bytes as a snapshot */
export function openSnapshot(bytes: Uint8Array): OpenedAreas {
  return new OpenedAreas(gunzipSync(bytes, { maxOutputLength: MAX_UNPACKED }));
}

/**
 * Opens the snapshot in a folder.
 *
 * @param edition the required one, if any
 * @throws UsageError that says how to get it
 */
export async function readSnapshot(folder: string, edition: string | undefined): Promise<StoredSnapshot> {
  const where = folder === usualFolder() ? '' : ` ${folder}`;
  const get = `psgc download${where}${edition === undefined ? '' : ` --edition ${edition}`}`;
  const bytes = await findSnapshot(folder);
  if (!bytes) throw new UsageError(`There is no snapshot in ${folder}. Get one from a service first: ${get} --url URL`);
  const opened = tryOpen(bytes);
  if (!opened) throw new UsageError(`${snapshotFile(folder)} can not be read. Get it again: ${get} --url URL`);
  const stored = editionId(opened.facts.edition);
  if (edition !== undefined && stored !== edition.toLowerCase()) {
    throw new UsageError(`The snapshot in ${folder} is of ${stored}, not of ${edition}. Get that: ${get} --url URL`);
  }
  return { opened, service: await originOf(folder, bytes) };
}

/** What a snapshot is of, in words. */
export function titleOf({ facts, size }: OpenedAreas): string {
  return `PSGC edition ${editionId(facts.edition)} (release ${facts.release}, ${number(size)} areas)`;
}

function tryOpen(bytes: Uint8Array): OpenedAreas | undefined {
  try {
    return openSnapshot(bytes);
  } catch {
    return undefined;
  }
}
